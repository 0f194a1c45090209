import type { Identifier } from '../../core/domain/identifier.ts';
import type { Verdict } from '../../core/domain/verdict.ts';
import type { SealedStale, SealedUnknown } from './answers.ts';
import type { Elements } from './client-folder.ts';
import type { ClientParts } from './client-options.ts';
import { currentEpoch, nextEpoch, type Evaluate, type EvaluationEpoch } from './evaluate.ts';
import { isAway, isOutdated, type Publication, type Publications } from './publications.ts';
import { scoreOf, toUnknown, withoutState } from './queries.ts';
import { orAborted } from './requests.ts';

/** A customer of a watched list. */
export interface WatchedCustomer {
  /** The shop's own name for it: different for each customer. It stays in the client's folder. */
  readonly name: string;
  /** 1 to 32. */
  readonly identifiers: readonly Identifier[];
}

/** A customer whose score crossed the threshold. */
export interface WatchedScore extends Verdict {
  /** The name of the customer in the list. */
  readonly name: string;
}

/** What changed since the last watch that was kept. */
export interface SealedWatch {
  /** `partial`: some customers are not scored. */
  readonly answer: 'complete' | 'partial';
  /** Time of the published rows. Milliseconds, UTC. */
  readonly asOf: number;
  /** Customers with at least as many points as the threshold that had fewer, or were not on the list. */
  readonly rose: readonly WatchedScore[];
  /** Customers with fewer points than the threshold that had at least as many. */
  readonly fell: readonly WatchedScore[];
  /** Customers with an identifier that is not evaluated, because a limit is used up or the service does not answer. */
  readonly unscored: number;
  /** Why some are not scored: the next watch goes on. Null if all are. */
  readonly unknown: SealedUnknown | null;
  /** Keeps what was told: the next watch compares with it. Until then, another watch tells the same again. */
  keep(): Promise<void>;
}

/** An answer of a watch. Only `complete` says something about all customers. */
export type WatchAnswer = SealedWatch | SealedUnknown | SealedStale;

/**
 * What is sent depends on the number of different identifiers, on how many of them are kept, and on what is published,
 * and on nothing else.
 */
export function createWatch({ folder, clock }: ClientParts, publications: Publications, evaluate: Evaluate) {
  /** Rows may be a day old. If there are no newer ones, their age decides. */
  async function newest(): Promise<Publication> {
    try {
      return (await publications.refresh()).publication;
    } catch (error) {
      if (!isAway(error)) throw error;
      return publications.ready();
    }
  }

  /** Evaluates what can be evaluated now. Returns all elements that are there, and why the rest is not. */
  async function evaluateNow(epoch: EvaluationEpoch, hashes: readonly string[], signal: AbortSignal | undefined) {
    try {
      return { found: await evaluate(epoch, hashes, signal), unknown: null };
    } catch (error) {
      if (!isAway(error) && !isOutdated(error)) throw error;
      return { found: await folder.read(epoch.publicKey, hashes), unknown: toUnknown('no-evaluation', error) };
    }
  }

  return async (
    customers: readonly WatchedCustomer[],
    threshold: number,
    signal: AbortSignal | undefined,
  ): Promise<WatchAnswer> => {
    let publication: Publication;
    try {
      publication = await orAborted(newest(), signal);
    } catch (error) {
      return withoutState(error, publications.asOf());
    }
    const { manifest } = publication;
    const epoch = currentEpoch(manifest);
    const hashes = [...new Set(customers.flatMap(({ identifiers }) => identifiers.map(({ hash }) => hash)))];
    const { found, unknown } = await evaluateNow(epoch, hashes, signal);
    const { above: before = [] } = await folder.state(manifest.operatorKey);
    const compared = compare(publication, customers, found, { threshold, before: new Set(before), now: clock() });
    if (compared.unscored === customers.length && unknown !== null) return unknown;
    // So that the first day of the next epoch needs no evaluations.
    const next = nextEpoch(manifest);
    if (unknown === null && next !== undefined && clock() >= manifest.next!.startsAt)
      await evaluateNow(next, hashes, signal);
    const { above, ...result } = compared;
    return {
      answer: result.unscored === 0 ? 'complete' : 'partial',
      asOf: manifest.issuedAt,
      ...result,
      unknown,
      keep: () => folder.keepAbove(above),
    };
  };
}

/** Scores the customers that are evaluated. The others stay where they were. */
function compare(
  publication: Publication,
  customers: readonly WatchedCustomer[],
  found: Elements,
  given: { readonly threshold: number; readonly before: ReadonlySet<string>; readonly now: number },
) {
  const { threshold, before, now } = given;
  const [rose, fell]: [WatchedScore[], WatchedScore[]] = [[], []];
  const above: string[] = [];
  let unscored = 0;
  const rowsOf = (hash: string) => publication.open(hash, found.get(hash)!);
  for (const { name, identifiers } of customers) {
    const isScored = identifiers.every(({ hash }) => found.has(hash));
    if (!isScored) unscored++;
    const score = isScored ? scoreOf(publication, identifiers, rowsOf, now).score : undefined;
    const isAbove = score === undefined ? before.has(name) : score.points >= threshold;
    if (isAbove) above.push(name);
    if (score !== undefined && isAbove !== before.has(name)) (isAbove ? rose : fell).push({ name, ...score });
  }
  return { rose, fell, above, unscored };
}
