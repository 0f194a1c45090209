import { DAY_MS } from '../../domain/day.ts';
import { findAccusations, type AccusationFinding, type AccusationKind } from '../../scoring/accusations/find.ts';
import { createAccusationGatherer, type AccusationGatherer } from '../../scoring/accusations/gather.ts';
import type { TrustTable } from '../../scoring/standings/table.ts';
import type { Store } from '../../store/store.ts';
import type { Effects } from '../effects.ts';
import type { EngineNotice } from '../notices.ts';

/** Finds what is noticeable about the accusations of the days before an epoch, while its standings are computed. */
export interface AccusationWatch {
  /** Takes the identifiers that {@link announce} needs. */
  readonly gatherer: AccusationGatherer;
  /**
   * Records what was found in the audit log and sends a notice about each finding. Findings that are in the log
   * already are not sent again. Never rejects: a failure is a notice.
   */
  announce(table: TrustTable): Promise<void>;
}

interface WatchOptions extends Pick<Effects, 'clock' | 'giveTurn'> {
  readonly store: Store;
  readonly notify: (notice: EngineNotice) => void;
}

/** Days that are searched after a service was not used for longer. */
const DAYS_MOST = 7;
/** Findings of a kind and day that are sent, and reporters of one finding. The log must stay readable. */
const FINDINGS_MOST = 10;
const REPORTERS_MOST = 10;

/**
 * Creates a watch over the day before the epoch, and over earlier days for which no table was computed. `previousAt` is
 * the epoch of the last table in the store; undefined without one.
 */
export function createAccusationWatch(
  { store, clock, giveTurn, notify }: WatchOptions,
  epochAt: number,
  previousAt: number | undefined,
): AccusationWatch {
  const yesterdayAt = epochAt - DAY_MS;
  const fromAt = Math.max(epochAt - DAYS_MOST * DAY_MS, Math.min(previousAt ?? yesterdayAt, yesterdayAt));
  const days = { fromAt, untilAt: epochAt };
  const gatherer = createAccusationGatherer(days);

  const find = async (table: TrustTable): Promise<readonly AccusationFinding[]> => {
    const work = findAccusations(gatherer.finish(), table.reporters, days);
    let step = work.next();
    while (!step.done) {
      await giveTurn();
      step = work.next();
    }
    return step.value;
  };

  /** Returns false if the finding is in the audit log already: of an earlier computation, maybe in another process. */
  const record = async ({ kind, reporterIds, reports, reportId }: AccusationFinding): Promise<boolean> => {
    const entry = { actor: 'engine', action: kind, subject: reportId, amount: reports } as const;
    const [first = null, ...others] = reporterIds.slice(0, REPORTERS_MOST);
    const added = await store.addAuditEntry({ ...entry, atMs: clock(), reporterId: first }, epochAt);
    return added === 'added' && (others.length === 0 || recordOthers(entry, others));
  };

  const recordOthers = async (
    entry: { actor: string; action: AccusationKind; subject: string; amount: number },
    others: readonly string[],
  ): Promise<true> => {
    for (const reporterId of others) await store.addAuditEntry({ ...entry, atMs: clock(), reporterId });
    return true;
  };

  return {
    gatherer,
    async announce(table) {
      try {
        const findings = await find(table);
        const counts = new Map<string, number>();
        const placeOf = ({ kind, dayAt }: AccusationFinding): number => {
          const name = `${kind} ${dayAt}`;
          counts.set(name, (counts.get(name) ?? 0) + 1);
          return counts.get(name)!;
        };
        const sent = findings.filter((finding) => placeOf(finding) <= FINDINGS_MOST);
        for (const finding of sent) {
          const { kind, dayAt, reportId, reporterIds, reports } = finding;
          if (!(await record(finding))) continue;
          notify({
            event: kind,
            day: new Date(dayAt).toISOString().slice(0, 10),
            reportId,
            reporterIds: reporterIds.slice(0, REPORTERS_MOST),
            reports,
            ofDay: counts.get(`${kind} ${dayAt}`)!,
          });
        }
      } catch (error) {
        notify({ event: 'accusations-not-searched', error });
      }
    },
  };
}
