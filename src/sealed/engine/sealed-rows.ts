import { disputeStateAt } from '../../core/domain/dispute.ts';
import { refuseUnknown, requireWhole } from '../../core/domain/options.ts';
import { protectsNow } from '../../core/domain/protection.ts';
import type { DatedReport } from '../../core/store/records.ts';
import { requireConcealment } from './concealment.ts';
import { findSealed } from './stored.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import { groupBy } from '../../core/domain/lists.ts';

/** One sealed identifier of a report that counts, with all that scoring needs of the report. */
export interface PublishedRow {
  /** 64 lowercase hex characters. */ readonly element: string;
  /** 16 lowercase hex characters. */ readonly reportId: string;
  /** 16 lowercase hex characters. */ readonly reporterId: string;
  /** Kind of the identifier. */ readonly kind: string;
  /** Offence type. */ readonly type: string;
  /** 1 to 10. */ readonly severity: number;
  /** True while a dispute about the report is open. */ readonly disputeOpen: boolean;
  /** Time of the report (ms, UTC). */ readonly createdAt: number;
}

/** Which page to read. */
export interface PublishedPageRequest {
  /** The `next` of the page before. Undefined: from the oldest report. */
  readonly after?: DatedReport | undefined;
  /** Maximum number of reports, from 1. Each has a row for each of its sealed identifiers. */
  readonly limit: number;
}

/** A page of {@link PublishedRow}s. */
export interface PublishedPage {
  /** By time of the report, ties by its id, then in the order of submission. May be empty before the last page. */
  readonly rows: readonly PublishedRow[];
  /** Where the next page begins. Undefined after the last one. */
  readonly next: DatedReport | undefined;
}

/**
 * Reads a page of the identifiers that queries count and that have an element. Leaves out what a query leaves out now:
 * reports with an upheld dispute and protected hashes. Every report is read once, even if its hashes move meanwhile.
 * Rejects with a damage error for an identifier without an element: answers without it would look complete.
 */
export async function readSealedRows(context: EngineContext, request: PublishedPageRequest): Promise<PublishedPage> {
  const { store, effects } = context;
  refuseUnknown(request, ['after', 'limit']);
  const { after, limit } = request;
  requireWhole('limit', limit, 1);
  await requireConcealment(context);
  const reports = await store.readReports({ from: 0, after, limit });
  const stored = await findSealed(
    store,
    reports.map(({ reportId }) => reportId),
  );
  // This read comes later than that of the rows, so the page leaves out at least what was wrong at its beginning.
  const disputed = new Set(stored.filter((row) => row.disputed).map(({ reportId }) => reportId));
  const disputes = groupBy(await store.findDisputes([...disputed]), ({ reportId }) => reportId);
  const atMs = effects.clock();

  const rows: PublishedRow[] = [];
  for (const row of stored) {
    const { reportId, reporterId, element, kind, type, severity, createdAt, protections } = row;
    const dispute = disputeStateAt(disputes.get(reportId) ?? [], Infinity);
    if (dispute === 'upheld' || protections.some((one) => protectsNow(one, atMs))) continue;
    rows.push({ element, reportId, reporterId, kind, type, severity, disputeOpen: dispute === 'open', createdAt });
  }
  return { rows, next: reports.length < limit ? undefined : reports.at(-1) };
}
