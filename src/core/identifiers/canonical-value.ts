/** Why a value was rewritten. */
export type CanonicalChange =
  | 'invisible-characters'
  | 'other-white-space'
  | 'unicode-form'
  | 'other-digits'
  | 'text-around-value'
  | 'final-punctuation'
  | 'defanged'
  | 'phone-separators'
  | 'phone-country-code'
  | 'phone-trunk-zero'
  | 'phone-extension'
  | 'ip-notation'
  | 'ip-port-or-zone'
  | 'domain-not-ascii'
  | 'url-parts'
  | 'www'
  | 'plus-tag'
  | 'gmail-spelling';

/** Why a value has no canonical form, where its text does not show it. */
export type CanonicalDoubt =
  'unclear-zeros' | 'two-readings' | 'unused-number' | 'wrong-length' | 'no-area-code' | 'extension';

/** A value in the canonical form of its kind. */
export interface CanonicalValue {
  /** Normalised too (protocol 2.3). Empty only if the normalised value is. */
  readonly value: string;
  /** What was changed beyond protocol 2.3, each once, in order. */
  readonly changes: readonly CanonicalChange[];
  /** False if the value did not become an address of its kind, for example a phone number without a country code. */
  readonly isCanonical: boolean;
  /**
   * Why it is not canonical, if its text does not show it. `unclear-zeros`: parts of an IP address may be decimal or
   * octal. `two-readings`: digits may be a national number or one of another country. `unused-number`: its country does
   * not give out such numbers. `wrong-length`: its country has no numbers of this length.
   * `no-area-code`: the digits may be a number inside one town. `extension`: it may be the person.
   */
  readonly doubt?: CanonicalDoubt;
}

/**
 * Reads a phone number, and returns undefined if the text is none. The default export of `libphonenumber-js` is such a
 * function. Its second argument is a code of ISO 3166-1 such as `DE`; libraries give it types of their own.
 */
export type ParsePhone = (text: string, country?: never) => ParsedPhone | undefined;

/** A number that was read. Without the optional parts, every number is taken for valid. */
export interface ParsedPhone {
  /** In E.164, as in `+4930901820`. */
  readonly number: string;
  /** The number's country calling code, without `+`. */
  readonly countryCallingCode?: string;
  /** Returns true if the number has a length that its country has. */
  isPossible?(): boolean;
  /** Returns true if its country gives out such numbers. */
  isValid?(): boolean;
  /** Returns the number as it is written inside its country. */
  formatNational?(): string;
}

/** Returns true for two letters. `UK` is a word for `GB`, and no code of ISO 3166-1. */
export function isCountry(text: string): boolean {
  return /^(?!uk$)[a-z]{2}$/i.test(text);
}

/** Options of `canonicalise`. */
export interface CanonicalOptions {
  /** Country of phone numbers without a country code, such as `DE`. Needs `parsePhone`. */
  readonly country?: string | undefined;
  /** Reads phone numbers, such as the default export of `libphonenumber-js`. */
  readonly parsePhone?: ParsePhone | undefined;
  /** If true, joins the spellings of one mailbox: removes a tag after `+`, and for Gmail dots and `googlemail.com`. */
  readonly mailbox?: boolean | undefined;
}

/** A text while it is rewritten. */
export interface Draft {
  readonly text: string;
  readonly isCanonical: boolean;
  readonly doubt?: CanonicalDoubt;
}

/** Returns `next`, and notes the reason if it is another text. */
export type Change = (text: string, next: string, why: CanonicalChange) => string;
