import { toIdentifier, type Identifier } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from './context.ts';

/**
 * Proves the identifiers of a report or query: each well formed, not too many, at least one left once repetitions and the hash of the empty string are out.
 * The order is kept (spec 2.3).
 */
export function proveIdentifiers(context: EngineContext, identifiers: readonly Identifier[]): Outcome<Identifier[]> {
  if (identifiers.length > context.bounds.identifiers) return refuse({ reason: 'too-many-identifiers', limit: context.bounds.identifiers });
  const kept = new Map<string, Identifier>();
  for (const { kind, hash } of identifiers) {
    const proved = toIdentifier(kind, hash);
    if (!proved.ok) return proved;
    if (!context.nobody.has(proved.value.hash)) kept.set(`${proved.value.hash} ${kind}`, proved.value);
  }
  return kept.size === 0 ? refuse({ reason: 'no-identifier' }) : accept([...kept.values()]);
}
