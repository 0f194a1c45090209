import { count, formatWhole } from '../../core/domain/text.ts';
import type { PanelEngine, Visitor } from './page.ts';

/** What waits for the operator. Both numbers are of cases, as in the lists of its desk. */
export interface WaitingCases {
  /** Cases of open disputes: reports about one person are one case. */
  readonly toDecide: number;
  /** True if there may be more of them: of very many disputes, the oldest are made into cases. */
  readonly isCut: boolean;
  /** Cases in which a person asks for a dispute. */
  readonly requests: number;
}

/** Counts the cases that wait for the operator. */
export async function countWaitingCases(engine: PanelEngine): Promise<WaitingCases> {
  const { disputes, requests } = await engine.countWaiting({ reporterId: null });
  const cases = disputes === 0 ? [] : await engine.listDisputeCases();
  const inCases = cases.reduce((sum, one) => sum + one.disputes.length, 0);
  return { toDecide: cases.length, isCut: inCases < disputes, requests };
}

/** Returns what waits for a visitor on the page of disputes, in few words; undefined if nothing does. */
export async function countWaiting(engine: PanelEngine, { reporterId }: Visitor): Promise<string | undefined> {
  if (reporterId === null) {
    const { toDecide, isCut, requests } = await countWaitingCases(engine);
    const cases = toDecide + requests;
    return cases === 0 ? undefined : `${count(cases, 'case')}${isCut ? ' or more' : ''}`;
  }
  const { disputes, requests } = await engine.countWaiting({ reporterId });
  return disputes + requests === 0 ? undefined : formatWhole(disputes + requests);
}
