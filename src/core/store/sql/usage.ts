import { DAY_MS } from '../../domain/day.ts';
import { API_KEY, REPORTER_USAGE } from './catalogue.ts';
import { orNull, toBytes, WHOLE } from './columns.ts';
import { askEach, change, find, put, readEach, together } from './rows.ts';
import { sql } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { pick, shape } from './table.ts';

/**
 * The counts of a year are kept: these days before `since`, which is 28 days before the new day. Not an argument,
 * because a count that an older version deleted changes nothing else.
 */
const KEPT_MS = 338 * DAY_MS;

const LAST_USED = pick(API_KEY, 'keyId', 'lastUsedAt');
const PAST = shape({ days: WHOLE, busiest: orNull(WHOLE) });
const PAST_TEXT = `SELECT count(*) AS days, max(identifiers) AS busiest FROM reporter_usage
  WHERE reporter_id = ? AND day_at >= ? AND day_at < ?`;
const OLDEST_TEXT = `DELETE FROM reporter_usage WHERE reporter_id = ?
  AND day_at = (SELECT min(day_at) FROM reporter_usage WHERE reporter_id = ?) AND day_at < ?`;

/** How much keys are used. */
export const USAGE_WORK = {
  *addUsage({ keys, days, since }) {
    yield { lock: [...keys.map(({ keyId }) => `key/${keyId}`), ...days.map((day) => `usage/${day.reporterId}`)] };
    const places = days.map(({ reporterId, dayAt }) => ({ reporter: toBytes(reporterId), dayAt }));
    const [stored, counted, past] = yield* together(
      find(
        LAST_USED,
        'keyId',
        keys.map(({ keyId }) => keyId),
      ),
      readEach(
        REPORTER_USAGE,
        'WHERE reporter_id = ? AND day_at = ?',
        places.map(({ reporter, dayAt }) => [reporter, dayAt]),
      ),
      askEach(
        PAST,
        PAST_TEXT,
        places.map(({ reporter, dayAt }) => [reporter, since, dayAt]),
      ),
    );
    const usedAt = new Map(keys.map(({ keyId, dayAt }) => [keyId, dayAt]));
    for (const { keyId, lastUsedAt } of stored) {
      const dayAt = usedAt.get(keyId) ?? 0;
      if (lastUsedAt === null || lastUsedAt < dayAt)
        yield* change(API_KEY, { keyId }, { lastUsedAt: [lastUsedAt, dayAt] });
    }
    const used = [];
    for (const [at, { reporterId, dayAt, identifiers: added }] of days.entries()) {
      const known = counted[at]?.find((row) => row.dayAt === dayAt);
      const before = known?.identifiers ?? 0;
      const identifiers = before + added;
      if (known) yield* change(REPORTER_USAGE, { reporterId, dayAt }, { identifiers: [before, identifiers] });
      else {
        // One in, one out: a clock that is years ahead must not delete the past of a reporter.
        yield* sql(OLDEST_TEXT, toBytes(reporterId), toBytes(reporterId), since - KEPT_MS);
        yield* put(REPORTER_USAGE, [{ reporterId, dayAt, identifiers }]);
      }
      const { days: pastDays = 0, busiest = null } = past[at]?.find(() => true) ?? {};
      used.push({ reporterId, dayAt, before, identifiers, pastDays, busiest: busiest ?? 0 });
    }
    return used;
  },
} satisfies Partial<StoreWork>;
