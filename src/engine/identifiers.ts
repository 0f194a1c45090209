import { toIdentifier, type Identifier } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from './context.ts';

/**
 * Proves the identifiers of a report or query: each well formed, not too many, at least one left once repetitions and the hash of the empty string are out.
 * The order is kept (spec 2.3). Throws TypeError for what is no list of identifiers at all.
 */
export function proveIdentifiers(context: EngineContext, identifiers: readonly Identifier[]): Outcome<Identifier[]> {
  if (
    !Array.isArray(identifiers) ||
    identifiers.some((identifier) => typeof identifier !== 'object' || identifier === null)
  ) {
    throw new TypeError('"identifiers" expected an array of { kind, hash }, got something else');
  }
  if (identifiers.length > context.bounds.identifiers)
    return refuse({ reason: 'too-many-identifiers', limit: context.bounds.identifiers });
  const kept = new Map<string, Identifier>();
  for (const { kind, hash } of identifiers) {
    const proved = toIdentifier(kind, hash);
    if (!proved.ok) return proved;
    if (!context.nobody.has(proved.value.hash)) kept.set(`${proved.value.hash} ${proved.value.kind}`, proved.value);
  }
  return kept.size === 0 ? refuse({ reason: 'no-identifier' }) : accept([...kept.values()]);
}
