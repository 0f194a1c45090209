/**
 * The module for platforms with vectors. It has the exports of `chain.ts`, and advances four and eight chains at a
 * time: the host then writes their digests to `LANES` or `WIDE`. With a prefix of up to 15 bytes, a message fits into
 * one block, and the unrolled kernels run. Longer prefixes use the loops of `chain.ts` and `lanes.ts`.
 */
import * as chain from './chain';
import * as kernels from './kernels.generated';
import { advanceFourOfAnyPrefix, layOutTail } from './lanes';
import { FIRST_FIX, LANES, LANES_TAIL, LAST_FIX, TAIL, WIDE, WIDE_TAIL } from './memory';
import { totalBytes } from './message';
import { fillVectors } from './vector';

export { INPUT, INPUT_BYTES, LANES, STATE, WIDE } from './memory';
export { absorb, begin, finish } from './message';
export { wipe } from './chain';

/** False for a prefix of 16 bytes or more. */
let unrolled: bool = true;
/** Arguments of the kernels: the index of the first message word with digits, and the shift. */
let digitsAt: usize = 0;
let shift: u32 = 0;

fillVectors();
kernels.fillNumbers();

export function endPrefix(): void {
  unrolled = totalBytes() < 16;
  chain.endPrefix();
  layOutTail();
  if (!unrolled) return;
  for (let index: usize = 0; index < 16; index++) {
    const word = i32x4.splat(load<u32>(TAIL + (index << 2)));
    v128.store(WIDE_TAIL + (index << 5), word);
    v128.store(WIDE_TAIL + (index << 5), word, 16);
  }
  digitsAt = (chain.hexAt - TAIL) >> 2;
  shift = chain.hexBits >> 1;
  // The digits of the zeros that the shift brings in: before the first digit, and after the last one.
  const after = 0x30303030 >> chain.hexBits;
  const before = 0x30303030 ^ after;
  store<u32>(FIRST_FIX, chain.beforeHex ^ before);
  store<u32>(LAST_FIX, chain.afterHex ^ after);
}

/** `rounds` more rounds on the digest in `STATE`. */
export function advance(rounds: u32): void {
  if (unrolled) kernels.advanceOne(rounds, TAIL + (digitsAt << 2), shift);
  else chain.advance(rounds);
}

/** `rounds` more rounds on the four digests in `LANES`: vector k holds word k of each. */
export function advanceFour(rounds: u32): void {
  if (unrolled) kernels.advanceFour(rounds, LANES_TAIL + (digitsAt << 4), shift);
  else advanceFourOfAnyPrefix(rounds);
}

/** `rounds` more rounds on the eight digests in `WIDE`: vectors 2k and 2k + 1 hold word k of each. */
export function advanceEight(rounds: u32): void {
  if (unrolled) {
    kernels.advanceEight(rounds, WIDE_TAIL + (digitsAt << 5), shift);
    return;
  }
  for (let half: usize = 0; half < 32; half += 16) {
    for (let k: usize = 0; k < 5; k++) v128.store(LANES + 16 * k, v128.load(WIDE + 32 * k + half));
    advanceFourOfAnyPrefix(rounds);
    for (let k: usize = 0; k < 5; k++) v128.store(WIDE + 32 * k + half, v128.load(LANES + 16 * k));
  }
}
