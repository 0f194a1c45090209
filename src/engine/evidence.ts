import { DAY_MS } from '../domain/day.ts';
import { disputeStateAt, type Dispute, type DisputeState } from '../domain/dispute.ts';
import type { Identifier } from '../domain/identifier.ts';
import { nameOf } from '../domain/options.ts';
import { protectsAt, type Protection } from '../domain/protection.ts';
import type { Evidence, EvidenceReport, SharedIdentifier, Standing } from '../scoring/evidence.ts';
import type { AskedFacts, Match } from '../store/records.ts';
import type { EngineContext } from './context.ts';
import type { Concealed } from './peppers.ts';
import { computeStandings } from './standings/compute.ts';
import { groupBy } from './standings/losses.ts';

/** Stored facts about a set of identifiers at one moment. Protected hashes and wrong reports are left out. */
export interface Facts {
  readonly atMs: number;
  /** Identifiers that the asked link already has. */
  readonly linked: readonly Identifier[];
  /** Stored identifiers that match the set. */
  readonly matches: readonly Match[];
  /** Hashes and reporters of the matches. */
  readonly hashes: ReadonlySet<string>;
  readonly reporterIds: ReadonlySet<string>;
  /** Reports with an open dispute. */
  readonly disputed: ReadonlySet<string>;
  /** Number of reports left out because of an upheld dispute. */
  readonly upheld: number;
  /** Protections of identifiers that would otherwise match. */
  readonly protections: readonly (Protection & { readonly kinds: readonly string[] })[];
}

/**
 * Returns the stored identifiers that match a set by hash. With `matchKinds: 'exact'` the kind must match too (spec 2.3
 * is silent). Leaves out protected hashes and reports with an upheld dispute. With `asked.reader`, a replica may answer:
 * recent writes of other reporters may be missing.
 */
export async function findFacts(
  context: EngineContext,
  identifiers: readonly Identifier[],
  atMs: number,
  asked?: Omit<AskedFacts, 'hashes'>,
): Promise<Facts> {
  const askedHashes = new Set<string>();
  for (const { hash } of identifiers) askedHashes.add(hash);
  const stored = await context.store.findFacts({ ...asked, hashes: [...askedHashes] });
  const exact = context.matchKinds === 'exact' && new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`));
  const matches: Match[] = [];
  for (const match of stored.matches)
    if (match.createdAt <= atMs && (!exact || exact.has(`${match.hash} ${match.kind}`))) matches.push(match);
  const { linked, protections, disputes } = stored;
  const facts = withMatches({ atMs, linked, disputed: new Set(), upheld: 0, protections: [] }, matches);
  if (matches.length === 0 || (protections.length === 0 && disputes.length === 0)) return facts;
  return withoutExcluded(facts, identifiers, protections, disputes);
}

function withMatches(facts: Omit<Facts, 'matches' | 'hashes' | 'reporterIds'>, matches: readonly Match[]): Facts {
  const hashes = new Set<string>();
  const reporterIds = new Set<string>();
  for (const { hash, reporterId } of matches) {
    hashes.add(hash);
    reporterIds.add(reporterId);
  }
  return { ...facts, matches, hashes, reporterIds };
}

function withoutExcluded(
  { atMs, linked, matches, hashes }: Facts,
  identifiers: readonly Identifier[],
  stored: readonly Protection[],
  disputes: readonly Dispute[],
): Facts {
  const protections = stored.filter((protection) => hashes.has(protection.hash) && protectsAt(protection, atMs));
  const isProtected = new Set(protections.map(({ hash }) => hash));
  const reportIds = new Set(matches.map(({ reportId }) => reportId));
  const ofReport = groupBy(
    disputes.filter(({ reportId }) => reportIds.has(reportId)),
    ({ reportId }) => reportId,
  );
  const inState = (state: DisputeState): Set<string> =>
    new Set([...ofReport].filter(([, known]) => disputeStateAt(known, atMs) === state).map(([reportId]) => reportId));
  const upheld = inState('upheld');
  const facts = {
    atMs,
    linked,
    disputed: inState('open'),
    upheld: upheld.size,
    protections: protections.map((protection) => ({
      ...protection,
      kinds: identifiers.filter(({ hash }) => hash === protection.hash).map(({ kind }) => kind),
    })),
  };
  return withMatches(
    facts,
    matches.filter(({ hash, reportId }) => !isProtected.has(hash) && !upheld.has(reportId)),
  );
}

/** Returns the facts without one reporter's own reports. */
export function withoutReporter(facts: Facts, withoutReporterId: string): Facts {
  return withMatches(
    facts,
    facts.matches.filter(({ reporterId }) => reporterId !== withoutReporterId),
  );
}

/** Throws TypeError or RangeError unless `asOf` is a past time in milliseconds. */
export function requirePast(context: EngineContext, asOf: number): void {
  if (!Number.isSafeInteger(asOf))
    throw new TypeError(
      `"asOf" expected whole milliseconds since 1970 (UTC), got ${typeof asOf === 'number' ? asOf : nameOf(asOf)}`,
    );
  if (asOf > context.clock()) throw new RangeError('"asOf" expected a past moment, got a later one');
}

/**
 * Returns the standings of the matching reporters, now or at a past moment. A past moment costs a full read of the
 * store.
 */
export async function standingsOf(
  { store, model, standings, giveTurn }: EngineContext,
  { reporterIds }: Facts,
  asOf: number | undefined,
): Promise<ReadonlyMap<string, Standing>> {
  const ids = [...reporterIds];
  if (standings === undefined || model.trust === undefined) {
    const reporters = await store.findReporters(ids);
    return new Map(reporters.map((reporter) => [reporter.reporterId, model.standingOf(reporter)]));
  }
  if (asOf === undefined) return standings.standings(ids);
  return (await computeStandings(store, model.trust, asOf, giveTurn)).state.table().reporters;
}

/**
 * Converts facts into evidence for a model. `standings` must be of the same moment. Identifiers have the hash that the
 * client `sent`, not the stored hash. An explanation sorts by hash, and its order must not depend on the peppers.
 */
export function toEvidence(
  { model }: Pick<EngineContext, 'model'>,
  { identifiers, sent }: Pick<Concealed, 'identifiers' | 'sent'>,
  facts: Facts,
  standings: ReadonlyMap<string, Standing>,
): Evidence {
  const askedKinds = new Map<string, string[]>();
  for (const { kind, hash } of identifiers) {
    const kinds = askedKinds.get(hash);
    if (kinds === undefined) askedKinds.set(hash, [kind]);
    else kinds.push(kind);
  }

  const reports: EvidenceReport[] = [];
  const sharedOf = new Map<string, SharedIdentifier[]>();
  for (const match of facts.matches) {
    let shared = sharedOf.get(match.reportId);
    if (shared === undefined) {
      sharedOf.set(match.reportId, (shared = []));
      reports.push({
        reportId: match.reportId,
        reporterId: match.reporterId,
        type: match.type,
        severity: match.severity,
        // Whole days, so repeated queries get the same score for a day.
        ageDays: Math.floor(Math.max(0, facts.atMs - match.createdAt) / DAY_MS),
        shared,
        disputed: facts.disputed.has(match.reportId),
      });
    }
    const hash = sent.get(match.hash) ?? match.hash;
    for (const asked of askedKinds.get(match.hash) ?? []) {
      // If the two kinds differ, the weaker one counts (spec 2.3 is silent).
      const kind =
        asked !== match.kind && model.weightOfKind(match.kind) <= model.weightOfKind(asked) ? match.kind : asked;
      const at = shared.findIndex((other) => other.hash === hash);
      const known = shared[at];
      if (known === undefined) shared.push({ hash, kind });
      // A hash may be sent under two kinds. Only its strongest match counts.
      else if (model.weightOfKind(kind) > model.weightOfKind(known.kind)) shared[at] = { hash, kind };
    }
  }
  return { reports, standings };
}
