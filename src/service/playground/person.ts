import { KIND, type Identifier } from '../../core/domain/identifier.ts';
import { NOT_IDENTIFIER, reasonAgainst } from '../../core/identifiers/not-identifier.ts';
import { DEFAULT_ITERATIONS, normaliseIdentifier } from '../../hash.ts';
import type { HashPool } from '../../browser.ts';
import { isSharedHost } from '../web/shared-hosts.ts';

/** An identifier of the person that the page reports and asks about. */
export interface PersonRow {
  /** Unique in the page. */
  readonly id: number;
  readonly kind: string;
  /** What the visitor typed; empty if only the hash is known. */
  readonly value: string;
  /** Undefined while it is computed, and for a value that cannot be hashed. */
  readonly hash: string | undefined;
  /** Milliseconds that the worker needed; undefined for a given hash. */
  readonly ms: number | undefined;
  /** True if only the hash is known, e.g. from a shared link. */
  readonly isHash: boolean;
  /** True if the worker failed. */
  readonly failed: boolean;
}

/** Returns a row with a value, or with a hash alone. */
export function createRow(id: number, kind: string, value: string, hash?: string): PersonRow {
  return { id, kind, value, hash, ms: undefined, isHash: hash !== undefined, failed: false };
}

/** The two customers of the example: kind, value and hash of each identifier. */
export const CUSTOMERS: readonly {
  readonly name: string;
  readonly identifiers: readonly (readonly [string, string, string])[];
}[] = [
  {
    name: 'Fraudster',
    identifiers: [
      ['email', ' Client@Example.com ', 'e6046ea1e61328d5ad100fdf7507b841b5112932'],
      ['phone', '+1 000 111 22 33', 'd2b80f3942278826bff4818fedc87f1dc4be0739'],
    ],
  },
  {
    name: 'Honest customer',
    identifiers: [
      ['email', 'Neighbour@Example.com', '3b1dae26e34d83c039f287a3a9d549490c3f9698'],
      ['phone', '+1 000 444 55 66', '6d1667811f8baefef9bf53e479aac0fd4206ee0e'],
    ],
  },
];

/** Returns the rows of a customer of the example, by index. Their ids are below 100. */
export function rowsOf(customer: number): PersonRow[] {
  return CUSTOMERS[customer]!.identifiers.map(([kind, value], at) => createRow(10 * customer + at, kind, value));
}

/** Returns the index of the customer of the example whose rows these are; undefined if they are of another person. */
export function customerOf(rows: readonly PersonRow[]): number | undefined {
  const text = JSON.stringify(rows.map(({ kind, value }) => [kind, value]));
  const found = CUSTOMERS.findIndex(
    ({ identifiers }) => JSON.stringify(identifiers.map(([kind, value]) => [kind, value])) === text,
  );
  return found === -1 ? undefined : found;
}

/** Returns the value as it is hashed, or why it cannot be. */
export function normalise(value: string): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: normaliseIdentifier(value) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Returns why commands leave this row's value out; undefined if they hash it. The page hashes it all the same. */
export function whyLeftOut({ kind, value, isHash }: PersonRow): string | undefined {
  const why = isHash || value.trim() === '' ? undefined : reasonAgainst(kind, value, isSharedHost);
  return why === undefined ? undefined : NOT_IDENTIFIER[why];
}

/** True for a row whose hash is computed, or will be. */
export function isWaiting({ hash, isHash, failed, value }: PersonRow): boolean {
  return hash === undefined && !isHash && !failed && 'text' in normalise(value);
}

/** Hashes one value in a worker. Never rejects. */
export async function hashRow(pool: HashPool, value: string): Promise<Pick<PersonRow, 'hash' | 'ms' | 'failed'>> {
  if ('problem' in normalise(value)) return { hash: undefined, ms: undefined, failed: false };
  const startMs = performance.now();
  try {
    const [hash] = await pool.hashIdentifiers([value]);
    return { hash, ms: performance.now() - startMs, failed: false };
  } catch {
    return { hash: undefined, ms: undefined, failed: true };
  }
}

/** Returns the hashed identifiers that are ready. */
export function identifiersOf(rows: readonly PersonRow[]): Identifier[] {
  return rows.flatMap(({ kind, hash }) => (hash === undefined || !KIND.test(kind) ? [] : [{ kind, hash }]));
}

/** Rounds of the chain that a worker ran in a second. */
export function roundsPerSecond(ms: number): number {
  return (DEFAULT_ITERATIONS / ms) * 1000;
}
