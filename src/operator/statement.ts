import { toWho } from '../core/domain/audit.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import { isPublicText, withoutMarks } from '../core/domain/text.ts';

const REASON_CHARACTERS = 500;

/**
 * Returns what a person states: the trimmed name, and a trimmed reason of 1 to 500 code points. Refuses with
 * `invalid-name` or `invalid-note`.
 */
export function toStatement(by: string, reason: string): Outcome<{ readonly by: string; readonly reason: string }> {
  const who = toWho(by);
  if (!who.ok) return who;
  const said = toReason(reason);
  return said.ok ? accept({ by: who.value, reason: said.value }) : said;
}

/** Returns a trimmed reason or answer of 1 to 500 code points. Refuses with `invalid-note`. */
export function toReason(given: string): Outcome<string> {
  const text = withoutMarks(given);
  if (!isPublicText(text, REASON_CHARACTERS))
    return refuse({ reason: 'invalid-note', limitCharacters: REASON_CHARACTERS });
  return accept(text.trim());
}
