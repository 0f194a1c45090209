import { toWho } from '../core/domain/audit.ts';
import { findPersonalData, kindsOf, redactPersonalData } from '../core/domain/personal-data.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import { isPublicText, withoutMarks } from '../core/domain/text.ts';
import type { EngineSettings } from '../core/engine/context.ts';

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

/**
 * Returns the operator's answer to a person as it is stored. Refuses with `invalid-note` or, as a report's text, with
 * `personal-data`: whoever asked about the report reads it.
 */
export function toAnswer(settings: EngineSettings, given: string): Outcome<string> {
  const said = toReason(given);
  return said.ok ? withoutPersonalData(settings, said.value) : said;
}

/** Returns a text after the service's policy for personal data. Refuses with `personal-data`. */
export function withoutPersonalData({ personalData }: EngineSettings, text: string): Outcome<string> {
  const found = findPersonalData(text);
  if (personalData === 'refuse' && found.length > 0) return refuse({ reason: 'personal-data', kinds: kindsOf(found) });
  return accept((personalData === 'redact' ? redactPersonalData(text, found) : text).trim());
}
