import type { Protection } from '../../domain/protection.ts';
import type { SealedRow } from '../records.ts';
import { IDENTIFIER, PEPPER, PROTECTION, SEAL } from './catalogue.ts';
import type { Lookups } from './cache.ts';
import { hex, toBytes, WHOLE, type RowOf } from './columns.ts';
import { requireSorted } from './pages.ts';
import { ask, askEach, change, countOf, exists, find, put, read } from './rows.ts';
import type { SqlWork, StoreWork } from './statement.ts';
import { shape } from './table.ts';

const FOUND = shape({ found: WHOLE });
const ELEMENT = shape({ hash: hex(20), element: hex(32) });
/** The smaller one first. */
const SEALED_TABLES = [PROTECTION.name, IDENTIFIER.name];
/** Rows of a table that are counted at once. Half a millisecond in memory. */
const SMALL_TABLE = 4_096;
/** All hashes: the first one and the last one. */
const WHOLE_RANGE = [['00', 'ff']] as const;
/** Parts of a count in a large table, by the first byte of the hash. A part of a million rows is a small table. */
const PARTS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).map(
  (digits) => [digits, digits] as const,
);

/** Fingerprints of sealing keys, and the elements under them. `rehash` (pepper.ts) writes elements to stored rows. */
export const SEAL_WORK = {
  findSeals: () => read(SEAL, 'ORDER BY generation'),

  *addSeal({ generation, fingerprint, addedAt }) {
    yield { lock: ['seal'] };
    const known = yield* read(SEAL, 'ORDER BY generation');
    const last = known.at(-1);
    if (known.length !== generation - 1 || last?.finishedAt === null) return 'taken';
    const completeAt = last?.completeAt ?? null;
    yield* put(SEAL, [{ generation, fingerprint, addedAt, finishedAt: last ? null : addedAt, completeAt }]);
    return 'added';
  },

  *markSeal({ generation, finishedAt, completeAt }) {
    yield { lock: ['seal'] };
    const seal = (yield* read(SEAL, 'ORDER BY generation')).find((one) => one.generation === generation);
    if (finishedAt !== undefined && seal?.finishedAt === null)
      yield* change(SEAL, { generation }, { finishedAt: [null, finishedAt] });
    if (completeAt !== undefined && seal?.completeAt === null && !(yield* hasUnsealed()))
      yield* change(SEAL, { generation }, { completeAt: [null, completeAt] });
  },

  *findHashes(hashes) {
    const found = yield* askEach(
      FOUND,
      `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM identifier WHERE hash = ?)
        OR EXISTS (SELECT 1 FROM protection WHERE hash = ?)`,
      hashes.map((hash) => [toBytes(hash), toBytes(hash)]),
    );
    return hashes.filter((_, at) => (found[at] ?? []).length > 0);
  },

  *readOldElements({ seal, after, limit }) {
    const found = new Map<string, { hash: string; element: string }>();
    for (const table of SEALED_TABLES) {
      const page = yield* ask(
        ELEMENT,
        `SELECT DISTINCT hash, element FROM ${table} WHERE hash > ? AND seal < ? ORDER BY hash LIMIT ?`,
        toBytes(after),
        seal,
        limit,
      );
      requireSorted(
        table,
        page.map(({ hash }) => [hash]),
        [after],
      );
      for (const row of page) found.set(row.hash, row);
    }
    return [...found.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, limit);
  },

  *countUnsealed(): SqlWork<number> {
    for (;;) {
      const peppers = yield* read(PEPPER);
      const newest = peppers.length;
      const oldest = peppers.filter(({ finishedAt }) => finishedAt !== null).length;
      let count = 0;
      // A rotation moves rows to later generations only. So count the oldest generation first: no row is missed.
      for (let generation = oldest; generation <= newest; generation++)
        count += yield* countInParts(
          generation === oldest ? 0 : generation,
          generation === newest ? Number.MAX_SAFE_INTEGER : generation,
        );
      // Otherwise, another rotation has begun meanwhile.
      if ((yield* countOf(PEPPER.name)) === newest) return count;
    }
  },
} satisfies Partial<StoreWork>;

/**
 * Finds sealed rows, for an adapter that runs one work at a time. A server reads both in one statement
 * (postgres/request-work.ts), because a hash may move between two of them.
 */
export function* findSealed(reportIds: readonly string[], lookups: Lookups): SqlWork<SealedRow[]> {
  const identifiers = yield* find(IDENTIFIER, 'reportId', reportIds);
  const hashes = new Set(identifiers.map(({ hash }) => hash));
  return toSealedRows(reportIds, identifiers, yield* lookups.findProtections([...hashes]));
}

/** Returns the rows that have an element, sorted, with the entries of the allow-list for their hashes. */
export function toSealedRows(
  reportIds: readonly string[],
  identifiers: readonly RowOf<(typeof IDENTIFIER)['columns']>[],
  protections: readonly Protection[],
): SealedRow[] {
  const byHash = new Map<string, Protection[]>();
  for (const protection of protections)
    byHash.set(protection.hash, [...(byHash.get(protection.hash) ?? []), protection]);
  const sealed: SealedRow[] = [];
  for (const { generation: _generation, element, seal, ...row } of identifiers)
    if (element !== null && seal !== null)
      sealed.push({ ...row, element, seal, protections: byHash.get(row.hash) ?? [] });
  const places = new Map(reportIds.map((reportId, at) => [reportId, at]));
  const placeOf = ({ reportId }: SealedRow): number => places.get(reportId) ?? 0;
  return sealed.sort((a, b) => placeOf(a) - placeOf(b) || a.position - b.position);
}

/** Counts the rows without an element whose hash went through this many peppers. Other work runs between two parts. */
function* countInParts(fewest: number, most: number): SqlWork<number> {
  let count = 0;
  for (const table of SEALED_TABLES) {
    const isLarge = yield* exists(`(SELECT 1 FROM ${table} LIMIT 1 OFFSET ?) AS later`, SMALL_TABLE);
    for (const [first, last] of isLarge ? PARTS : WHOLE_RANGE) {
      count += yield* countOf(
        `${table} WHERE hash BETWEEN ? AND ? AND element IS NULL AND generation BETWEEN ? AND ?`,
        toBytes(first.padEnd(40, '0')),
        toBytes(last.padEnd(40, 'f')),
        fewest,
        most,
      );
      if (isLarge) yield { pause: true };
    }
  }
  return count;
}

/** True if a row has no element. Each statement sees all rows at one moment, so no row is missed. */
function* hasUnsealed(): SqlWork<boolean> {
  for (const table of SEALED_TABLES) if (yield* exists(`${table} WHERE element IS NULL`)) return true;
  return false;
}
