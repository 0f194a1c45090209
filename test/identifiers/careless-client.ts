import { createHash } from 'node:crypto';
import type { MistakeCode } from '../../src/doctor.ts';

/** A client as somebody might have written it, on node:crypto and nothing of ours. Without changes it is right. */
export interface Client {
  readonly trim: (text: string) => string;
  readonly squeeze: (text: string) => string;
  readonly lower: (text: string) => string;
  /** After the normalisation. */
  readonly afterwards: (text: string) => string;
  readonly bytes: (text: string) => Buffer;
  readonly prefix: (prefix: string, round: number) => string;
  readonly prefixBehind: boolean;
  readonly rounds: (rounds: number) => number;
  readonly algorithm: string;
  /** What a later round takes of the digest before. */
  readonly link: (digest: Buffer) => string | Buffer;
  /** Behind the value in every round. */
  readonly ending: string;
  readonly write: (digest: Buffer, prefix: string) => string;
}

const WHITE_SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const keep = (text: string): string => text;

export const RIGHT: Client = {
  trim: (text) => text.replace(new RegExp(`^${WHITE_SPACE}+`), '').replace(new RegExp(`${WHITE_SPACE}+$`), ''),
  squeeze: (text) => text.split(' ').join(''),
  lower: (text) => text.toLowerCase(),
  afterwards: keep,
  bytes: (text) => Buffer.from(text, 'utf8'),
  prefix: keep,
  prefixBehind: false,
  rounds: (rounds) => rounds,
  algorithm: 'sha1',
  link: (digest) => digest.toString('hex'),
  ending: '',
  write: (digest) => digest.toString('hex'),
};

/** What the client sends. */
export function send(client: Client, value: string, prefix: string, rounds: number): string {
  let message: Buffer = client.bytes(
    client.afterwards(client.lower(client.squeeze(client.trim(value)))) + client.ending,
  );
  let digest = Buffer.alloc(0);
  for (let round = 1; round <= client.rounds(rounds); round++) {
    const before = client.bytes(client.prefix(prefix, round));
    digest = createHash(client.algorithm)
      .update(Buffer.concat(client.prefixBehind ? [message, before] : [before, message]))
      .digest();
    const link = client.link(digest);
    message = typeof link === 'string' ? client.bytes(link + client.ending) : link;
  }
  return client.write(digest, prefix);
}

type Change = Partial<Client>;
const after = (...ways: ((text: string) => string)[]): Change[] => ways.map((afterwards) => ({ afterwards }));
const withPrefix = (...ways: ((prefix: string) => string)[]): Change[] =>
  ways.map((prefix) => ({ prefix: (text) => prefix(text) }));
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
const hyphenless = (prefix: string): string => prefix.replace(/[-_]+$/, '');

/** Mistakes in the text, each with the changes that may be meant by it. */
export const TEXT_MISTAKES = {
  'not-normalised': [{ trim: keep, squeeze: keep, lower: keep }],
  'not-lower-cased': [{ lower: keep }],
  'inner-spaces-kept': [{ squeeze: keep }],
  'ends-not-trimmed': [{ trim: keep }],
  'only-ascii-trimmed': [{ trim: (text) => text.replace(/^[ \t\n\r\0\v]+/, '').replace(/[ \t\n\r\0\v]+$/, '') }],
  'byte-order-mark-trimmed': [{ trim: (text) => text.trim() }],
  'all-white-space-removed': [{ squeeze: (text) => text.replace(new RegExp(WHITE_SPACE, 'g'), '') }],
  'only-first-space-removed': [{ squeeze: (text) => text.replace(' ', '') }],
  'only-ascii-lower-cased': [
    { lower: (text) => text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32)) },
  ],
  'lower-cased-by-character': [
    { lower: (text) => [...text].map((letter) => (letter === '\u0130' ? 'i' : letter.toLowerCase())).join('') },
  ],
  'lower-cased-as-turkish': [{ lower: (text) => text.toLocaleLowerCase('tr') }],
  'case-folded': [{ lower: (text) => text.toLowerCase().replace(/ß/g, 'ss').replace(/ς/g, 'σ') }],
  'upper-cased': [{ lower: (text) => text.toUpperCase() }],
  'newline-at-end': after(
    (text) => `${text}\n`,
    (text) => `${text}\r\n`,
  ),
  'byte-order-mark-at-start': after((text) => `\ufeff${text}`),
  'nul-at-end': after((text) => `${text}\0`),
  'quotes-around-value': after(
    (text) => `"${text}"`,
    (text) => `'${text}'`,
  ),
  'url-encoded': after(
    (text) => encodeURIComponent(text),
    (text) => String(new URLSearchParams([['', text]])).slice(1),
  ),
  'html-escaped': after(
    ...['&#039;', '&#39;'].map(
      (quote) => (text: string) =>
        text.replace(/[&<>"']/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark] ?? quote),
    ),
  ),
  'unicode-form-changed': after(
    ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => (text: string) => text.normalize(form)),
  ),
  'accents-removed': after((text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  'punctuation-removed': after((text) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '')),
  'latin-1': [{ bytes: (text) => Buffer.from(text.replace(/[^\0-\xff]/gu, '?'), 'latin1') }],
  'utf-8-twice': after((text) => Buffer.from(text, 'utf8').toString('latin1')),
  'non-ascii-lost': after((text) => text.replace(/[^\0-\x7f]/gu, '?')),
  'empty-value': after(() => ''),
  'word-for-no-value': after(
    ...['undefined', 'null', 'None', 'nil', 'NaN', '[object Object]', 'Array', 'false', '0'].map((word) => () => word),
    ...['none', 'array', 'nan', 'n/a', '-', 'N/A', 'NULL', '[objectobject]', 'unknown', 'k.a.'].map(
      (word) => () => word,
    ),
  ),
  'hashed-before-chain': after(sha1, (text) => createHash('md5').update(text).digest('hex')),
} satisfies Partial<Record<MistakeCode, Change[]>>;

/** Mistakes in the chain. */
export const CHAIN_MISTAKES = {
  'single-round': [{ rounds: () => 1 }],
  'one-round-too-few': [{ rounds: (rounds) => rounds - 1 }],
  'one-round-too-many': [{ rounds: (rounds) => rounds + 1 }],
  'no-prefix': withPrefix(() => ''),
  'prefix-without-hyphen': withPrefix(hyphenless),
  'prefix-with-hyphen': withPrefix((prefix) => `${prefix}-`),
  'prefix-with-underscore': withPrefix((prefix) => `${hyphenless(prefix)}_`),
  'prefix-with-white-space': withPrefix(
    ...['\n', '\r\n', ' ', '\t'].map((end) => (prefix: string) => prefix + end),
    (prefix) => ` ${prefix}`,
  ),
  'prefix-without-white-space': withPrefix(
    (prefix) => prefix.trim(),
    (prefix) => prefix.trimEnd(),
  ),
  'prefix-in-other-case': withPrefix(
    (prefix) => prefix.toUpperCase(),
    (prefix) => prefix.toLowerCase(),
    (prefix) => prefix.charAt(0).toUpperCase() + prefix.slice(1),
  ),
  'default-prefix': withPrefix(() => 'service-'),
  'prefix-in-first-round-only': [{ prefix: (prefix, round) => (round === 1 ? prefix : '') }],
  'prefix-missing-in-first-round': [{ prefix: (prefix, round) => (round === 1 ? '' : prefix) }],
} satisfies Partial<Record<MistakeCode, Change[]>>;

/** Mistakes in every round, which are looked for on the texts of careless clients only. */
export const ROUND_MISTAKES = {
  'prefix-behind-value': [{ prefixBehind: true }],
  'raw-bytes-between-rounds': [{ link: (digest) => digest }],
  'upper-case-between-rounds': [{ link: (digest) => digest.toString('hex').toUpperCase() }],
  'newline-in-every-round': [{ ending: '\n' }],
  'utf-16': [{ bytes: (text) => Buffer.from(text, 'utf16le') }],
} satisfies Partial<Record<MistakeCode, Change[]>>;

/** Mistakes of the digest and of how it is written. */
export const OTHER_MISTAKES = {
  md5: [{ algorithm: 'md5' }],
  'hashed-twice': [{ rounds: (rounds) => rounds * 2 }],
  'hash-in-upper-case': [{ write: (digest) => digest.toString('hex').toUpperCase() }],
  'hash-in-base64': [
    { write: (digest) => digest.toString('base64') },
    { write: (digest) => digest.toString('base64url') },
    { write: (digest) => Buffer.from(digest.toString('hex')).toString('base64') },
  ],
  'characters-around-hash': [
    { write: (digest) => ` ${digest.toString('hex')}\n` },
    { write: (digest) => `"${digest.toString('hex')}"` },
    { write: (digest) => `0x${digest.toString('hex')}` },
    { write: (digest, prefix) => `${prefix}-${digest.toString('hex')}` },
  ],
  'hash-cut-short': [
    { write: (digest) => digest.toString('hex').slice(0, 16) },
    { write: (digest) => digest.toString('hex').slice(0, 32) },
    { write: (digest) => digest.toString('hex').slice(0, 39) },
  ],
} satisfies Partial<Record<MistakeCode, Change[]>>;

const ALL: Partial<Record<MistakeCode, Change[]>> = {
  ...TEXT_MISTAKES,
  ...CHAIN_MISTAKES,
  ...ROUND_MISTAKES,
  ...OTHER_MISTAKES,
};

/** Every client that somebody could mean who says that it makes these mistakes, and no other. */
export function clientsWith(codes: readonly MistakeCode[]): Client[] {
  return codes.reduce<Client[]>(
    (clients, code) => clients.flatMap((client) => ALL[code]!.map((change) => ({ ...client, ...change }))),
    [RIGHT],
  );
}
