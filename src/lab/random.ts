/**
 * Seeded randomness for everything in the lab that draws: each call gives the next number from 0 to below 1, of 53 random bits, the same ones for
 * the same seed in every runtime. sfc32 (Doty-Humphrey, PractRand) on a state of 128 bits. `randomLcg` of d3-random has 32: its seeds are places on
 * one and the same cycle, and seeds 1 and 2 begin with numbers .0004 apart, so worlds of near seeds would begin alike. Its distributions take this
 * one as their `source`. Not for secrets.
 *
 * @param seed a whole number from 0 to `Number.MAX_SAFE_INTEGER`; near seeds give unrelated sequences. RangeError otherwise.
 */
export function createRandom(seed: number): () => number {
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new RangeError(`"seed" expected a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, got ${seed}`);
  // Both halves of the seed enter, in places of their own: no two seeds share a state.
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
  // The first outputs still resemble the seed: PractRand's author drops this many.
  for (let i = 0; i < 15; i++) next32();
  // 27 bits above 26 bits: every multiple of 2^-53 below 1 is equally likely.
  return () => ((next32() >>> 5) * 0x400_0000 + (next32() >>> 6)) / 0x20_0000_0000_0000;
}

/** Spreads a seed of 32 bits over as many numbers of 32 bits as the state needs (Steele, Lea and Flood's mixer with 32-bit constants). */
function splitMix32(seed: number): () => number {
  let state = seed | 0; // The lower 32 bits.
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}
