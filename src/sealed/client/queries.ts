import type { Identifier } from '../../core/domain/identifier.ts';
import type { RowContent } from '../rows.ts';
import { orAborted } from './requests.ts';
import type { SealedAnswer, SealedStale, SealedUnknown, UnknownReason } from './answers.ts';
import { kindsByHash } from './query-identifiers.ts';
import type { ClientParts } from './client-options.ts';
import { currentEpoch, type Evaluate } from './evaluate.ts';
import type { SealedError } from '../errors.ts';
import { toEvidence } from './scoring.ts';
import { isAway, isOutdated, isTooOld, type Publication, type Publications } from './publications.ts';

/** Returns what answers queries, each from one publication. */
export function createQuery({ clock }: ClientParts, publications: Publications, evaluate: Evaluate) {
  /** Returns the rows of the hashes. Evaluates those that are new. */
  async function open(publication: Publication, hashes: readonly string[], signal: AbortSignal | undefined) {
    const found = new Map<string, readonly RowContent[]>();
    for (const hash of hashes) {
      const rows = publication.opened(hash);
      if (rows !== undefined) found.set(hash, rows);
    }
    const others = hashes.filter((hash) => !found.has(hash));
    if (others.length > 0)
      for (const [hash, element] of await evaluate(currentEpoch(publication.manifest), others, signal))
        found.set(hash, publication.open(hash, element));
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
    let found: ReadonlyMap<string, readonly RowContent[]>;
    try {
      found = await open(publication, [...kindsByHash(asked).keys()], signal);
    } catch (error) {
      if (isAway(error)) return toUnknown('no-evaluation', error);
      throw error;
    }
    const { evidence, score: verdict } = scoreOf(publication, asked, (hash) => found.get(hash)!, clock());
    const score = { answer: 'score', ...verdict, asOf: manifest.issuedAt } as const;
    return explain ? { ...score, explanation: { ...model.explain(evidence), model: manifest.model.name } } : score;
  }

  return async (
    identifiers: readonly Identifier[],
    explain: boolean,
    signal: AbortSignal | undefined,
  ): Promise<SealedAnswer> => {
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

/** Returns the score of identifiers from the rows of their hashes, and its evidence. `now` is milliseconds, UTC. */
export function scoreOf(
  { manifest, model }: Publication,
  asked: readonly Identifier[],
  rowsOf: (hash: string) => readonly RowContent[],
  now: number,
) {
  const rows = Array.from(kindsByHash(asked), ([hash, kinds]) => ({ hash, kinds, rows: rowsOf(hash) }));
  const evidence = toEvidence(manifest, model, now, rows);
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
