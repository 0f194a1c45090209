import type { Outcome } from '../domain/refusal.ts';
import type { PublicReport, ReportDraft, ReportReceipt } from '../domain/report.ts';
import { authenticated, begin } from './authenticate.ts';
import type { EngineContext } from './context.ts';
import { query, type ExplainedQueryResult, type QueryRequest } from './query.ts';
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
  report(request: ReportDraft & { readonly apiKey: string }): Promise<Outcome<ReportReceipt>>;
  /** Deletes one of the reporter's own reports by its deletion code (spec 4.3). */
  remove(request: { readonly apiKey: string; readonly deletionCode: string }): Promise<Outcome<void>>;
  /**
   * Scores a set of hashed identifiers (spec 4.4). Rejects with TypeError or RangeError if `asOf` is not a past moment.
   */
  query(request: QueryRequest): Promise<Outcome<ExplainedQueryResult>>;
  /**
   * Returns the live reports behind a query's link, newest first (spec 4.5). `client` is the client's address, which
   * has a request limit (spec 8). Without `client`, no limit applies. Refuses with `not-found` for a malformed or
   * unknown hash.
   */
  view(request: {
    readonly linkHash: string;
    readonly client?: string | undefined;
  }): Promise<Outcome<readonly PublicReport[]>>;
}

export function createService(context: EngineContext): Service {
  return {
    report: authenticated(context, 'report', report),
    remove: authenticated(context, 'delete', remove),
    query: authenticated(context, 'query', query, query),
    async view(request) {
      await begin(context, request);
      return view(context, request);
    },
  };
}
