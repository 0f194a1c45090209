import type { Dispute } from '../../domain/dispute.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { protectsAt, type Protection } from '../../domain/protection.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import type { KnownOfHashes, StoredIdentifier, StoredSharing } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { countLosses } from './losses.ts';
import { welcomeUnknown, type StandingsState, type TouchingReport } from './state.ts';

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
