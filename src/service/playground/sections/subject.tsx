import { KIND } from '../../../core/domain/identifier.ts';
import type { Desk } from '../desk.ts';

/** The person of the page, in one line. */
export function Subject({ desk }: { readonly desk: Desk }) {
  const { identifiers, rows } = desk;
  const names = rows
    .filter(({ kind, hash }) => hash !== undefined && KIND.test(kind))
    .map(({ kind, value, given, hash }) =>
      given ? `${kind} with hash ${hash!.slice(0, 8)}…` : `${kind} ${value.trim()}`,
    );
  return (
    <p class="quiet subject">
      {identifiers.length === 0 ? 'The person has no hashed identifier. ' : `The person: ${names.join(', ')}. `}
      <button type="button" class="link" onClick={() => desk.goTo('person')}>
        Change
      </button>
    </p>
  );
}
