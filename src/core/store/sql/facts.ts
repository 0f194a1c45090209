import type { Identifier } from '../../domain/identifier.ts';
import type { StoredFacts } from '../records.ts';
import { DISPUTE } from './catalogue.ts';
import type { StoreWork } from './methods.ts';
import { MODERATION_WORK } from './moderation.ts';
import { findLinked, firstMatches, nextMatches } from './queries.ts';
import { REPORTER_WORK } from './reporters.ts';
import { find } from './rows.ts';
import type { SqlWork } from './statement.ts';

/** The facts if nothing matches. */
export const NO_FACTS: StoredFacts = { matches: [], protections: [], disputes: [], linked: [] };

/** The one read of a query. */
export const FACTS_WORK = {
  findFacts: createFindFacts({ ...REPORTER_WORK, ...MODERATION_WORK, findLink: findLinked }),
} satisfies Partial<StoreWork>;

/** The reads of a query's facts that a store with one owner may answer from memory (`memory.ts`). */
interface FactReads extends Pick<StoreWork, 'findKey' | 'findProtections'> {
  readonly findLink: (linkHash: string) => SqlWork<readonly Identifier[]>;
}

/** Returns the method that reads the facts of a query. */
export function createFindFacts({ findKey, findProtections, findLink }: FactReads): StoreWork['findFacts'] {
  return function* ({ hashes, linkHash, key: asked }): SqlWork<StoredFacts> {
    const key = asked && (yield* findKey(asked));
    if (asked && !key) return NO_FACTS;
    const matches = yield* nextMatches(hashes, yield* firstMatches(hashes));
    if (matches.length === 0) return { ...NO_FACTS, ...(key && { key }) };
    const disputed = new Set<string>();
    for (const match of matches) if (match.disputed) disputed.add(match.reportId);
    const protections = yield* findProtections(hashes);
    const disputes = yield* find(DISPUTE, 'reportId', [...disputed]);
    const linked = linkHash === undefined ? [] : yield* findLink(linkHash);
    return { matches, protections, disputes, linked, ...(key && { key }) };
  };
}
