import type { Protection } from '../../core/domain/protection.ts';
import { damageError } from '../../core/store/errors.ts';
import type { StoredIdentifier } from '../../core/store/records.ts';
import { HASHED_TABLES, IDENTIFIER, PEPPER, PROTECTION } from '../../core/store/sql/catalogue.ts';
import { hex, toBytes, WHOLE, type RowOf } from '../../core/store/sql/columns.ts';
import { requireSorted } from '../../core/store/sql/pages.ts';
import { askPairs, pairColumns } from '../../core/store/sql/pairs.ts';
import { ask, askEach, countOf, exists, read } from '../../core/store/sql/rows.ts';
import type { SqlWork } from '../../core/store/sql/statement.ts';
import { shape } from '../../core/store/sql/table.ts';
import type { Store } from '../../core/store/store.ts';

// What sealing reads of the store. The core writes elements (`addReport`, `addProtection`, `rehash`) and their keys.

/** A stored hash whose element is of an earlier sealing key. */
export interface OldElement {
  /** 40 hex characters, under the peppers. */ readonly hash: string;
  /** 64 hex characters. */ readonly element: string;
}

/** One identifier of a live report that has a sealed element, with all data of the report that scoring needs. */
export interface SealedRow extends StoredIdentifier {
  /** 64 hex characters. */ readonly element: string;
  /** Generation of the sealing key, from 1. */ readonly seal: number;
  /** Offence type. */ readonly type: string;
  /** 1 to 10. */ readonly severity: number;
  /** All entries of the allow-list for the hash at the same moment, including past ones. */
  readonly protections: readonly Protection[];
}

const FOUND = shape({ found: WHOLE });
const ELEMENT = shape({ hash: hex(20), element: hex(32) });
/** Tables with identifiers that publications depend on. The smaller one first. */
const SEALED_TABLES = [PROTECTION.name, IDENTIFIER.name];
/** Rows of a table that are counted at once. Half a millisecond in memory. */
const SMALL_TABLE = 4_096;
/** All hashes: the first one and the last one. */
const WHOLE_RANGE = [['00', 'ff']] as const;
/** Parts of a count in a large table, by the first byte of the hash. A part of a million rows is a small table. */
const PARTS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).map(
  (digits) => [digits, digits] as const,
);

const IS_STORED = HASHED_TABLES.map(({ name }) => `EXISTS (SELECT 1 FROM ${name} WHERE hash = ?)`).join(' OR ');

/** Returns those of the hashes that are stored in one of the tables. An index lookup per hash and table. */
export function findHashes(store: Store, hashes: readonly string[]): Promise<string[]> {
  return store.read(function* () {
    const found = yield* askEach(
      FOUND,
      `SELECT 1 AS found WHERE ${IS_STORED}`,
      hashes.map((hash) => HASHED_TABLES.map(() => toBytes(hash))),
    );
    return hashes.filter((_, at) => (found[at] ?? []).length > 0);
  });
}

const IS_LISTED = shape({ isListed: WHOLE });
/** The identifiers of a report, and whether the allow-list has an entry for each. */
const ROWS = `SELECT ${pairColumns(IDENTIFIER)},
  CASE WHEN EXISTS (SELECT 1 FROM protection WHERE protection.hash = identifier.hash) THEN 1 ELSE 0 END
  FROM identifier WHERE report_id = ?`;
const LISTED_ROWS = `SELECT ${pairColumns(IDENTIFIER, PROTECTION)}
  FROM identifier LEFT JOIN protection ON protection.hash = identifier.hash WHERE identifier.report_id = ?`;

/**
 * Returns the identifiers of these reports that have an element, by report in the given order, then by position. Each
 * has the entries of the allow-list for its hash.
 *
 * A hash may move between two statements, so one statement reads an identifier with its entries. The few reports that
 * have an entry are read again by such a statement. On SQLite, it takes twice as long as the first one.
 */
export function findSealed(store: Store, reportIds: readonly string[]): Promise<SealedRow[]> {
  return store.read(function* () {
    const places = new Map(reportIds.map((reportId, at) => [reportId, at]));
    const found: SealedRow[] = [];
    const add = (identifier: IdentifierRow, protections: Protection[]): void => {
      const { reportId, hash, kind, position, type, severity, disputed, element, seal } = identifier;
      if (!places.has(reportId))
        throw damageError('a lookup in the table identifier returned another row: an index is damaged');
      if (element === null || seal === null) return;
      const { reporterId, createdAt } = identifier;
      // A literal: spreads would double the time of a page.
      found.push({
        reportId,
        reporterId,
        createdAt,
        type,
        severity,
        hash,
        kind,
        position,
        disputed,
        element,
        seal,
        protections,
      });
    };
    const all = yield* askPairs({ left: IDENTIFIER, rest: IS_LISTED }, ROWS, listsOf(reportIds));
    const listed = new Set<string>();
    for (const { left, rest } of all) if (rest.isListed === 1) listed.add(left.reportId);
    for (const { left } of all) if (!listed.has(left.reportId)) add(left, []);

    const entries = new Map<string, Protection[]>();
    const joined = yield* askPairs({ left: IDENTIFIER, right: PROTECTION }, LISTED_ROWS, listsOf([...listed]));
    for (const { left, right } of joined) {
      if (right && right.hash !== left.hash)
        throw damageError('a lookup in the table protection returned another row: an index is damaged');
      const place = `${left.reportId} ${left.position}`;
      let protections = entries.get(place);
      if (!protections) {
        entries.set(place, (protections = []));
        add(left, protections);
      }
      if (right) protections.push(toProtection(right));
    }
    const placeOf = ({ reportId }: SealedRow): number => places.get(reportId) ?? 0;
    return found.sort((a, b) => placeOf(a) - placeOf(b) || a.position - b.position);
  });
}

type IdentifierRow = RowOf<(typeof IDENTIFIER)['columns']>;

const listsOf = (reportIds: readonly string[]): [Uint8Array][] => reportIds.map((reportId) => [toBytes(reportId)]);

function toProtection(row: RowOf<(typeof PROTECTION)['columns']>): Protection {
  const { generation: _generation, element: _element, seal: _seal, ...protection } = row;
  return protection;
}

/**
 * Returns a page of hashes whose element is of an earlier sealing key than `seal`, the newest one: sorted, after the
 * given hash ('': from the first). `rehash` replaces them.
 */
export function readOldElements(
  store: Store,
  { seal, after, limit }: { readonly seal: number; readonly after: string; readonly limit: number },
): Promise<OldElement[]> {
  return store.read(function* () {
    const found = new Map<string, OldElement>();
    for (const { name: table } of HASHED_TABLES) {
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
  });
}

/**
 * Returns the number of identifiers and entries of the allow-list without an element. A full table scan in 256 parts,
 * and other work runs in between. Rows that a rotation of peppers moves meanwhile may count twice, but none is missing.
 * While a rotation is unfinished, each further generation costs another scan.
 */
export function countUnsealed(store: Store): Promise<number> {
  return store.read(function* () {
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
  });
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
