import { createSeededRandom } from '../../src/index.ts';

/** Draws that depend only on the seed. */
export interface Random {
  /** A whole number from 0 to `most`, both included. */
  upTo(most: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Characters of this alphabet. */
  text(length: number, alphabet: string): string;
}

const CHUNK_BYTES = 256;

export function createRandom(seed: string): Random {
  const draw = createSeededRandom(seed);
  let bytes = Buffer.alloc(0);
  let at = 0;
  const number = (): number => {
    if (at + 4 > bytes.length) [bytes, at] = [Buffer.from(draw(CHUNK_BYTES)), 0];
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const upTo = (most: number): number => number() % (most + 1);
  return {
    upTo,
    chance: (probability) => number() < probability * 2 ** 32,
    pick: (list) => list[upTo(list.length - 1)]!,
    text: (length, alphabet) => Array.from({ length }, () => alphabet[upTo(alphabet.length - 1)]!).join(''),
  };
}
