import type { Identifier } from '../../domain/identifier.ts';
import type { AskedFacts, StoredFacts } from '../records.ts';
import { DISPUTE } from './catalogue.ts';
import type { StoreWork } from './methods.ts';
import { MODERATION_WORK } from './moderation.ts';
import { findLinked, QUERY_WORK } from './queries.ts';
import { find } from './rows.ts';
import type { SqlWork } from './statement.ts';

const NO_FACTS: StoredFacts = { matches: [], protections: [], disputes: [], linked: [] };

/** The one read of a query. */
export const FACTS_WORK = {
  findFacts: (asked) => findFacts(asked, MODERATION_WORK.findProtections, findLinked),
} satisfies Partial<StoreWork>;

/** Reads the facts of a query. The last two arguments may remember what they read. */
export function* findFacts(
  { hashes, linkHash }: AskedFacts,
  findProtections: StoreWork['findProtections'],
  findLink: (linkHash: string) => SqlWork<readonly Identifier[]>,
): SqlWork<StoredFacts> {
  const matches = yield* QUERY_WORK.findMatches(hashes);
  if (matches.length === 0) return NO_FACTS;
  const disputed = new Set<string>();
  for (const match of matches) if (match.disputed) disputed.add(match.reportId);
  const protections = yield* findProtections(hashes);
  const disputes = yield* find(DISPUTE, 'reportId', [...disputed]);
  return { matches, protections, disputes, linked: linkHash === undefined ? [] : yield* findLink(linkHash) };
}
