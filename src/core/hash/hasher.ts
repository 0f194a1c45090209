/**
 * The port of the chain (protocol 2.3, step 4). Each round replaces the value by the lowercase hex SHA-1 of prefix and
 * value. `digest` runs the first round, on a value of any length. `advance` runs later rounds, on 40 hex digits. The
 * caller keeps the digests between calls, so a long chain can run in slices.
 *
 * Implementations: `plain.ts` (the definition) and `wasm.ts`. `test/contract/hasher.ts` tests both.
 */
export interface Hasher {
  /** Name of the implementation, for benchmarks and bug reports. */
  readonly name: HasherName;
  /**
   * Runs the first round: writes the SHA-1 of `prefix` and `value`, both of any length, to five words of `digests` from
   * `at`. Keeps no reference to the arguments.
   */
  digest(prefix: Uint8Array, value: Uint8Array, digests: Uint32Array, at: number): void;
  /**
   * Runs `rounds` more rounds (0 or more) on each chain in `digests`, which has five words per chain. With vector
   * instructions, several chains advance in parallel; `nextPass` returns the best number. Throws RangeError for invalid
   * `rounds`.
   */
  advance(digests: Uint32Array, prefix: Uint8Array, rounds: number): void;
  /**
   * Optional: makes the JavaScript engine optimise the kernel for this many chains early. Only the first call for each
   * kernel does any work.
   */
  warmUp(chains: number): void;
  /** Returns how many of the waiting `chains` (at least 1) to pass to the next `advance` for the best throughput. */
  nextPass(chains: number): number;
}

/**
 * `plain` runs TypeScript. The others run WebAssembly: `scalar` one chain at a time, `simd` up to four, `wide` up to
 * eight. `wide` is faster only if V8's flag `--experimental-wasm-revectorize` is set before its first use.
 */
export type HasherName = (typeof HASHER_NAMES)[number];
const HASHER_NAMES = ['plain', 'scalar', 'simd', 'wide'] as const;

/** 32-bit words of a SHA-1 digest. */
export const DIGEST_WORDS = 5;

/** Throws TypeError for an unknown hasher. The message does not repeat the name. */
export function assertHasherName(name: unknown): asserts name is HasherName {
  if (HASHER_NAMES.some((known) => known === name)) return;
  throw new TypeError(`"hasher" expected one of ${HASHER_NAMES.join(', ')}`);
}

/** Throws TypeError unless the value is a number, and RangeError unless it is whole and at least `min`. */
export function assertWhole(label: string, value: number, min: number): void {
  if (typeof value !== 'number') throw new TypeError(`"${label}" expected a number, got ${typeof value}`);
  if (!Number.isSafeInteger(value) || value < min)
    throw new RangeError(`"${label}" expected a whole number of at least ${min}, got ${value}`);
}
