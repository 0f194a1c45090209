import { trimWhiteSpace } from './normalise.ts';
import type { CanonicalDoubt, CanonicalOptions } from './canonical-value.ts';
import { canonicalise } from './canonicalise.ts';
import { isDate } from './damaged-value.ts';
import { reasonAgainst, type NotIdentifier } from './not-identifier.ts';
import type { IsHost } from './platforms.ts';
import { formOfKind, guessForm, readHost } from './value-form.ts';

/** What a clear value is hashed as. */
export interface ClearValue {
  readonly text: string;
  /** False if canonicalising did not give it the form of its kind. */
  readonly isCanonical: boolean;
  /** Why it is not canonical, if its text does not show it. */
  readonly doubt?: CanonicalDoubt;
  /** True if it is hashed as it was written, and its canonical form is another one. */
  readonly wouldChange?: true;
}

/** How clear values are read. */
export interface ReadClearOptions {
  /** If given, values get the canonical form of their kind. */
  readonly canonical?: CanonicalOptions | undefined;
  /** If true, values that are no identifier are read, too. */
  readonly keepAll?: boolean | undefined;
  /** As of {@link reasonAgainst}. */
  readonly isSharedHost: IsHost;
}

/** Returns true for a value of white space and byte order marks, or of nothing. */
export function isBlank(value: string): boolean {
  return trimWhiteSpace(value.trim()) === '';
}

/** Returns what to hash, or why the value is no identifier. `kind` may be the name of a column. */
export function readClearValue(
  kind: string | undefined,
  value: string,
  { canonical, keepAll = false, isSharedHost }: ReadClearOptions,
): ClearValue | NotIdentifier {
  const reason = keepAll ? undefined : reasonAgainst(kind, value, isSharedHost);
  const squeezed = value.replaceAll(' ', '').toLowerCase();
  // Canonicalising may mend a damaged value, but no date, and a country may have numbers of a few digits. The list
  // holds for what it becomes, also with a country.
  const mayMend =
    reason === 'destroyed' ? !isDate(squeezed) : reason === 'nobody' && formOfKind(kind ?? '') === 'phone';
  if (reason !== undefined && !(canonical && mayMend)) return reason;
  if (!canonical)
    return { text: value, isCanonical: true, ...(!keepAll && wouldChange(kind, value) && { wouldChange: true }) };
  const { value: text, isCanonical, doubt } = canonicalise(kind ?? '', value, canonical);
  const later = keepAll ? undefined : reasonAgainst(kind, text, isSharedHost);
  // In lower case, a person called Null and a customer called Tom are words.
  const isReason =
    later !== undefined && (reason !== undefined || (formOfKind(kind ?? '') !== 'name' && text !== squeezed));
  return isReason ? later : { text, isCanonical, ...(doubt !== undefined && { doubt }) };
}

function wouldChange(kind: string | undefined, value: string): boolean {
  return kind !== undefined && canonicalise(kind, value).changes.length > 0;
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
 * semicolons or tabs. Spaces separate values only if each part is complete by its form: phone numbers and names have
 * spaces.
 */
export function splitTypedValues(text: string): string[] {
  const values = text.split(/[\r\n,;\t]/).flatMap(splitAtSpaces);
  return [...new Set(values.filter((value) => value !== ''))];
}

function splitAtSpaces(part: string): string[] {
  const words = [...part.matchAll(/\S+/gu)].map(({ 0: text, index }) => ({ text, index, end: index + text.length }));
  if (words.every(({ text }) => isOneWord(text))) return words.map(({ text }) => text);
  // Between those are phone numbers, each of one word or several.
  const phones: (typeof words)[] = [[]];
  const values: string[] = [];
  for (const word of words) {
    const isValue = isOneWord(word.text) && !GROUPS.test(word.text);
    if (isValue) values.push(word.text);
    if (isValue || word.text.startsWith('+')) phones.push([]);
    if (!isValue) phones.at(-1)!.push(word);
  }
  for (const run of phones.filter(({ length }) => length > 0)) {
    const whole = part.slice(run[0]!.index, run.at(-1)!.end);
    if (!isPhone(whole)) return [part.trim()];
    const areMany = digitsOf(whole) > MOST_DIGITS && run.every(({ text }) => isPhone(text));
    values.push(...(areMany ? run.map(({ text }) => text) : [whole]));
  }
  return values.sort((a, b) => part.indexOf(a) - part.indexOf(b));
}

/** Digits of the shortest number with its area, and of the longest one (E.164). */
const [LEAST_DIGITS, MOST_DIGITS] = [7, 15];
/** Four groups of a phone number, as in France. They look like an address of version 4. */
const GROUPS = /^\d\d(?:\.\d\d){3}$/;

function isOneWord(word: string): boolean {
  return ['email', 'ip', 'domain'].includes(recogniseKind(word));
}

function isPhone(text: string): boolean {
  return recogniseKind(text) === 'phone' && digitsOf(text) >= LEAST_DIGITS;
}

function digitsOf(text: string): number {
  return text.replaceAll(/\D/g, '').length;
}
