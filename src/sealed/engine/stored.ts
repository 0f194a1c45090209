import type { Protection } from '../../core/domain/protection.ts';
import { damageError, SealError } from '../../core/store/errors.ts';
import type { StoredIdentifier } from '../../core/store/records.ts';
import { IDENTIFIER, PROTECTION } from '../../core/store/sql/catalogue.ts';
import { toBytes, WHOLE, type RowOf } from '../../core/store/sql/columns.ts';
import { askPairs, pairColumns } from '../../core/store/sql/pairs.ts';
import { exists } from '../../core/store/sql/rows.ts';
import { shape } from '../../core/store/sql/table.ts';
import type { Store } from '../../core/store/store.ts';

// What sealing reads of the store. The core writes elements (`addReport`, `addProtection`, `rehash`) and their keys.

/** One identifier of a live report that has a sealed element, with all data of the report that scoring needs. */
export interface SealedRow extends StoredIdentifier {
  /** 64 hex characters. */ readonly element: string;
  /** Offence type. */ readonly type: string;
  /** 1 to 10. */ readonly severity: number;
  /** All entries of the allow-list for the hash at the same moment, including past ones. */
  readonly protections: readonly Protection[];
}

const IS_LISTED = shape({ isListed: WHOLE });
/** The identifiers of a report, and whether the allow-list has an entry for each. */
const ROWS = `SELECT ${pairColumns(IDENTIFIER)},
  CASE WHEN EXISTS (SELECT 1 FROM protection WHERE protection.hash = identifier.hash) THEN 1 ELSE 0 END
  FROM identifier WHERE report_id = ?`;
const LISTED_ROWS = `SELECT ${pairColumns(IDENTIFIER, PROTECTION)}
  FROM identifier LEFT JOIN protection ON protection.hash = identifier.hash WHERE identifier.report_id = ?`;

/**
 * Returns the identifiers of these reports, by report in the given order, then by position. Each
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
      const { reportId, hash, kind, position, type, severity, disputed, element } = identifier;
      if (!places.has(reportId))
        throw damageError('a lookup in the table identifier returned another row: an index is damaged');
      if (element === null)
        throw damageError(
          'an identifier of a report has no sealed element: a process stored it without the sealed keys',
        );
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
 * Resolves if a store may be sealed: it is, or it has no report and no entry of the allow-list. Otherwise rejects with
 * {@link SealError}.
 */
export async function requireUnseen(store: Store): Promise<void> {
  if ((await store.findElementKeys()).length > 0) return;
  const isSeen = await store.read(function* () {
    return (yield* exists(IDENTIFIER.name)) || (yield* exists(PROTECTION.name));
  });
  if (isSeen)
    throw new SealError(
      'the store has reports or protected identifiers whose hashes this operator has seen; the sealed look-up needs a store without them',
    );
}
