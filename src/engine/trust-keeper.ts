import type { ReporterTrust, TrustTable } from '../scoring/trust-table.ts';
import type { TrustRules } from '../scoring/trust.ts';
import type { Store } from '../store/store.ts';
import { epochOf, recountLosses, trustAt, type TrustAt } from './trust-at.ts';
import { fromStored, toStored, touchReport } from './trust-touch.ts';
import { createTrustState, type TrustedReport, type TrustState } from './trust-state.ts';

/** Keeps everybody's standing in memory: learnt once a day, touched by what happens in between. */
export interface TrustKeeper {
  /** The standings of these reporters now; of reporters that are not stored nothing. */
  standings(reporterIds: readonly string[]): Promise<ReadonlyMap<string, ReporterTrust>>;
  /** For the operator: once what is being learnt is learnt. */
  table(): Promise<TrustTable>;
  /** Resolves when no table is in the making: the one of today is in use. */
  settled(): Promise<void>;
  /** Learns everything anew and stores it. One run serves all who ask while it runs. */
  recompute(): Promise<TrustTable>;
  /** A report was stored. */
  reported(report: TrustedReport): Promise<void>;
  /** A report was deleted. */
  removed(report: TrustedReport): Promise<void>;
  /** A dispute about a report of this reporter was opened or decided. */
  disputed(reporterId: string): Promise<void>;
  /** Resolves when nothing runs in the background. */
  idle(): Promise<void>;
}

/** A new table in the making, and which reports it has seen. */
type Run = Pick<TrustAt, 'counts'>;

export interface KeeperOptions {
  readonly store: Store;
  readonly rules: TrustRules;
  readonly clock: () => number;
  readonly giveTurn: () => Promise<void>;
  /** `daily` learns anew in the background when a day has begun; `on-demand` only when it is told. */
  readonly epoch: 'daily' | 'on-demand';
}

export function createTrustKeeper({ store, rules, clock, giveTurn, epoch }: KeeperOptions): TrustKeeper {
  const kept: {
    loading: Promise<TrustState> | undefined;
    state: TrustState | undefined;
    /** The state as it was read from the store, which holds nothing that came later. */
    loaded: TrustState | undefined;
    running: Promise<TrustTable> | undefined;
    runningEpochAt: number;
    /** What happened while a new table was being made. */
    missed: ((state: TrustState, run: Run) => Promise<void>)[];
    triedEpochAt: number;
  } = {
    loading: undefined,
    state: undefined,
    loaded: undefined,
    running: undefined,
    runningEpochAt: -Infinity,
    missed: [],
    triedEpochAt: -Infinity,
  };

  const recompute = (): Promise<TrustTable> => {
    const atMs = clock();
    // One that began on an earlier day will not know this day.
    if (kept.running && kept.runningEpochAt < epochOf(atMs)) return kept.running.then(recompute, recompute);
    if (kept.running) return kept.running;
    kept.runningEpochAt = epochOf(atMs);
    kept.running = (async () => {
      kept.missed = [];
      const { state, counts } = await trustAt(store, rules, atMs, giveTurn);
      for (const missed of kept.missed) await missed(state, { counts });
      kept.state = state;
      kept.loaded = undefined;
      await store.putTrust(toStored(state.table(), atMs));
      return state.table();
    })().finally(() => (kept.running = undefined));
    return kept.running;
  };

  /** In the background, once a day: a store that cannot answer now tells whoever asks it, and an operator can ask for the table sooner. */
  const recomputeSoon = (): void => {
    kept.triedEpochAt = epochOf(clock());
    recompute().catch(() => undefined);
  };

  const load = async (): Promise<TrustState> => {
    const stored = await store.findTrust();
    // Another model, or other constants: what they learnt is not ours.
    if (stored?.rules !== rules.name) {
      await recompute();
      return kept.state!;
    }
    kept.loaded = createTrustState(rules, fromStored(rules, stored));
    kept.state = kept.loaded;
    // What came since it was stored is not in it.
    if (epoch === 'daily') recomputeSoon();
    return kept.state;
  };

  /** The table in use; one of an earlier day is used until today's is there. */
  const current = async (): Promise<TrustState> => {
    if (kept.state === undefined) {
      kept.loading ??= load().finally(() => (kept.loading = undefined));
      await kept.loading;
    }
    const today = epochOf(clock());
    if (epoch === 'daily' && kept.state!.epochAt < today && kept.triedEpochAt < today) {
      recomputeSoon();
    }
    return kept.state!;
  };

  /** Called at once when something was stored: a table whose making begins later has it from the store, and must not be told. */
  const happened = async (touched: (state: TrustState, run: Run | undefined) => Promise<void>): Promise<void> => {
    const inUse = kept.state;
    if (kept.running) kept.missed.push(touched);
    const state = await current();
    if (state === inUse || state === kept.loaded) await touched(state, undefined);
  };

  const settled = async (): Promise<TrustState> => {
    await current();
    await kept.running?.catch(() => undefined);
    return kept.state!;
  };

  return {
    recompute,
    table: async () => (await settled()).table(),
    async settled() {
      await settled();
    },

    async standings(reporterIds) {
      const state = await current();
      const unknown = reporterIds.filter((reporterId) => state.standingOf(reporterId) === undefined);
      if (unknown.length > 0) state.welcome(await store.findReporters(unknown));
      const standings = new Map<string, ReporterTrust>();
      for (const reporterId of reporterIds) {
        const standing = state.standingOf(reporterId);
        if (standing) standings.set(reporterId, standing);
      }
      return standings;
    },

    reported: (report) =>
      happened(async (state, run) => {
        if (run?.counts(report.reportId) === true) return;
        await touchReport({ store, rules }, state, report, 1);
      }),

    removed: (report) =>
      happened(async (state, run) => {
        if (run?.counts(report.reportId) === false) return;
        await touchReport({ store, rules }, state, report, -1);
        // Without its identifiers a report that was lost is a loss of its own.
        if ((await store.findDisputes([report.reportId])).length > 0)
          await recountLosses(store, state, report.reporterId, clock());
      }),

    disputed: (reporterId) => happened((state) => recountLosses(store, state, reporterId, clock())),

    async idle() {
      await kept.loading?.catch(() => undefined);
      await kept.running?.catch(() => undefined);
    },
  };
}
