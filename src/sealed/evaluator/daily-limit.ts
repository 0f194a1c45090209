import { DAY_MS } from '../../core/domain/day.ts';

/** Elements that were evaluated on a day. */
export interface DayCount {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly elements: number;
}

/** Days before a day with which it is compared, as far as they are remembered. */
const PAST_DAYS = 7;
/** Days that are remembered: those that were used last, wherever a wrong clock was. */
const MAX_DAYS = 30;
/** A day is unusual above this multiple of the mean of the past days, and from this many elements. */
const UNUSUAL = { times: 10, elements: 1_000 };
/** Parts of the daily limit that are saved ahead. A process that is killed loses one part at most. */
const PARTS = 1_000;

/** What {@link createDailyLimit} needs. */
export interface DailyLimitParts {
  /** Elements a day: at least 1. */
  readonly daily: number;
  /** What was saved last: the day that was used last is the last one. */
  readonly counts: readonly DayCount[];
  /** Resolves when the counts are durable. */
  readonly save: (counts: readonly DayCount[]) => Promise<void>;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  /** Called once a day at most. `usual` is the mean of the past days. */
  readonly onUnusual: (found: DayCount & { readonly usual: number }) => void;
  /** Called at the first request of another day. */
  readonly onDayEnd: (ended: DayCount) => void;
}

/** Bounds the elements a day (UTC), and remembers the counts of the last days. */
export interface DailyLimit {
  /**
   * Takes elements from the limit of the day. Returns the seconds until the next day if there are not enough left, and
   * takes none then. Rejects if the counts cannot be saved.
   */
  take(elements: number): Promise<number | undefined>;
  /** Saves the exact count. */
  close(): Promise<void>;
}

/**
 * Returns the limit. The saved count of the present day is ahead of the true one, so no process that is killed and
 * started again evaluates more than the limit. A clock that jumps to a remembered day, ahead or back, continues its
 * count. The last {@link MAX_DAYS} used days are remembered.
 */
export function createDailyLimit({ daily, counts, save, clock, onUnusual, onDayEnd }: DailyLimitParts): DailyLimit {
  const used = new Map(counts.map(({ day, elements }) => [day, elements]));
  const part = Math.ceil(daily / PARTS);
  let today = counts.at(-1)?.day ?? Number.NEGATIVE_INFINITY;
  /** What is saved as the count of the day. */
  let saved = counts.at(-1)?.elements ?? 0;
  let saving = Promise.resolve();
  let warnedOn: number | undefined;

  const begin = (day: number): void => {
    if (used.has(today)) onDayEnd({ day: today, elements: used.get(today)! });
    // A map is in the order of insertion: the last day becomes the present one.
    const known = used.get(day) ?? 0;
    used.delete(day);
    used.set(day, known);
    for (const oldest of [...used.keys()].slice(0, -MAX_DAYS)) used.delete(oldest);
    today = day;
    saved = 0;
  };

  const saveToday = (elements: number): Promise<void> => {
    saved = elements;
    const days = [...used].map(([day, count]) => ({ day, elements: day === today ? elements : count }));
    const written = saving.catch(() => undefined).then(() => save(days));
    saving = written.catch((error: unknown) => {
      saved = 0;
      throw error;
    });
    return saving;
  };

  const warnIfUnusual = (elements: number): void => {
    const past = [...used].filter(([day]) => day < today && day >= today - PAST_DAYS);
    if (past.length === 0 || warnedOn === today) return;
    // A day without requests is not in the list, but counts.
    const days = today - Math.min(...past.map(([day]) => day));
    const usual = past.reduce((sum, [, count]) => sum + count, 0) / days;
    if (elements < UNUSUAL.elements || elements <= UNUSUAL.times * usual) return;
    warnedOn = today;
    onUnusual({ day: today, elements, usual: Math.round(usual) });
  };

  return {
    async take(elements) {
      const now = clock();
      const day = Math.floor(now / DAY_MS);
      if (day !== today) begin(day);
      const count = (used.get(today) ?? 0) + elements;
      if (count > daily) return Math.max(1, Math.ceil(((day + 1) * DAY_MS - now) / 1000));
      used.set(today, count);
      warnIfUnusual(count);
      if (count > saved) await saveToday(Math.min(daily, count + part));
      else await saving;
      return undefined;
    },
    async close() {
      if (used.has(today)) await saveToday(used.get(today)!);
    },
  };
}
