import { groupBy } from '../lists.ts';
import { type Dispute, disputeStateAt } from '../../domain/dispute.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { protectsAt, type Protection } from '../../domain/protection.ts';
import { welcomeUnknown, type StandingsState, type TouchingReport } from './state.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import type { KnownOfHashes, StoredIdentifier, StoredSharing } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

export interface Touching {
  readonly store: Store;
  readonly rules: TrustRules;
}

/**
 * Applies a report to a state (`sign` 1) or undoes it (−1). Pass only identifiers that count. `known` is what the store
 * returned with the report, if it did.
 */
export async function touchReport(
  store: Store,
  state: StandingsState,
  report: TouchingReport,
  sign: 1 | -1,
  known?: KnownOfHashes,
): Promise<void> {
  if (report.identifiers.length > 0) state.touchReport(report, await findSharings(store, state, report, known), sign);
}

/** Returns the hashes that may count for standings: of a strong kind. */
export function strongHashes({ rules }: Pick<Touching, 'rules'>, identifiers: readonly Identifier[]): string[] {
  const hashes = new Set<string>();
  for (const { kind, hash } of identifiers) if (rules.isStrong(kind)) hashes.add(hash);
  return [...hashes];
}

/** Returns the report with only the identifiers that count for standings: of a strong kind and not protected. */
export async function onlyCounting(
  touching: Touching,
  state: StandingsState,
  report: TouchingReport,
  known?: KnownOfHashes,
): Promise<TouchingReport> {
  const { reportId, reporterId, createdAt, identifiers } = report;
  const strong = identifiers.filter(({ kind }) => touching.rules.isStrong(kind));
  const protections = known?.protections ?? (await touching.store.findProtections(strongHashes(touching, identifiers)));
  if (protections.length === 0) return { reportId, reporterId, createdAt, identifiers: strong };
  const counts = ({ hash }: { readonly hash: string }): boolean =>
    !isProtected(
      protections.filter((protection) => protection.hash === hash),
      createdAt,
      state.epochAt,
    );
  return { reportId, reporterId, createdAt, identifiers: strong.filter(counts) };
}

/** Returns which reporters reported the same identifiers. Adds them, and the report's own reporter, to the state. */
export async function findSharings(
  store: Store,
  state: StandingsState,
  { reportId, reporterId, createdAt, identifiers }: TouchingReport,
  known?: KnownOfHashes,
): Promise<readonly StoredSharing[]> {
  const hashes = new Set<string>();
  for (const { hash } of identifiers) hashes.add(hash);
  const sharings =
    known?.sharings.filter(({ hash }) => hashes.has(hash)) ??
    (await store.findSharings([...hashes], reportId, createdAt));
  const reporterIds = [reporterId];
  for (const sharing of sharings) reporterIds.push(sharing.reporterId);
  await welcomeUnknown(store, state, reporterIds);
  return sharings;
}

/** Recounts the losses of one reporter, from all stored disputes or from those that are given. */
export async function recountLosses(
  store: Store,
  state: StandingsState,
  reporterId: string,
  all?: readonly Dispute[],
): Promise<void> {
  const own = all?.filter((dispute) => dispute.reporterId === reporterId);
  const disputes = own ?? (await store.listDisputes({ reporterId }));
  const counts = async ({ hash, createdAt }: StoredIdentifier): Promise<boolean> =>
    !isProtected(await store.findProtections([hash]), createdAt, state.epochAt);
  const lost = await countLosses(store, disputes, Infinity, counts);
  await setLosses(store, state, reporterId, lost.get(reporterId) ?? 0);
}

/** If the report was ever disputed, recounts the losses of its reporter. */
export async function recountAfter(store: Store, state: StandingsState, reportId: string): Promise<void> {
  const [dispute] = await store.findDisputes([reportId]);
  if (dispute) await recountLosses(store, state, dispute.reporterId);
}

export async function setLosses(store: Store, state: StandingsState, reporterId: string, lost: number): Promise<void> {
  await welcomeUnknown(store, state, [reporterId]);
  state.setLosses(reporterId, lost);
}

/**
 * Returns true if a hash does not count for standings: it was protected at the later of `createdAt` and `epochAt`.
 * Later changes of the allow-list count from the next day, so the day's standings stay reproducible.
 */
export function isProtected(ofHash: readonly Protection[], createdAt: number, epochAt: number): boolean {
  return ofHash.some((protection) => protectsAt(protection, Math.max(createdAt, epochAt)));
}

/** Returns a live report from the store; undefined after its deletion. */
export async function findReport(store: Store, reportId: string): Promise<TouchingReport | undefined> {
  const identifiers = await store.findIdentifiers([reportId]);
  const [first] = identifiers;
  if (first === undefined) return undefined;
  const { reporterId, createdAt } = first;
  return { reportId, reporterId, createdAt, identifiers: identifiers.map(({ kind, hash }) => ({ kind, hash })) };
}

/**
 * Returns the number of claims that each reporter has lost to disputes at `atMs` (ms, UTC). Leaves out reporters
 * without a loss.
 *
 * If wrong reports of one reporter share an identifier, directly or through other wrong reports, they cost one claim. A
 * deleted report has no identifiers. It costs a claim of its own, unless its deletion `merged` it into another report.
 * A report without an identifier that `counts` costs nothing.
 */
export async function countLosses(
  store: Store,
  disputes: readonly Dispute[],
  atMs: number,
  counts: (identifier: StoredIdentifier) => Promise<boolean> | boolean,
): Promise<ReadonlyMap<string, number>> {
  const wrong = [...groupBy(disputes, ({ reportId }) => reportId).values()].flatMap((ofReport) =>
    disputeStateAt(ofReport, atMs) === 'upheld' ? ofReport.slice(0, 1) : [],
  );
  const stored = await store.findIdentifiers(wrong.map(({ reportId }) => reportId));
  const identifiers = groupBy(stored, ({ reportId }) => reportId);

  const claims = new Map<string, WrongClaims>();
  for (const { reportId, reporterId, merged } of wrong) {
    const named = identifiers.get(reportId);
    if (named === undefined && merged) continue;
    const shared = named === undefined ? [reportId] : [];
    for (const identifier of named ?? []) if (await counts(identifier)) shared.push(identifier.hash);
    if (shared.length === 0) continue;
    const ofReporter = claims.get(reporterId) ?? { parents: new Map<string, string>(), count: 0 };
    claims.set(reporterId, ofReporter);
    connect(ofReporter, shared);
  }
  return new Map([...claims].map(([reporterId, { count }]) => [reporterId, count]));
}

/** The wrong claims of one reporter, as disjoint sets of hashes: a reporter may have very many wrong reports. */
interface WrongClaims {
  /** Another hash of the same claim; the hash itself if it stands for the claim. */
  readonly parents: Map<string, string>;
  count: number;
}

/** Makes these hashes one claim, together with all claims that have one of them. */
function connect(claims: WrongClaims, hashes: readonly string[]): void {
  const { parents } = claims;
  let root: string | undefined;
  for (const hash of hashes) {
    const found = rootOf(parents, hash);
    if (found === undefined) {
      parents.set(hash, root ?? hash);
      if (root === undefined) claims.count++;
    } else if (root !== undefined && found !== root) {
      parents.set(found, root);
      claims.count--;
    }
    root ??= found ?? hash;
  }
}

function rootOf(parents: Map<string, string>, hash: string): string | undefined {
  let at = hash;
  for (let parent = parents.get(at); parent !== at; parent = parents.get(at)) {
    if (parent === undefined) return undefined;
    // Shorten the way for later searches.
    parents.set(at, parents.get(parent) ?? parent);
    at = parent;
  }
  return at;
}
