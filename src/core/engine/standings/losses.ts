import { ENGINE } from '../../domain/audit.ts';
import { type Dispute, disputeStateAt } from '../../domain/dispute.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { join, rootOf } from '../../scoring/standings/pairs.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import type { Store } from '../../store/store.ts';
import { isProtected, welcomeUnknown, type StandingsState, type Touching } from './state.ts';

/** Recounts the losses of one reporter from all its disputes. */
export async function recountLosses(
  { store, rules }: Touching,
  state: StandingsState,
  reporterId: string,
  disputes: readonly Dispute[],
): Promise<void> {
  const counts = async (hash: string, sinceMs: number): Promise<boolean> =>
    !isProtected(await store.findProtections([hash]), sinceMs, state.epochAt);
  const lost = await countLosses({ store, rules }, disputes, Infinity, counts);
  await setLosses(store, state, reporterId, lost.get(reporterId) ?? 0);
}

/** If people ever disputed the report, recounts the losses of its reporter. */
export async function recountAfter(touching: Touching, state: StandingsState, reportId: string): Promise<void> {
  const { store } = touching;
  const dispute = (await store.findDisputes([reportId])).find(({ decidedBy }) => decidedBy !== ENGINE);
  if (!dispute) return;
  const { reporterId } = dispute;
  await recountLosses(touching, state, reporterId, await store.listDisputes({ reporterId }));
}

export async function setLosses(store: Store, state: StandingsState, reporterId: string, lost: number): Promise<void> {
  await welcomeUnknown(store, state, [reporterId]);
  state.setLosses(reporterId, lost);
}

/**
 * Returns the number of claims that each reporter has lost to disputes at `atMs` (ms, UTC). Leaves out reporters
 * about whose reports people opened no dispute.
 *
 * Wrong reports of one reporter that share an identifier, directly or through others, cost as many claims as they name
 * different identifiers of one kind, but not more than there are reports: the reporter chooses what they share. A
 * report of which no identifier is kept costs a claim of its own, unless its deletion `merged` it into another report.
 * A report without an identifier that `counts` costs nothing, nor does one that only the engine found wrong.
 */
export async function countLosses(
  { store, rules }: Touching,
  disputes: readonly Dispute[],
  atMs: number,
  counts: (hash: string, sinceMs: number) => Promise<boolean> | boolean,
): Promise<ReadonlyMap<string, number>> {
  const byPeople = disputes.filter(({ decidedBy }) => decidedBy !== ENGINE);
  const lost = new Map<string, number>();
  for (const [reporterId, own] of groupBy(byPeople, (dispute) => dispute.reporterId)) {
    const wrong = [...groupBy(own, ({ reportId }) => reportId).values()]
      .filter((ofReport) => disputeStateAt(ofReport, atMs) === 'upheld')
      .map(([first]) => first!);
    const stored = groupBy(await store.findNamed(wrong.map(({ reportId }) => reportId)), ({ reportId }) => reportId);
    let count = 0;
    const known: Identifier[][] = [];
    for (const { reportId, merged, openedAt } of wrong) {
      const named = stored.get(reportId) ?? [];
      if (!named[0] && !merged) count++;
      const counted: Identifier[] = [];
      for (const one of named) if (await counts(one.hash, openedAt)) counted.push(one);
      if (counted[0]) known.push(counted);
    }
    lost.set(reporterId, count + countClaims(rules, known));
  }
  return lost;
}

/** Returns what the wrong reports of one reporter cost, from the identifiers of each. */
function countClaims(rules: TrustRules, reports: readonly (readonly Identifier[])[]): number {
  const parent = [...reports.keys()];
  const known = new Map<string, number>();
  for (const [at, report] of reports.entries())
    for (const { hash } of report) {
      join(parent, known.get(hash) ?? at, at);
      known.set(hash, at);
    }
  let count = 0;
  for (const linked of groupBy([...reports.entries()], ([at]) => rootOf(parent, at)).values()) {
    const strong = linked.flatMap(([, report]) => report).filter(({ kind }) => rules.isStrong(kind));
    // A reporter may invent kinds.
    const named = groupBy(strong, ({ kind }) => (Object.hasOwn(rules.kinds, kind) ? kind : ''));
    let most = 1;
    for (const ofKind of named.values()) most = Math.max(most, new Set(ofKind.map(({ hash }) => hash)).size);
    count += Math.min(linked.length, most);
  }
  return count;
}
