import type { Outcome } from '../domain/refusal.ts';
import type { PublicReport, ReportDraft, ReportReceipt } from '../domain/report.ts';
import type { EngineContext } from './context.ts';
import { query, type ExplainedQueryResult, type QueryRequest } from './query.ts';
import { remove } from './remove.ts';
import { report } from './report.ts';
import { view } from './view.ts';

/**
 * The four operations of the service (spec 1). Each answers an {@link Outcome}: a value, or a reason from the closed list with nothing changed.
 * They reject only when the machine is broken (the store fails in a way it does not know).
 */
export interface Service {
  /** Submits a report (spec 4.2). The same request again within the retry window answers the first receipt and stores nothing (silent: 8). */
  report(request: ReportDraft & { readonly apiKey: string }): Promise<Outcome<ReportReceipt>>;
  /** Deletes one of the reporter's own reports by its deletion code (spec 4.3). */
  remove(request: { readonly apiKey: string; readonly deletionCode: string }): Promise<Outcome<void>>;
  /** Scores a set of hashed identifiers (spec 4.4), with an explanation when it is asked for. Throws TypeError or RangeError for an `asOf` that is no moment of the past. */
  query(request: QueryRequest): Promise<Outcome<ExplainedQueryResult>>;
  /**
   * The live reports behind a query's link, newest first (spec 4.5). `client` is the address of whoever asks: the limit of section 8 counts by it (left out: an embedding program's own call, not counted).
   * Refused with `not-found` when the hash is malformed or nothing is behind it.
   */
  view(request: {
    readonly linkHash: string;
    readonly client?: string | undefined;
  }): Promise<Outcome<readonly PublicReport[]>>;
}

/** The use-cases over one context. */
export function createService(context: EngineContext): Service {
  return {
    report: async (request) => report(context, proved(request)),
    remove: async (request) => remove(context, proved(request)),
    query: async (request) => query(context, proved(request)),
    view: async (request) => view(context, proved(request)),
  };
}

function proved<T>(request: T): T {
  if (typeof request !== 'object' || request === null)
    throw new TypeError('"request" expected an object, got something else');
  return request;
}
