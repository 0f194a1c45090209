import { createStandingsKeeper, type KeeperOptions, type StandingsKeeper } from '../core/engine/standings/keeper.ts';
import type { ReportFacts } from '../core/engine/standings/state.ts';
import type { ScoringModel } from '../core/scoring/model.ts';
import type { IndexedStore } from './identifier-index.ts';

/**
 * The standings of several models, computed only when they are needed. They equal standings that are computed at the
 * beginning of each epoch and updated after each report. Before the first epoch there are none: an epoch depends on the
 * stored data only, not on earlier epochs.
 */
export interface DeferredStandings {
  /** By model; undefined for a model without standings. Call {@link DeferredStandings.settle} before you read them. */
  readonly keepers: readonly (StandingsKeeper | undefined)[];
  /** Forwards each stored change to all keepers; undefined without keepers. */
  readonly forAll: StandingsKeeper | undefined;
  /** Begins an epoch with the reports until now. If nothing needed the previous epoch, it is never computed. */
  beginEpoch(): void;
  /** Computes and stores the standings of the epoch, unless this is done. Call it before each write except a report. */
  settle(): Promise<void>;
}

export interface DeferredOptions extends Pick<KeeperOptions, 'notify' | 'effects'> {
  readonly store: IndexedStore;
}

export function createDeferredStandings(
  { store, effects, notify }: DeferredOptions,
  models: readonly ScoringModel[],
): DeferredStandings {
  let hasBegun = false;
  /** When the epoch began, ms UTC; undefined once it is computed. */
  let begunAt: number | undefined;
  /**
   * Reports since the epoch began. The computation of the epoch leaves them out, because `includeReports` ran before
   * them.
   */
  let reports: ReportFacts[] = [];

  const held = { ...effects, clock: () => begunAt ?? effects.clock() };
  const options = { store, effects: held, notify, epoch: 'on-demand' } as const;
  const keepers = models.map(({ trust }) => trust && createStandingsKeeper({ ...options, rules: trust }));
  const present = keepers.filter((keeper) => keeper !== undefined);
  const each = async (notifyKeeper: (keeper: StandingsKeeper) => Promise<void>): Promise<void> => {
    if (hasBegun) for (const keeper of present) await notifyKeeper(keeper);
  };
  const [first] = present;
  const settle = async (): Promise<void> => {
    if (begunAt === undefined) return;
    for (const keeper of present) await keeper.recompute();
    begunAt = undefined;
    for (const report of reports.splice(0)) await each((keeper) => keeper.reported(report));
  };

  return {
    keepers,
    forAll: first && {
      current: () => first.current(),
      epochAt: () => first.epochAt(),
      table: () => first.table(),
      settled: () => first.settled(),
      recompute: () => first.recompute(),
      idle: () => first.idle(),
      watch: (begin) => first.watch(begin),
      mayBeStored: (reportId) => first.mayBeStored(reportId),
      verified: (reporterId) => each((keeper) => keeper.verified(reporterId)),
      erased: () => each((keeper) => keeper.erased()),
      // Each model has its own kinds that count.
      hashesOf: () => undefined,
      async reported(report) {
        if (begunAt === undefined) await each((keeper) => keeper.reported(report));
        else reports.push(report);
      },
      resent: (reportId) => each((keeper) => keeper.resent(reportId)),
      removed: (report) => each((keeper) => keeper.removed(report)),
      async disputed(reportId) {
        // A report that repeats a wrong claim is disputed by its own write.
        await settle();
        await each((keeper) => keeper.disputed(reportId));
      },
    },

    beginEpoch() {
      store.includeReports();
      hasBegun = true;
      begunAt = effects.clock();
      reports = [];
    },

    settle,
  };
}
