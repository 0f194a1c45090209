/**
 * The port of the chain (spec 2.3, step 4): `rounds` times replace the value by the lowercase hex SHA-1 of prefix and value.
 * Implementations: `plain.ts` (the definition) and `wasm.ts`; `test/contract/hasher.ts` runs both.
 */
export interface Hasher {
  /** What runs the chain, for benchmarks and bug reports. */
  readonly name: 'plain' | 'scalar';
  /**
   * @param value UTF-8 bytes of the normalised identifier, any length. Read during the call only, never kept.
   * @param prefix bytes put before the value in every round, any length.
   * @param rounds an integer of at least 1.
   * @returns 40 lowercase hex characters.
   */
  hash(value: Uint8Array, prefix: Uint8Array, rounds: number): string;
}
