import type { Bounds } from '../domain/bounds.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { CaseRequest, DisputeDraft, DisputeReceipt, PersonCase } from '../domain/dispute.ts';
import type { PublicRecord } from '../domain/public-record.ts';
import type { QueryResult } from '../domain/verdict.ts';
import type { OffenceType, PublicReport, ReportDraft, ReportReceipt } from '../domain/report.ts';
import { withAuthentication, begin, type Authentication } from './authenticate.ts';
import type { KeyLimit } from './limits.ts';
import type { EngineContext } from './context.ts';
import { queryCost, query, type QueryRequest } from './query.ts';
import { remove, report, reportCost } from './report.ts';
import { view, type ViewRequest } from './view.ts';

/** What the operator set and every client may know. */
export interface ServiceRules {
  /** Public base address, e.g. `https://reports.example`. */
  readonly publicUrl: string;
  /** Types that a report may have. Default: `OFFENCE_TYPES`. */
  readonly offenceTypes: readonly OffenceType[];
  /** Upper bounds of a request. Default: 32 identifiers, and 2,000 code points of text. */
  readonly bounds: Bounds;
}

/**
 * The four operations of the service (protocol 1). Each returns an {@link Outcome}: a value, or a refusal with nothing
 * changed. An operation rejects on misuse and on failures of the store (`StoreError`). After the store has committed,
 * an operation always succeeds.
 */
export interface Service {
  /**
   * Submits a report (protocol 4.2). The same request within the retry window returns the first receipt and stores
   * nothing (protocol 8, our choice).
   */
  report(request: ReportDraft & Authentication): Promise<Outcome<ReportReceipt>>;
  /** Deletes one of the reporter's own reports by its deletion code (protocol 4.3). */
  remove(request: Authentication & { readonly deletionCode: string }): Promise<Outcome<void>>;
  /**
   * Scores a set of hashed identifiers (protocol 4.4). Rejects with TypeError or RangeError if `asOf` is not a past
   * moment.
   */
  query(request: QueryRequest): Promise<Outcome<QueryResult>>;
  /**
   * Checks the key of a request that is otherwise invalid, and counts the request. So a wrong key is refused before any
   * other field.
   */
  checkKey(request: Authentication & { readonly action: KeyLimit }): Promise<Outcome<void>>;
  /**
   * Returns the live reports behind a query's link, newest first (protocol 4.5). `client` is the client's address,
   * which has a request limit (protocol 8). Without `client`, no limit applies. Refuses with `not-found` for a
   * malformed or unknown hash, and with `overloaded` if too many views read reports at once. Returns the same array as
   * long as it has the same reports.
   * @param request.linkHash 40 hex characters, or the first 16 of them: the viewer code of the classic dialect. A code
   *   with which several links begin is refused with `not-found`.
   */
  view(request: {
    readonly linkHash: string;
    readonly client?: string | undefined;
  }): Promise<Outcome<readonly PublicReport[]>>;
  /**
   * Returns what a person sees behind a link: the reports as {@link Service.view} returns them, and the score as of
   * now. A service without `record` has no page of it.
   */
  record?(request: { readonly linkHash: string; readonly client?: string | undefined }): Promise<Outcome<PublicRecord>>;
  /**
   * Files a person's request for disputes about the newest 50 reports that have one of its identifiers. No score
   * changes until the operator opens a dispute. Answers alike, also in time, whether or not reports match. At most 20
   * requests wait about one report; further ones are dropped. A report with an open dispute takes none. A service
   * without `requestDispute` has no page for it.
   */
  requestDispute?(request: DisputeDraft): Promise<Outcome<DisputeReceipt>>;
  /**
   * Returns what became of a request for disputes, and takes a message to the operator. Refuses with `not-found` if
   * this service made no such number. Answers alike, also in time, whether or not reports match, until the operator
   * acts. A service without `readCase` has no page for it.
   */
  readCase?(request: CaseRequest): Promise<Outcome<PersonCase>>;
  /** Returns what the OpenAPI document of the service depends on. A service without `describe` has no such document. */
  describe?(): Promise<Outcome<ServiceRules>>;
}

/** Returns the operations of the service on a context. */
export function createService(context: EngineContext) {
  const counting = {
    query: queryCost(context),
    report: reportCost(context),
    delete: { throttle: context.limits.throttles.delete, needs: 'report' },
  } as const;
  const check = (action: KeyLimit) => {
    const { throttle, needs } = counting[action];
    // A report that is not stored costs nothing of the budget.
    const budgetOf = action === 'query' ? counting.query.budgetOf : undefined;
    return withAuthentication(context, { throttle, needs, budgetOf, run: async () => accept(undefined) });
  };
  return {
    report: withAuthentication(context, { ...counting.report, run: report }),
    remove: withAuthentication(context, { ...counting.delete, run: remove }),
    query: withAuthentication(context, { ...counting.query, run: query, runUnchecked: query }),
    checkKey: (request: Parameters<Service['checkKey']>[0]) => check(request.action)(request),
    async view(request: ViewRequest) {
      await begin(context, request);
      return view(context, request);
    },
  } satisfies Service;
}
