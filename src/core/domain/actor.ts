import type { AuditNote } from './audit.ts';
import { accept, refuse, type Outcome } from './refusal.ts';
import { isPublicText } from './text.ts';

/** Maximum length of a reporter's or a person's name, in code points. */
export const NAME_CHARACTERS = 80;
/** The actor of calls without a name. */
const ENGINE = 'engine';

/**
 * Returns the trimmed name of the person who acts for the operator, 1 to 80 code points. Refuses with `invalid-name`.
 */
export function toWho(by: string): Outcome<string> {
  if (!isPublicText(by, NAME_CHARACTERS) || /[\r\n\t]/.test(by))
    return refuse({ reason: 'invalid-name', limitCharacters: NAME_CHARACTERS });
  return accept(by.trim());
}

/** Returns the note of a call for the audit log. Without a name, the actor is `engine`. Refuses with `invalid-name`. */
export function toAuditNote(by: string | undefined, clock: () => number): Outcome<AuditNote> {
  if (by === undefined) return accept({ actor: ENGINE, atMs: clock() });
  const who = toWho(by);
  return who.ok ? accept({ actor: who.value, atMs: clock() }) : who;
}
