import { WORK_A_TURN } from './event-loop.ts';
import { DIGEST_WORDS, type Hasher } from './hasher.ts';
import { assertRounds } from './rounds.ts';

/** How a chain is run (spec 2.3, step 4; spec 8). */
export interface ChainParameters {
  /** UTF-8 bytes put before the value in every round, any number. */
  readonly prefix: Uint8Array;
  /** An integer of at least 1. */
  readonly rounds: number;
}

export const utf8 = /* @__PURE__ */ new TextEncoder();

/**
 * Runs the chain of each value and returns 40 lowercase hex characters for each, in order. Yields after every few
 * milliseconds of work, so that the caller may let others have their turn; the number yielded is the rounds since the
 * last yield, those of chains that ran together counted once. Leaves nothing of a value in the hasher.
 *
 * Throws RangeError for rounds that are no integer of at least 1.
 */
export function* runChains(
  hasher: Hasher,
  values: readonly string[],
  { prefix, rounds }: ChainParameters,
): Generator<number, string[]> {
  assertRounds(rounds);
  const hashes: string[] = [];
  while (hashes.length < values.length) {
    const pass = values.slice(hashes.length, hashes.length + hasher.nextPass(values.length - hashes.length));
    const digests = new Uint32Array(pass.length * DIGEST_WORDS);
    try {
      for (let index = 0; index < pass.length; index++) yield digestInto(digests, index, hasher, pass[index]!, prefix);
      for (let left = rounds - 1; left > 0; left -= WORK_A_TURN) {
        const slice = Math.min(left, WORK_A_TURN);
        hasher.advance(digests, prefix, slice);
        yield slice;
      }
      for (let index = 0; index < pass.length; index++) hashes.push(toHex(digests, index * DIGEST_WORDS));
    } finally {
      digests.fill(0);
    }
  }
  return hashes;
}

/** {@link runChains} of one value, from start to end. */
export function runChain(hasher: Hasher, value: string, { prefix, rounds }: ChainParameters): string {
  assertRounds(rounds);
  const digests = new Uint32Array(DIGEST_WORDS);
  try {
    digestInto(digests, 0, hasher, value, prefix);
    hasher.advance(digests, prefix, rounds - 1);
    return toHex(digests, 0);
  } finally {
    digests.fill(0);
  }
}

/** The first round of chain `index`. Returns the work as rounds: a long value is many blocks, each as much as one. */
function digestInto(digests: Uint32Array, index: number, hasher: Hasher, value: string, prefix: Uint8Array): number {
  const bytes = utf8.encode(value);
  try {
    hasher.digest(prefix, bytes, digests, index * DIGEST_WORDS);
  } finally {
    // The string is the caller's; the copy is ours.
    bytes.fill(0);
  }
  return 1 + (bytes.length >>> 6);
}

/** The five words from `at` as 40 lowercase hex digits. */
export function toHex(digests: Uint32Array, at: number): string {
  let hex = '';
  for (let word = at; word < at + DIGEST_WORDS; word++) hex += digests[word]!.toString(16).padStart(8, '0');
  return hex;
}
