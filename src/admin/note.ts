import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { isPublicText } from '../domain/text.ts';

/** Longest name of a reporter or of one of the operator's people, in code points. */
export const NAME_CHARACTERS = 80;
const REASON_CHARACTERS = 500;

/** Who did it, as it is kept: a name of 1 to 80 code points. Refused with `invalid-name`. */
export function proveWho(by: string): Outcome<string> {
  if (!isPublicText(by, NAME_CHARACTERS) || /[\r\n\t]/.test(by))
    return refuse({ reason: 'invalid-name', limitCharacters: NAME_CHARACTERS });
  return accept(by.trim());
}

/** Who did it and why: a reason of 1 to 500 code points. Refused with `invalid-name` or `invalid-note`. */
export function proveNote({
  by,
  reason,
}: {
  readonly by: string;
  readonly reason: string;
}): Outcome<{ readonly by: string; readonly reason: string }> {
  const who = proveWho(by);
  if (!who.ok) return who;
  if (!isPublicText(reason, REASON_CHARACTERS))
    return refuse({ reason: 'invalid-note', limitCharacters: REASON_CHARACTERS });
  return accept({ by: who.value, reason: reason.trim() });
}
