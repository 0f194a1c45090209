import type { Identifier } from '../../domain/identifier.ts';
import { protectsAt, type Protection } from '../../domain/protection.ts';
import type { TrustRecord } from '../../domain/trust-record.ts';
import type { TrustRules } from '../../scoring/standings/rules.ts';
import { emptyRecord, toRecord, type ReporterTrust, type TrustTable } from '../../scoring/standings/table.ts';
import type { StoredSharing, StoredTrust, HashHistory } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

/** The parts of a report that matter for standings. */
export interface ReportFacts {
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
  readonly identifiers: readonly Identifier[];
}

/** What one report adds to its reporter's record: 0 or 1 for each count. */
export type ReportEffect = Readonly<Record<'claims' | 'preceded' | 'echoed', number>>;

/**
 * Returns the effect of a report. `isOfClaim`: its reporter made the claim with an earlier report. `isPreceded`:
 * another reporter made it first, and was not known to be wrong. `isConfirmed`: one of these others is established.
 */
export function toEffect(isOfClaim: boolean, isPreceded: boolean, isConfirmed: boolean): ReportEffect {
  return {
    claims: Number(!isOfClaim),
    preceded: Number(!isOfClaim && isPreceded),
    echoed: Number(!isOfClaim && isPreceded && !isConfirmed),
  };
}

/** Number of moments whose reports are remembered. Reports arrive only milliseconds late. */
const MOMENTS = 1000;

/**
 * The table of an epoch with later changes. Claims, copies, echoes and disputes count at once. Confirmations count from
 * the next epoch, because other reporters need time to confirm. Changes use the standings of the epoch, so their order
 * does not matter.
 */
export class StandingsState {
  readonly epochAt: number;
  readonly #rules: TrustRules;
  readonly #epoch: TrustTable;
  readonly #atFirst: Map<string, ReporterTrust>;
  readonly #standings: Map<string, ReporterTrust>;
  /**
   * By time: the hashes that were reported then, each with its reporter. Among reports of the same millisecond, the one
   * applied first counts as earlier.
   */
  readonly #touchedAt = new Map<number, Set<string>>();

  constructor(rules: TrustRules, epoch: TrustTable) {
    this.epochAt = epoch.epochAt;
    this.#rules = rules;
    this.#epoch = epoch;
    this.#atFirst = new Map(epoch.reporters);
    this.#standings = new Map(this.#atFirst);
  }

  /** Returns the current standings of all known reporters. */
  table(): TrustTable {
    return Object.assign({}, this.#epoch, { reporters: new Map(this.#standings) });
  }

  has(reporterId: string): boolean {
    return this.#standings.has(reporterId);
  }

  /** Returns the standing of a reporter; undefined if the reporter is unknown. */
  standingOf(reporterId: string): ReporterTrust | undefined {
    return this.#standings.get(reporterId);
  }

  /** Adds the reporters that the state does not know. */
  welcome(reporters: Iterable<{ readonly reporterId: string; readonly verified: boolean }>): void {
    for (const reporter of reporters) {
      if (this.has(reporter.reporterId)) continue;
      const standing = this.#rules.standingOf(emptyRecord(reporter), this.#epoch.means);
      this.#standings.set(reporter.reporterId, standing);
      this.#atFirst.set(reporter.reporterId, standing);
    }
  }

  /**
   * Applies a report (`sign` 1) or a deletion (−1). `sharings` lists the reporters that reported the same identifiers.
   * The state must know all these reporters.
   */
  countAmong(report: ReportFacts, sharings: readonly StoredSharing[], sign: 1 | -1): void {
    const { createdAt } = report;
    const touched = this.#touchedIn(createdAt);
    const strong = sharings.filter(({ kind }) => this.#rules.isStrong(kind));
    // Compare a new report with earlier ones, a deleted report with all that remain.
    const others =
      sign === -1
        ? strong
        : strong.filter(
            (sharing) =>
              sharing.firstAt < createdAt ||
              (sharing.firstAt === createdAt && touched.has(`${sharing.hash} ${sharing.reporterId}`)),
          );
    this.count(report, this.effectOf(report, others), sign);
  }

  /**
   * Returns the effect of a report. `before` lists the reporters that reported the same identifiers earlier. The state
   * must know all these reporters.
   */
  effectOf({ reporterId, createdAt }: ReportFacts, before: readonly StoredSharing[]): ReportEffect {
    // Ignore reports that were known to be wrong when this report was made.
    const earlier = before.filter(({ rightAt }) => rightAt !== null && rightAt < createdAt);
    const isOfClaim = before.some((sharing) => sharing.reporterId === reporterId);
    const isConfirmed = earlier.some((sharing) => this.isEstablished(sharing.reporterId));
    return toEffect(isOfClaim, earlier.length > 0, isConfirmed);
  }

  /** Applies a report with a known effect (`sign` 1), or its deletion (−1). */
  count({ reporterId, createdAt, identifiers }: ReportFacts, effect: ReportEffect, sign: 1 | -1 = 1): void {
    const touched = this.#touchedIn(createdAt);
    for (const { hash } of identifiers) touched.add(`${hash} ${reporterId}`);
    this.apply(reporterId, effect, sign);
  }

  /** True if the reporter was established at the beginning of the epoch. */
  isEstablished(reporterId: string): boolean {
    return this.#atFirst.get(reporterId)?.established === true;
  }

  /** Applies an effect (`sign` 1) or undoes it (−1). */
  apply(reporterId: string, effect: ReportEffect, sign: 1 | -1): void {
    if (effect.claims === 0) return;
    this.#change(reporterId, ({ claims, preceded, echoed }) => ({
      claims: Math.max(0, claims + sign),
      preceded: Math.max(0, preceded + sign * effect.preceded),
      echoed: Math.max(0, echoed + sign * effect.echoed),
    }));
  }

  /** Sets the number of claims that a reporter has lost to disputes. */
  setLosses(reporterId: string, lost: number): void {
    this.#change(reporterId, () => ({ lost }));
  }

  /** Sets which reporters the operator vouches for, of those that the state knows. */
  setVerified(reporters: Iterable<Pick<TrustRecord, 'reporterId' | 'verified'>>): void {
    for (const { reporterId, verified } of reporters)
      this.#change(reporterId, (record) => (record.verified === verified ? undefined : { verified }));
  }

  /** Changes the record of a reporter that the state knows. */
  #change(reporterId: string, toChanges: (record: ReporterTrust) => Partial<TrustRecord> | undefined): void {
    const before = this.#standings.get(reporterId);
    const changes = before && toChanges(before);
    // Unlike a spread, this is fast in Node 20.
    if (changes)
      this.#standings.set(reporterId, this.#rules.standingOf(Object.assign({}, before, changes), this.#epoch.means));
  }

  /** Returns the hashes that were reported at a moment. */
  #touchedIn(createdAt: number): Set<string> {
    const touched = this.#touchedAt.get(createdAt) ?? new Set();
    this.#touchedAt.set(createdAt, touched);
    if (this.#touchedAt.size > MOMENTS)
      for (const oldest of [...this.#touchedAt.keys()].slice(0, MOMENTS / 2)) this.#touchedAt.delete(oldest);
    return touched;
  }
}

/** Reads reporters that the state does not know from the store, and adds them. */
export async function welcomeUnknown(
  store: Store,
  state: StandingsState,
  reporterIds: readonly string[],
): Promise<void> {
  const unknown = new Set(reporterIds.filter((reporterId) => !state.has(reporterId)));
  if (unknown.size > 0) state.welcome(await store.findReporters([...unknown]));
}

/** Returns the standings of these reporters. Leaves out reporters that are not stored. */
export async function findStandings(
  store: Store,
  state: StandingsState,
  reporterIds: readonly string[],
): Promise<ReadonlyMap<string, ReporterTrust>> {
  for (let welcomed = false; ; welcomed = true) {
    const standings = new Map<string, ReporterTrust>();
    for (const reporterId of reporterIds) {
      const standing = state.standingOf(reporterId);
      if (standing) standings.set(reporterId, standing);
    }
    if (welcomed || standings.size === reporterIds.length) return standings;
    // After this read, look up all standings again: a concurrent report may have changed every standing.
    await welcomeUnknown(store, state, reporterIds);
  }
}

export function toStored({ rules, epochAt, sums, reporters }: TrustTable, learntAt: number): StoredTrust {
  return { rules, epochAt, learntAt, sums, records: [...reporters.values()].map(toRecord) };
}

export function fromStored(rules: TrustRules, { epochAt, sums, records }: StoredTrust): TrustTable {
  const means = rules.meansOf(sums);
  const reporters = new Map(records.map((record) => [record.reporterId, rules.standingOf(record, means)]));
  return { rules: rules.name, epochAt, sums, means, reporters };
}

/** What standings follow from: stored reports, and rules. */
export interface StandingsSource {
  readonly store: Store;
  readonly rules: TrustRules;
}

/**
 * Applies a report to a state (`sign` 1) or undoes it (−1). Pass only identifiers that count. `history` is what the
 * store returned with the report, if it did.
 */
export async function applyReport(
  store: Store,
  state: StandingsState,
  report: ReportFacts,
  sign: 1 | -1,
  history?: HashHistory,
): Promise<void> {
  if (report.identifiers.length > 0) state.countAmong(report, await findSharings(store, state, report, history), sign);
}

/** Returns the hashes that may count for standings: of a strong kind. */
export function strongHashes({ rules }: Pick<StandingsSource, 'rules'>, identifiers: readonly Identifier[]): string[] {
  return [...new Set(identifiers.filter(({ kind }) => rules.isStrong(kind)).map(({ hash }) => hash))];
}

/** Returns the report with only the identifiers that count for standings: of a strong kind and not protected. */
export async function onlyCounting(
  source: StandingsSource,
  state: StandingsState,
  report: ReportFacts,
  history?: HashHistory,
): Promise<ReportFacts> {
  const { reportId, reporterId, createdAt, identifiers } = report;
  const strong = identifiers.filter(({ kind }) => source.rules.isStrong(kind));
  const protections = history?.protections ?? (await source.store.findProtections(strongHashes(source, identifiers)));
  const protectionsOf = (hash: string) => protections.filter((one) => one.hash === hash);
  const counting = strong.filter(({ hash }) => !isProtected(protectionsOf(hash), createdAt, state.epochAt));
  return { reportId, reporterId, createdAt, identifiers: counting };
}

/** Returns which reporters reported the same identifiers. Adds them, and the report's own reporter, to the state. */
export async function findSharings(
  store: Store,
  state: StandingsState,
  { reportId, reporterId, createdAt, identifiers }: ReportFacts,
  history?: HashHistory,
): Promise<readonly StoredSharing[]> {
  const hashes = new Set(identifiers.map(({ hash }) => hash));
  const sharings =
    history?.sharings.filter(({ hash }) => hashes.has(hash)) ??
    (await store.findSharings([...hashes], reportId, createdAt));
  await welcomeUnknown(store, state, [reporterId, ...sharings.map((sharing) => sharing.reporterId)]);
  return sharings;
}

/**
 * Returns true if a hash with these `protections` does not count for standings: it was protected at the later of
 * `createdAt` and `epochAt`, by an entry that was added at `latest` or before. Later changes of the allow-list count
 * from the next day, so the day's standings stay reproducible.
 */
export function isProtected(
  protections: readonly Protection[] | undefined,
  createdAt: number,
  epochAt: number,
  latest = Infinity,
): boolean {
  return !!protections?.some((one) => one.addedAt <= latest && protectsAt(one, Math.max(createdAt, epochAt)));
}

/** Returns a live report from the store; undefined after its deletion. */
export async function findReport(store: Store, reportId: string): Promise<ReportFacts | undefined> {
  const identifiers = await store.findIdentifiers([reportId]);
  const [first] = identifiers;
  if (first === undefined) return undefined;
  const { reporterId, createdAt } = first;
  return { reportId, reporterId, createdAt, identifiers: identifiers.map(({ kind, hash }) => ({ kind, hash })) };
}
