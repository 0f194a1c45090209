import { DAY_MS } from '../../core/domain/day.ts';
import type { Sighting } from '../../core/scoring/standings/pairs.ts';
import { ACCUSATION_RULES } from './rules.ts';

/** The days to search. Both moments are midnights (ms, UTC). */
export interface SearchedDays {
  /** Start of the first day. */
  readonly fromAt: number;
  /** End of the last day. */
  readonly untilAt: number;
}

/** One reporter who accused one hash. */
export interface Voice {
  /** Reporter number. */
  readonly reporter: number;
  /** Time of the reporter's first report of the hash (ms, UTC). */
  readonly at: number;
  /** The id of this report. */
  readonly reportId: string;
}

/** What matters for a search, and the past of all reporters. */
export interface ReportHistory {
  /** Reporter ids, by reporter number. */
  readonly reporters: readonly string[];
  /** The voices of each hash with a recent one, oldest first (ties by reporter id). */
  readonly recent: readonly (readonly Voice[])[];
  /** The voices of all hashes with at least two, as numbers: those of hash h end before `end[h]`. */
  readonly shared: {
    readonly reporter: readonly number[];
    readonly at: readonly number[];
    readonly end: readonly number[];
  };
  /** Time of the reporter's first report (ms, UTC), by reporter number. */
  readonly firstAt: readonly number[];
  /**
   * Returns the number of a reporter's reports from one midnight to another, at most so far back as rules need. Here
   * and below, those that name nobody new do not count: a reporter could make its past busy with one person.
   */
  countReports(reporter: number, fromAt: number, untilAt: number): number;
  /** Returns the highest number of a reporter's reports on one of these days. */
  busiestDay(reporter: number, fromAt: number, untilAt: number): number;
}

interface AccusationGatherer {
  /** Adds a sighting of a strong kind, in any order of time. All sightings of one hash must be adjacent. */
  add(sighting: Sighting): void;
  /** Returns what was gathered. Call it once. */
  finish(): ReportHistory;
}

/**
 * Collects what a search for notices needs, beside a ledger: the voices of hashes with recent ones, two numbers for
 * each voice of the other hashes with several voices, and a number of reports per reporter and day. Reports
 * with an upheld dispute are left out: the operator knows them.
 */
export function createAccusationGatherer({ fromAt, untilAt }: SearchedDays): AccusationGatherer {
  const windowAt = fromAt - (ACCUSATION_RULES.windowDays - 1) * DAY_MS;
  const historyAt = fromAt - ACCUSATION_RULES.historyDays * DAY_MS;
  const historyDays = Math.round((untilAt - historyAt) / DAY_MS);

  const numbers = new Map<string, number>();
  const ids: string[] = [];
  const firstAt: number[] = [];
  const days: (Uint32Array | undefined)[] = [];
  const counted = new Set<string>();
  const recent: (readonly Voice[])[] = [];
  const shared = { reporter: [] as number[], at: [] as number[], end: [] as number[] };
  let hash: string | undefined;
  let voices = new Map<number, Voice>();

  const numberOf = (reporterId: string): number => {
    let number = numbers.get(reporterId);
    if (number === undefined) {
      numbers.set(reporterId, (number = ids.length));
      ids.push(reporterId);
      firstAt.push(Infinity);
      days.push(undefined);
    }
    return number;
  };

  const endHash = (): void => {
    const list = [...voices.values()];
    voices = new Map();
    for (const { reporter, at, reportId } of list) {
      if (at < historyAt || counted.has(reportId)) continue;
      counted.add(reportId);
      (days[reporter] ??= new Uint32Array(historyDays))[dayOf(at)]!++;
    }
    if (list.some(({ at }) => at >= windowAt))
      recent.push(list.sort((a, b) => a.at - b.at || (ids[a.reporter]! < ids[b.reporter]! ? -1 : 1)));
    if (list.length < 2) return;
    for (const { reporter, at } of list) {
      shared.reporter.push(reporter);
      shared.at.push(at);
    }
    shared.end.push(shared.reporter.length);
  };

  const dayOf = (atMs: number): number => Math.floor((atMs - historyAt) / DAY_MS);

  return {
    add({ hash: ofHash, reportId, reporterId, createdAt, upheld }) {
      if (upheld || createdAt >= untilAt) return;
      const reporter = numberOf(reporterId);
      firstAt[reporter] = Math.min(firstAt[reporter]!, createdAt);
      if (ofHash !== hash) endHash();
      hash = ofHash;
      const known = voices.get(reporter);
      const isEarlier =
        known === undefined || createdAt < known.at || (createdAt === known.at && reportId < known.reportId);
      if (isEarlier) voices.set(reporter, { reporter, at: createdAt, reportId });
    },

    finish() {
      endHash();
      const countsOf = (reporter: number, from: number, until: number): Uint32Array => {
        const [first, end] = [Math.max(0, dayOf(from)), Math.max(0, dayOf(until))];
        return days[reporter]?.subarray(first, end) ?? new Uint32Array(0);
      };
      return {
        reporters: ids,
        recent,
        shared,
        firstAt,
        countReports: (reporter, from, until) => countsOf(reporter, from, until).reduce((sum, one) => sum + one, 0),
        busiestDay: (reporter, from, until) => countsOf(reporter, from, until).reduce((a, b) => Math.max(a, b), 0),
      };
    },
  };
}
