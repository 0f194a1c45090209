import type { Identifier } from '../../core/domain/identifier.ts';
import { orAborted } from './requests.ts';
import type { SealedAnswer, SealedStale, SealedUnknown, UnknownReason } from './answers.ts';
import { kindsByHash } from './query-identifiers.ts';
import type { Elements } from './client-folder.ts';
import { currentEpoch, type ElementSource } from './element-source.ts';
import type { SealedError } from '../errors.ts';
import { toEvidence } from './local-evidence.ts';
import { isAway, isOutdated, isTooOld, type Publications } from './publications.ts';
import type { Publication } from './replica.ts';

export interface QueriesOptions {
  readonly publications: Publications;
  readonly elementSource: ElementSource;
  /** Returns milliseconds, UTC. */
  readonly clock: () => number;
}

/** Answers queries from one publication each. */
export type Query = (
  identifiers: readonly Identifier[],
  explain: boolean,
  signal?: AbortSignal,
) => Promise<SealedAnswer>;

/** Identifiers whose elements are kept in memory: a few MB. */
const MAX_OPENED = 4096;

export function createQuery({ publications, elementSource, clock }: QueriesOptions): Query {
  /** Elements of the last identifiers of one epoch: a query about them reads no store. */
  const opened: Elements = new Map();
  let openedEpoch = '';

  /** Returns the elements of the hashes. Evaluates those that are new. */
  async function open({ manifest }: Publication, hashes: readonly string[], signal: AbortSignal | undefined) {
    const epoch = currentEpoch(manifest);
    if (epoch.publicKey !== openedEpoch) opened.clear();
    openedEpoch = epoch.publicKey;
    const found: Elements = new Map();
    const others: string[] = [];
    for (const hash of hashes) {
      const known = opened.get(hash);
      if (known === undefined) others.push(hash);
      else found.set(hash, known);
    }
    if (others.length === 0) return found;
    for (const [hash, element] of await elementSource.evaluate(epoch, others, signal)) {
      found.set(hash, element);
      // Another query may have begun the next epoch meanwhile.
      if (openedEpoch !== epoch.publicKey) continue;
      // Evict the oldest.
      const [oldest] = opened.keys();
      if (opened.size >= MAX_OPENED && oldest !== undefined) opened.delete(oldest);
      opened.set(hash, element);
    }
    return found;
  }

  /** Rejects with an error of {@link isOutdated} if the service has another epoch by now. */
  async function answer(
    publication: Publication,
    asked: readonly Identifier[],
    explain: boolean,
    signal: AbortSignal | undefined,
  ): Promise<SealedAnswer> {
    const { manifest, model } = publication;
    let found: Elements;
    try {
      found = await open(publication, [...kindsByHash(asked).keys()], signal);
    } catch (error) {
      if (isAway(error)) return toUnknown('no-evaluation', error);
      throw error;
    }
    const { evidence, score: verdict } = scoreOf(publication, asked, found, clock());
    const score = { ...verdict, asOf: manifest.issuedAt };
    if (!explain) return { answer: 'score', ...score };
    return { answer: 'score', ...score, explanation: { ...model.explain(evidence), model: manifest.model.name } };
  }

  return async (identifiers, explain, signal) => {
    let publication: Publication;
    try {
      publication = await orAborted(publications.ready(), signal);
    } catch (error) {
      return withoutState(error, publications.asOf());
    }
    try {
      return await answer(publication, identifiers, explain, signal);
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
    return answer(publication, identifiers, explain, signal);
  };
}

/** Returns the score of identifiers, and its evidence. `found` has the elements of all. `now` is milliseconds, UTC. */
export function scoreOf(publication: Publication, asked: readonly Identifier[], found: Elements, now: number) {
  const { manifest, model, rowsOf } = publication;
  const rows = Array.from(kindsByHash(asked), ([hash, kinds]) => ({ hash, kinds, rows: rowsOf(found.get(hash)!) }));
  const evidence = toEvidence({ lists: manifest, matchKinds: manifest.matchKinds, model, now }, rows);
  const { points, reported, reliability } = model.score(evidence);
  return { evidence, score: { points, reported, reliability } };
}

/** Returns the answer when there is no fresh state. Rethrows what is neither age nor a lost connection. */
export function withoutState(error: unknown, asOf: number | undefined): SealedUnknown | SealedStale {
  if (asOf !== undefined && (isTooOld(error) || isAway(error))) return { answer: 'stale', asOf };
  if (isAway(error)) return toUnknown('no-manifest', error);
  throw error;
}

export function toUnknown(why: UnknownReason, { code, retryAfterSeconds }: SealedError): SealedUnknown {
  const reason = code === 'rate-limited' ? 'rate-limited' : why;
  return { answer: 'unknown', why: reason, retryAfterSeconds: retryAfterSeconds ?? null };
}
