import { SKEW_MS, startOfDay } from '../../core/domain/day.ts';
import type { Dispute } from '../../core/domain/dispute.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import type { DatedReport, HashHistory, StoredIdentifier, StoredTrust } from '../../core/store/records.ts';
import type { SharedStore } from '../../core/store/store.ts';
import { StoreDamagedError } from '../../core/store/errors.ts';
import { computeStandings, type EpochWatch } from '../../core/engine/standings/compute.ts';
import { isDue, type KeeperOptions, type StandingsKeeper } from '../../core/engine/standings/keeper.ts';
import { recountAfter, recountLosses } from '../../core/engine/standings/losses.ts';
import {
  findReport,
  strongHashes,
  fromStored,
  toStored,
  StandingsState,
  type ReportFacts,
} from '../../core/engine/standings/state.ts';
import { groupBy } from '../../core/domain/lists.ts';
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
interface FollowedTable {
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
  readonly usable: Promise<FollowedTable>;
  readonly done: Promise<FollowedTable>;
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
  return new StandingsFollower(options, shared);
}

class StandingsFollower implements StandingsKeeper {
  readonly #options: KeeperOptions;
  readonly #shared: SharedStore;
  readonly #watches: EpochWatch[] = [];
  #followed: FollowedTable | undefined;
  #following: Reading | undefined;
  #computing: Promise<void> | undefined;
  #triedEpochAt = -Infinity;
  /** The last reading met a damaged row, and the operator was told. */
  #isBehind = false;

  constructor(options: KeeperOptions, shared: SharedStore) {
    this.#options = options;
    this.#shared = shared;
  }

  async recompute() {
    await this.#computeOnce();
    return (await this.#read().done).state.table();
  }

  async idle(): Promise<void> {
    await this.#following?.done.catch(() => undefined);
    await this.#computing?.catch(() => undefined);
  }

  watch(begin: EpochWatch): void {
    this.#watches.push(begin);
  }

  epochAt(): number | undefined {
    return this.#followed?.state.epochAt;
  }

  async table() {
    return (await this.#settled()).table();
  }

  async settled(): Promise<void> {
    await this.#settled();
  }

  async current(): Promise<StandingsState> {
    return (await this.#current()).state;
  }

  hashesOf(identifiers: readonly Identifier[]): readonly string[] | undefined {
    return strongHashes(this.#options, identifiers);
  }

  reported(report: ReportFacts, known?: HashHistory): Promise<void> {
    // The first reading of a day finds the report in the store.
    return this.#changed(async ({ isComplete, today }) => (isComplete ? today.add(report, known) : undefined));
  }

  mayBeStored(): void {
    // The next read of the store finds the report.
  }

  resent(reportId: string): Promise<void> {
    return this.#changed(async ({ isComplete, today }) => {
      const { store } = this.#options;
      const report = !isComplete || today.has(reportId) ? undefined : await findReport(store, reportId);
      if (report) await today.add(report);
    });
  }

  removed({ reportId }: ReportFacts): Promise<void> {
    return this.#changed(async (of) => {
      of.replay = undefined;
      await of.today.remove(reportId);
      await recountAfter(this.#options, of.state, reportId);
    });
  }

  disputed(reportId: string): Promise<void> {
    return this.#changed(async ({ state, today }) => {
      await recountAfter(this.#options, state, reportId);
      await today.disputed([reportId]);
    });
  }

  verified(reporterId: string): Promise<void> {
    return this.#changed(async ({ state }) => state.setVerified(await this.#options.store.findReporters([reporterId])));
  }

  async erased(): Promise<void> {
    await this.idle();
    await this.recompute().catch((error: unknown) => this.#options.notify({ event: 'standings-not-updated', error }));
  }

  /** Applies a change of this process at once. If that fails, the next read of the store repairs it. */
  async #changed(apply: (of: FollowedTable) => Promise<void>): Promise<void> {
    try {
      if (this.#followed) await apply(this.#followed);
    } catch (error) {
      this.#options.notify({ event: 'standings-not-updated', error });
    }
  }

  async #settled(): Promise<StandingsState> {
    await this.#current();
    await this.#computing?.catch(() => undefined);
    return (await this.#read().done).state;
  }

  /** Returns the table in use. The table of an earlier day is used until today's is stored. */
  async #current(): Promise<FollowedTable> {
    const { effects, epoch, notify } = this.#options;
    const { clock } = effects;
    const followed = this.#followed;
    const age = followed === undefined ? Infinity : clock() - followed.followedAt;
    const of = followed !== undefined && age >= 0 && age < FOLLOW_MS ? followed : await this.#newest(followed);
    if (epoch === 'daily' && isDue(of.state.epochAt, this.#triedEpochAt, clock())) {
      this.#triedEpochAt = startOfDay(clock());
      this.#computeOnce().catch((error: unknown) => notify({ event: 'epoch-failed', error }));
    }
    return of;
  }

  /** Reads the changes in the store. If a row is damaged, the table in use is kept, and the next second tries again. */
  async #newest(inUse: FollowedTable | undefined): Promise<FollowedTable> {
    try {
      const newest = await this.#read().usable;
      this.#isBehind = false;
      return newest;
    } catch (error) {
      if (inUse === undefined || !(error instanceof StoreDamagedError)) throw error;
      if (!this.#isBehind) this.#options.notify({ event: 'standings-not-updated', error });
      this.#isBehind = true;
      inUse.followedAt = this.#options.effects.clock();
      return inUse;
    }
  }

  #read(): Reading {
    return (this.#following ??= this.#startReading());
  }

  #startReading(): Reading {
    let usable: (of: FollowedTable) => void = () => undefined;
    const early = new Promise<FollowedTable>((resolve) => (usable = resolve));
    const done = this.#follow(usable).finally(() => (this.#following = undefined));
    const first = Promise.race([early, done]);
    // Often, only one of the two is waited for. After a failure, the next reading tries again.
    first.catch(() => undefined);
    return { usable: first, done };
  }

  async #follow(usable: (of: FollowedTable) => void): Promise<FollowedTable> {
    const { store, rules, effects } = this.#options;
    const now = effects.clock();
    const inStore = await store.findTrustEpoch();
    const isNewest = inStore?.rules === rules.name && this.#followed?.learntAt === inStore.learntAt;
    const of = this.#followed && isNewest ? this.#followed : await this.#loadFollowed(now);
    if (!of.isComplete) of.replay = await createReplay(this.#options, of.state, of.today);
    const isRareDue = Math.abs(now - of.rareAt) >= RARE_MS;
    const lateMs = isRareDue ? SKEW_MS + LATE_MS : LATE_MS;
    // After the clock was set back, read the whole day: other processes may have stored reports meanwhile.
    const from = now < of.newestAt - LATE_MS ? of.state.epochAt : of.newestAt - lateMs;
    await this.#readNew(of, Math.max(of.state.epochAt, from), () => usable((this.#followed = of)));
    of.isComplete = true;
    of.replay = undefined;
    for (const reportId of await store.findRemovedAfter(from)) await of.today.remove(reportId);
    await of.today.settle();
    of.newestAt = now;
    if (isRareDue) {
      await this.#readRare(of);
      of.rareAt = now;
    }
    of.followedAt = now;
    return (this.#followed = of);
  }

  async #loadFollowed(now: number): Promise<FollowedTable> {
    const { store, rules } = this.#options;
    const stored = await this.#load();
    // Another process's clock was far ahead. Compute today's table, even if it was computed before.
    if (stored.epochAt > now + SKEW_MS) this.#triedEpochAt = -Infinity;
    const state = new StandingsState(rules, fromStored(rules, stored));
    return {
      state,
      today: createToday(this.#options, state),
      learntAt: stored.learntAt,
      replay: undefined,
      isComplete: false,
      newestAt: stored.epochAt,
      followedAt: now,
      rareAt: -Infinity,
      disputes: textsOf(await store.listDisputes()),
    };
  }

  /** Applies reports in the store that were created at `from` or later. */
  async #readNew(of: FollowedTable, from: number, usable: () => void): Promise<void> {
    const { store, effects } = this.#options;
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
      await effects.giveTurn();
    }
  }

  async #readRare(of: FollowedTable): Promise<void> {
    const { store } = this.#options;
    of.state.setVerified(await store.listReporters());
    const disputes = await store.listDisputes();
    const changed = disputes.filter((dispute) => !of.disputes.has(JSON.stringify(dispute)));
    // The replay counts no losses.
    const recounted = of.rareAt === -Infinity ? disputes : changed;
    const reporters = new Set(recounted.map(({ reporterId }) => reporterId));
    const own = disputes.filter(({ reporterId }) => reporters.has(reporterId));
    await recountLosses(this.#options, of.state, own);
    const ofToday = changed.filter(({ decidedAt }) => decidedAt === null || decidedAt >= of.state.epochAt - SKEW_MS);
    await of.today.disputed(ofToday.map(({ reportId }) => reportId));
    of.disputes = textsOf(disputes);
  }

  async #load(): Promise<StoredTrust> {
    const { store, rules } = this.#options;
    for (;;) {
      const stored = await store.findTrust();
      if (stored?.rules === rules.name) return stored;
      // There is no table, or it is of another model or of other constants. Compute a new one.
      await this.#computeOnce();
    }
  }

  #computeOnce(): Promise<void> {
    return (this.#computing ??= this.#compute().finally(() => (this.#computing = undefined)));
  }

  /** Computes and stores the table. If another process is computing it, waits for that table. */
  async #compute(): Promise<void> {
    const { store, rules, effects } = this.#options;
    const { clock, giveTurn, wait } = effects;
    const before = await store.findTrustEpoch();
    for (;;) {
      const lease = await this.#shared.lease(`trust ${rules.name}`);
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
        const searches = this.#watches.map((begin) => begin(epochAt, now?.epochAt));
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
  }
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
