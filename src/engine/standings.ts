import type { Standing } from '../scoring/evidence.ts';
import type { EngineContext } from './context.ts';
import { trustAt } from './trust-at.ts';

/** The standings of the reporters of some matches, now or at an earlier moment; the latter reads the whole store. */
export async function standingsOf(
  context: EngineContext,
  reporterIds: readonly string[],
  asOf: number | undefined,
): Promise<ReadonlyMap<string, Standing>> {
  if (context.trust === undefined) {
    const reporters = await context.store.findReporters(reporterIds);
    return new Map(reporters.map((reporter) => [reporter.reporterId, context.model.standingOf(reporter)]));
  }
  if (asOf === undefined) return context.trust.standings(reporterIds);
  const { reporters } = (await trustAt(context.store, context.model.trust!, asOf, context.giveTurn)).state.table();
  return new Map(reporterIds.map((reporterId) => [reporterId, reporters.get(reporterId)!]));
}
