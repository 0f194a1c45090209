import { trimWhiteSpace } from './normalise.ts';
import { canonicalise, type CanonicalOptions } from './canonicalise.ts';
import { whyNotIdentifier, type NotIdentifier } from './not-identifier.ts';
import { guessForm, readHost } from './value-form.ts';

/** What a clear value is hashed as. */
export interface ClearValue {
  readonly text: string;
  /** False if canonicalising did not give it the form of its kind. */
  readonly isCanonical: boolean;
}

/** How clear values are read. */
export interface ReadClearOptions {
  /** If given, values get the canonical form of their kind. */
  readonly canonical?: CanonicalOptions | undefined;
  /** If true, values that are no identifier are read, too. */
  readonly keepAll?: boolean | undefined;
}

/** Returns what to hash, or why the value is no identifier. `kind` may be the name of a column. */
export function readClearValue(
  kind: string | undefined,
  value: string,
  { canonical, keepAll = false }: ReadClearOptions,
): ClearValue | NotIdentifier {
  const reason = keepAll ? undefined : whyNotIdentifier(kind, value);
  // Canonicalising may mend a damaged value, and only then shows whom an address is of.
  if (reason !== undefined && !(canonical && reason === 'destroyed')) return reason;
  if (!canonical) return { text: value, isCanonical: true };
  const { value: text, isCanonical } = canonicalise(kind ?? '', value, canonical);
  const later = keepAll ? undefined : whyNotIdentifier(kind, text);
  return later !== undefined && (later === 'nobody' || reason !== undefined) ? later : { text, isCanonical };
}

/** Kinds that are recognised by the form of a value. `name` is any other text. */
export type RecognisedKind = 'email' | 'phone' | 'ip' | 'domain' | 'name';

/** Returns the kind that a value without a kind seems to have. */
export function recogniseKind(value: string): RecognisedKind {
  const form = guessForm(value);
  if (form === 'email' || form === 'ip' || form === 'phone') return form;
  return isDomain(trimWhiteSpace(value).toLowerCase()) ? 'domain' : 'name';
}

/** True for a host with a top-level name, also in an address of the web. */
function isDomain(text: string): boolean {
  const [host = ''] = text.replace(/^https?:\/\//, '').split(/[/?#]/, 1);
  return /\.[\p{L}]{2,}\.?$|\.xn--[\da-z-]+\.?$/u.test(host) && readHost(host) !== undefined;
}

/**
 * Returns the values of a text in which a person has typed or pasted one or several: in lines, or between commas,
 * semicolons or tabs. Spaces separate values only if each part is one by its form: phone numbers and names have spaces.
 */
export function splitTypedValues(text: string): string[] {
  const values = text.split(/[\r\n,;\t]/).flatMap((part) => {
    const words = part.trim().split(/\s+/u);
    const areValues =
      words.length > 1 && words.every((word) => ['email', 'ip', 'domain'].includes(recogniseKind(word)));
    return areValues ? words : [part.trim()];
  });
  return [...new Set(values.filter((value) => value !== ''))];
}
