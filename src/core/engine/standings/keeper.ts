import { SKEW_MS, startOfDay } from '../../domain/day.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import type { TrustTable } from '../../scoring/standings/table.ts';
import type { KnownOfHashes } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { Effects } from '../effects.ts';
import type { EngineNotice } from '../notices.ts';
import { computeStandings, type ComputedStandings, type EpochWatch } from './compute.ts';
import {
  createStandingsState,
  fromStored,
  toStored,
  type StandingsState,
  type TouchingReport,
  findReport,
  onlyCounting,
  recountAfter,
  strongHashes,
  touchReport,
} from './state.ts';

/**
 * Keeps all standings in memory. Recomputes them once a day and updates them after each change.
 *
 * Call the methods from `reported` to `erased` after a commit. They never reject. A failure sends the notice
 * `standings-not-updated`; the next epoch repairs the standings.
 */
export interface StandingsKeeper {
  /** Returns the state in use. The state of an earlier day is used until today's is computed. */
  current(): Promise<StandingsState>;
  /** Returns the day (ms UTC) of the state in use; undefined before the first use. */
  epochAt(): number | undefined;
  /** Waits for a running computation, then returns the whole table. */
  table(): Promise<TrustTable>;
  /** Resolves when no computation runs. */
  settled(): Promise<void>;
  /** Recomputes and stores all standings. Concurrent calls share one computation. */
  recompute(): Promise<TrustTable>;
  /** Returns the hashes of a new report about which {@link StandingsKeeper.reported} needs to know more. */
  hashesOf(identifiers: readonly Identifier[]): readonly string[] | undefined;
  /** `known` is what the store knew about these hashes. Without it, asks the store. */
  reported(report: TouchingReport, known?: KnownOfHashes): Promise<void>;
  /** Call it if the store failed during a report: the report may be stored nevertheless. */
  mayBeStored(reportId: string): void;
  /** Call it after a retry of a stored report. Counts the report if the first attempt did not. */
  resent(reportId: string): Promise<void>;
  removed(report: TouchingReport): Promise<void>;
  /** Call it after a dispute about the report was opened or decided. */
  disputed(reportId: string): Promise<void>;
  /** Call it after the operator changed whether it vouches for the reporter. */
  verified(reporterId: string): Promise<void>;
  /** Recomputes all standings, because reports were erased. */
  erased(): Promise<void>;
  /** Resolves when no background work runs. */
  idle(): Promise<void>;
}

interface Run {
  /** Returns true if the new table includes the report. */
  has(reportId: string): boolean;
  /** Reports that were applied to the new table after it was computed. */
  readonly added: Set<string>;
}

export interface KeeperOptions extends Pick<Effects, 'clock' | 'giveTurn' | 'wait'> {
  readonly store: Store;
  readonly rules: TrustRules;
  readonly notify: (notice: EngineNotice) => void;
  /** `daily` recomputes in the background once a day, `on-demand` only in `recompute`. */
  readonly epoch: 'daily' | 'on-demand';
  /** What features look for while a table is computed. Features may add to it later. */
  readonly watches: readonly EpochWatch[];
}

/**
 * True if a table must be computed: the one in use is of another day, and this day's was not tried. A table of a later
 * day comes from a clock that was set back since, or from another process, whose clock may be a little ahead.
 */
export function isDue(epochAt: number, triedEpochAt: number, nowMs: number): boolean {
  const today = startOfDay(nowMs);
  return today !== triedEpochAt && (epochAt < today || epochAt > nowMs + SKEW_MS);
}

/** Maximum number of remembered uncounted reports. The oldest are forgotten. */
const UNCOUNTED_MOST = 10_000;

export function createStandingsKeeper(options: KeeperOptions): StandingsKeeper {
  const { store, rules, clock, giveTurn, notify, epoch, watches } = options;
  let inUse: StandingsState | undefined;
  /** The state that was loaded from the store, until a computation replaces it. */
  let loaded: StandingsState | undefined;
  let loading: Promise<StandingsState> | undefined;
  let running: Promise<ComputedStandings> | undefined;
  let runningEpochAt = -Infinity;
  let searching = Promise.resolve();
  let triedEpochAt = -Infinity;
  /** Changes made while a computation runs. */
  let missed: ((state: StandingsState, run: Run) => Promise<void>)[] = [];
  /** Reports that may be stored, but do not count in the state in use. */
  const uncounted = new Set<string>();

  const mayBeStored = (reportId: string): void => {
    const oldest = uncounted.values().next();
    if (uncounted.size >= UNCOUNTED_MOST && !oldest.done) uncounted.delete(oldest.value);
    uncounted.add(reportId);
  };

  const compute = (): Promise<ComputedStandings> => {
    const atMs = clock();
    // A computation that began on an earlier day computes the table of that day. Compute today's table after it.
    if (running && runningEpochAt < startOfDay(atMs)) return running.then(compute, compute);
    if (running) return running;
    runningEpochAt = startOfDay(atMs);
    missed = [];
    running = (async () => {
      const previousAt = watches.length > 0 ? (await store.findTrustEpoch())?.epochAt : undefined;
      const searches = watches.map((begin) => begin(startOfDay(atMs), previousAt));
      const computed = await computeStandings(store, rules, atMs, giveTurn, true, searches);
      const added = new Set<string>();
      const run: Run = { added, has: (reportId) => added.has(reportId) || computed.counts(reportId) };
      for (const apply of missed) await apply(computed.state, run);
      inUse = computed.state;
      loaded = undefined;
      for (const reportId of uncounted) if (run.has(reportId)) uncounted.delete(reportId);
      await store.putTrust(toStored(inUse.table(), atMs));
      // Not awaited by those who need standings.
      for (const search of searches) searching = searching.then(() => search.finish(computed.epoch));
      return computed;
    })().finally(() => (running = undefined));
    return running;
  };

  const computeInBackground = (): void => {
    triedEpochAt = startOfDay(clock());
    compute().catch((error: unknown) => notify({ event: 'epoch-failed', error }));
  };

  const load = async (): Promise<StandingsState> => {
    const stored = await store.findTrust();
    if (inUse) return inUse;
    // There is no table, or it is of another model or of other constants. Compute a new one.
    if (stored?.rules !== rules.name) return (await compute()).state;
    const state = createStandingsState(rules, fromStored(rules, stored));
    state.setVerified(await store.listReporters());
    if (inUse) return inUse;
    inUse = loaded = state;
    // The stored table lacks all later changes.
    if (epoch === 'daily') computeInBackground();
    return inUse;
  };

  const current = async (): Promise<StandingsState> => {
    const state = inUse ?? (await (loading ??= load().finally(() => (loading = undefined))));
    if (epoch === 'daily' && isDue(state.epochAt, triedEpochAt, clock())) computeInBackground();
    return state;
  };

  /**
   * Applies a change to the state in use. If a computation is running, applies it to the new state as well. Call it
   * right after the commit: a later computation reads the change from the store.
   */
  const changed = async (
    apply: (state: StandingsState, run: Run | undefined) => Promise<void>,
    reportId?: string,
  ): Promise<void> => {
    const before = inUse;
    if (running) missed.push(apply);
    try {
      const state = await current();
      if (state === before || state === loaded) await apply(state, undefined);
    } catch (error) {
      // If a new state has replaced this one, the new state has the change.
      if (reportId !== undefined && (inUse === before || inUse === loaded)) mayBeStored(reportId);
      notify({ event: 'standings-not-updated', error });
    }
  };

  /** Counts a report. If only its id is given, reads the report from the store. */
  const reported = (given: TouchingReport | Pick<TouchingReport, 'reportId'>, known?: KnownOfHashes): Promise<void> => {
    const { reportId } = given;
    return changed(async (state, run) => {
      if (run?.has(reportId)) return;
      const report = 'identifiers' in given ? given : await findReport(store, reportId);
      if (report === undefined) return;
      await touchReport(store, state, await onlyCounting(options, state, report, known), 1, known);
      run?.added.add(reportId);
    }, reportId);
  };

  const settled = async (): Promise<StandingsState> => {
    const state = await current();
    await running?.catch(() => undefined);
    return inUse ?? state;
  };

  const idle = async (): Promise<void> => {
    await loading?.catch(() => undefined);
    await running?.catch(() => undefined);
    await searching;
  };

  const recompute = async (): Promise<TrustTable> => {
    const { state } = await compute();
    await searching;
    return state.table();
  };

  return {
    recompute,
    idle,
    epochAt: () => inUse?.epochAt,
    mayBeStored,
    table: async () => (await settled()).table(),
    settled: async () => void (await settled()),
    current,
    hashesOf: (identifiers) => strongHashes(options, identifiers),
    reported,
    async resent(reportId) {
      if (uncounted.delete(reportId)) await reported({ reportId });
    },

    removed(report) {
      const wasCounted = !uncounted.delete(report.reportId);
      return changed(async (state, run) => {
        if (run ? run.has(report.reportId) : wasCounted)
          await touchReport(store, state, await onlyCounting(options, state, report), -1);
        // Recount: a deleted report with an upheld dispute may cost a claim of its own (`countLosses`).
        await recountAfter(store, state, report.reportId);
      });
    },

    disputed: (reportId) => changed((state) => recountAfter(store, state, reportId)),

    verified: (reporterId) => changed(async (state) => state.setVerified(await store.findReporters([reporterId]))),

    async erased() {
      // A running computation may include erased reports, so recompute afterwards. Subtracting single reports would be
      // wrong: several may belong to one claim.
      await idle();
      await recompute().catch((error: unknown) => notify({ event: 'standings-not-updated', error }));
    },
  };
}
