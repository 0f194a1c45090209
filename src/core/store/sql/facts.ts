import type { AskedFacts, StoredFacts } from '../records.ts';
import type { Lookups } from './cache.ts';
import { DISPUTE } from './catalogue.ts';
import { firstMatches, nextMatches } from './queries.ts';
import { find } from './rows.ts';
import type { SqlWork } from './statement.ts';

/** The facts if nothing matches. */
export const NO_FACTS: StoredFacts = { matches: [], protections: [], disputes: [], linked: [] };

/** Reads the facts of a query. */
export function* findFacts({ hashes, linkHash, key: asked }: AskedFacts, lookups: Lookups): SqlWork<StoredFacts> {
  const key = asked && (yield* lookups.findKey(asked));
  if (asked && !key) return NO_FACTS;
  const matches = yield* nextMatches(hashes, yield* firstMatches(hashes));
  if (matches.length === 0) return { ...NO_FACTS, ...(key && { key }) };
  const disputed = new Set<string>();
  for (const match of matches) if (match.disputed) disputed.add(match.reportId);
  const protections = yield* lookups.findProtections(hashes);
  const disputes = yield* find(DISPUTE, 'reportId', [...disputed]);
  const linked = linkHash === undefined ? [] : yield* lookups.findLink(linkHash);
  return { matches, protections, disputes, linked, ...(key && { key }) };
}
