import type { UnvalidatedIdentifier, Identifier } from '../domain/identifier.ts';
import { refuseUnknown } from '../domain/options.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { QueryResult, Verdict } from '../domain/verdict.ts';
import { StoreUnavailableError } from '../store/errors.ts';
import type { Authentication, Caller } from './authenticate.ts';
import type { Evidence } from '../scoring/evidence.ts';
import type { EngineContext } from './context.ts';
import { selectFacts, requirePast, scoreEvidence, standingsOf, toEvidence, type SelectedFacts } from './facts.ts';
import { countIdentifiers } from './limits.ts';
import type { StoredHashes } from './stored-hashes.ts';

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
  const { key, reporterId: reader } = caller;
  const { identifiers, asOf } = request;
  // Most requests have only a key, an address and identifiers. For these, skip the check for unknown options.
  if (Object.keys(request).length > 3) refuseUnknown(request, ['apiKey', 'client', ...QUERY_NAMES]);
  if (asOf !== undefined) requirePast(context, asOf);
  const { bounds, emptyHash } = context.settings;
  const valid = await context.peppers.toIdentifiers(identifiers, bounds.identifiers, emptyHash);
  if (!valid.ok) {
    // Refuse a wrong key first. The request counts against the limit of a valid key.
    const admitted = key && (await key.admit(await context.store.findKey(key.request)));
    return admitted?.ok === false ? admitted : valid;
  }
  const known = reader ?? key?.knownReporterId;
  // Use the client's hashes, so the link of a set does not depend on the peppers.
  const knownLink = known === undefined ? undefined : context.secrets.linkHash(known, valid.value);

  return context.peppers.withStoredHashes(valid.value, async (hashes) => {
    // Only an ordinary query may read from a replica. The others need the newest data.
    const newest = asOf !== undefined || judge !== undefined;
    const first = { linkHash: knownLink, key: key?.request, reader, newest, short: true };
    const facts = await selectFacts(context, hashes.identifiers, asOf, first);
    const admitted = key ? await key.admit(facts.key) : accept(reader);
    if (!admitted.ok) return admitted;
    const reporterId = admitted.value;
    // The first query of a key in this process reads no link, and saves the link even if it is stored.
    const linkHash = knownLink ?? context.secrets.linkHash(reporterId, valid.value);
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
    budget: context.limits.budgetOf,
    costOf: (request: Unvalidated<QueryDraft>): number => countIdentifiers(context.settings.bounds, request),
    looksUp: true,
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
