import { startOfDay } from '../../domain/day.ts';
import { disputeStateAt } from '../../domain/dispute.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import type { TrustTable } from '../../scoring/standings/table.ts';
import type { IdentifierPosition, StoredIdentifier } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { countLosses, groupBy } from './losses.ts';
import { createStandingsState, type StandingsState, type TouchingReport } from './state.ts';
import { isProtected, setLosses, touchReport } from './touch.ts';

/** Identifiers per page. Larger pages survive a garbage collection, which costs time. */
const PAGE = 2_000;
/** Pages between two turns of the event loop, about ten milliseconds. */
const PAGES_A_TURN = 8;

export interface ComputedStandings {
  /** The table at the beginning of the day. */
  readonly epoch: TrustTable;
  /** The table with all changes since the beginning of the day. */
  readonly state: StandingsState;
  /** Returns true if the report was read and counts in the state. */
  readonly counts: (reportId: string) => boolean;
}

/**
 * Computes the standings at a moment from the data that is stored now. Starts with the table of that day, and adds the
 * day's reports and disputes up to the moment. Reads all identifiers once; between pages, other work can run.
 */
export async function computeStandings(
  store: Store,
  rules: TrustRules,
  atMs: number,
  giveTurn: () => Promise<void>,
): Promise<ComputedStandings> {
  const epochAt = startOfDay(atMs);
  const ledger = rules.createLedger(epochAt);
  const protections = groupBy(await store.listProtections(), ({ hash }) => hash);
  const allDisputes = await store.listDisputes();
  const disputes = groupBy(allDisputes, ({ reportId }) => reportId);
  const counts = ({ hash, createdAt }: StoredIdentifier): boolean =>
    !isProtected(protections.get(hash) ?? [], createdAt, epochAt);

  const recent = new Map<string, TouchingReport & { readonly identifiers: Identifier[] }>();
  const take = (identifier: StoredIdentifier): void => {
    const { hash, kind, reportId, reporterId, createdAt, disputed } = identifier;
    if (createdAt > atMs || !counts(identifier)) return;
    if (createdAt < epochAt) {
      const upheld = disputed && disputeStateAt(disputes.get(reportId) ?? [], epochAt) === 'upheld';
      ledger.add({ hash, kind, reportId, reporterId, createdAt, upheld });
      return;
    }
    const report = recent.get(reportId);
    if (report === undefined) recent.set(reportId, { reportId, reporterId, createdAt, identifiers: [{ kind, hash }] });
    else report.identifiers.push({ kind, hash });
  };
  let after: IdentifierPosition | undefined;
  for (let pages = 1; ; pages++) {
    const page = await store.readIdentifiers(after, PAGE, rules.weakKinds);
    for (const identifier of page) take(identifier);
    after = page.at(-1);
    if (page.length < PAGE) break;
    if (pages % PAGES_A_TURN === 0) await giveTurn();
  }

  const lostBefore = await countLosses(store, allDisputes, epochAt, counts);
  const reporters = (await store.listReporters()).filter(({ createdAt }) => createdAt <= atMs);
  const work = ledger.table(
    reporters.map(({ reporterId, verified }) => ({ reporterId, verified, lost: lostBefore.get(reporterId) ?? 0 })),
  );
  let step = work.next();
  while (!step.done) {
    await giveTurn();
    step = work.next();
  }

  const state = createStandingsState(rules, step.value);
  const inOrder = [...recent.values()].sort((a, b) => a.createdAt - b.createdAt || (a.reportId < b.reportId ? -1 : 1));
  for (const report of inOrder) await touchReport(store, state, report, 1);
  const lost = await countLosses(store, allDisputes, atMs, counts);
  for (const reporterId of new Set([...lostBefore.keys(), ...lost.keys()]))
    await setLosses(store, state, reporterId, lost.get(reporterId) ?? 0);
  return { epoch: step.value, state, counts: (reportId) => recent.has(reportId) || ledger.has(reportId) };
}
