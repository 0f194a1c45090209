/** One thing that a client did otherwise than spec 2.3 says, and how to mend it. The texts hold neither value, nor hash, nor prefix. */
export interface Mistake {
  /** Stable; to be compared, where the texts are to be read. */
  readonly code: MistakeCode;
  /** What the client did, in one sentence. */
  readonly explanation: string;
  /** What to change in the client, in one sentence. */
  readonly mend: string;
}

export type MistakeCode = keyof typeof WORDING;

/** [explanation, mend]. `{ran}` and `{rounds}` stand for rounds: those of the client, and the right number. */
const WORDING = {
  // What became of the text before the chain (spec 2.3, steps 1 to 3).
  'not-normalised': [
    'The value went into the chain as it was typed.',
    'Trim it, remove all spaces and convert it to lower case before hashing.',
  ],
  'not-lower-cased': ['The value was not converted to lower case.', 'Convert it to lower case before hashing.'],
  'inner-spaces-kept': ['The spaces inside the value were kept.', 'Remove all spaces, not only those at the ends.'],
  'ends-not-trimmed': [
    'White space at the ends of the value, such as a line end or a tab, was kept.',
    'Trim white space at both ends before anything else.',
  ],
  'only-ascii-trimmed': [
    'Only ASCII white space was trimmed, so a no-break space or the like was left at an end.',
    'Trim all Unicode white space at both ends.',
  ],
  'byte-order-mark-trimmed': [
    'The trimming took U+FEFF for white space, or U+0085 for none, as trim() of JavaScript does.',
    'Trim exactly the characters that Unicode calls White_Space.',
  ],
  'all-white-space-removed': [
    'All white space inside the value was removed, tabs and no-break spaces too.',
    'Remove only the space character U+0020 inside the value.',
  ],
  'only-first-space-removed': [
    'Only the first space of the value was removed.',
    'Remove every space, with replaceAll or its like.',
  ],
  'only-ascii-lower-cased': [
    'Only the letters A to Z were converted to lower case.',
    'Convert by the rules of Unicode, as mb_strtolower with UTF-8 does.',
  ],
  'lower-cased-by-character': [
    'Each character was converted to lower case by itself, which gives another letter than the rules for whole words.',
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
    'The value was brought into another Unicode normal form.',
    'Leave out the Unicode normalisation.',
  ],
  'accents-removed': ['The accents of the letters were removed.', 'Keep every letter as it is.'],
  'punctuation-removed': [
    'Everything but letters and digits was removed.',
    'Remove only spaces; keep all other characters.',
  ],
  'newline-at-end': [
    'A line end was hashed behind the value, as echo adds one.',
    'Hash the value without a line end, with printf %s or echo -n.',
  ],
  'byte-order-mark-at-start': [
    'A byte order mark was hashed before the value.',
    'Write the text as UTF-8 without a byte order mark.',
  ],
  'nul-at-end': [
    'A zero byte was hashed behind the value.',
    'Hash as many bytes as the text has, without the one that ends it.',
  ],
  'quotes-around-value': [
    'Quotation marks were hashed around the value.',
    'Hash the text itself, not its quoted form.',
  ],
  'url-encoded': [
    'The value was percent-encoded before it was hashed.',
    'Hash the text first; encode only what goes into a request.',
  ],
  'html-escaped': [
    'The value was escaped for HTML before it was hashed.',
    'Hash the text as it was typed, not as a page shows it.',
  ],
  'latin-1': ['The text was hashed as bytes of Latin-1.', 'Hash its bytes in UTF-8.'],
  'utf-8-twice': ['The text was encoded in UTF-8 twice.', 'Leave out the second encoding.'],
  'non-ascii-lost': [
    'Every character outside ASCII became a question mark.',
    'Encode the text in UTF-8, not in ASCII.',
  ],
  'empty-value': [
    'An empty text was hashed instead of the value.',
    'Find out why the value is missing, and send nothing for a value that is empty.',
  ],
  'word-for-no-value': [
    'A word such as "undefined", "null" or "Array" was hashed instead of the value.',
    'Find out why the value is missing where it is hashed.',
  ],
  'hashed-before-chain': [
    'The value was already hashed when it entered the chain.',
    'Put the clear value into the chain.',
  ],

  // The chain (step 4).
  'single-round': [
    'The value was hashed only once.',
    'Hash {rounds} times, after the first time each time the prefix and the hex digits of the round before.',
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
  'hashed-twice': [
    'The finished hash went through the whole chain again.',
    'Hash the value once; leave a hash as it is.',
  ],
  'no-prefix': ['The prefix was left out.', 'Put the prefix before the value in every round.'],
  'prefix-without-hyphen': [
    'The prefix was used without the hyphen at its end.',
    'Use the prefix with the hyphen, which belongs to it.',
  ],
  'prefix-with-hyphen': ['A hyphen was added behind the prefix.', 'Use the prefix without another hyphen.'],
  'prefix-with-underscore': [
    'The prefix was used with an underscore in place of its hyphen.',
    'Use the prefix with a hyphen.',
  ],
  'prefix-with-white-space': [
    'The prefix was used with white space at its end or start, such as the line end of the file it was read from.',
    'Trim the prefix where it is read.',
  ],
  'prefix-without-white-space': [
    'The prefix was used without the white space at its ends, which belongs to it.',
    'Use the prefix exactly as it is configured.',
  ],
  'prefix-in-other-case': ['The prefix was used in another case.', 'Use the prefix exactly as it is written.'],
  'default-prefix': [
    'The default prefix was used instead of this service’s own.',
    'Use the prefix of the service that the hash is sent to.',
  ],
  'prefix-behind-value': ['The prefix was put behind the value.', 'Put the prefix before the value in every round.'],
  'prefix-in-first-round-only': [
    'The prefix was used in the first round only.',
    'Put the prefix before the value in every round.',
  ],
  'prefix-missing-in-first-round': [
    'The prefix was left out in the first round.',
    'Put the prefix before the value in every round, the first too.',
  ],
  'raw-bytes-between-rounds': [
    'The raw bytes of a digest went into the next round.',
    'Hand the 40 lowercase hex digits of a digest to the next round.',
  ],
  'upper-case-between-rounds': [
    'The digits of a digest went into the next round in upper case.',
    'Hand the 40 hex digits on in lower case.',
  ],
  'newline-in-every-round': [
    'A line end was hashed in every round, as echo adds one.',
    'Hash prefix and value alone, with printf %s or echo -n.',
  ],
  'utf-16': ['Prefix and value were hashed as bytes of UTF-16.', 'Hash their bytes in UTF-8.'],
  md5: ['MD5 was used instead of SHA-1.', 'Compute SHA-1.'],

  // What was sent (step 5).
  'hash-in-upper-case': ['The hash is written in upper case.', 'Send it in lower case; not every service lowers it.'],
  'characters-around-hash': ['The hash has other characters around it.', 'Send the 40 hex digits alone.'],
  'hash-in-base64': ['The hash is written in base64.', 'Send the digest as 40 lowercase hex digits.'],
  'hash-cut-short': [
    'The hash was cut off; what there is of it is right.',
    'Send all 40 hex digits; look at the width of the field or column it came through.',
  ],
  'hash-empty': ['The hash is empty.', 'Send the 40 hex digits; leave the field out where there is no value.'],
  'not-hashed': [
    'The value itself was sent, in clear.',
    'Hash it before it leaves the client, and erase it where it was logged.',
  ],
  'looks-like-md5': [
    'The hash has 32 hex digits, as MD5 gives them, where 40 are expected.',
    'Compute the chain with SHA-1.',
  ],
  'looks-like-sha-224': [
    'The hash has 56 hex digits, as SHA-224 gives them, where 40 are expected.',
    'Compute the chain with SHA-1.',
  ],
  'looks-like-sha-256': [
    'The hash has 64 hex digits, as SHA-256 gives them, where 40 are expected.',
    'Compute the chain with SHA-1.',
  ],
  'looks-like-sha-384': [
    'The hash has 96 hex digits, as SHA-384 gives them, where 40 are expected.',
    'Compute the chain with SHA-1.',
  ],
  'looks-like-sha-512': [
    'The hash has 128 hex digits, as SHA-512 gives them, where 40 are expected.',
    'Compute the chain with SHA-1.',
  ],
  'not-a-hash': ['What was sent is not 40 hex digits.', 'Send the 40 lowercase hex digits of the finished chain.'],
} as const satisfies Readonly<Record<string, readonly [explanation: string, mend: string]>>;

/**
 * The mistake in words.
 * @param rounds the right number. @param ran the client's.
 */
export function describeMistake(code: MistakeCode, rounds: number, ran = rounds): Mistake {
  const fill = (text: string): string => text.replaceAll('{rounds}', grouped(rounds)).replaceAll('{ran}', grouped(ran));
  const [explanation, mend] = WORDING[code];
  return { code, explanation: fill(explanation), mend: fill(mend) };
}

/** 32000 as "32,000". */
function grouped(rounds: number): string {
  return String(rounds).replace(/\B(?=(\d{3})+$)/g, ',');
}
