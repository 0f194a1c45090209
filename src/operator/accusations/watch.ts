import { ENGINE } from '../../core/domain/audit.ts';
import { DAY_MS } from '../../core/domain/day.ts';
import { findAccusations, type AccusationFinding } from './find.ts';
import { createAccusationGatherer } from './gather.ts';
import type { TrustTable } from '../../core/scoring/standings/table.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import type { EpochSearch, EpochWatch } from '../../core/engine/standings/compute.ts';

/** Days that are searched after a service was not used for longer. */
const MAX_SEARCHED_DAYS = 7;
/** Findings of a kind and day that are sent, and reporters of one finding. The log must stay readable. */
const MAX_FINDINGS = 10;
const MAX_REPORTERS = 10;

/**
 * Finds what is noticeable about the accusations of the day before an epoch, and of earlier days for which no table was
 * computed, while its standings are computed. Records what was found in the audit log and sends a notice about each
 * finding. Findings that are in the log already are not sent again. A failure is a notice, too.
 */
export function watchAccusations(context: EngineContext): EpochWatch {
  return (epochAt, previousAt) => searchAccusations(context, epochAt, previousAt);
}

function searchAccusations(
  { store, effects, notify }: EngineContext,
  epochAt: number,
  previousAt: number | undefined,
): EpochSearch {
  const { clock, giveTurn } = effects;
  const yesterdayAt = epochAt - DAY_MS;
  const fromAt = Math.max(epochAt - MAX_SEARCHED_DAYS * DAY_MS, Math.min(previousAt ?? yesterdayAt, yesterdayAt));
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

  /** Does nothing if the finding is in the audit log already: of an earlier computation, maybe in another process. */
  const announceOne = async (finding: AccusationFinding, ofDay: number): Promise<void> => {
    const { kind, dayAt, reportId, reports } = finding;
    const reporterIds = finding.reporterIds.slice(0, MAX_REPORTERS);
    const [first = null, ...others] = reporterIds;
    const entry = { actor: ENGINE, action: kind, subject: reportId, amount: reports } as const;
    if ((await store.addAuditEntry({ ...entry, atMs: clock(), reporterId: first }, epochAt)) !== 'added') return;
    // Before the other entries: if one of them fails, the finding is never announced again.
    notify({ event: kind, day: new Date(dayAt).toISOString().slice(0, 10), reportId, reporterIds, reports, ofDay });
    for (const reporterId of others) await store.addAuditEntry({ ...entry, atMs: clock(), reporterId });
  };

  return {
    add: (sighting) => gatherer.add(sighting),
    async finish(table) {
      try {
        const findings = await find(table);
        const counts = new Map<string, number>();
        const placeOf = ({ kind, dayAt }: AccusationFinding): number => {
          const name = `${kind} ${dayAt}`;
          counts.set(name, (counts.get(name) ?? 0) + 1);
          return counts.get(name)!;
        };
        const sent = findings.filter((finding) => placeOf(finding) <= MAX_FINDINGS);
        for (const finding of sent) await announceOne(finding, counts.get(`${finding.kind} ${finding.dayAt}`)!);
      } catch (error) {
        notify({ event: 'accusations-not-searched', error });
      }
    },
  };
}
