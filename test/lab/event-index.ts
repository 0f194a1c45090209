import type { LabEvent, QueryEvent, ReportEvent } from '../../src/lab/event.ts';

/**
 * Returns for each labelled query whether a live report of another reporter shares an identifier with it: a simple
 * reference implementation.
 */
export function matchQueries(events: Iterable<LabEvent>): { query: QueryEvent; matched: boolean }[] {
  const reports = new Map<string, ReportEvent>();
  const byHash = new Map<string, Set<ReportEvent>>();
  const found: { query: QueryEvent; matched: boolean }[] = [];
  for (const event of events) {
    if (event.do === 'report') {
      reports.set(event.id, event);
      for (const { hash } of event.identifiers) byHash.set(hash, (byHash.get(hash) ?? new Set()).add(event));
    } else if (event.do === 'remove') {
      const report = reports.get(event.id)!;
      for (const { hash } of report.identifiers) byHash.get(hash)!.delete(report);
    } else if (event.do === 'query' && event.label !== undefined) {
      const matched = event.identifiers.some(({ hash }) =>
        [...(byHash.get(hash) ?? [])].some((report) => report.reporter !== event.reporter),
      );
      found.push({ query: event, matched });
    }
  }
  return found;
}
