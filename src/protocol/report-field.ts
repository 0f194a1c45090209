import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { isPublicText } from '../domain/text.ts';

// Exact text: `07`, `+7`, `7.0` and ` 7` are other texts, and a form that sends them was built wrong (spec 2.1, 8).
const SEVERITY_TEXT = /^(?:10|[1-9])$/;
/** The field `_value`: an integer 1 to 10 (spec 2.1), written without sign, zero or space. Refused with `invalid-severity`. */
export function readSeverity(value: string): Outcome<number> {
  return SEVERITY_TEXT.test(value) ? accept(Number(value)) : refuse({ reason: 'invalid-severity' });
}

/**
 * The field `_text` (spec 2.1), unchanged. Refused with `invalid-text` when it is empty or only white space, longer than `limitCharacters`
 * code points, or holds a control character other than line feed, return and tab (silent: 2.1).
 */
export function readText(value: string, limitCharacters: number): Outcome<string> {
  return isPublicText(value, limitCharacters) ? accept(value) : refuse({ reason: 'invalid-text', limitCharacters });
}
