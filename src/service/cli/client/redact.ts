import { DEFAULT_BOUNDS } from '../../../core/domain/bounds.ts';
import { findPersonalData, kindsOf, PERSONAL_DATA, redactPersonalData } from '../../../core/domain/personal-data.ts';
import { formatWhole, replaceForbidden } from '../../../core/domain/text.ts';
import { joinWords } from '../option.ts';

/** A text that a service accepts, and what was changed for it. */
export interface Redacted {
  readonly text: string;
  /** As in `without personal data: IP address`; empty if the text is unchanged. */
  readonly changes: readonly string[];
}

/** Replaces personal data and forbidden characters, and cuts the text to the length that services accept by default. */
export function redact(given: string): Redacted {
  const plain = replaceForbidden(given, '\ufffd');
  const found = findPersonalData(plain);
  const characters = [...redactPersonalData(plain, found)];
  const { textCharacters } = DEFAULT_BOUNDS;
  const kinds = kindsOf(found).map((kind) => PERSONAL_DATA[kind]);
  const changes = [
    ...(kinds.length > 0 ? [`without personal data (${joinWords(kinds, 'and')})`] : []),
    ...(plain === given ? [] : ['without characters that a text must not have']),
    ...(characters.length > textCharacters ? [`cut to ${formatWhole(textCharacters)} characters`] : []),
  ];
  return { text: characters.slice(0, textCharacters).join(''), changes };
}

/** Returns what helps if a service refuses this text; empty if nothing in it is personal data. */
export function adviseRedact(text: string): string {
  return findPersonalData(text).length > 0 ? '; --redact replaces personal data in the text' : '';
}
