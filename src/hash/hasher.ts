/**
 * The port of the chain (spec 2.3, step 4): `rounds` times replace the value by the lowercase hex SHA-1 of prefix and value.
 * The first round takes a value of any length (`digest`), every later one 40 hex digits (`advance`); what is between two
 * calls is the caller's, so calls never see each other's data and a long chain can be run in slices.
 *
 * Implementations: `plain.ts` (the definition) and `wasm.ts`; `test/contract/hasher.ts` runs all.
 */
export interface Hasher {
  /** What runs the chain, for benchmarks and bug reports. */
  readonly name: HasherName;
  /**
   * One round: writes the SHA-1 of `prefix` followed by `value`, both of any length, into the five words of `digests` from
   * `at`. The arguments are read during the call only and never kept.
   */
  digest(prefix: Uint8Array, value: Uint8Array, digests: Uint32Array, at: number): void;
  /**
   * `rounds` more rounds, 0 or more, on each of the chains whose digests stand in `digests`, five words a chain.
   * Several chains advance together where the machine has lanes; `nextPass` says how many are worth a call.
   */
  advance(digests: Uint32Array, prefix: Uint8Array, rounds: number): void;
  /**
   * Lets the engine begin to optimise what runs so many chains, while their first round is still to come. Does something in the first call for each kernel only, and is never necessary.
   */
  warmUp(chains: number): void;
  /** Of `chains` that are waiting (at least 1), how many the next call of `advance` should take for the best rate. */
  nextPass(chains: number): number;
}

/**
 * `plain` runs TypeScript; `scalar` WebAssembly, one chain at a time; `simd` its vectors, one or four chains at a time;
 * `wide` eight, which pays only where V8 had the experimental flag `--experimental-wasm-revectorize` before its first use.
 */
export type HasherName = (typeof HASHER_NAMES)[number];
const HASHER_NAMES = ['plain', 'scalar', 'simd', 'wide'] as const;

/** Throws a TypeError for what is no name of a hasher, without repeating it. */
export function assertHasherName(name: unknown): asserts name is HasherName {
  if (HASHER_NAMES.some((known) => known === name)) return;
  throw new TypeError(
    `"hasher" expected 'plain', 'scalar', 'simd' or 'wide', got ${typeof name === 'string' ? 'another name' : typeof name}`,
  );
}

/** 32-bit words of a SHA-1 digest. */
export const DIGEST_WORDS = 5;
