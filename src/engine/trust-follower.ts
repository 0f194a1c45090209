import type { Identifier } from '../domain/identifier.ts';
import type { ReporterTrust, TrustTable } from '../scoring/trust-table.ts';
import type { DatedReport, StoredTrust } from '../store/store.ts';
import { epochOf, recountLosses, trustAt } from './trust-at.ts';
import type { KeeperOptions, TrustKeeper } from './trust-keeper.ts';
import { createToday, type Today } from './trust-today.ts';
import { createTrustState, type TrustState } from './trust-state.ts';
import { fromStored, toStored } from './trust-touch.ts';

/** What others wrote is seen within so long. */
const FOLLOW_MS = 1_000;
/** A report may be committed so long after the moment that it bears: clocks differ, and a transaction takes its time. */
const LATE_MS = 30_000;
/** Disputes are few and slow; who decides one sees it at once. */
const DISPUTES_MS = 10_000;
/** Until a process asks again whether the table that another one makes is there. */
const WAIT_MS = 200;
const PAGE = 500;

/**
 * Standings in one of several processes over one store. The table of a day is in the store: one process at a time learns it, the others load it. What comes after it each
 * reads from the store, so all of them say the same within a second. That a report of an earlier day is deleted changes nobody's record before the next epoch: what it said is erased, and
 * others could not know.
 */
export function createTrustFollower({ store, rules, clock, giveTurn, epoch }: KeeperOptions): TrustKeeper {
  const touching = { store, rules };
  const kept: {
    followed: Followed | undefined;
    following: Promise<Followed> | undefined;
    learning: Promise<void> | undefined;
    triedEpochAt: number;
  } = { followed: undefined, following: undefined, learning: undefined, triedEpochAt: -Infinity };

  /** Learns the table and stores it, if no other process does that now: then waits for what that one stores. */
  const learn = async (): Promise<void> => {
    const before = await store.findTrustEpoch();
    for (;;) {
      const lease = await store.shared!.lease(`trust ${rules.name}`);
      if (lease) {
        try {
          // Another one may have had it until now.
          const now = await store.findTrustEpoch();
          if (now?.rules === rules.name && now.learntAt !== before?.learntAt && now.epochAt === epochOf(clock()))
            return;
          const atMs = clock();
          const { epoch: table } = await trustAt(store, rules, epochOf(atMs), giveTurn);
          // Two of one millisecond must not look the same to those who loaded the first.
          await store.putTrust(toStored(table, Math.max(atMs, (now?.learntAt ?? 0) + 1)));
          return;
        } finally {
          await lease.release();
        }
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  };

  const learnOnce = (): Promise<void> => (kept.learning ??= learn().finally(() => (kept.learning = undefined)));

  const load = async (): Promise<StoredTrust> => {
    const stored = await store.findTrust();
    if (stored?.rules === rules.name) return stored;
    // Another model, or other constants: what they learnt is not ours.
    await learnOnce();
    return (await store.findTrust())!;
  };

  /** Lets the reports that are new in the store count. */
  const readNew = async (followed: Followed): Promise<void> => {
    const { state, today } = followed;
    const from = Math.max(state.epochAt, followed.newestAt - LATE_MS);
    for (let after: DatedReport | undefined; ;) {
      const page = await store.readReports({ from, after, limit: PAGE });
      const unseen = page.filter(({ reportId }) => !today.has(reportId));
      const identifiers = groupByReport(await store.findIdentifiers(unseen.map(({ reportId }) => reportId)));
      for (const report of unseen) await today.add({ ...report, identifiers: identifiers.get(report.reportId) ?? [] });
      after = page.at(-1);
      if (page.length < PAGE) break;
      await giveTurn();
    }
  };

  /** Lets those that were deleted count no more. */
  const readRemoved = async ({ today, newestAt }: Followed): Promise<void> => {
    for (const reportId of await store.findRemovedAfter(newestAt - LATE_MS)) await today.remove(reportId);
  };

  const readDisputes = async (followed: Followed): Promise<void> => {
    const disputes = await store.listDisputes();
    const told = JSON.stringify(disputes);
    if (told === followed.disputes) return;
    followed.disputes = told;
    for (const reporterId of new Set(disputes.map((dispute) => dispute.reporterId)))
      await recountLosses(store, followed.state, reporterId, clock());
  };

  const follow = async (): Promise<Followed> => {
    const now = clock();
    const inStore = await store.findTrustEpoch();
    const old = kept.followed;
    const followed: Followed =
      old && inStore?.rules === rules.name && old.learntAt === inStore.learntAt
        ? old
        : await (async () => {
            const stored = await load();
            const state = createTrustState(rules, fromStored(rules, stored));
            return {
              state,
              today: createToday(touching, state),
              learntAt: stored.learntAt,
              newestAt: stored.epochAt,
              followedAt: now,
              disputesAt: -Infinity,
              disputes: '',
            };
          })();
    await readNew(followed);
    await readRemoved(followed);
    await followed.today.settle();
    followed.newestAt = Math.max(followed.newestAt, now);
    if (now - followed.disputesAt >= DISPUTES_MS) {
      await readDisputes(followed);
      followed.disputesAt = now;
    }
    followed.followedAt = now;
    kept.followed = followed;
    return followed;
  };

  const followOnce = (): Promise<Followed> => (kept.following ??= follow().finally(() => (kept.following = undefined)));

  /** In the background, once a day; an earlier day's table is used until today's is there. */
  const learnSoon = ({ state }: Followed): void => {
    const today = epochOf(clock());
    if (epoch !== 'daily' || state.epochAt >= today || kept.triedEpochAt >= today) return;
    kept.triedEpochAt = today;
    learnOnce().catch(() => undefined);
  };

  const current = async (): Promise<Followed> => {
    const known = kept.followed;
    const age = known === undefined ? Infinity : clock() - known.followedAt;
    const followed = known !== undefined && age >= 0 && age < FOLLOW_MS ? known : await followOnce();
    learnSoon(followed);
    return followed;
  };

  const settled = async (): Promise<TrustState> => {
    await current();
    await kept.learning?.catch(() => undefined);
    return (await followOnce()).state;
  };

  return {
    async recompute(): Promise<TrustTable> {
      await learnOnce();
      return (await followOnce()).state.table();
    },
    table: async () => (await settled()).table(),
    async settled() {
      await settled();
    },

    async standings(reporterIds) {
      const { state } = await current();
      const unknown = reporterIds.filter((reporterId) => state.standingOf(reporterId) === undefined);
      if (unknown.length > 0) state.welcome(await store.findReporters(unknown));
      const standings = new Map<string, ReporterTrust>();
      for (const reporterId of reporterIds) {
        const standing = state.standingOf(reporterId);
        if (standing) standings.set(reporterId, standing);
      }
      return standings;
    },

    async reported(report) {
      await kept.followed?.today.add(report);
    },

    async removed(report) {
      const { followed } = kept;
      if (!followed) return;
      await followed.today.remove(report.reportId);
      if ((await store.findDisputes([report.reportId])).length > 0)
        await recountLosses(store, followed.state, report.reporterId, clock());
    },

    async disputed(reporterId) {
      if (kept.followed) await recountLosses(store, kept.followed.state, reporterId, clock());
    },

    async idle() {
      await kept.following?.catch(() => undefined);
      await kept.learning?.catch(() => undefined);
    },
  };
}

/** A table as it was loaded, and how far it was followed. */
interface Followed {
  readonly state: TrustState;
  readonly learntAt: number;
  readonly today: Today;
  /** No report before this moment, less what comes late, is unseen. */
  newestAt: number;
  followedAt: number;
  disputesAt: number;
  disputes: string;
}

function groupByReport(
  identifiers: readonly (Identifier & { readonly reportId: string })[],
): Map<string, Identifier[]> {
  const grouped = new Map<string, Identifier[]>();
  for (const { reportId, kind, hash } of identifiers)
    grouped.set(reportId, [...(grouped.get(reportId) ?? []), { kind, hash }]);
  return grouped;
}
