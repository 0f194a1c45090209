import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The 64 bits by which an advisory lock goes in PostgreSQL, the same in every process and version. Advisory locks are the whole database's, so the schema is
 * part of the name. Two names that met would wait for each other without need, and nothing else.
 */
export function lockNumber(schema: string, name: string): bigint {
  const digest = sha256(utf8ToBytes(`redflag/${schema}/${name}`));
  return new DataView(digest.buffer, digest.byteOffset).getBigInt64(0);
}

/** The expressions that take these locks one after the other. In the order of their numbers, so that two works that want the same ones do not wait for each other. */
export function lockCalls(schema: string, names: readonly string[]): string {
  const numbers = [...new Set(names.map((name) => lockNumber(schema, name)))].sort((a, b) => (a < b ? -1 : 1));
  return numbers.map((number) => `pg_advisory_xact_lock(${number})`).join(', ');
}
