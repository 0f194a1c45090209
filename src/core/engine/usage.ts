import { ENGINE } from '../domain/audit.ts';
import { DAY_MS, startOfDay } from '../domain/day.ts';
import type { KeyInfo, Reporter } from '../domain/reporter.ts';
import type { KeyWithReporter, DayUsage } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Effects } from './effects.ts';
import type { EngineNotice } from './notices.ts';

/**
 * Collects how keys are used, in memory, and saves it in batches beside the requests: the day of each key's last use,
 * and each reporter's number of identifiers a day. Never which identifiers.
 *
 * A crash loses the batch that is not saved yet, of at most about a minute. So does a failed save, which is a notice.
 */
export interface Usage {
  /** Call it after a key was accepted, with the number of identifiers of a query, otherwise 0. */
  used(stored: Used, identifiers: number, atMs: number): void;
  /** Call it if identifiers that were counted were not looked up. Those of a saved batch stay counted. */
  unused(stored: Pick<Used, 'reporter'>, identifiers: number): void;
  /**
   * Call it if a key was refused because it has ended. Sends a notice and records it, once per key and day, for at most
   * ten keys of a reporter a day: many of one must not hide other notices.
   */
  endedKeyUsed(stored: KeyWithReporter, atMs: number): void;
  /** Call it if a report repeats a wrong claim. Sends a notice for a reporter's 1st, 10th, 100th … one of a day. */
  repeated(reporterId: string, reportId: string, atMs: number): void;
  /** Saves what was collected. Never rejects. Until the next use, no timer runs. */
  save(): Promise<void>;
}

/** Who used the service. A person without a key has one that was used today, which saves no use of a key. */
export interface Used {
  readonly key: Pick<KeyInfo, 'keyId' | 'lastUsedAt'>;
  readonly reporter: Pick<Reporter, 'reporterId'>;
}

/** Milliseconds until a batch is saved. */
const SAVE_MS = 60_000;
/** Maximum number of keys, and of reporters, in a batch. Others are left out. */
const MAX_BATCH_ENTRIES = 10_000;
/** Ended keys of a reporter with a notice on one day. A reporter can end 50 keys a day, and they stay in the store. */
const MAX_ENDED_KEYS = 10;
/** Entries of a batch in one write: a few milliseconds. */
const MAX_WRITE_ENTRIES = 200;

/** Days before a day with which it is compared. */
const PAST_DAYS = 28;
/** A usage is unusual from this many identifiers, from this multiple of the busiest past day, after this many days. */
const UNUSUAL = { identifiers: 1_000, times: 3, pastDays: 7 };

/** What was used on one day (UTC) and is not saved. */
interface Batch {
  readonly dayAt: number;
  /** Time of the last use. */
  atMs: number;
  readonly keys: Set<string>;
  /** Number of identifiers by reporter. */
  readonly counts: Map<string, number>;
}

export function createUsage(
  store: Store,
  { later }: Pick<Effects, 'later'>,
  notify: (notice: EngineNotice) => void,
): Usage {
  let batch: Batch = { dayAt: 0, atMs: 0, keys: new Set(), counts: new Map() };
  let cancel: (() => void) | undefined;
  let saving = Promise.resolve();
  let saves = 0;
  /** Events of the day with notices, by id of the key or reporter. */
  let noticed = { dayAt: 0, counts: new Map<string, number>() };

  /** Returns how many events of this id the day has. */
  const countInDay = (id: string, atMs: number): number => {
    const dayAt = startOfDay(atMs);
    // Also an earlier day: a clock that was ahead must not silence the days that follow.
    if (dayAt !== noticed.dayAt) noticed = { dayAt, counts: new Map() };
    const count = (noticed.counts.get(id) ?? 0) + 1;
    noticed.counts.set(id, count);
    return count;
  };

  const write = async ({ dayAt, atMs, keys, counts }: Batch): Promise<void> => {
    const used = [...keys].map((keyId) => ({ keyId, dayAt }));
    const days = [...counts].map(([reporterId, identifiers]) => ({ reporterId, dayAt, identifiers }));
    const since = dayAt - PAST_DAYS * DAY_MS;
    const unusual: DayUsage[] = [];
    for (let from = 0; from < Math.max(used.length, days.length); from += MAX_WRITE_ENTRIES) {
      const some = {
        keys: used.slice(from, from + MAX_WRITE_ENTRIES),
        days: days.slice(from, from + MAX_WRITE_ENTRIES),
        since,
      };
      const found = (await store.addUsage(some)).filter(becameUnusual);
      for (const day of found) notify(noticeOf(day));
      unusual.push(...found);
    }
    for (const { reporterId, identifiers: amount } of unusual)
      await store.addAuditEntry({ actor: ENGINE, atMs, action: 'unusual-usage', reporterId, subject: null, amount });
  };

  const save = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const { keys, counts } = batch;
    if (keys.size === 0 && counts.size === 0) return saving;
    const taken = batch;
    batch = { ...taken, keys: new Set(), counts: new Map() };
    saves++;
    saving = saving
      .then(() => write(taken))
      .catch((error: unknown) => notify({ event: 'usage-not-saved', error }))
      .finally(() => saves--);
    return saving;
  };

  const schedule = (): void => {
    cancel ??= later(SAVE_MS, () => {
      cancel = undefined;
      // The store may hang. Collect on until it answers.
      if (saves > 0) schedule();
      else void save();
    });
  };

  return {
    used({ key, reporter: { reporterId } }, identifiers, atMs) {
      const { keyId, lastUsedAt } = key;
      const dayAt = startOfDay(atMs);
      const isFirst = lastUsedAt === null || lastUsedAt < dayAt;
      if (!isFirst && identifiers === 0) return;
      if (dayAt !== batch.dayAt) {
        void save();
        batch = { ...batch, dayAt };
      }
      batch.atMs = atMs;
      const { keys, counts } = batch;
      if (isFirst && keys.size < MAX_BATCH_ENTRIES) keys.add(keyId);
      if (identifiers > 0) {
        const count = counts.get(reporterId);
        if (count !== undefined || counts.size < MAX_BATCH_ENTRIES) counts.set(reporterId, (count ?? 0) + identifiers);
      }
      if (cancel === undefined) schedule();
    },

    unused({ reporter: { reporterId } }, identifiers) {
      const { counts } = batch;
      const left = (counts.get(reporterId) ?? 0) - identifiers;
      if (left > 0) counts.set(reporterId, left);
      else counts.delete(reporterId);
    },

    endedKeyUsed({ key: { keyId, reporterId } }, atMs) {
      if (countInDay(keyId, atMs) !== 1 || countInDay(`ended ${reporterId}`, atMs) > MAX_ENDED_KEYS) return;
      notify({ event: 'ended-key-used', keyId, reporterId });
      const action = 'ended-key-used';
      const entry = { actor: ENGINE, atMs, action, reporterId, subject: keyId, amount: null } as const;
      // Not awaited by the request: the refusal tells nothing about it, also not by its time.
      saving = saving
        .then(() => store.addAuditEntry(entry, startOfDay(atMs)))
        .then(() => undefined)
        .catch((error: unknown) => notify({ event: 'usage-not-saved', error }));
    },

    repeated(reporterId, reportId, atMs) {
      const reports = countInDay(reporterId, atMs);
      if (/^10*$/.test(`${reports}`)) notify({ event: 'repeated-claim', reporterId, reportId, reports });
    },

    save,
  };
}

/**
 * True if the added identifiers made a day unusual. Counts only grow, and each is the `before` of one process at most.
 * So one process finds this, once.
 */
function becameUnusual({ before, identifiers, pastDays, busiest }: DayUsage): boolean {
  const least = Math.max(UNUSUAL.identifiers, UNUSUAL.times * busiest);
  return pastDays >= UNUSUAL.pastDays && before < least && identifiers >= least;
}

function noticeOf({ reporterId, identifiers, busiest }: DayUsage): EngineNotice {
  return { event: 'unusual-usage', reporterId, identifiers, usual: busiest };
}
