import { SHA256 } from '../../core/crypto/sha256.ts';

/**
 * Returns the number of an advisory lock, the same in every process and version. Advisory locks belong to the whole
 * database, so the number depends on the schema too. If two names have one number, their users only wait for each
 * other.
 */
export function lockNumber(schema: string, name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${SHA256.digest(`redflag/${schema}/${name}`).slice(0, 16)}`));
}

/** Returns the numbers of these locks, sorted, so that two transactions cannot deadlock. */
export function lockNumbers(schema: string, names: readonly string[]): bigint[] {
  return [...new Set(names.map((name) => lockNumber(schema, name)))].sort((a, b) => (a < b ? -1 : 1));
}
