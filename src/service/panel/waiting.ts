import { count, formatWhole } from '../../core/domain/text.ts';
import type { PanelEngine, Visitor, WaitingCases } from './page.ts';

/** Finds the cases that wait for the operator. */
export async function findWaitingCases(engine: PanelEngine): Promise<WaitingCases> {
  const { disputes, requests } = await engine.countWaiting({ reporterId: null });
  const cases = disputes === 0 ? [] : await engine.listDisputeCases();
  const inCases = cases.reduce((sum, one) => sum + one.disputes.length, 0);
  return { cases, isCut: inCases < disputes, requests };
}

/**
 * Returns what waits for a visitor on the page of disputes, in few words; undefined if nothing does. `known` is what a
 * page of the operator has found already.
 */
export async function formatWaiting(
  engine: PanelEngine,
  { reporterId }: Visitor,
  known: WaitingCases | undefined,
): Promise<string | undefined> {
  if (reporterId === null) {
    const { cases, isCut, requests } = known ?? (await findWaitingCases(engine));
    const all = cases.length + requests;
    return all === 0 ? undefined : `${count(all, 'case')}${isCut ? ' or more' : ''}`;
  }
  const { disputes, requests } = await engine.countWaiting({ reporterId });
  return disputes + requests === 0 ? undefined : formatWhole(disputes + requests);
}
