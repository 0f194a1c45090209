import { accept, type Outcome } from '../domain/refusal.ts';
import type { PublicReport, ReportDraft, ReportReceipt } from '../domain/report.ts';
import { authenticated, begin, type Authentication } from './authenticate.ts';
import type { EngineContext, KeyLimit } from './context.ts';
import { costOfQuery, query, type ExplainedQueryResult, type QueryRequest } from './query.ts';
import { remove } from './remove.ts';
import { report } from './report.ts';
import { view } from './view.ts';

/**
 * The four operations of the service (spec 1). Each returns an {@link Outcome}: a value, or a refusal with nothing
 * changed. An operation rejects on misuse and on failures of the store (`StoreError`). After the store has committed,
 * an operation always succeeds.
 */
export interface Service {
  /**
   * Submits a report (spec 4.2). The same request within the retry window returns the first receipt and stores nothing
   * (spec 8 is silent).
   */
  report(request: ReportDraft & Authentication): Promise<Outcome<ReportReceipt>>;
  /** Deletes one of the reporter's own reports by its deletion code (spec 4.3). */
  remove(request: Authentication & { readonly deletionCode: string }): Promise<Outcome<void>>;
  /**
   * Scores a set of hashed identifiers (spec 4.4). Rejects with TypeError or RangeError if `asOf` is not a past moment.
   */
  query(request: QueryRequest): Promise<Outcome<ExplainedQueryResult>>;
  /**
   * Checks the key of a request that is otherwise invalid, and counts the request. So a wrong key is refused before any
   * other field.
   */
  checkKey(request: Authentication & { readonly action: KeyLimit }): Promise<Outcome<void>>;
  /**
   * Returns the live reports behind a query's link, newest first (spec 4.5). `client` is the client's address, which
   * has a request limit (spec 8). Without `client`, no limit applies. Refuses with `not-found` for a malformed or
   * unknown hash, and with `overloaded` if too many views read reports at once. Returns the same array as long as it
   * has the same reports.
   */
  view(request: {
    readonly linkHash: string;
    readonly client?: string | undefined;
  }): Promise<Outcome<readonly PublicReport[]>>;
}

export function createService(context: EngineContext): Service {
  const accepting = async (): Promise<Outcome<void>> => accept(undefined);
  const checks = {
    query: authenticated(context, 'query', accepting),
    report: authenticated(context, 'report', accepting),
    delete: authenticated(context, 'delete', accepting),
  };
  return {
    report: authenticated(context, 'report', report),
    remove: authenticated(context, 'delete', remove),
    query: authenticated(context, 'query', query, costOfQuery, query),
    checkKey: (request) => checks[request.action](request),
    async view(request) {
      await begin(context, request);
      return view(context, request);
    },
  };
}
