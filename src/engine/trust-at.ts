import { disputeStateAt } from '../domain/dispute.ts';
import type { Identifier } from '../domain/identifier.ts';
import { protectsAt, type Protection } from '../domain/protection.ts';
import type { TrustRules } from '../scoring/trust.ts';
import type { TrustTable } from '../scoring/trust-table.ts';
import type { IdentifierPosition, Store, StoredIdentifier, StoredSharing } from '../store/store.ts';
import { countLosses } from './losses.ts';
import { createTrustState, type TrustedReport, type TrustState } from './trust-state.ts';

const DAY_MS = 86_400_000;

/** Epochs begin with a day, UTC. */
export function epochOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** Identifiers read at once: so few that they are gone again before the garbage collector has to move them. */
const PAGE = 2_000;
/** Pages between two turns of the event loop: some ten milliseconds. */
const PAGES_A_TURN = 8;

export interface TrustAt {
  /** The table of the day's beginning, without what came since. */
  readonly epoch: TrustTable;
  readonly state: TrustState;
  /** True for a report that was there when it was read, and counts in the state. */
  readonly counts: (reportId: string) => boolean;
}

/**
 * Everybody's standing at a moment, from what is stored now: the table of the day that the moment is in, and on top of it what came since that day began.
 * Reads all identifiers once; gives the event loop a turn between pages.
 */
export async function trustAt(
  store: Store,
  rules: TrustRules,
  atMs: number,
  giveTurn: () => Promise<void>,
): Promise<TrustAt> {
  const epochAt = epochOf(atMs);
  const ledger = rules.createLedger(epochAt);
  const protections = groupBy(await store.listProtections(), ({ hash }) => hash);
  const allDisputes = await store.listDisputes();
  const disputes = groupBy(allDisputes, ({ reportId }) => reportId);
  const lostAt = (reportId: string, at: number): boolean =>
    disputeStateAt(disputes.get(reportId) ?? [], at) === 'upheld';

  const recent = new Map<
    string,
    { reportId: string; reporterId: string; createdAt: number; identifiers: Identifier[] }
  >();
  const take = ({ hash, kind, reportId, reporterId, createdAt, disputed }: StoredIdentifier): void => {
    if (createdAt > atMs || isProtected(protections.get(hash) ?? [], createdAt, epochAt)) return;
    if (createdAt < epochAt) {
      ledger.add({ hash, kind, reportId, reporterId, createdAt, upheld: disputed && lostAt(reportId, epochAt) });
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

  const teaches = ({ hash, createdAt }: StoredIdentifier): boolean =>
    !isProtected(protections.get(hash) ?? [], createdAt, epochAt);
  const lostBefore = await countLosses(store, allDisputes, epochAt, teaches);
  const reporters = (await store.listReporters()).filter(({ createdAt }) => createdAt <= atMs);
  const work = ledger.table(
    reporters.map(({ reporterId, verified }) => ({ reporterId, verified, lost: lostBefore.get(reporterId) ?? 0 })),
  );
  let step = work.next();
  while (!step.done) {
    await giveTurn();
    step = work.next();
  }

  const state = createTrustState(rules, step.value);
  state.welcome(reporters);
  for (const report of [...recent.values()].sort(
    (a, b) => a.createdAt - b.createdAt || (a.reportId < b.reportId ? -1 : 1),
  )) {
    await touch(store, state, report, 1);
  }
  const lost = await countLosses(store, allDisputes, atMs, teaches);
  for (const reporterId of new Set([...lostBefore.keys(), ...lost.keys()]))
    await setLosses(store, state, reporterId, lost.get(reporterId) ?? 0);
  return { epoch: step.value, state, counts: (reportId) => recent.has(reportId) || ledger.has(reportId) };
}

/** Lets a report count in a state, or count no more. */
export async function touch(store: Store, state: TrustState, report: TrustedReport, sign: 1 | -1): Promise<void> {
  if (report.identifiers.length > 0) state.touchReport(report, await sharingsOf(store, state, report), sign);
}

/** Who else has a report's identifiers; all of them, and its reporter, are known to the state afterwards. */
export async function sharingsOf(store: Store, state: TrustState, report: TrustedReport): Promise<StoredSharing[]> {
  const sharings = await store.findSharings(
    [...new Set(report.identifiers.map(({ hash }) => hash))],
    report.reportId,
    report.createdAt,
  );
  const unknown = [report.reporterId, ...sharings.map(({ reporterId }) => reporterId)].filter(
    (reporterId) => state.standingOf(reporterId) === undefined,
  );
  if (unknown.length > 0) state.welcome(await store.findReporters([...new Set(unknown)]));
  return sharings;
}

/** Counts again what a reporter has lost to disputes, as they stand at a moment. */
export async function recountLosses(store: Store, state: TrustState, reporterId: string, atMs: number): Promise<void> {
  const disputes = (await store.listDisputes()).filter((dispute) => dispute.reporterId === reporterId);
  const teaches = async ({ hash, createdAt }: StoredIdentifier): Promise<boolean> =>
    !isProtected(await store.findProtections([hash]), createdAt, state.epochAt);
  const lost = await countLosses(store, disputes, atMs, teaches);
  await setLosses(store, state, reporterId, lost.get(reporterId) ?? 0);
}

async function setLosses(store: Store, state: TrustState, reporterId: string, lost: number): Promise<void> {
  if (state.standingOf(reporterId) === undefined) state.welcome(await store.findReporters([reporterId]));
  state.setLosses(reporterId, lost);
}

/**
 * True when a hash teaches nothing by a report: it was on the allow-list when the day began, or when a report of the day came.
 * What the list gains or loses later in the day counts from the next one on, so that the day's standings can be told again.
 */
export function isProtected(ofHash: readonly Protection[], createdAt: number, epochAt: number): boolean {
  return ofHash.some((protection) => protectsAt(protection, Math.max(createdAt, epochAt)));
}

function groupBy<T>(things: readonly T[], keyOf: (thing: T) => string): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const thing of things) {
    const group = grouped.get(keyOf(thing));
    if (group === undefined) grouped.set(keyOf(thing), [thing]);
    else group.push(thing);
  }
  return grouped;
}
