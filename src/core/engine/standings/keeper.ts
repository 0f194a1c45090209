import { SKEW_MS, startOfDay } from '../../domain/day.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import type { TrustTable } from '../../scoring/standings/table.ts';
import type { HashHistory } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { Effects } from '../effects.ts';
import type { EngineNotice } from '../notices.ts';
import { computeStandings, type ComputedStandings, type EpochWatch } from './compute.ts';
import { recountAfter } from './losses.ts';
import {
  fromStored,
  toStored,
  StandingsState,
  type ReportFacts,
  findReport,
  onlyCounting,
  strongHashes,
  applyReport,
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
  /** `history` is what the store knew about these hashes. Without it, asks the store. */
  reported(report: ReportFacts, history?: HashHistory): Promise<void>;
  /** Call it if the store failed during a report: the report may be stored nevertheless. */
  mayBeStored(reportId: string): void;
  /** Call it after a retry of a stored report. Counts the report if the first attempt did not. */
  resent(reportId: string): Promise<void>;
  removed(report: ReportFacts): Promise<void>;
  /** Call it after a dispute about the report was opened or decided. */
  disputed(reportId: string): Promise<void>;
  /** Call it after the operator changed whether it vouches for the reporter. */
  verified(reporterId: string): Promise<void>;
  /** Recomputes all standings, because reports were erased. */
  erased(): Promise<void>;
  /** Resolves when no background work runs. */
  idle(): Promise<void>;
  /** Adds what looks at the identifiers of each day's standings. Call it before the first request. */
  watch(begin: EpochWatch): void;
}

interface Run {
  /** Returns true if the new table includes the report. */
  has(reportId: string): boolean;
  /** Reports that were applied to the new table after it was computed. */
  readonly added: Set<string>;
}

export interface KeeperOptions {
  readonly store: Store;
  readonly rules: TrustRules;
  readonly effects: Pick<Effects, 'clock' | 'giveTurn' | 'wait'>;
  readonly notify: (notice: EngineNotice) => void;
  /**
   * `daily` recomputes in the background once a day, `on-demand` only in `recompute`. Both also recompute in the
   * background after the stored table was loaded.
   */
  readonly epoch: 'daily' | 'on-demand';
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
const MAX_UNCOUNTED_REPORTS = 10_000;

export function createStandingsKeeper(options: KeeperOptions): StandingsKeeper {
  return new OneOwnersStandings(options);
}

/** Keeps the standings if no other process writes to the store. */
class OneOwnersStandings implements StandingsKeeper {
  readonly #options: KeeperOptions;
  readonly #watches: EpochWatch[] = [];
  #inUse: StandingsState | undefined;
  /** The state that was loaded from the store, until a computation replaces it. */
  #loaded: StandingsState | undefined;
  #loading: Promise<StandingsState> | undefined;
  #running: Promise<ComputedStandings> | undefined;
  #runningEpochAt = -Infinity;
  #searching = Promise.resolve();
  #triedEpochAt = -Infinity;
  /** Changes made while a computation runs. */
  #missed: ((state: StandingsState, run: Run) => Promise<void>)[] = [];
  /** Reports that may be stored, but do not count in the state in use. */
  readonly #uncounted = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  async current(): Promise<StandingsState> {
    const { epoch, effects } = this.#options;
    const state = this.#inUse ?? (await (this.#loading ??= this.#load().finally(() => (this.#loading = undefined))));
    if (epoch === 'daily' && isDue(state.epochAt, this.#triedEpochAt, effects.clock())) this.#computeInBackground();
    return state;
  }

  epochAt(): number | undefined {
    return this.#inUse?.epochAt;
  }

  async table(): Promise<TrustTable> {
    return (await this.#settled()).table();
  }

  async settled(): Promise<void> {
    await this.#settled();
  }

  async recompute(): Promise<TrustTable> {
    const { state } = await this.#compute();
    await this.#searching;
    return state.table();
  }

  hashesOf(identifiers: readonly Identifier[]): readonly string[] | undefined {
    return strongHashes(this.#options, identifiers);
  }

  /** If only the id of a report is given, reads it from the store. */
  reported(given: ReportFacts | Pick<ReportFacts, 'reportId'>, known?: HashHistory): Promise<void> {
    const { store } = this.#options;
    const { reportId } = given;
    return this.#changed(async (state, run) => {
      if (run?.has(reportId)) return;
      const report = 'identifiers' in given ? given : await findReport(store, reportId);
      if (report === undefined) return;
      await applyReport(store, state, await onlyCounting(this.#options, state, report, known), 1, known);
      run?.added.add(reportId);
    }, reportId);
  }

  mayBeStored(reportId: string): void {
    const uncounted = this.#uncounted;
    const oldest = uncounted.values().next();
    if (uncounted.size >= MAX_UNCOUNTED_REPORTS && !oldest.done) uncounted.delete(oldest.value);
    uncounted.add(reportId);
  }

  async resent(reportId: string): Promise<void> {
    if (this.#uncounted.delete(reportId)) await this.reported({ reportId });
  }

  removed(report: ReportFacts): Promise<void> {
    const { store } = this.#options;
    const wasCounted = !this.#uncounted.delete(report.reportId);
    return this.#changed(async (state, run) => {
      if (run ? run.has(report.reportId) : wasCounted)
        await applyReport(store, state, await onlyCounting(this.#options, state, report), -1);
      await recountAfter(this.#options, state, report.reportId);
    });
  }

  disputed(reportId: string): Promise<void> {
    return this.#changed((state) => recountAfter(this.#options, state, reportId));
  }

  verified(reporterId: string): Promise<void> {
    return this.#changed(async (state) => state.setVerified(await this.#options.store.findReporters([reporterId])));
  }

  async erased(): Promise<void> {
    // A running computation may include erased reports, so recompute afterwards. Subtracting single reports would be
    // wrong: several may belong to one claim.
    await this.idle();
    await this.recompute().catch((error: unknown) => this.#options.notify({ event: 'standings-not-updated', error }));
  }

  async idle(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    await this.#running?.catch(() => undefined);
    await this.#searching;
  }

  watch(begin: EpochWatch): void {
    this.#watches.push(begin);
  }

  async #settled(): Promise<StandingsState> {
    const state = await this.current();
    await this.#running?.catch(() => undefined);
    return this.#inUse ?? state;
  }

  /**
   * Applies a change once to each state that lacks it. Call it right after the commit.
   *
   * - A state that was in use before lacks it, and so does one that was loaded meanwhile: stored tables are older.
   * - The state of a computation that runs now may lack it: the computation applies what is in `#missed`.
   * - A computation that begins later reads the change from the store, so its state has it.
   */
  async #changed(
    apply: (state: StandingsState, run: Run | undefined) => Promise<void>,
    reportId?: string,
  ): Promise<void> {
    const before = this.#inUse;
    if (this.#running) this.#missed.push(apply);
    try {
      const state = await this.current();
      if (state === before || state === this.#loaded) await apply(state, undefined);
    } catch (error) {
      // If a new state has replaced this one, the new state has the change.
      if (reportId !== undefined && (this.#inUse === before || this.#inUse === this.#loaded))
        this.mayBeStored(reportId);
      this.#options.notify({ event: 'standings-not-updated', error });
    }
  }

  async #load(): Promise<StandingsState> {
    const { store, rules } = this.#options;
    const stored = await store.findTrust();
    if (this.#inUse) return this.#inUse;
    // There is no table, or it is of another model or of other constants. Compute a new one.
    if (stored?.rules !== rules.name) return (await this.#compute()).state;
    const state = new StandingsState(rules, fromStored(rules, stored));
    state.setVerified(await store.listReporters());
    if (this.#inUse) return this.#inUse;
    this.#inUse = this.#loaded = state;
    // The stored table lacks all later changes, such as upheld disputes.
    this.#computeInBackground();
    return this.#inUse;
  }

  #computeInBackground(): void {
    const { effects, notify } = this.#options;
    this.#triedEpochAt = startOfDay(effects.clock());
    this.#compute().catch((error: unknown) => notify({ event: 'epoch-failed', error }));
  }

  #compute(): Promise<ComputedStandings> {
    const atMs = this.#options.effects.clock();
    const again = (): Promise<ComputedStandings> => this.#compute();
    // A computation that began on an earlier day computes the table of that day. Compute today's table after it.
    if (this.#running && this.#runningEpochAt < startOfDay(atMs)) return this.#running.then(again, again);
    if (this.#running) return this.#running;
    this.#runningEpochAt = startOfDay(atMs);
    this.#missed = [];
    return (this.#running = this.#computeAt(atMs).finally(() => (this.#running = undefined)));
  }

  async #computeAt(atMs: number): Promise<ComputedStandings> {
    const { store, rules, effects } = this.#options;
    const watches = this.#watches;
    const previousAt = watches.length > 0 ? (await store.findTrustEpoch())?.epochAt : undefined;
    const searches = watches.map((begin) => begin(startOfDay(atMs), previousAt));
    const computed = await computeStandings(store, rules, atMs, effects.giveTurn, true, searches);
    const { state, epoch } = computed;
    const added = new Set<string>();
    const run: Run = { added, has: (reportId) => added.has(reportId) || computed.counts(reportId) };
    for (const apply of this.#missed) await apply(state, run);
    this.#inUse = state;
    this.#loaded = undefined;
    for (const reportId of this.#uncounted) if (run.has(reportId)) this.#uncounted.delete(reportId);
    await store.putTrust(toStored(state.table(), atMs));
    // Not awaited by those who need standings.
    for (const search of searches) this.#searching = this.#searching.then(() => search.finish(epoch));
    return computed;
  }
}
