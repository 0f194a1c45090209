import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { isPublicText } from '../domain/text.ts';

/** Maximum length of a reporter's or a person's name, in code points. */
export const NAME_CHARACTERS = 80;
const REASON_CHARACTERS = 500;

/**
 * Returns the trimmed name of the person who acts for the operator, 1 to 80 code points. Refuses with `invalid-name`.
 */
export function toWho(by: string): Outcome<string> {
  if (!isPublicText(by, NAME_CHARACTERS) || /[\r\n\t]/.test(by))
    return refuse({ reason: 'invalid-name', limitCharacters: NAME_CHARACTERS });
  return accept(by.trim());
}

/**
 * Returns the trimmed name of a person, and a trimmed reason of 1 to 500 code points. Refuses with `invalid-name` or
 * `invalid-note`.
 */
export function toNote(by: string, reason: string): Outcome<{ readonly by: string; readonly reason: string }> {
  const who = toWho(by);
  if (!who.ok) return who;
  if (!isPublicText(reason, REASON_CHARACTERS))
    return refuse({ reason: 'invalid-note', limitCharacters: REASON_CHARACTERS });
  return accept({ by: who.value, reason: reason.trim() });
}
