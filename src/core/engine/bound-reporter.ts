import { refuseUnknown } from '../domain/options.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { ReportReceipt } from '../domain/report.ts';
import type { EngineContext } from './context.ts';
import { query, QUERY_NAMES, type ExplainedQueryResult, type SealableQuery } from './query.ts';
import { remove } from './remove.ts';
import { report, type SealableReport } from './report.ts';
import { toReporterName, type Administration } from '../../operator/reporters.ts';

/**
 * The operations of one reporter, for a program that embeds the engine. No key is needed. Request limits (protocol 8)
 * and suspension do not apply, because the program is trusted. Bounds, offence types and the retry window apply.
 */
export interface BoundReporter {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Public name, trimmed and in Unicode form NFC; unique. */
  readonly name: string;
  /** Submits a report (protocol 4.2). */
  report(draft: SealableReport): Promise<Outcome<ReportReceipt>>;
  /** Scores a set of hashed identifiers (protocol 4.4). */
  query(request: SealableQuery): Promise<Outcome<ExplainedQueryResult>>;
  /** Deletes one of the reporter's own reports (protocol 4.3). */
  remove(request: { readonly deletionCode: string }): Promise<Outcome<void>>;
}

/** The call of a program that reports for one organisation, without an API key. */
export interface BoundReporters {
  /**
   * Returns the operations of the reporter with this name. If no reporter has this name, creates one, verified unless
   * `verified` is false. Does not change an existing reporter. Concurrent calls get the same reporter, also from
   * several processes. Creates no key. `by` as in {@link Administration}. Refuses with `invalid-name`.
   */
  ensureReporter(request: {
    readonly name: string;
    readonly verified?: boolean;
    readonly by?: string | undefined;
  }): Promise<Outcome<BoundReporter>>;
}

export function createBoundReporters(
  context: EngineContext,
  { createReporter }: Pick<Administration, 'createReporter'>,
): BoundReporters {
  const bind = (reporterId: string, name: string): Outcome<BoundReporter> =>
    accept({
      reporterId,
      name,
      report: async (draft) => report(context, { reporterId }, draft),
      query: async (request) => {
        refuseUnknown(request, QUERY_NAMES);
        return query(context, { reporterId }, request);
      },
      remove: async (request) => remove(context, { reporterId }, request),
    });
  return {
    async ensureReporter(request) {
      refuseUnknown(request, ['name', 'verified', 'by']);
      const name = toReporterName(request.name);
      if (!name.ok) return name;
      const find = () => context.store.findReporterNamed(name.value);
      // Report ids and deletion codes depend on the secret. Bind the store to the secret even if the store has no key.
      await context.secretCheck.adoptIfNew();
      const known = await find();
      if (known) return bind(known.reporterId, known.name);
      const created = await createReporter(request);
      if (created.ok) return bind(created.value.reporterId, created.value.name);
      // A concurrent call may have created the reporter.
      const other = created.refusal.reason === 'name-taken' ? await find() : undefined;
      return other ? bind(other.reporterId, other.name) : created;
    },
  };
}
