import { DAY_MS, startOfDay } from '../../src/core/domain/day.ts';
import type { LabEvent, ReportEvent } from '../../src/lab/event.ts';
import { findAccusations, type AccusationFinding } from '../../src/operator/accusations/find.ts';
import { createAccusationGatherer } from '../../src/operator/accusations/gather.ts';

/** One day of simulated events, as a service sees it after the day. Names of reporters and reports are their ids. */
export interface SimulatedDay {
  readonly dayAt: number;
  /** Returns the notices about the day. Call it as often as you like. */
  search(): AccusationFinding[];
}

/** Yields the days of a stretch of time, one after the other. The events are in order of time. */
export function* daysOf(
  events: readonly LabEvent[],
  stretch: { readonly fromAt: number; readonly untilAt: number },
): Generator<SimulatedDay, void, void> {
  const verified = new Set(events.flatMap((event) => (event.do === 'reporter' && event.verified ? [event.name] : [])));
  const removed = new Map(events.flatMap((event) => (event.do === 'remove' ? [[event.id, event.at]] : [])));
  const filed = events.filter((event): event is ReportEvent => event.do === 'report');
  const ofHash = new Map<string, ReportEvent[]>();
  const named = new Set<string>();
  const claims = new Map<string, number>();
  let next = 0;
  for (let dayAt = startOfDay(stretch.fromAt); dayAt < stretch.untilAt; dayAt += DAY_MS) {
    const days = { fromAt: dayAt, untilAt: dayAt + DAY_MS };
    for (let one = filed[next]; one !== undefined && one.at < days.untilAt; one = filed[++next]) {
      const { reporter, identifiers } = one;
      const strong = identifiers.filter(({ kind }) => kind !== 'ip');
      const isClaim = strong.length > 0 && !strong.some(({ hash }) => named.has(`${reporter} ${hash}`));
      if (isClaim) claims.set(reporter, (claims.get(reporter) ?? 0) + 1);
      for (const { hash } of strong) {
        named.add(`${reporter} ${hash}`);
        const list = ofHash.get(hash);
        if (list === undefined) ofHash.set(hash, [one]);
        else if (list.at(-1) !== one) list.push(one);
      }
    }
    const gatherer = createAccusationGatherer(days);
    for (const [hash, reports] of ofHash)
      for (const { at, id, reporter } of reports)
        if ((removed.get(id) ?? Infinity) >= days.untilAt)
          gatherer.add({ hash, kind: 'email', reportId: id, reporterId: reporter, createdAt: at, upheld: false });
    // Without standings: verified ones only are established, so the figures are upper bounds of false alarms.
    const known = new Map(
      [...claims].map(([name, count]) => {
        return [name, { verified: verified.has(name), established: verified.has(name), claims: count }];
      }),
    );
    const gathered = gatherer.finish();
    yield {
      dayAt,
      search() {
        const work = findAccusations(gathered, known, days);
        let step = work.next();
        while (!step.done) step = work.next();
        return step.value;
      },
    };
  }
}
