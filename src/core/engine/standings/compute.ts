import { startOfDay } from '../../domain/day.ts';
import { disputeStateAt } from '../../domain/dispute.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { Sighting } from '../../scoring/standings/pairs.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import type { TrustTable } from '../../scoring/standings/table.ts';
import type { DatedReport, IdentifierPosition, StoredIdentifier } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { groupBy, inTurns } from '../../domain/lists.ts';
import { countLosses, recountLosses } from './losses.ts';
import { isProtected, StandingsState, type ReportFacts } from './state.ts';
import { createPast, isBefore, type PastReport } from './past.ts';

/** Identifiers between two turns of the event loop: ten to thirty milliseconds on SQLite for WebAssembly. */
const PAGE = 2_000;

/** Looks at the identifiers of one computation of a day's standings, for a feature that the engine does not know. */
export interface EpochSearch {
  /** Takes an identifier that counts at the beginning of the day. */
  add(sighting: Sighting): void;
  /** Called with the table once it is computed. Never rejects. */
  finish(table: TrustTable): Promise<void>;
}

/**
 * Begins a search for the computation of the table of `epochAt` (ms UTC). `previousAt` is the epoch of the last table
 * in the store; undefined without one.
 */
export type EpochWatch = (epochAt: number, previousAt: number | undefined) => EpochSearch;

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
 * day's reports and disputes up to the moment. With `isNow`, adds all that are stored, also those with a later time: a
 * clock may have been set back. Reads all identifiers once; between pages, other work can run. `searches` get the same
 * identifiers as the ledger of the day.
 */
export async function computeStandings(
  store: Store,
  rules: TrustRules,
  atMs: number,
  giveTurn: () => Promise<void>,
  isNow = false,
  searches: readonly EpochSearch[] = [],
): Promise<ComputedStandings> {
  const epochAt = startOfDay(atMs);
  const ledger = rules.createLedger(epochAt);
  // Reports that arrive during the computation also have later times, but may be read in part. So leave those out.
  const ahead = isNow ? await findLater(store, atMs) : new Set<string>();
  const protections = groupBy(await store.listProtections(), ({ hash }) => hash);
  const allDisputes = await store.listDisputes();
  const disputes = groupBy(allDisputes, ({ reportId }) => reportId);

  const recent = new Map<string, ReportFacts & { readonly identifiers: Identifier[] }>();
  const precedents = createPrecedents();
  const take = (identifier: StoredIdentifier): void => {
    const { hash, kind, reportId, reporterId, createdAt, disputed } = identifier;
    if (createdAt > atMs && !ahead.has(reportId)) return;
    precedents.take(identifier, createdAt >= epochAt);
    if (isProtected(protections.get(hash), createdAt, epochAt)) return;
    if (createdAt < epochAt) {
      const upheld = disputed && disputeStateAt(disputes.get(reportId) ?? [], epochAt) === 'upheld';
      const sighting = { hash, kind, reportId, reporterId, createdAt, upheld };
      ledger.add(sighting);
      for (const search of searches) search.add(sighting);
      return;
    }
    const report = recent.get(reportId);
    if (report === undefined) recent.set(reportId, { reportId, reporterId, createdAt, identifiers: [{ kind, hash }] });
    else report.identifiers.push({ kind, hash });
  };
  let after: IdentifierPosition | undefined;
  for (;;) {
    const page = await store.readIdentifiers(after, PAGE, rules.weakKinds);
    for (const identifier of page) take(identifier);
    after = page.at(-1);
    if (page.length < PAGE) break;
    await giveTurn();
  }

  const lostBefore = await countLosses({ store, rules }, allDisputes, epochAt, epochAt);
  const work = ledger.table(
    (await store.listReporters()).map(({ reporterId, verified }) => {
      return { reporterId, verified, lost: lostBefore.get(reporterId) ?? 0 };
    }),
  );
  let step = work.next();
  while (!step.done) {
    await giveTurn();
    step = work.next();
  }

  const state = new StandingsState(rules, step.value);
  const past = createPast(state, (reportId) => disputes.get(reportId));
  await inTurns(precedents.finish(), giveTurn, past.add);
  const inOrder = [...recent.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  await inTurns(inOrder, giveTurn, (report) => state.count(report, past.effectOf(report)));
  await recountLosses({ store, rules }, state, allDisputes, isNow ? Infinity : atMs);
  return { epoch: step.value, state, counts: (reportId) => recent.has(reportId) || ledger.has(reportId) };
}

/** Returns the ids of the stored reports with a time after `atMs`. Almost always, there are none. */
async function findLater(store: Store, atMs: number): Promise<ReadonlySet<string>> {
  const later = new Set<string>();
  for (let after: DatedReport | undefined; ;) {
    const page = await store.readReports({ from: atMs + 1, after, limit: PAGE });
    for (const { reportId } of page) later.add(reportId);
    if (page.length < PAGE) return later;
    after = page.at(-1);
  }
}

/**
 * Keeps what can precede a report of the day: of each hash with such a report, the first reports of each reporter and
 * all disputed ones.
 */
function createPrecedents() {
  const kept: PastReport[] = [];
  const ofHash: PastReport[] = [];
  let last: StoredIdentifier | undefined;
  let hasRight = false;
  let isTouched = false;
  const endHash = (): void => {
    if (isTouched) for (const report of ofHash) kept.push(report);
    ofHash.length = 0;
    isTouched = false;
  };
  return {
    /** Takes the next identifier in the order of {@link Store.readIdentifiers}. */
    take(identifier: StoredIdentifier, isRecent: boolean): void {
      const { hash, kind, reporterId, disputed } = identifier;
      if (hash !== last?.hash) endHash();
      // The identifiers of one hash, kind and reporter are in the order of time.
      const isFirst = hash !== last?.hash || kind !== last.kind || reporterId !== last.reporterId;
      if (isFirst) hasRight = false;
      if (isFirst || disputed || !hasRight) ofHash.push(identifier);
      hasRight ||= !disputed;
      isTouched ||= isRecent;
      last = identifier;
    },
    finish(): readonly PastReport[] {
      endHash();
      return kept;
    },
  };
}
