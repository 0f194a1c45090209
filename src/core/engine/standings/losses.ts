import { ENGINE } from '../../domain/audit.ts';
import { type Dispute, disputeStateAt } from '../../domain/dispute.ts';
import { groupBy } from '../../domain/lists.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { join, rootOf } from '../../scoring/standings/pairs.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import { isProtected, welcomeUnknown, type StandingsState, type StandingsSource } from './state.ts';

/** Sets the losses of the reporters whose disputes these are: all disputes of each. */
export async function recountLosses(
  source: StandingsSource,
  state: StandingsState,
  disputes: readonly Dispute[],
  atMs = Infinity,
): Promise<void> {
  for (const [reporterId, lost] of await countLosses(source, disputes, atMs, state.epochAt)) {
    await welcomeUnknown(source.store, state, [reporterId]);
    state.setLosses(reporterId, lost);
  }
}

/** If people ever disputed the report, recounts the losses of its reporter. */
export async function recountAfter(source: StandingsSource, state: StandingsState, reportId: string): Promise<void> {
  const { store } = source;
  const dispute = (await store.findDisputes([reportId])).find(({ openedBy }) => openedBy !== ENGINE);
  if (!dispute) return;
  await recountLosses(source, state, await store.listDisputes({ reporterId: dispute.reporterId }));
}

/**
 * Returns the number of claims that each reporter has lost to disputes at `atMs` (ms, UTC). Leaves out reporters
 * about whose reports people opened no dispute.
 *
 * Wrong reports of one reporter that share an identifier, directly or through others, cost a claim for each report that
 * names a strong identifier which none disputed before it names, and at least as many as they name different
 * identifiers of one kind, but not more than there are reports: the reporter chooses what they share. A report of which
 * no identifier is kept costs a claim of its own, unless its deletion `merged` it into another report.
 *
 * An identifier costs nothing if the allow-list had it when the report was made, and has had it since: only such a
 * report added no claim either. What the operator protects later pardons no reporter. A report whose dispute the engine
 * opened costs nothing: it repeats a wrong one, or a person found it wrong together with one.
 */
export async function countLosses(
  { store, rules }: StandingsSource,
  disputes: readonly Dispute[],
  atMs: number,
  epochAt: number,
): Promise<ReadonlyMap<string, number>> {
  const byPeople = disputes.filter(({ openedBy }) => openedBy !== ENGINE);
  const lost = new Map<string, number>();
  for (const [reporterId, own] of groupBy(byPeople, (dispute) => dispute.reporterId)) {
    // Oldest first. A later dispute does not change the order.
    const wrong = [...groupBy(own.reverse(), ({ reportId }) => reportId).values()]
      .filter((ofReport) => disputeStateAt(ofReport, atMs) === 'upheld')
      .map(([first]) => first!);
    const found = await store.findNamed(wrong.map(({ reportId }) => reportId));
    const entries = await store.findProtections([...new Set(found.map(({ hash }) => hash))]);
    const protections = groupBy(entries, ({ hash }) => hash);
    const stored = groupBy(found, ({ reportId }) => reportId);
    let count = 0;
    const known: Identifier[][] = [];
    for (const { reportId, merged } of wrong) {
      const named = stored.get(reportId) ?? [];
      if (!named[0] && !merged) count++;
      const counted = named.filter(({ hash, createdAt = -1 }) => {
        return !isProtected(protections.get(hash), createdAt, epochAt, createdAt);
      });
      if (counted[0]) known.push(counted);
    }
    lost.set(reporterId, count + countLostClaims(rules, known));
  }
  return lost;
}

/** Returns what the wrong reports of one reporter cost, from the identifiers of each. */
function countLostClaims(rules: TrustRules, reports: readonly (readonly Identifier[])[]): number {
  const parent = [...reports.keys()];
  const known = new Map<string, number>();
  /** The first report that names each strong hash. */
  const strong = new Map<string, number>();
  for (const [at, report] of reports.entries())
    for (const { hash, kind } of report) {
      join(parent, known.get(hash) ?? at, at);
      known.set(hash, at);
      if (rules.isStrong(kind) && !strong.has(hash)) strong.set(hash, at);
    }
  const adding = new Set(strong.values());
  let count = 0;
  for (const linked of groupBy(parent.keys(), (at) => rootOf(parent, at)).values()) {
    const named = linked.flatMap((at) => reports[at]!).filter(({ kind }) => rules.isStrong(kind));
    let most = linked.filter((at) => adding.has(at)).length || 1;
    // A reporter may invent kinds.
    for (const ofKind of groupBy(named, ({ kind }) => Object.hasOwn(rules.kinds, kind) && kind).values())
      most = Math.max(most, groupBy(ofKind, ({ hash }) => hash).size);
    count += Math.min(linked.length, most);
  }
  return count;
}
