import { refuse, type Outcome } from '../domain/refusal.ts';
import { isPublicText } from '../domain/text.ts';

const NAME_CHARACTERS = 80;
const REASON_CHARACTERS = 500;

/** Who did it and why, as it is kept: a name of 1 to 80 code points, a reason of 1 to 500. Refused with `invalid-name` or `invalid-note`. */
export function proveNote({ by, reason }: { readonly by: string; readonly reason?: string }): Outcome<{ readonly by: string; readonly reason: string }> {
  if (!isPublicText(by, NAME_CHARACTERS) || /[\r\n\t]/.test(by)) return refuse({ reason: 'invalid-name', limitCharacters: NAME_CHARACTERS });
  if (reason !== undefined && !isPublicText(reason, REASON_CHARACTERS)) return refuse({ reason: 'invalid-note', limitCharacters: REASON_CHARACTERS });
  return { ok: true, value: { by: by.trim(), reason: reason?.trim() ?? '' } };
}
