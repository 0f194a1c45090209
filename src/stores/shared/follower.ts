import { SKEW_MS, startOfDay } from '../../core/domain/day.ts';
import type { Dispute } from '../../core/domain/dispute.ts';
import type { DatedReport, StoredIdentifier, StoredTrust } from '../../core/store/records.ts';
import type { SharedStore } from '../../core/store/store.ts';
import { computeStandings } from '../../core/engine/standings/compute.ts';
import { isDue, type KeeperOptions, type StandingsKeeper } from '../../core/engine/standings/keeper.ts';
import {
  findReport,
  recountAfter,
  recountLosses,
  strongHashes,
  createStandingsState,
  fromStored,
  toStored,
  type StandingsState,
} from '../../core/engine/standings/state.ts';
import { groupBy } from '../../core/engine/lists.ts';
import { createReplay, type Replay } from './replay.ts';
import { createToday, type Today } from './today.ts';

/** Maximum delay until writes of other processes are read. */
const FOLLOW_MS = 1_000;
/** Usual maximum delay between a report's time and its commit. Clocks differ a little, and transactions take time. */
const LATE_MS = 30_000;
/**
 * Interval between two reads of what is rare: disputes, who is verified, and reports of processes whose clocks differ
 * by up to {@link SKEW_MS}. The process that changes a dispute or a reporter updates itself at once.
 */
const RARE_MS = 10_000;
const LEASE_WAIT_MS = 200;
const PAGE = 500;
/** An answer waits for at most this many pages of new reports. The rest are applied while it is given. */
const PAGES_AWAITED = 2;

/** A loaded table, and the position up to which later changes were read. */
interface Followed {
  readonly state: StandingsState;
  readonly today: Today;
  readonly learntAt: number;
  /** Used until all reports of the day were read once, unless one is deleted meanwhile: the replay may count it. */
  replay: Replay | undefined;
  isComplete: boolean;
  /** All reports before this moment (ms, UTC) were read, except late ones. */
  newestAt: number;
  followedAt: number;
  /** When disputes, verified reporters and very late reports were last read. */
  rareAt: number;
  /** JSON of each dispute at the last read; at first, of those that the replay surely counts. */
  disputes: ReadonlySet<string>;
}

/** A read of the changes in the store. */
interface Reading {
  /** Resolves when the table can be used. Many reports may still be unread. */
  readonly usable: Promise<Followed>;
  readonly done: Promise<Followed>;
}

/**
 * Keeps the standings if several processes share a store. One process computes and stores the table of a day; the
 * others load it. Each process reads later changes from the store: reports within a second; disputes, who is verified,
 * and reports of processes whose clocks differ by more than half a minute, within ten.
 *
 * The deletion of a report of an earlier day changes standings only at the next epoch. An earlier change would make
 * processes differ: other processes cannot read the identifiers of a deleted report.
 */
export function createStandingsFollower(options: KeeperOptions, shared: SharedStore): StandingsKeeper {
  const { store, rules, clock, giveTurn, wait, notify, epoch } = options;
  let followed: Followed | undefined;
  let following: Reading | undefined;
  let computing: Promise<void> | undefined;
  let triedEpochAt = -Infinity;

  /** Computes and stores the table. If another process is computing it, waits for that table. */
  const compute = async (): Promise<void> => {
    const before = await store.findTrustEpoch();
    for (;;) {
      const lease = await shared.lease(`trust ${rules.name}`);
      if (lease === undefined) {
        await wait(LEASE_WAIT_MS);
        continue;
      }
      try {
        // The previous holder of the lease may have stored the table.
        const now = await store.findTrustEpoch();
        if (now?.rules === rules.name && now.learntAt !== before?.learntAt && now.epochAt === startOfDay(clock()))
          return;
        const atMs = clock();
        const epochAt = startOfDay(atMs);
        const searches = options.watches.map((begin) => begin(epochAt, now?.epochAt));
        const { epoch: table } = await computeStandings(store, rules, epochAt, giveTurn, false, searches);
        // Before the table is stored: if this process crashes between the two, another one searches again.
        for (const search of searches) await search.finish(table);
        // Each table needs a later time than the previous one, or other processes would not load it.
        await store.putTrust(toStored(table, Math.max(atMs, (now?.learntAt ?? 0) + 1)));
        return;
      } finally {
        await lease.release();
      }
    }
  };

  const computeOnce = (): Promise<void> => (computing ??= compute().finally(() => (computing = undefined)));

  const load = async (): Promise<StoredTrust> => {
    for (;;) {
      const stored = await store.findTrust();
      if (stored?.rules === rules.name) return stored;
      // There is no table, or it is of another model or of other constants. Compute a new one.
      await computeOnce();
    }
  };

  /** Applies reports in the store that were created at `from` or later. */
  const readNew = async (of: Followed, from: number, usable: () => void): Promise<void> => {
    const { today } = of;
    let after: DatedReport | undefined;
    for (let pages = 1; ; pages++) {
      const page = await store.readReports({ from, after, limit: PAGE });
      // A replay also needs the reports that this process has counted meanwhile.
      const asked = of.replay ? page : page.filter(({ reportId }) => !today.has(reportId));
      const stored = await store.findIdentifiers(asked.map(({ reportId }) => reportId));
      if (of.replay) await of.replay.add(asked, stored);
      else await addEach(today, asked, stored);
      after = page.at(-1);
      if (page.length < PAGE) break;
      if (pages === PAGES_AWAITED) usable();
      await giveTurn();
    }
  };

  const readRare = async (of: Followed): Promise<void> => {
    of.state.setVerified(await store.listReporters());
    const disputes = await store.listDisputes();
    const changed = disputes.filter((dispute) => !of.disputes.has(JSON.stringify(dispute)));
    // The replay counts no losses.
    const recounted = of.rareAt === -Infinity ? disputes : changed;
    for (const reporterId of new Set(recounted.map((dispute) => dispute.reporterId)))
      await recountLosses(store, of.state, reporterId, disputes);
    const ofToday = changed.filter(({ openedAt, decidedAt }) => (decidedAt ?? openedAt) >= of.state.epochAt - SKEW_MS);
    await of.today.disputed(ofToday.map(({ reportId }) => reportId));
    of.disputes = textsOf(disputes);
  };

  const loadFollowed = async (now: number): Promise<Followed> => {
    const stored = await load();
    // Another process's clock was far ahead. Compute today's table, even if it was computed before.
    if (stored.epochAt > now + SKEW_MS) triedEpochAt = -Infinity;
    const state = createStandingsState(rules, fromStored(rules, stored));
    return {
      state,
      today: createToday(options, state),
      learntAt: stored.learntAt,
      replay: undefined,
      isComplete: false,
      newestAt: stored.epochAt,
      followedAt: now,
      rareAt: -Infinity,
      disputes: textsOf(await store.listDisputes()),
    };
  };

  const follow = async (usable: (of: Followed) => void): Promise<Followed> => {
    const now = clock();
    const inStore = await store.findTrustEpoch();
    const isNewest = inStore?.rules === rules.name && followed?.learntAt === inStore.learntAt;
    const of = followed && isNewest ? followed : await loadFollowed(now);
    if (!of.isComplete) of.replay = await createReplay(options, of.state, of.today);
    const isRareDue = Math.abs(now - of.rareAt) >= RARE_MS;
    const lateMs = isRareDue ? SKEW_MS + LATE_MS : LATE_MS;
    // After the clock was set back, read the whole day: other processes may have stored reports meanwhile.
    const from = now < of.newestAt - LATE_MS ? of.state.epochAt : of.newestAt - lateMs;
    await readNew(of, Math.max(of.state.epochAt, from), () => usable((followed = of)));
    of.isComplete = true;
    of.replay = undefined;
    for (const reportId of await store.findRemovedAfter(from)) await of.today.remove(reportId);
    await of.today.settle();
    of.newestAt = now;
    if (isRareDue) {
      await readRare(of);
      of.rareAt = now;
    }
    of.followedAt = now;
    return (followed = of);
  };

  const startReading = (): Reading => {
    let usable: (of: Followed) => void = () => undefined;
    const early = new Promise<Followed>((resolve) => (usable = resolve));
    const done = follow(usable).finally(() => (following = undefined));
    const first = Promise.race([early, done]);
    // Often, only one of the two is waited for. After a failure, the next reading tries again.
    first.catch(() => undefined);
    return { usable: first, done };
  };
  const read = (): Reading => (following ??= startReading());
  const followOnce = (): Promise<Followed> => read().done;

  /** Returns the table in use. The table of an earlier day is used until today's is stored. */
  const current = async (): Promise<Followed> => {
    const age = followed === undefined ? Infinity : clock() - followed.followedAt;
    const of = followed !== undefined && age >= 0 && age < FOLLOW_MS ? followed : await read().usable;
    if (epoch === 'daily' && isDue(of.state.epochAt, triedEpochAt, clock())) {
      triedEpochAt = startOfDay(clock());
      computeOnce().catch((error: unknown) => notify({ event: 'epoch-failed', error }));
    }
    return of;
  };

  const settled = async (): Promise<StandingsState> => {
    await current();
    await computing?.catch(() => undefined);
    return (await followOnce()).state;
  };

  const idle = async (): Promise<void> => {
    await following?.done.catch(() => undefined);
    await computing?.catch(() => undefined);
  };

  const recompute = async () => {
    await computeOnce();
    return (await followOnce()).state.table();
  };

  /** Applies a change of this process at once. If that fails, the next read of the store repairs it. */
  const changed = async (apply: (of: Followed) => Promise<void>): Promise<void> => {
    try {
      if (followed) await apply(followed);
    } catch (error) {
      notify({ event: 'standings-not-updated', error });
    }
  };

  return {
    recompute,
    idle,
    epochAt: () => followed?.state.epochAt,
    table: async () => (await settled()).table(),
    settled: async () => void (await settled()),
    current: async () => (await current()).state,
    // The first reading of a day finds the report in the store.
    reported: (report, known) => changed(async (of) => (of.isComplete ? of.today.add(report, known) : undefined)),
    hashesOf: (identifiers) => strongHashes(options, identifiers),
    mayBeStored() {
      // The next read of the store finds the report.
    },
    resent: (reportId) =>
      changed(async ({ isComplete, today }) => {
        const report = !isComplete || today.has(reportId) ? undefined : await findReport(store, reportId);
        if (report) await today.add(report);
      }),

    removed: (report) =>
      changed(async (of) => {
        of.replay = undefined;
        await of.today.remove(report.reportId);
        await recountAfter(store, of.state, report.reportId);
      }),

    disputed: (reportId) =>
      changed(async ({ state, today }) => {
        await recountAfter(store, state, reportId);
        await today.disputed([reportId]);
      }),

    verified: (reporterId) => changed(async ({ state }) => state.setVerified(await store.findReporters([reporterId]))),

    async erased() {
      await idle();
      await recompute().catch((error: unknown) => notify({ event: 'standings-not-updated', error }));
    },
  };
}

function textsOf(disputes: readonly Dispute[]): ReadonlySet<string> {
  return new Set(disputes.map((dispute) => JSON.stringify(dispute)));
}

/** Adds reports one by one, each with reads of its own. */
async function addEach(
  today: Today,
  reports: readonly DatedReport[],
  stored: readonly StoredIdentifier[],
): Promise<void> {
  const identifiers = groupBy(stored, ({ reportId }) => reportId);
  for (const report of reports) {
    const named = (identifiers.get(report.reportId) ?? []).map(({ kind, hash }) => ({ kind, hash }));
    await today.add({ ...report, identifiers: named });
  }
}
