import { isCode } from '../core/domain/identifier.ts';
import type { WithContext } from '../core/engine/context.ts';
import { orNull, toBytes, WHOLE } from '../core/store/sql/columns.ts';
import { ask, countOf } from '../core/store/sql/rows.ts';
import type { SqlWork } from '../core/store/sql/statement.ts';
import { shape } from '../core/store/sql/table.ts';

/** What happened in one month (UTC). */
export interface ActivityMonth {
  /** Start of the month (ms, UTC). */
  readonly startsAt: number;
  /** Live reports that were made in it. */
  readonly reports: number;
  /** Identifiers in queries. */
  readonly identifiers: number;
}

/** How much the service is used, from the store. */
export interface Activity {
  /**
   * Returns the last 12 months, oldest first, of a reporter or of all (null). Months of all that are over are counted
   * once an hour at most. Uses in other processes may be missing for a minute.
   */
  activityOf(request: { readonly reporterId: string | null }): Promise<readonly ActivityMonth[]>;
  /**
   * Returns how many disputes and requests wait: for the answer of a reporter, or for a decision (null). Reads no rows
   * of others.
   */
  countWaiting(request: {
    readonly reporterId: string | null;
  }): Promise<{ readonly disputes: number; readonly requests: number }>;
  /**
   * Returns whether the store has a webhook, and whether its audit log has a backup. A database that several processes
   * share is backed up by its own tools: then `hasBackup` is true.
   */
  setUp(): Promise<{ readonly hasWebhook: boolean; readonly hasBackup: boolean }>;
}

const MONTHS = 12;
const HOUR_MS = 3_600_000;

const TOTAL = shape({ total: orNull(WHOLE) });
/** The sum of a server has more digits than a whole number. */
const TOTAL_TEXT = 'SELECT CAST(sum(identifiers) AS BIGINT) AS total FROM reporter_usage WHERE';

/** Returns how much an engine is used. */
export function createActivity({ context }: WithContext): Activity {
  const { store, usage, effects } = context;
  let past: { readonly hour: number; readonly months: Promise<readonly ActivityMonth[]> } | undefined;

  /** Counts each month by index lookups, one month after the other. */
  const count = (reporterId: string | null, starts: readonly number[], end: number): Promise<ActivityMonth[]> =>
    store.read(function* (): SqlWork<ActivityMonth[]> {
      const of = reporterId === null ? '' : 'reporter_id = ? AND ';
      const values = reporterId === null ? [] : [toBytes(reporterId)];
      const months: ActivityMonth[] = [];
      for (const [at, startsAt] of starts.entries()) {
        const span = [...values, startsAt, starts[at + 1] ?? end];
        const reports = yield* countOf(`report WHERE ${of}created_at >= ? AND created_at < ?`, ...span);
        const [sum] = yield* ask(TOTAL, `${TOTAL_TEXT} ${of}day_at >= ? AND day_at < ?`, ...span);
        months.push({ startsAt, reports, identifiers: sum?.total ?? 0 });
        yield { pause: true };
      }
      return months;
    });

  return context.secretCheck.guard<Activity>({
    async activityOf({ reporterId }) {
      if (reporterId !== null && !isCode(reporterId)) return [];
      await usage.save();
      const nowMs = effects.clock();
      const today = new Date(nowMs);
      const startOf = (ago: number): number => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago, 1);
      const starts = Array.from({ length: MONTHS - 1 }, (_, at) => startOf(MONTHS - 1 - at));
      const [first, next] = [startOf(0), startOf(-1)];
      if (reporterId !== null) return count(reporterId, [...starts, first], next);
      const hour = Math.floor(nowMs / HOUR_MS);
      if (past?.hour !== hour) {
        const months = count(null, starts, first);
        past = { hour, months };
        // The next visit tries again.
        months.catch(() => (past = undefined));
      }
      return [...(await past.months), ...(await count(null, [first], next))];
    },

    async countWaiting({ reporterId }) {
      if (reporterId !== null && !isCode(reporterId)) return { disputes: 0, requests: 0 };
      return store.read(function* () {
        if (reporterId === null)
          return {
            disputes: yield* countOf('dispute WHERE decided_at IS NULL'),
            requests: yield* countOf('(SELECT DISTINCT request_id FROM dispute_request) AS request'),
          };
        const of = toBytes(reporterId);
        // A reporter has nothing to do about a report that it deleted.
        const live = 'EXISTS (SELECT 1 FROM report WHERE report_id = dispute_request.report_id AND removed_at IS NULL)';
        return {
          disputes: yield* countOf('dispute WHERE reporter_id = ? AND decided_at IS NULL AND answer IS NULL', of),
          requests: yield* countOf(`dispute_request WHERE reporter_id = ? AND ${live}`, of),
        };
      });
    },

    async setUp() {
      const [webhooks, backups] = await Promise.all([
        store.listWebhooks(),
        store.shared ? [] : store.listAudit({ before: Infinity, action: 'backed-up', limit: 1 }),
      ]);
      return { hasWebhook: webhooks.length > 0, hasBackup: store.shared !== undefined || backups.length > 0 };
    },
  });
}
