import { DAY_MS, startOfDay } from '../domain/day.ts';
import { disputeStateAt, type Dispute } from '../domain/dispute.ts';
import type { UnvalidatedIdentifier, Identifier } from '../domain/identifier.ts';
import { groupBy, inTurns } from '../domain/lists.ts';
import { nameOf, refuseUnknown } from '../domain/options.ts';
import { protectsAt, protectsNow, type Protection } from '../domain/protection.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { QueryResult, Verdict } from '../domain/verdict.ts';
import type { Evidence, EvidenceReport, SharedIdentifier, Standing } from '../scoring/evidence.ts';
import { StoreUnavailableError } from '../store/errors.ts';
import type { FactsRequest, KeyWithReporter, MatchedIdentifier } from '../store/records.ts';
import type { Authentication, Caller, Cost } from './authenticate.ts';
import type { EngineContext } from './context.ts';
import type { Effects } from './effects.ts';
import { countIdentifiers } from './limits.ts';
import { computeStandings } from './standings/compute.ts';
import { findStandings } from './standings/state.ts';
import type { StoredHashes } from './peppers.ts';

/** A query without the key. */
export interface QueryDraft {
  /** 1 to 32 unless configured otherwise. Duplicates count once. */
  readonly identifiers: readonly Identifier[];
  /**
   * A past moment (ms, UTC) to answer for, from the data that is still stored. Costs a full read of the store. The
   * answer is byte-identical to the original if that day's standings existed and nothing was deleted since. Three
   * exceptions: events within the same millisecond, a protection that was later ended before its planned end, and a
   * reporter that was verified or unverified since.
   */
  readonly asOf?: number;
}

/** A request whose identifiers may be anything that the engine's concealment takes. */
export type Unvalidated<Request> = Omit<Request, 'identifiers'> & {
  readonly identifiers: readonly UnvalidatedIdentifier[];
};

/** A query with the reporter's key (protocol 4.4). */
export interface QueryRequest extends QueryDraft, Authentication {}

export const QUERY_NAMES = ['identifiers', 'asOf'];

/**
 * Scores a set of identifiers for a reporter (protocol 4.4). If nothing matches, stores nothing. `judge` takes the
 * place of the model's score, for an answer that says more.
 */
export async function query(
  context: EngineContext,
  caller: Caller,
  request: Unvalidated<QueryDraft>,
  judge?: (evidence: Evidence, facts: SelectedFacts) => Promise<Verdict>,
): Promise<Outcome<QueryResult>> {
  const { identifiers, asOf } = request;
  // Most requests have only a key, an address and identifiers. For these, skip the check for unknown options.
  if (Object.keys(request).length > 3) refuseUnknown(request, ['apiKey', 'client', ...QUERY_NAMES]);
  if (asOf !== undefined) requirePast(context, asOf);
  const { bounds, emptyHash } = context.settings;
  const valid = await context.peppers.toIdentifiers(identifiers, bounds.identifiers, emptyHash);
  if (!valid.ok) {
    // Refuse a wrong key first. The request counts against the limit of a valid key.
    const { key } = caller;
    const admitted = key && (await key.admit(await context.store.findKey(key.request)));
    return admitted?.ok === false ? admitted : valid;
  }
  // Who asks, unless its key has ended since this process found it.
  const expectedId = caller.reporterId ?? caller.key?.knownReporterId;
  // Use the client's hashes, so the link of a set does not depend on the peppers.
  const expectedLink = expectedId === undefined ? undefined : context.secrets.linkHash(expectedId, valid.value);

  return context.peppers.withStoredHashes(valid.value, async (hashes) => {
    // Only an ordinary query may read from a replica. The others need the newest data.
    const newest = asOf !== undefined || judge !== undefined;
    const reader = caller.reporterId;
    const first = { linkHash: expectedLink, key: caller.key?.request, reader, newest, short: true };
    const facts = await selectFacts(context, hashes.identifiers, asOf, first);
    const admitted = caller.key ? await caller.key.admit(facts.key) : accept(caller.reporterId);
    if (!admitted.ok) return admitted;
    const reporterId = admitted.value;
    // The first query of a key in this process reads no link, and saves the link even if it is stored.
    const linkHash = expectedLink ?? context.secrets.linkHash(reporterId, valid.value);
    const link = context.linkStart + linkHash;
    if (facts.matches.length === 0 && !facts.isCut && judge === undefined)
      return accept({ points: 0, reported: 0, reliability: 0, link });

    const weigh = async (found: SelectedFacts) => {
      const evidence = await toEvidence(context, hashes, found, await standingsOf(context, found, asOf));
      return accept({ found, verdict: await (judge?.(evidence, found) ?? scoreEvidence(context, evidence)) });
    };
    const weighed = facts.isCut
      ? await context.queries.inTurn(
          // Queries that read the same share one answer. That of a judge is its own, and replicas answer a reader.
          judge ?? JSON.stringify([hashes.identifiers, asOf, context.store.shared && reporterId]),
          async () => weigh(await selectFacts(context, hashes.identifiers, asOf, { reader, newest })),
          reporterId,
        )
      : await weigh(facts);
    if (!weighed.ok) return weighed;
    const { found, verdict } = weighed.value;
    if (asOf === undefined) await saveLink(context, { linkHash, reporterId }, hashes, found, facts.linkIdentifiers);
    const { points, reported, reliability } = verdict;
    return accept({ points, reported, reliability, link });
  });
}

/** How a request with the key of a reporter counts that looks up identifiers. */
export function queryCost(context: EngineContext) {
  return {
    throttle: context.limits.throttles.query,
    needs: 'query',
    budgetOf: context.limits.budgetOf,
    costOf: (request: Unvalidated<QueryDraft>): Cost => {
      const identifiers = countIdentifiers(context.settings.bounds, request);
      return { tokens: identifiers, budget: identifiers, lookedUp: identifiers };
    },
  } as const;
}

/** Saves the identifiers that matched under the reporter's link of their set. Most links are saved already. */
async function saveLink(
  { store, secrets, settings, notify }: EngineContext,
  { linkHash, reporterId }: { readonly linkHash: string; readonly reporterId: string },
  { identifiers, sent }: StoredHashes,
  { atMs, hashes }: SelectedFacts,
  linkIdentifiers: readonly Identifier[],
): Promise<void> {
  const matched = identifiers.filter(({ hash }) => hashes.has(hash));
  const isSaved = (one: Identifier): boolean =>
    linkIdentifiers.some(({ kind, hash }) => hash === one.hash && kind === one.kind);
  if (matched.every(isSaved)) return;
  const owned = matched.map(({ kind, hash }) => {
    return { kind, hash, owner: secrets.linkOwner(reporterId, sent.get(hash) ?? hash) };
  });
  try {
    await store.putLink({ linkHash, identifiers: owned, createdAt: atMs }, settings.bounds.linksPerIdentifier);
  } catch (error) {
    // Answer even if the link cannot be saved. A full disk can still be read.
    if (!(error instanceof StoreUnavailableError)) throw error;
    notify({ event: 'link-not-saved', error });
  }
}

/** What scores evidence, between turns of other work. */
export interface Scorer extends Pick<EngineContext, 'model'> {
  readonly effects: Pick<Effects, 'giveTurn'>;
}

/** Stored facts about a set of identifiers at one moment. Protected hashes and wrong reports are left out. */
export interface SelectedFacts {
  /** The set, with stored hashes. */
  readonly identifiers: readonly Identifier[];
  readonly atMs: number;
  /** The moment that was asked for. Undefined for the facts of now. */
  readonly asOf: number | undefined;
  /** The key, if it was asked for. */
  readonly key: KeyWithReporter | undefined;
  /** Identifiers that the asked link already has. */
  readonly linkIdentifiers: readonly Identifier[];
  /** True if a `short` read found too many matches and returned none. */
  readonly isCut: boolean | undefined;
  /** Stored identifiers that match the set. */
  readonly matches: readonly MatchedIdentifier[];
  /** Hashes and reporters of the matches. */
  readonly hashes: ReadonlySet<string>;
  readonly reporterIds: ReadonlySet<string>;
  /** Reports with an open dispute. */
  readonly disputed: ReadonlySet<string>;
  /** All disputes about the matches, by report, also decided ones. */
  readonly disputes: ReadonlyMap<string, readonly Dispute[]>;
  /** Reports left out because of an upheld dispute. */
  readonly upheld: ReadonlySet<string>;
  /** Protections of identifiers that would otherwise match. */
  readonly protections: readonly Protection[];
}

/** What to read beside the matches, and what to leave out. */
export interface FactsSelection extends Omit<FactsRequest, 'hashes'> {
  /** Leaves out this reporter's own reports. */
  readonly withoutReporterId?: string | undefined;
}

/**
 * Returns the stored identifiers that match a set by hash. With `matchKinds: 'exact'` the kind must match too (protocol
 * 2.3, our choice). Leaves out protected hashes and reports with an upheld dispute. With `reader`, a replica may
 * answer: recent writes of other reporters may be missing.
 *
 * Without `asOf`, everything that is stored counts, also if its time is later than the clock: clocks of processes
 * differ, and a clock may have been set back.
 */
export async function selectFacts(
  { store, settings, effects }: EngineContext,
  identifiers: readonly Identifier[],
  asOf: number | undefined,
  { linkHash, key, reader, newest, short, withoutReporterId }: FactsSelection = {},
): Promise<SelectedFacts> {
  const atMs = asOf ?? effects.clock();
  const until = asOf ?? Infinity;
  const askedHashes = [...new Set(identifiers.map(({ hash }) => hash))];
  const stored = await store.findFacts({ hashes: askedHashes, linkHash, key, reader, newest, short });
  const exact = settings.matchKinds === 'exact' && new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`));
  const ofHash = groupBy(
    stored.protections.filter((one) => (asOf === undefined ? protectsNow(one, atMs) : protectsAt(one, asOf))),
    ({ hash }) => hash,
  );
  const disputes = groupBy(stored.disputes, ({ reportId }) => reportId);

  const matches: MatchedIdentifier[] = [];
  const hashes = new Set<string>();
  const reporterIds = new Set<string>();
  const disputed = new Set<string>();
  const upheld = new Set<string>();
  const excluded = new Set<string>();
  await inTurns(stored.matches, effects.giveTurn, (match) => {
    const { hash, kind, reportId, reporterId } = match;
    if (match.createdAt > until || (exact && !exact.has(`${hash} ${kind}`))) return;
    const dispute = match.disputed ? disputeStateAt(disputes.get(reportId) ?? [], until) : undefined;
    if (dispute === 'open') disputed.add(reportId);
    if (dispute === 'upheld') upheld.add(reportId);
    if (ofHash.has(hash)) excluded.add(hash);
    if (ofHash.has(hash) || dispute === 'upheld' || reporterId === withoutReporterId) return;
    matches.push(match);
    hashes.add(hash);
    reporterIds.add(reporterId);
  });
  return {
    identifiers,
    atMs,
    asOf,
    key: stored.key,
    linkIdentifiers: stored.linkIdentifiers,
    isCut: stored.isCut,
    matches,
    hashes,
    reporterIds,
    disputed,
    disputes,
    upheld,
    protections: [...excluded].flatMap((hash) => ofHash.get(hash) ?? []),
  };
}

/** Throws TypeError or RangeError unless `asOf` is a past time in milliseconds. */
export function requirePast({ effects }: EngineContext, asOf: number): void {
  if (!Number.isSafeInteger(asOf))
    throw new TypeError(
      `"asOf" expected whole milliseconds since 1970 (UTC), got ${typeof asOf === 'number' ? asOf : nameOf(asOf)}`,
    );
  if (asOf > effects.clock()) throw new RangeError('"asOf" expected a time up to now, got a future time');
}

/**
 * Returns the standings of the matching reporters, now or at a past moment. A past moment costs a full read of the
 * store.
 */
export async function standingsOf(
  { store, model, standings, effects }: EngineContext,
  { reporterIds }: Pick<SelectedFacts, 'reporterIds'>,
  asOf: number | undefined,
): Promise<ReadonlyMap<string, Standing>> {
  const ids = [...reporterIds];
  if (standings === undefined || model.trust === undefined) {
    const reporters = await store.findReporters(ids);
    return new Map(reporters.map((reporter) => [reporter.reporterId, model.standingOf(reporter)]));
  }
  if (asOf === undefined) return findStandings(store, await standings.current(), ids);
  return (await computeStandings(store, model.trust, asOf, effects.giveTurn)).state.table().reporters;
}

/**
 * Converts facts into evidence for a model. `standings` must be of the same moment. Identifiers have the hash that the
 * client `sent`, not the stored hash. An explanation sorts by hash, and its order must not depend on the peppers.
 */
export async function toEvidence(
  { model, effects }: Scorer,
  { identifiers, sent }: Pick<StoredHashes, 'identifiers' | 'sent'>,
  facts: SelectedFacts,
  standings: ReadonlyMap<string, Standing>,
): Promise<Evidence> {
  // A hash may be sent under several kinds. Only the strongest counts.
  const isStronger = (kind: string, other: string): boolean => model.weightOfKind(kind) > model.weightOfKind(other);
  const askedOf = new Map<string, string>();
  for (const { kind, hash } of identifiers) {
    const known = askedOf.get(hash);
    if (known === undefined || isStronger(kind, known)) askedOf.set(hash, kind);
  }

  const reports: EvidenceReport[] = [];
  const sharedOf = new Map<string, SharedIdentifier[]>();
  await inTurns(facts.matches, effects.giveTurn, (match) => {
    let shared = sharedOf.get(match.reportId);
    if (shared === undefined) {
      sharedOf.set(match.reportId, (shared = []));
      reports.push({
        reportId: match.reportId,
        reporterId: match.reporterId,
        type: match.type,
        severity: match.severity,
        // Days of UTC, so repeated queries get the same score for a day.
        ageDays: Math.max(0, startOfDay(facts.atMs) - startOfDay(match.createdAt)) / DAY_MS,
        shared,
        disputed: facts.disputed.has(match.reportId),
      });
    }
    const hash = sent.get(match.hash) ?? match.hash;
    const asked = askedOf.get(match.hash) ?? match.kind;
    // If the two kinds differ, the weaker one counts (protocol 2.3, our choice).
    const kind = isStronger(match.kind, asked) ? asked : match.kind;
    const at = shared.findIndex((other) => other.hash === hash);
    const known = shared[at];
    if (known === undefined) shared.push({ hash, kind });
    // A hash may be reported under several kinds. Only its strongest match counts.
    else if (isStronger(kind, known.kind)) shared[at] = { hash, kind };
  });
  return { reports, standings };
}

/** Scores evidence. Lets other work run meanwhile if the model can add reports one at a time. */
export async function scoreEvidence({ model, effects }: Scorer, evidence: Evidence): Promise<Verdict> {
  if (!model.begin) return model.score(evidence);
  const tally = model.begin(evidence.standings);
  await inTurns(evidence.reports, effects.giveTurn, (report) => tally.add(report));
  return tally.score();
}
