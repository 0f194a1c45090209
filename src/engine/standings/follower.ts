import { startOfDay } from '../../domain/day.ts';
import type { DatedReport, StoredTrust } from '../../store/records.ts';
import type { SharedStore } from '../../store/store.ts';
import { computeStandings } from './compute.ts';
import type { KeeperOptions, StandingsKeeper } from './keeper.ts';
import { groupBy } from './losses.ts';
import { createStandingsState, fromStored, toStored, type StandingsState } from './state.ts';
import { createToday, type Today } from './today.ts';
import { findReport, recountAfter, recountLosses } from './touch.ts';

/** Maximum delay until writes of other processes are read. */
const FOLLOW_MS = 1_000;
/** Maximum delay between a report's time and its commit. Clocks differ, and transactions take time. */
const LATE_MS = 30_000;
/**
 * Interval between two reads of the disputes, which are rare. The process that changes a dispute updates itself at
 * once.
 */
const DISPUTES_MS = 10_000;
const LEASE_WAIT_MS = 200;
const PAGE = 500;

/** A loaded table, and the position up to which later changes were read. */
interface Followed {
  readonly state: StandingsState;
  readonly today: Today;
  readonly learntAt: number;
  /** All reports before this moment (ms, UTC) were read, except late ones. */
  newestAt: number;
  followedAt: number;
  disputesAt: number;
  /** JSON of the disputes at the last read. */
  disputes: string;
}

/**
 * Keeps the standings if several processes share a store. One process computes and stores the table of a day; the
 * others load it. Each process reads later changes from the store, so all agree within a second.
 *
 * The deletion of a report of an earlier day changes standings only at the next epoch. An earlier change would make
 * processes differ: other processes cannot read the identifiers of a deleted report.
 */
export function createStandingsFollower(options: KeeperOptions, shared: SharedStore): StandingsKeeper {
  const { store, rules, clock, giveTurn, wait, notify, epoch } = options;
  let followed: Followed | undefined;
  let following: Promise<Followed> | undefined;
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
        const { epoch: table } = await computeStandings(store, rules, startOfDay(atMs), giveTurn);
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

  /** Applies new reports in the store. */
  const readNew = async ({ state, today, newestAt }: Followed): Promise<void> => {
    const from = Math.max(state.epochAt, newestAt - LATE_MS);
    for (let after: DatedReport | undefined; ;) {
      const page = await store.readReports({ from, after, limit: PAGE });
      const unread = page.filter(({ reportId }) => !today.has(reportId));
      const stored = await store.findIdentifiers(unread.map(({ reportId }) => reportId));
      const identifiers = groupBy(stored, ({ reportId }) => reportId);
      for (const report of unread) {
        const named = (identifiers.get(report.reportId) ?? []).map(({ kind, hash }) => ({ kind, hash }));
        await today.add({ ...report, identifiers: named });
      }
      after = page.at(-1);
      if (page.length < PAGE) break;
      await giveTurn();
    }
  };

  const readDisputes = async (of: Followed): Promise<void> => {
    const disputes = await store.listDisputes();
    const read = JSON.stringify(disputes);
    if (read === of.disputes) return;
    for (const reporterId of new Set(disputes.map((dispute) => dispute.reporterId)))
      await recountLosses(store, of.state, reporterId, clock());
    of.disputes = read;
  };

  const loadFollowed = async (now: number): Promise<Followed> => {
    const stored = await load();
    const state = createStandingsState(rules, fromStored(rules, stored));
    return {
      state,
      today: createToday(options, state),
      learntAt: stored.learntAt,
      newestAt: stored.epochAt,
      followedAt: now,
      disputesAt: -Infinity,
      disputes: '',
    };
  };

  const follow = async (): Promise<Followed> => {
    const now = clock();
    const inStore = await store.findTrustEpoch();
    const isNewest = inStore?.rules === rules.name && followed?.learntAt === inStore.learntAt;
    const of = followed && isNewest ? followed : await loadFollowed(now);
    await readNew(of);
    for (const reportId of await store.findRemovedAfter(of.newestAt - LATE_MS)) await of.today.remove(reportId);
    await of.today.settle();
    of.newestAt = Math.max(of.newestAt, now);
    if (now - of.disputesAt >= DISPUTES_MS) {
      await readDisputes(of);
      of.disputesAt = now;
    }
    of.followedAt = now;
    return (followed = of);
  };

  const followOnce = (): Promise<Followed> => (following ??= follow().finally(() => (following = undefined)));

  /** Returns the table in use. The table of an earlier day is used until today's is stored. */
  const current = async (): Promise<Followed> => {
    const age = followed === undefined ? Infinity : clock() - followed.followedAt;
    const of = followed !== undefined && age >= 0 && age < FOLLOW_MS ? followed : await followOnce();
    const today = startOfDay(clock());
    if (epoch === 'daily' && of.state.epochAt < today && triedEpochAt < today) {
      triedEpochAt = today;
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
    await following?.catch(() => undefined);
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
    table: async () => (await settled()).table(),
    settled: async () => void (await settled()),
    current: async () => (await current()).state,
    reported: (report) => changed(({ today }) => today.add(report)),
    mayBeStored() {
      // The next read of the store finds the report.
    },
    resent: (reportId) =>
      changed(async ({ today }) => {
        const report = today.has(reportId) ? undefined : await findReport(store, reportId);
        if (report) await today.add(report);
      }),

    removed: (report) =>
      changed(async ({ state, today }) => {
        await today.remove(report.reportId);
        await recountAfter(store, state, report.reportId, clock());
      }),

    disputed: (reportId) => changed(({ state }) => recountAfter(store, state, reportId, clock())),

    async erased() {
      await idle();
      await recompute().catch((error: unknown) => notify({ event: 'standings-not-updated', error }));
    },
  };
}
