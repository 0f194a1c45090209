import type { Bounds } from '../domain/bounds.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { SealedIdentifier } from '../domain/identifier.ts';
import type { OffenceType, PublicReport, ReportDraft, ReportReceipt } from '../domain/report.ts';
import { authenticated, begin, type Authentication, type CountedCaller } from './authenticate.ts';
import type { EngineContext, KeyLimit } from './context.ts';
import { costOfQuery, query, type ExplainedQueryResult, type QueryRequest, type SealableQuery } from './query.ts';
import { remove } from './remove.ts';
import { report, reportWithStanding, type ReporterReceipt, type SealableReport } from './report.ts';
import { createRecord, type PublicRecord } from '../../operator/record.ts';
import { requestDispute, type DisputeDraft } from '../../operator/request-dispute.ts';
import { view } from './view.ts';

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
  query(request: QueryRequest): Promise<Outcome<ExplainedQueryResult>>;
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
  requestDispute?(request: DisputeDraft): Promise<Outcome<void>>;
  /** Returns what the OpenAPI document of the service depends on. A service without `describe` has no such document. */
  describe?(): Promise<Outcome<ServiceRules>>;
}

/** Identifiers that cost computing time. */
export interface ComputedIdentifiers {
  /** Called once the key is checked and the request is counted. A rejection is passed on, and nothing is stored. */
  readonly compute: (caller: CountedRequest) => Promise<readonly SealedIdentifier[]>;
}

/** Elements that a request of the sealed look-up costs. */
export interface TakenElements {
  /** Number of elements, or of tokens of a download: at least 0. 0 counts as one request. */
  readonly elements: number;
  /** True if the request downloads published rows, instead of an evaluation. Default: false. */
  readonly isDownload?: boolean;
}

/** A request whose key is checked, and that was counted against the limits of its reporter. */
export interface CountedRequest {
  /** The reporter of the key, 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Counts nothing for the request after all, because the service could not do its work. Call it once at most. */
  giveBack(): void;
}

/** The operations of a service whose identifiers may be sealed, if it has a sealing key. */
export interface SealableService extends Service {
  /** As {@link Service.report}. Two reports are one retry only if both have hashes, or both have elements. */
  report(request: SealableReport & Authentication): Promise<Outcome<ReportReceipt>>;
  /** As `report`, of identifiers that are computed. Also returns the reporter and its present standing. */
  reportComputed(
    request: Omit<SealableReport, 'identifiers'> & Authentication & ComputedIdentifiers,
  ): Promise<Outcome<ReporterReceipt>>;
  /** As {@link Service.query}. A set has one link for its hashes and another one for its elements. */
  query(request: SealableQuery & Authentication): Promise<Outcome<ExplainedQueryResult>>;
  /** As `query`, of identifiers that are computed. Costs `count`. */
  queryComputed(
    request: Authentication & ComputedIdentifiers & { readonly count: number },
  ): Promise<Outcome<ExplainedQueryResult>>;
  /**
   * Checks the key of a request of the sealed look-up, and takes `elements` (from 0) from the limits of its reporter.
   * The key may have any scope, but for a download it must be allowed to query. 0 elements cost one. Call `giveBack` if
   * the service fails to evaluate the elements.
   */
  takeElements(request: Authentication & TakenElements): Promise<Outcome<CountedRequest>>;
}

export function createService(context: EngineContext): SealableService {
  const accepting = async (): Promise<Outcome<void>> => accept(undefined);
  const findRecord = createRecord(context);
  const checks = {
    query: authenticated(context, 'query', accepting),
    report: authenticated(context, 'report', accepting),
    delete: authenticated(context, 'delete', accepting),
  };
  const take = async (_: EngineContext, caller: CountedCaller): Promise<Outcome<CountedRequest>> => accept(caller);
  const elementsOf = (_: EngineContext, { elements }: TakenElements): number => elements;
  const takeForEvaluation = authenticated(context, 'evaluate', take, elementsOf);
  const takeForDownload = authenticated(context, 'evaluate', take, elementsOf, undefined, {
    needs: 'query',
    isDownload: true,
  });
  return {
    report: authenticated(context, 'report', report),
    reportComputed: authenticated(
      context,
      'report',
      async (_, caller, { compute, type, severity, text }: Parameters<SealableService['reportComputed']>[0]) =>
        reportWithStanding(context, caller, { type, severity, text, identifiers: await compute(caller) }),
    ),
    remove: authenticated(context, 'delete', remove),
    query: authenticated(context, 'query', query, costOfQuery, query),
    queryComputed: authenticated(
      context,
      'query',
      async (_, caller, { compute }: ComputedIdentifiers & { readonly count: number }) =>
        query(context, caller, { identifiers: await compute(caller) }),
      (_, { count }) => count,
    ),
    takeElements: (request) => (request.isDownload === true ? takeForDownload(request) : takeForEvaluation(request)),
    checkKey: (request) => checks[request.action](request),
    async view(request) {
      await begin(context, request);
      return view(context, request);
    },
    async record(request) {
      await begin(context, request);
      return findRecord(request);
    },
    async requestDispute(request) {
      await begin(context, request);
      return requestDispute(context, request);
    },
  };
}
