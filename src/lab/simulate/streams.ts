import { createRandom } from '../random.ts';

export type Random = () => number;

/** A random source of its own for each topic and thing, e.g. `('visit', '17.2')`: what one of them draws never shifts another's numbers. */
export type Streams = (topic: string, thing?: number | string) => Random;

/** All streams of one seed; RangeError unless it is a whole number of at least 0. */
export function createStreams(seed: number): Streams {
  const random = createRandom(seed);
  const low = Math.floor(random() * 2 ** 32);
  const high = Math.floor(random() * 2 ** 32);
  return (topic, thing = '') => {
    const name = `${topic} ${thing}`;
    // 53 bits of two digests: of some 100,000 streams no two are likely to be one.
    return createRandom((digest(name, high) & 0x1f_ffff) * 2 ** 32 + digest(name, low));
  };
}

/** FNV-1a over UTF-16 units from a salted start, then Murmur's finish, which spreads names that differ in the last digit only. */
function digest(name: string, salt: number): number {
  let hash = (0x811c9dc5 ^ salt) | 0;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** 40 hex characters that stand for an identifier; the chain would take its 32,000 rounds to say nothing more. */
export function drawHash(random: Random): string {
  let hash = '';
  // Ten characters are 40 of the 53 bits of one draw.
  for (let i = 0; i < 4; i++)
    hash += Math.floor(random() * 2 ** 40)
      .toString(16)
      .padStart(10, '0');
  return hash;
}
