import type { Identifier } from '../../core/domain/identifier.ts';
import { orAborted } from './abort.ts';
import type { SealedAddresses } from './addresses.ts';
import type { SealedAnswer, SealedUnknown, UnknownReason } from './answers.ts';
import { kindsByHash } from './query-identifiers.ts';
import { currentEpoch, type ElementSource } from './element-source.ts';
import type { SealedServiceError } from './errors.ts';
import { toEvidence, type IdentifierRows } from './local-evidence.ts';
import { queryOnline, toPoints } from './online.ts';
import type { OpenedIdentifier, OpenedIdentifiers } from './opened.ts';
import type { LocalRows, Publication } from './publication.ts';
import { isAway, isOutdated, isTooOld, type Publications } from './publications.ts';
import type { Requests } from './requests.ts';

export interface QueriesOptions {
  readonly requests: Requests;
  readonly addresses: SealedAddresses;
  readonly publications: Publications;
  readonly elementSource: ElementSource;
  readonly opened: OpenedIdentifiers;
  /** With more unsealed identifiers, there is no score. */
  readonly maxUnsealed: number;
  readonly clock: () => number;
}

interface QueryCall {
  readonly explain: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Answers queries from one publication each. */
export interface Queries {
  query(identifiers: readonly Identifier[], explain: boolean, signal?: AbortSignal): Promise<SealedAnswer>;
}

export function createQueries(options: QueriesOptions): Queries {
  const { requests, addresses, publications, elementSource, opened, maxUnsealed, clock } = options;

  /** Returns the identifiers by hash, opened; or the reason why one cannot be. */
  async function open({ manifest }: Publication, hashes: readonly string[], signal: AbortSignal | undefined) {
    const epoch = currentEpoch(manifest);
    const found = new Map<string, OpenedIdentifier>();
    const others: string[] = [];
    for (const hash of hashes) {
      const known = opened.get(epoch, hash);
      if (known === undefined) others.push(hash);
      else found.set(hash, known);
    }
    if (others.length === 0) return found;
    for (const [hash, element] of await elementSource.evaluate(epoch, others, signal))
      found.set(hash, opened.put(epoch, hash, element));
    return found;
  }

  function answerLocally(
    { manifest }: Publication,
    local: LocalRows,
    asked: readonly Identifier[],
    found: ReadonlyMap<string, OpenedIdentifier>,
    explain: boolean,
  ): SealedAnswer {
    const rows: IdentifierRows[] = [];
    for (const [hash, kinds] of kindsByHash(asked))
      rows.push({ hash, kinds, rows: local.rowsOf(found.get(hash)!.keys) });
    const { model, standings } = local;
    const evidence = toEvidence(
      { lists: manifest, matchKinds: manifest.matchKinds, model, standings, now: clock() },
      rows,
    );
    const { points, reported, reliability } = model.score(evidence);
    const coverage = { unsealed: manifest.unsealed };
    const score = {
      points,
      reported,
      reliability,
      source: 'replica' as const,
      asOf: manifest.issuedAt,
      coverage,
      link: null,
    };
    if (!explain) return { answer: 'score', ...score };
    return { answer: 'score', ...score, explanation: { ...model.explain(evidence), model: manifest.model.name } };
  }

  async function answerOnline(
    { manifest }: Publication,
    asked: readonly Identifier[],
    found: ReadonlyMap<string, OpenedIdentifier>,
    signal: AbortSignal | undefined,
  ): Promise<SealedAnswer> {
    const pairs = toPoints(asked, (hash) => found.get(hash)!.element);
    const result = await queryOnline(requests, addresses, manifest.epoch.number, pairs, signal);
    const coverage = { unsealed: manifest.unsealed };
    return { answer: 'score', ...result, source: 'online', asOf: clock(), coverage };
  }

  /** Rejects with an error of {@link isOutdated} if the service has another epoch by now. */
  async function answer(publication: Publication, asked: readonly Identifier[], how: QueryCall): Promise<SealedAnswer> {
    if (publication.manifest.unsealed > maxUnsealed) return INCOMPLETE;
    let why: UnknownReason = 'no-evaluation';
    try {
      const found = await open(publication, [...kindsByHash(asked).keys()], how.signal);
      if (publication.local !== undefined)
        return answerLocally(publication, publication.local, asked, found, how.explain);
      why = 'no-reply';
      return await answerOnline(publication, asked, found, how.signal);
    } catch (error) {
      if (isAway(error)) return toUnknown(why, error);
      throw error;
    }
  }

  return {
    async query(identifiers, explain, signal) {
      const how = { explain, signal };
      let publication: Publication;
      try {
        publication = await orAborted(publications.ready(), signal);
      } catch (error) {
        return withoutState(error, publications.asOf());
      }
      try {
        return await answer(publication, identifiers, how);
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
      try {
        ({ publication } = await orAborted(publications.refresh(), signal));
      } catch (error) {
        // The rows that are kept are not old, but they cannot be asked about a new identifier.
        if (isAway(error)) return toUnknown('no-evaluation', error);
        return withoutState(error, publications.asOf());
      }
      return answer(publication, identifiers, how);
    },
  };
}

/** The identifiers may be among those without rows, and none found would look like a clean record. */
const INCOMPLETE: SealedUnknown = { answer: 'unknown', why: 'incomplete', retryAfterSeconds: null };

/** Returns the answer when there is no fresh state. Rethrows what is neither age nor a lost connection. */
function withoutState(error: unknown, asOf: number | undefined): SealedAnswer {
  if (asOf !== undefined && (isTooOld(error) || isAway(error))) return { answer: 'stale', asOf };
  if (isAway(error)) return toUnknown('no-manifest', error);
  throw error;
}

function toUnknown(why: UnknownReason, { code, retryAfterSeconds }: SealedServiceError): SealedUnknown {
  const reason = code === 'rate-limited' ? 'rate-limited' : why;
  return { answer: 'unknown', why: reason, retryAfterSeconds: retryAfterSeconds ?? null };
}
