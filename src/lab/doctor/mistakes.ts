import type { CanonicalChange } from '../../core/identifiers/canonical-value.ts';
import { formatWhole } from '../../core/domain/text.ts';

/** One mistake of a client against protocol 2.3, and how to correct it. The texts hold no value, hash or prefix. */
export interface Mistake {
  /** Stable, for programs. The texts are for people and may change. */
  readonly code: MistakeCode;
  /** The client's mistake, in one sentence. */
  readonly explanation: string;
  /** What to change in the client, in one sentence. */
  readonly mend: string;
}

/** Name of a mistake, e.g. `not-normalised`. Other spellings of the value have the names of {@link CanonicalChange}. */
export type MistakeCode =
  | CanonicalChange
  | 'not-normalised'
  | 'not-lower-cased'
  | 'inner-spaces-kept'
  | 'ends-not-trimmed'
  | 'only-ascii-trimmed'
  | 'byte-order-mark-trimmed'
  | 'all-white-space-removed'
  | 'only-first-space-removed'
  | 'only-ascii-lower-cased'
  | 'lower-cased-by-character'
  | 'lower-cased-as-turkish'
  | 'case-folded'
  | 'upper-cased'
  | 'unicode-form-changed'
  | 'accents-removed'
  | 'punctuation-removed'
  | 'newline-at-end'
  | 'byte-order-mark-at-start'
  | 'nul-at-end'
  | 'quotes-around-value'
  | 'url-encoded'
  | 'html-escaped'
  | 'latin-1'
  | 'utf-8-twice'
  | 'non-ascii-lost'
  | 'empty-value'
  | 'word-for-no-value'
  | 'hashed-before-chain'
  | 'single-round'
  | 'one-round-too-few'
  | 'one-round-too-many'
  | 'too-few-rounds'
  | 'too-many-rounds'
  | 'hashed-twice'
  | 'no-prefix'
  | 'prefix-without-hyphen'
  | 'prefix-with-hyphen'
  | 'prefix-with-underscore'
  | 'prefix-with-white-space'
  | 'prefix-without-white-space'
  | 'prefix-in-other-case'
  | 'default-prefix'
  | 'prefix-behind-value'
  | 'prefix-in-first-round-only'
  | 'prefix-missing-in-first-round'
  | 'raw-bytes-between-rounds'
  | 'upper-case-between-rounds'
  | 'newline-in-every-round'
  | 'utf-16'
  | 'md5'
  | 'hash-in-upper-case'
  | 'characters-around-hash'
  | 'hash-in-base64'
  | 'hash-cut-short'
  | 'hash-empty'
  | 'not-hashed'
  | 'looks-like-md5'
  | 'looks-like-sha-224'
  | 'looks-like-sha-256'
  | 'looks-like-sha-384'
  | 'looks-like-sha-512'
  | 'not-a-hash';

const looksLike = (name: string, hexDigits: number) =>
  [
    `The hash has ${hexDigits} hex digits, the length of ${name}; 40 are expected.`,
    'Compute the chain with SHA-1.',
  ] as const;

/**
 * Each mistake as [explanation, mend]. `{ran}` stands for the client's number of rounds, `{rounds}` for the right one.
 */
export const WORDING = {
  // Mistakes in the text before the chain (protocol 2.3, steps 1 to 3).
  'not-normalised': [
    'The value was hashed as it was typed.',
    'Trim it, remove all spaces and convert it to lower case before hashing.',
  ],
  'not-lower-cased': ['The value was not converted to lower case.', 'Convert it to lower case before hashing.'],
  'inner-spaces-kept': ['The spaces inside the value were kept.', 'Remove all spaces, not only those at the ends.'],
  'ends-not-trimmed': [
    'White space at the ends of the value, such as a line end or a tab, was kept.',
    'Trim white space at both ends before anything else.',
  ],
  'only-ascii-trimmed': [
    'Only ASCII white space was trimmed, so a no-break space or similar was left at an end.',
    'Trim all Unicode white space at both ends.',
  ],
  'byte-order-mark-trimmed': [
    'The value was trimmed like trim() of JavaScript, which removes U+FEFF and keeps U+0085.',
    'Trim exactly the characters that Unicode calls White_Space.',
  ],
  'all-white-space-removed': [
    'All white space inside the value was removed, tabs and no-break spaces too.',
    'Remove only the space character U+0020 inside the value.',
  ],
  'only-first-space-removed': [
    'Only the first space of the value was removed.',
    'Remove every space, for example with replaceAll.',
  ],
  'only-ascii-lower-cased': [
    'Only the letters A to Z were converted to lower case.',
    'Convert by the rules of Unicode, for example with mb_strtolower and UTF-8.',
  ],
  'lower-cased-by-character': [
    'Each character was converted to lower case separately, which differs from the rules for whole words.',
    'Convert the whole text by the full rules of Unicode.',
  ],
  'lower-cased-as-turkish': [
    'The conversion to lower case followed the rules of Turkish.',
    'Convert to lower case independently of the locale.',
  ],
  'case-folded': [
    'The value was case-folded instead of converted to lower case.',
    'Convert to lower case; case folding changes more letters.',
  ],
  'upper-cased': ['The value was converted to upper case.', 'Convert it to lower case.'],
  'unicode-form-changed': [
    'The value was converted to another Unicode normal form.',
    'Omit the Unicode normalisation.',
  ],
  'accents-removed': ['The accents of the letters were removed.', 'Keep every letter as it is.'],
  'punctuation-removed': [
    'Everything but letters and digits was removed.',
    'Remove only spaces; keep all other characters.',
  ],
  'newline-at-end': [
    'A line end was hashed after the value, as echo adds one.',
    'Hash the value without a line end, with printf %s or echo -n.',
  ],
  'byte-order-mark-at-start': [
    'A byte order mark was hashed before the value.',
    'Write the text as UTF-8 without a byte order mark.',
  ],
  'nul-at-end': ['A zero byte was hashed after the value.', 'Hash only the bytes of the text, without its terminator.'],
  'quotes-around-value': [
    'Quotation marks were hashed around the value.',
    'Hash the text itself, not its quoted form.',
  ],
  'url-encoded': [
    'The value was percent-encoded before it was hashed.',
    'Hash the value before any encoding; percent-encode only the fields of the request.',
  ],
  'html-escaped': [
    'The value was escaped for HTML before it was hashed.',
    'Hash the text as it was typed, not as a page shows it.',
  ],
  'latin-1': ['The text was hashed as bytes of Latin-1.', 'Hash its bytes in UTF-8.'],
  'utf-8-twice': ['The text was encoded in UTF-8 twice.', 'Omit the second encoding.'],
  'non-ascii-lost': [
    'Every character outside ASCII became a question mark.',
    'Encode the text in UTF-8, not in ASCII.',
  ],
  'empty-value': [
    'An empty text was hashed instead of the value.',
    'Find out why the value is missing, and omit the field if the value is empty.',
  ],
  'word-for-no-value': [
    'A word such as "undefined", "null" or "Array" was hashed instead of the value.',
    'Find out why the value is missing where it is hashed.',
  ],
  'hashed-before-chain': ['The value was already hashed when it entered the chain.', 'Hash the clear value.'],

  // Other spellings. The protocol hashes what it gets, so both sides must write the value in the same way.
  'invisible-characters': [
    'Only one of value and hash has an invisible character{characters}.',
    'Remove invisible characters before hashing, on both sides.',
  ],
  'other-white-space': [
    'Only one of value and hash has other white space than spaces inside{characters}, such as a tab.',
    'Remove all white space before hashing, on both sides.',
  ],
  'unicode-form': [
    'Value and hash use different Unicode forms of the same characters.',
    'Hash Unicode form NFC on both sides, and ASCII in addresses and numbers.',
  ],
  'other-digits': [
    'Only one of value and hash uses digits of another script.',
    'Hash the digits 0 to 9 on both sides.',
  ],
  'text-around-value': [
    'Only one of value and hash has text around the value, such as a name, quotes or mailto:.',
    'Hash the bare value on both sides.',
  ],
  'final-punctuation': [
    'Only one of value and hash ends with a dot, comma or semicolon.',
    'Hash the value without it, on both sides.',
  ],
  defanged: [
    'Only one of value and hash is defanged, as in example[.]com.',
    'Hash the value with its real dots and @, on both sides.',
  ],
  'phone-separators': [
    'Only one of value and hash has separators or brackets in the phone number.',
    'Hash the number in E.164 on both sides: + and digits only.',
  ],
  'phone-country-code': [
    'Value and hash write the country code of the phone number differently, or only one has it.',
    'Hash the number in E.164 on both sides: +, country code and number.',
  ],
  'phone-trunk-zero': [
    'Only one of value and hash has a zero between country code and number, as in +49 (0)30.',
    'Hash the number in E.164 on both sides, without that zero.',
  ],
  'phone-extension': [
    'Only one of value and hash has the extension of the phone number.',
    'Hash the number in E.164 on both sides, with its extension as in ;ext=5, because it may be the person.',
  ],
  'ip-notation': [
    'Value and hash use different notations of one IP address.',
    'Hash version 4 as four decimal numbers and version 6 as RFC 5952 says, on both sides.',
  ],
  'ip-port-or-zone': [
    'Only one of value and hash has a port, brackets, a zone or a prefix length at the IP address.',
    'Hash the bare address on both sides.',
  ],
  'domain-not-ascii': [
    'Only one of value and hash has the domain in ASCII, as in xn--mller-kva.example.',
    'Hash the ASCII form of the domain (IDNA, UTS 46) on both sides.',
  ],
  'url-parts': [
    'Only one of value and hash has parts of a URL beside the domain.',
    'Hash the host alone on both sides, without scheme, port and path.',
  ],
  www: ['Only one of value and hash has www. before the domain.', 'Hash the domain without www. on both sides.'],
  'plus-tag': [
    'Only one of value and hash has a tag in the email address, as in dora+shop@.',
    'Agree with the other users whether tags are removed, and do the same on both sides.',
  ],
  'gmail-spelling': [
    'Value and hash are two spellings of one mailbox at Gmail, with and without dots or googlemail.com.',
    'Agree with the other users on one spelling: without dots, at gmail.com.',
  ],

  // Mistakes in the chain (step 4).
  'single-round': [
    'The value was hashed only once.',
    'Hash {rounds} times; each later round hashes the prefix and the hex digits of the previous round.',
  ],
  'one-round-too-few': [
    'The chain ran one round too few, {ran} instead of {rounds}.',
    'Count the first hash as round 1, and stop after round {rounds}.',
  ],
  'one-round-too-many': [
    'The chain ran one round too many, {ran} instead of {rounds}.',
    'Count the first hash as round 1, and stop after round {rounds}.',
  ],
  'too-few-rounds': ['The chain ran only {ran} of {rounds} rounds.', 'Run {rounds} rounds.'],
  'too-many-rounds': ['The chain ran {ran} rounds instead of {rounds}.', 'Run {rounds} rounds.'],
  'hashed-twice': ['The finished hash went through the whole chain again.', 'Hash the value once; do not hash a hash.'],
  'no-prefix': ['The prefix was omitted.', 'Put the prefix before the value in every round.'],
  'prefix-without-hyphen': ['The prefix was used without its final hyphen.', 'Use the prefix with its final hyphen.'],
  'prefix-with-hyphen': ['A hyphen was added after the prefix.', 'Use the prefix without the extra hyphen.'],
  'prefix-with-underscore': [
    'The prefix was used with an underscore instead of its hyphen.',
    'Use the prefix with a hyphen.',
  ],
  'prefix-with-white-space': [
    'The prefix was used with white space at its end or start, such as the line end of its file.',
    'Trim the prefix where it is read.',
  ],
  'prefix-without-white-space': [
    'The prefix was used without the white space at its ends, which belongs to it.',
    'Use the prefix exactly as it is configured.',
  ],
  'prefix-in-other-case': ['The prefix was used in another case.', 'Use the prefix exactly as it is written.'],
  'default-prefix': [
    'The default prefix was used instead of this service’s own.',
    'Use the prefix of the service that receives the hash.',
  ],
  'prefix-behind-value': ['The prefix was put after the value.', 'Put the prefix before the value in every round.'],
  'prefix-in-first-round-only': [
    'The prefix was used in the first round only.',
    'Put the prefix before the value in every round.',
  ],
  'prefix-missing-in-first-round': [
    'The prefix was omitted in the first round.',
    'Put the prefix before the value in every round, including the first.',
  ],
  'raw-bytes-between-rounds': [
    'Each round hashed the raw bytes of the previous digest.',
    'Hash the 40 lowercase hex digits of the previous digest.',
  ],
  'upper-case-between-rounds': [
    'Each round hashed the digits of the previous digest in upper case.',
    'Hash the 40 hex digits in lower case.',
  ],
  'newline-in-every-round': [
    'A line end was hashed in every round, as echo adds one.',
    'Hash only prefix and value, with printf %s or echo -n.',
  ],
  'utf-16': ['Prefix and value were hashed as bytes of UTF-16.', 'Hash their bytes in UTF-8.'],
  md5: ['MD5 was used instead of SHA-1.', 'Compute SHA-1.'],

  // Mistakes in the sent text (step 5).
  'hash-in-upper-case': ['The hash is written in upper case.', 'Send it in lower case; not every service converts it.'],
  'characters-around-hash': ['The hash has other characters around it.', 'Send only the 40 hex digits.'],
  'hash-in-base64': ['The hash is written in base64.', 'Send the digest as 40 lowercase hex digits.'],
  'hash-cut-short': [
    'The hash was truncated; its remaining digits are right.',
    'Send all 40 hex digits; check the width of the field or column that holds the hash.',
  ],
  'hash-empty': ['The hash is empty.', 'Send the 40 hex digits; omit the field if there is no value.'],
  'not-hashed': ['The value itself was sent in clear text.', 'Hash it in the client, and erase it from logs.'],
  'looks-like-md5': looksLike('MD5', 32),
  'looks-like-sha-224': looksLike('SHA-224', 56),
  'looks-like-sha-256': looksLike('SHA-256', 64),
  'looks-like-sha-384': looksLike('SHA-384', 96),
  'looks-like-sha-512': looksLike('SHA-512', 128),
  'not-a-hash': ['The sent text is not 40 hex digits.', 'Send the 40 lowercase hex digits of the finished chain.'],
} as const satisfies Readonly<Record<MistakeCode, readonly [explanation: string, mend: string]>>;

/**
 * Returns the mistake in words. `rounds` is the right number of rounds, `ran` the client's number. `characters` names
 * invisible characters by their code points.
 */
export function describeMistake(code: MistakeCode, rounds: number, ran = rounds, characters?: string): Mistake {
  const fill = (text: string): string =>
    text
      .replaceAll('{rounds}', formatWhole(rounds))
      .replaceAll('{ran}', formatWhole(ran))
      .replaceAll('{characters}', characters === undefined ? '' : ` (${characters})`);
  const [explanation, mend] = WORDING[code];
  return { code, explanation: fill(explanation), mend: fill(mend) };
}
