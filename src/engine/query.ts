import type { Identifier } from '../domain/identifier.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { authenticate } from './authenticate.ts';
import type { EngineContext } from './context.ts';
import { findMatches, gatherEvidence } from './evidence.ts';
import { proveIdentifiers } from './identifiers.ts';

/** Scores a set of identifiers (spec 4.4). A set that matches nothing leaves no trace in the store. */
export async function query(
  context: EngineContext,
  request: { readonly apiKey: string; readonly identifiers: readonly Identifier[] },
): Promise<Outcome<QueryResult>> {
  const reporter = await authenticate(context, request.apiKey, 'query');
  if (!reporter.ok) return reporter;
  const proved = proveIdentifiers(context, request.identifiers);
  if (!proved.ok) return proved;
  const identifiers = proved.value;

  const linkHash = context.secrets.linkHash(identifiers);
  const link = context.linkTo(linkHash);
  const matches = await findMatches(context, identifiers);
  if (matches.length === 0) return accept({ points: 0, reported: 0, reliability: 0, link });

  const evidence = await gatherEvidence(context, identifiers, matches);
  // Only what matched: a hash of somebody whom nobody reported is not kept.
  const matched = new Set(matches.map(({ hash }) => hash));
  await context.store.putLink({ linkHash, identifiers: identifiers.filter(({ hash }) => matched.has(hash)), createdAt: context.clock() }, context.bounds.linksPerIdentifier);
  return accept({ ...context.model.score(evidence), link });
}
