/**
 * The module for platforms with vectors. It has the exports of `chain.ts`, and advances four and eight chains at a
 * time: the host then writes their digests to `LANES` or `WIDE`. A prefix of 8 bytes, like the default one, has kernels
 * of its own; other prefixes use the loops of `chain.ts` and `lanes.ts`.
 */
import * as chain from './chain';
import * as kernels from './kernels.generated';
import { advanceFourOfAnyPrefix, layOutTail } from './lanes';
import { LANES, PREFIX_WORDS, TAIL, WIDE } from './memory';
import { totalBytes } from './message';
import { fillVectors } from './vector';

export { INPUT, INPUT_BYTES, LANES, STATE, WIDE } from './memory';
export { absorb, begin, finish } from './message';
export { wipe } from './chain';

/**
 * True when the last prefix has the 8 bytes for which the kernels are unrolled. Also true before the first prefix: then
 * `advance` is called only to let the engine optimise its kernel.
 */
let unrolled: bool = true;

fillVectors();
kernels.fillNumbers();

export function endPrefix(): void {
  unrolled = totalBytes() == 8;
  chain.endPrefix();
  if (unrolled) {
    kernels.fillSlots(load<u32>(TAIL), load<u32>(TAIL, 4));
    store<u64>(PREFIX_WORDS, load<u64>(TAIL));
  } else {
    layOutTail();
  }
}

/** `rounds` more rounds on the digest in `STATE`. */
export function advance(rounds: u32): void {
  if (unrolled) kernels.advanceOne(rounds);
  else chain.advance(rounds);
}

/** `rounds` more rounds on the four digests in `LANES`: vector k holds word k of each. */
export function advanceFour(rounds: u32): void {
  if (unrolled) kernels.advanceFour(rounds);
  else advanceFourOfAnyPrefix(rounds);
}

/** `rounds` more rounds on the eight digests in `WIDE`: vectors 2k and 2k + 1 hold word k of each. */
export function advanceEight(rounds: u32): void {
  if (unrolled) {
    kernels.advanceEight(rounds);
    return;
  }
  for (let half: usize = 0; half < 32; half += 16) {
    for (let k: usize = 0; k < 5; k++) v128.store(LANES + 16 * k, v128.load(WIDE + 32 * k + half));
    advanceFourOfAnyPrefix(rounds);
    for (let k: usize = 0; k < 5; k++) v128.store(WIDE + 32 * k + half, v128.load(LANES + 16 * k));
  }
}
