import { SHA256 } from '../../crypto/sha256.ts';

/**
 * Returns the number of an advisory lock, the same in every process and version. Advisory locks belong to the whole
 * database, so the number depends on the schema too. If two names have one number, their users only wait for each
 * other.
 */
export function lockNumber(schema: string, name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${SHA256.digest(`redflag/${schema}/${name}`).slice(0, 16)}`));
}

/**
 * Returns the expressions that take these locks. They are sorted by number, so that two transactions cannot deadlock.
 */
export function lockCalls(schema: string, names: readonly string[]): string {
  const numbers = [...new Set(names.map((name) => lockNumber(schema, name)))].sort((a, b) => (a < b ? -1 : 1));
  return numbers.map((number) => `pg_advisory_xact_lock(${number})`).join(', ');
}
