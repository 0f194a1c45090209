import { requireWhole } from '../core/domain/options.ts';

/**
 * Returns a seeded random source for everything that the lab draws. Each call returns a number from 0 to below 1 with
 * 53 random bits; the same seed gives the same numbers in every runtime. Not for secrets.
 *
 * The generator is sfc32 (Doty-Humphrey, PractRand) with 128 bits of state. `randomLcg` of d3-random has 32 bits: its
 * seeds are positions on one cycle. Seeds 1 and 2 start .0004 apart, so their worlds would start alike. d3's
 * distributions take this generator as their `source`.
 *
 * @param seed a whole number from 0 to `Number.MAX_SAFE_INTEGER`. Close seeds give unrelated numbers. RangeError
 * otherwise.
 */
export function createRandom(seed: number): () => number {
  requireWhole('seed', seed, 0);
  // Each half of the seed fills its own word, so two seeds never share a state.
  const low = splitMix32(seed);
  const high = splitMix32(Math.floor(seed / 0x1_0000_0000));
  let a = low();
  let b = high();
  let c = low();
  let counter = 1;

  const next32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first outputs still resemble the seed. Drop 15 of them, as PractRand's author does.
  for (let i = 0; i < 15; i++) next32();
  // 27 bits above 26 bits: every multiple of 2^-53 below 1 is equally likely.
  return () => ((next32() >>> 5) * 0x400_0000 + (next32() >>> 6)) / 0x20_0000_0000_0000;
}

/** Expands 32 bits of a seed into numbers of 32 bits (the mixer of Steele, Lea and Flood with 32-bit constants). */
function splitMix32(seed: number): () => number {
  let state = seed | 0; // Keep the lower 32 bits.
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}
