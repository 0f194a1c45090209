import { disputeStateAt } from '../../core/domain/dispute.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import { groupBy } from '../../core/domain/lists.ts';
import { refuseUnknown, requireWhole } from '../../core/domain/options.ts';
import { protectsNow } from '../../core/domain/protection.ts';
import { refuse, type Outcome, type Refusal } from '../../core/domain/refusal.ts';
import type { ReportDraft, ReportReceipt } from '../../core/domain/report.ts';
import type { QueryResult } from '../../core/domain/verdict.ts';
import type { Authentication } from '../../core/engine/authenticate.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { QueryDraft } from '../../core/engine/query.ts';
import type { Service } from '../../core/engine/service.ts';
import type { DatedReport } from '../../core/store/records.ts';
import { requireConcealment, type SealedIdentifier } from './concealment.ts';
import { findSealed } from './stored.ts';

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

/** A request whose identifiers may be sealed. */
export type Sealable<Request> = Omit<Request, 'identifiers'> & {
  readonly identifiers: readonly (Identifier | SealedIdentifier)[];
};

/**
 * What an engine with sealed elements takes, and what is published of them. Each call rejects with SealError if the
 * store belongs to another sealing key.
 */
export interface Sealing {
  /**
   * As `report` of the engine, also of sealed identifiers. Two reports are one retry only if both have hashes, or both
   * have elements.
   */
  report(request: Sealable<ReportDraft> & Authentication): Promise<Outcome<ReportReceipt>>;
  /**
   * As `query` of the engine, also of sealed identifiers. A set has one link for its hashes and another one for its
   * elements.
   */
  query(request: Sealable<QueryDraft> & Authentication): Promise<Outcome<QueryResult>>;
  /**
   * Returns a page of the identifiers that queries count. Leaves out what a query leaves out now: reports with an
   * upheld dispute and protected identifiers. Rejects with TypeError or RangeError for a wrong `limit`, with RangeError
   * if the engine has no seal, and with a damage error for an identifier without an element: answers without it would
   * look complete.
   */
  readSealedRows(page: PublishedPageRequest): Promise<PublishedPage>;
}

/** Returns what an engine with sealed elements takes. */
export function createSealing({ context, report, query }: Engine): Sealing {
  return context.secretCheck.guard<Sealing>({
    report: (request) => report(request as ReportDraft & Authentication),
    query: (request) => query(request as QueryDraft & Authentication),
    readSealedRows: (page) => readSealedRows(context, page),
  });
}

/** As `readSealedRows` of {@link Sealing}. Every report is read once, even if its hashes move meanwhile. */
async function readSealedRows(context: EngineContext, request: PublishedPageRequest): Promise<PublishedPage> {
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

/**
 * Returns a service that takes no hashes: reports, queries and requests for disputes are refused with `sealed-only`,
 * before any key is checked. Deletions and views, which have no hash, are answered.
 */
export function withoutHashes(service: Service): Service {
  const refused = async (): Promise<{ readonly ok: false; readonly refusal: Refusal }> =>
    refuse({ reason: 'sealed-only' });
  const { requestDispute: _, ...others } = service;
  return {
    ...others,
    report: refused,
    query: refused,
    checkKey: (request) => (request.action === 'delete' ? service.checkKey(request) : refused()),
  };
}
