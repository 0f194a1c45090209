import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { choose } from '../../src/core/hash/choose.ts';
import { diagnoseHash, type HashDiagnosis, type MistakeCode } from '../../src/doctor.ts';
import { hashIdentifierSync, normaliseIdentifier } from '../../src/hash.ts';
import { createDiagnoseHash } from '../../src/lab/doctor/diagnose.ts';
import { clientTexts } from '../../src/lab/doctor/client-texts.ts';
import { describeMistake, WORDING } from '../../src/lab/doctor/mistakes.ts';
import { budget } from '../budget.ts';
import {
  CHAIN_MISTAKES,
  clientsWith,
  OTHER_MISTAKES,
  RIGHT,
  ROUND_MISTAKES,
  send,
  TEXT_MISTAKES,
} from './careless-client.ts';
import { anyCharacter } from '../any-character.ts';

const VALUE = "\u00a0 Jo Ä SS\tBÖß's+t @Exa  mple.Com ";
const ROUNDS = 37;

function codesOf(diagnosis: HashDiagnosis): readonly MistakeCode[] {
  return diagnosis.ok ? [] : diagnosis.mistakes.map(({ code }) => code);
}

async function diagnose(
  value: string,
  hash: string,
  prefix: string,
  iterations: number,
): Promise<{ determined: boolean; codes: readonly MistakeCode[] }> {
  const diagnosis = await diagnoseHash(value, hash, { prefix, iterations });
  return { determined: diagnosis.ok || diagnosis.determined, codes: codesOf(diagnosis) };
}

describe('one mistake', () => {
  const values: Partial<Record<MistakeCode, string>> = {
    'ends-not-trimmed': '\tx@y.example',
    'only-ascii-trimmed': '\u2003x@y.example\t',
    'byte-order-mark-trimmed': 'x@y.example\ufeff',
    'not-lower-cased': 'X@y.example',
    'inner-spaces-kept': 'x y',
    'only-first-space-removed': 'x y z',
    'all-white-space-removed': 'x\ty',
    'only-ascii-lower-cased': 'ÄRger ß',
    'lower-cased-by-character': 'ΟΔΟΣ',
    'lower-cased-as-turkish': 'IX@y.example',
    'upper-cased': 'x@y.example',
    'case-folded': 'Straße',
    // Its four normalisation forms differ from it and from each other.
    'unicode-form-changed': '\ufb01\u00e9e\u0301',
    'accents-removed': 'jos\u00e9',
    'url-encoded': 'x@y.example',
    'html-escaped': "o'neil",
    'latin-1': 'jos\u00e9',
    'utf-8-twice': 'jos\u00e9',
    'non-ascii-lost': 'jos\u00e9',
    'punctuation-removed': '+49 30-1234',
  };
  const prefixes: Partial<Record<MistakeCode, string>> = {
    'prefix-without-white-space': ' my shop ',
    'default-prefix': 'shop-',
  };
  const all = { ...TEXT_MISTAKES, ...CHAIN_MISTAKES, ...ROUND_MISTAKES, ...OTHER_MISTAKES };

  it.each(Object.keys(all) as (keyof typeof all)[])('%s is named, and nothing else', async (code) => {
    const prefix = prefixes[code] ?? 'service-';
    const value = values[code] ?? (code === 'not-normalised' ? VALUE : 'client@example.com');
    const right = send(RIGHT, value, prefix, ROUNDS);
    for (const client of clientsWith([code])) {
      const sent = send(client, value, prefix, ROUNDS);
      if (sent === right) continue;
      // The first capital of a prefix without one is a case of its own, and so on: each that changes the hash is named.
      expect(await diagnose(value, sent, prefix, ROUNDS), sent).toEqual({ determined: true, codes: [code] });
    }
    expect(clientsWith([code]).some((client) => send(client, value, prefix, ROUNDS) !== right)).toBe(true);
  });

  it.each<[string, number, MistakeCode]>([
    ['client@example.com', 31_999, 'one-round-too-few'],
    ['client@example.com', 32_001, 'one-round-too-many'],
    ['client@example.com', 1, 'single-round'],
  ])('%s with %i rounds at full size: %s', async (value, iterations, code) => {
    expect(codesOf(await diagnoseHash(value, hashIdentifierSync(value, { iterations })))).toEqual([code]);
  });

  it.each<[number, MistakeCode]>([
    // More than the rounds that are tried one by one.
    [50_000, 'too-many-rounds'],
    [10_000, 'hashed-twice'],
  ])('%i rounds instead of 5,000: %s', async (iterations, code) => {
    const hash = hashIdentifierSync('a', { iterations });
    expect(codesOf(await diagnoseHash('a', hash, { iterations: 5_000 }))).toEqual([code]);
  });

  it('says how many rounds were run', async () => {
    const diagnosis = await diagnoseHash('a', hashIdentifierSync('a', { iterations: 3200 }));
    expect(JSON.stringify(diagnosis)).toContain('only 3,200 of 32,000 rounds');
    expect(codesOf(await diagnoseHash('a', hashIdentifierSync('a'), { iterations: 500 }))).toEqual(['too-many-rounds']);
  });

  it.each<[MistakeCode, number]>([
    ['prefix-in-first-round-only', 32_000],
    // Other work runs after each thousand rounds of a slow chain.
    ['raw-bytes-between-rounds', 2_100],
    ['utf-16', 2_100],
  ])('%s in %i rounds, which take several turns', async (code, rounds) => {
    for (const client of clientsWith([code])) {
      const sent = send(client, 'client@example.com', 'service-', rounds);
      expect(await diagnose('client@example.com', sent, 'service-', rounds)).toEqual({
        determined: true,
        codes: [code],
      });
    }
  });
});

describe('several mistakes', () => {
  it.each<[MistakeCode[]]>([
    [['not-normalised', 'single-round']],
    [['not-normalised', 'no-prefix', 'single-round']],
    [['not-normalised', 'md5', 'no-prefix', 'single-round']],
    [['md5', 'no-prefix', 'single-round']],
    [['md5', 'single-round']],
    [['no-prefix', 'single-round']],
    [['not-normalised', 'newline-at-end']],
    [['not-normalised', 'no-prefix']],
    [['prefix-without-hyphen', 'one-round-too-few']],
    [['raw-bytes-between-rounds', 'no-prefix']],
    [['not-normalised', 'raw-bytes-between-rounds']],
    [['upper-case-between-rounds', 'hash-in-upper-case']],
    [['not-normalised', 'hash-in-upper-case']],
    [['no-prefix', 'hash-in-base64']],
    [['md5', 'single-round', 'characters-around-hash']],
    [['utf-16', 'no-prefix', 'single-round']],
  ])('%j', async (codes) => {
    for (const client of clientsWith(codes)) {
      const sent = send(client, VALUE, 'service-', ROUNDS);
      expect(await diagnose(VALUE, sent, 'service-', ROUNDS), sent).toEqual({ determined: true, codes });
    }
  });
});

describe('any client', () => {
  const text = fc
    .array(fc.constantFrom(..."aBzI1@.+-&'ßÄÉİΣ \t\u00a0\u0085\ufeff", 'e\u0301', 'ﬁ', '  '), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => parts.join(''));
  const value = text.filter((candidate) => {
    try {
      return normaliseIdentifier(candidate) !== '';
    } catch {
      return false;
    }
  });
  const prefix = fc.constantFrom('service-', 'shop_', 'X', '', ' p q ', 'dïenst-', 'Shop');
  const rounds = fc.integer({ min: 1, max: 12 });
  const keys = <T extends object>(table: T): fc.Arbitrary<MistakeCode> =>
    fc.constantFrom(...(Object.keys(table) as MistakeCode[]));
  const codes = fc.oneof(
    fc.tuple(keys(TEXT_MISTAKES)),
    fc.tuple(keys({ ...CHAIN_MISTAKES, ...ROUND_MISTAKES })),
    fc.tuple(
      keys(TEXT_MISTAKES).filter((code) => code !== 'word-for-no-value' && code !== 'hashed-before-chain'),
      keys(CHAIN_MISTAKES),
    ),
    fc.tuple(
      fc.constantFrom<MistakeCode>('not-normalised', 'not-lower-cased', 'inner-spaces-kept', 'ends-not-trimmed'),
      keys(ROUND_MISTAKES),
    ),
  );

  it('with the right hash is right, for any value, prefix and rounds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          value,
          fc
            .string({ unit: anyCharacter, minLength: 1 })
            .filter((candidate) => !/\p{Surrogate}/u.test(candidate) && /[^\p{White_Space}]/u.test(candidate)),
        ),
        fc.oneof(prefix, fc.string()),
        rounds,
        async (one, before, iterations) => {
          expect(
            await diagnoseHash(one, hashIdentifierSync(one, { prefix: before, iterations }), {
              prefix: before,
              iterations,
            }),
          ).toEqual({ ok: true });
        },
      ),
      { numRuns: budget(12) },
    );
  });

  it('that makes mistakes is told such mistakes as lead to its hash, and right without them', async () => {
    await fc.assert(
      fc.asyncProperty(value, prefix, rounds, codes, fc.nat(), async (one, before, iterations, made, pick) => {
        const clients = clientsWith(made);
        const client = clients[pick % clients.length]!;
        fc.pre(client.rounds(iterations) >= 1);
        // Where there is no prefix, none is misspelt.
        fc.pre(before !== '' || !made.some((code) => code.startsWith('prefix-')));
        const sent = send(client, one, before, iterations);
        const diagnosis = await diagnoseHash(one, sent, { prefix: before, iterations });
        if (sent === send(RIGHT, one, before, iterations)) {
          expect(diagnosis).toEqual({ ok: true });
          return;
        }
        expect(diagnosis).toMatchObject({ ok: false, determined: true });
        const named = codesOf(diagnosis).map((code) =>
          code === 'too-few-rounds' || code === 'too-many-rounds'
            ? (made.find((other) => other.includes('round')) ?? code)
            : code,
        );
        // Not always the same words: two mistakes may come to the same. Never more of them.
        expect(named.length).toBeLessThanOrEqual(made.length);
        // All named mended is the right client; all of them made sends what was sent.
        expect(clientsWith(named).some((other) => send(other, one, before, iterations) === sent)).toBe(true);
        expect(send(clientsWith([])[0]!, one, before, iterations)).toBe(
          hashIdentifierSync(one, { prefix: before, iterations }),
        );
      }),
      { numRuns: budget(6) },
    );
  });
});

describe('the advice', () => {
  const codes = Object.keys(WORDING) as MistakeCode[];

  it.each(codes)('for %s is a sentence that explains and one that mends', (code) => {
    const { explanation, mend } = describeMistake(code, 32_000, 1_234);
    for (const text of [explanation, mend]) {
      expect(text).toMatch(/^[A-Z][^{}]{9,}\.$/);
      expect(text).not.toMatch(/\b(32000|1234)\b/);
    }
    expect(mend).not.toBe(explanation);
  });

  it('gives no two mistakes the same explanation', () => {
    const explanations = codes.map((code) => describeMistake(code, 32_000, 1_234).explanation);
    expect(new Set(explanations).size).toBe(codes.length);
  });

  it('names the rounds of the client and the right number', () => {
    expect(describeMistake('too-few-rounds', 32_000, 1_234).explanation).toContain('1,234 of 32,000');
  });
});

describe('a hash that tells by its form', () => {
  const few = { iterations: ROUNDS };
  it.each<[string, MistakeCode[]]>([
    ['f'.repeat(32), ['looks-like-md5']],
    ['f'.repeat(56), ['looks-like-sha-224']],
    ['f'.repeat(64), ['looks-like-sha-256']],
    ['f'.repeat(96), ['looks-like-sha-384']],
    ['f'.repeat(128), ['looks-like-sha-512']],
    ['F'.repeat(64), ['looks-like-sha-256', 'hash-in-upper-case']],
    ['f'.repeat(39), ['not-a-hash']],
    ['f'.repeat(41), ['not-a-hash']],
    [Buffer.alloc(32, 1).toString('base64'), ['looks-like-sha-256', 'hash-in-base64']],
    ['x'.repeat(40), ['not-a-hash']],
    ['ff', ['not-a-hash']],
    [' ', ['hash-empty']],
    ['', ['hash-empty']],
    ['Client@example.com', ['not-hashed']],
    ['client @Example.com\n', ['not-hashed']],
    ['\ud800', ['not-a-hash']],
  ])('%j', async (hash, codes) => {
    expect(codesOf(await diagnoseHash(' Client@Example.com', hash, few))).toEqual(codes);
  });

  it('takes an identifier that looks like a hash for one', async () => {
    const hash = 'A'.repeat(40);
    expect(codesOf(await diagnoseHash(hash, hash, few))).toEqual(['not-hashed']);
    expect(await diagnoseHash(hash, hashIdentifierSync(hash, few), few)).toEqual({ ok: true });
    expect(codesOf(await diagnoseHash('ABCD', 'abcd', few))).toEqual(['not-hashed']);
  });

  it('says what was tried when nothing explains it', async () => {
    const diagnosis = await diagnoseHash('client@example.com', 'f'.repeat(40), { iterations: 200 });
    expect(diagnosis).toMatchObject({ ok: false, determined: false, mistakes: [] });
    expect(diagnosis.ok || diagnosis.determined ? [] : diagnosis.tried).toHaveLength(5);
  });

  it('stays quick on long texts', async () => {
    for (const hash of ['a'.repeat(1e5), ' '.repeat(1e5), 'x '.repeat(1e5), `${'-'.repeat(1e5)}f`])
      expect((await diagnoseHash('x', hash, few)).ok).toBe(false);
  });
});

describe('discretion', () => {
  it('no text holds value, hash or prefix', async () => {
    const value = ' Zanzibar.Quux @Example.org';
    const sent = new Set([
      value,
      'zanzibar',
      'f'.repeat(40),
      'f'.repeat(32),
      Buffer.alloc(20, 7).toString('base64'),
      ' ',
    ]);
    for (const code of Object.keys({
      ...TEXT_MISTAKES,
      ...CHAIN_MISTAKES,
      ...ROUND_MISTAKES,
      ...OTHER_MISTAKES,
    }) as MistakeCode[]) {
      const clients = clientsWith([code]);
      for (const client of [clients[0]!, clients.at(-1)!]) sent.add(send(client, value, 'secretshop-', 9));
    }
    for (const hash of sent) {
      const text = JSON.stringify(
        await diagnoseHash(value, hash, { prefix: 'secretshop-', iterations: 9 }),
      ).toLowerCase();
      for (const secret of [
        'zanzibar',
        'quux',
        'example.org',
        'secretshop',
        ...(hash.trim() === '' ? [] : [hash.toLowerCase()]),
      ])
        expect(text).not.toContain(secret);
    }
  });

  it.each<[unknown, unknown, object, string]>([
    ['Zanzibar', 7, {}, '"hash" expected a string, got number'],
    ['Zanzibar', null, {}, '"hash" expected a string, got null'],
    [7, 'Zanzibar', {}, 'the identifier is not a string'],
    ['Zanzibar\ud800', '', {}, 'the identifier holds a lone surrogate, which UTF-8 cannot express'],
    [' ', 'Zanzibar', {}, 'the identifier is empty after normalisation'],
    ['Zanzibar', '', { iterations: 0 }, '"iterations" expected a whole number of at least 1, got 0'],
    ['Zanzibar', '', { prefix: 7 }, '"prefix" expected a string, got number'],
    ['Zanzibar', '', { hasher: 'md5' }, '"hasher" expected one of plain'],
    ['Zanzibar', '', { iteration: 5 }, '"iteration" is not an option'],
    ['Zanzibar', '', { onProgress: () => {} }, '"onProgress" is not an option'],
    ['Zanzibar', '', { signal: {} }, '"signal" expected an AbortSignal, got object'],
  ])('%j, %j, %j is refused', async (value, hash, options, message) => {
    const error = (await diagnoseHash(value as string, hash as string, options as never).catch(
      (reason: unknown) => reason,
    )) as Error;
    expect(error.message).toContain(message);
    expect(String(error)).not.toContain('Zanzibar');
  });
});

describe('manners', () => {
  it('asks for the hasher by name', async () => {
    const asked = vi.fn(choose);
    await createDiagnoseHash(asked)('x', 'f'.repeat(40), { hasher: 'plain', iterations: 2 });
    expect(asked.mock.calls).toEqual([['plain']]);
  });

  it('lets timers run, and stops when the signal says so', async () => {
    const reason = new Error('enough');
    await expect(diagnoseHash('x', 'f'.repeat(40), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    let ticks = 0;
    const timer = setInterval(() => ++ticks === 5 && controller.abort(reason), 1);
    await expect(diagnoseHash('x', 'f'.repeat(40), { signal: controller.signal, iterations: 1e7 })).rejects.toBe(
      reason,
    );
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(5);
  });
});

describe('another spelling', () => {
  const PAIRS: readonly (readonly [value: string, hashed: string, codes: readonly MistakeCode[]])[] = [
    ['+1 (555) 010-0199', '+15550100199', ['phone-separators']],
    ['+15550100199', '+1 (555) 010-0199', ['phone-separators']],
    ['+15550100199', '555.010.0199', ['phone-separators']],
    ['0049 30 901820', '+4930901820', ['phone-country-code']],
    ['+4930901820', '0049 30 901820', ['phone-country-code']],
    ['+4930901820', '030901820', ['phone-country-code']],
    ['030 901820', '+4930901820', ['phone-country-code']],
    ['8 912 345 67 89', '+79123456789', ['phone-country-code']],
    ['+49 (0)30 901820', '+4930901820', ['phone-trunk-zero']],
    ['+4930901820', '+49 (0)30 901820', ['phone-trunk-zero']],
    ['+15550100199 x12', '+15550100199', ['phone-extension']],
    ['+\u0664\u0669 30901820', '+4930901820', ['other-digits']],
    ['\u200bcarl@example.com', 'carl@example.com', ['invisible-characters']],
    ['carl@example.com', '\u200bcarl@example.com', ['invisible-characters']],
    ['carl@example.com', 'carl@example.com\u200e', ['invisible-characters']],
    ['+4930901820', '\u202a+4930901820\u202c', ['invisible-characters']],
    ['dora+shop1@example.com', 'dora@example.com', ['plus-tag']],
    ['dora@example.com', 'dora+test@example.com', ['plus-tag']],
    ['d.ora@gmail.com', 'dora@gmail.com', ['gmail-spelling']],
    ['dora@gmail.com', 'dora@googlemail.com', ['gmail-spelling']],
    ['Carl <carl@example.com>', 'carl@example.com', ['text-around-value']],
    ['carl@example.com', 'mailto:carl@example.com', ['text-around-value']],
    ['carl@example.com,', 'carl@example.com', ['final-punctuation']],
    ['carl@example.com', 'carl@example.com.', ['final-punctuation']],
    ['carl[at]example[.]com', 'carl@example.com', ['defanged']],
    ['carl@m\u00fcller.example', 'carl@xn--mller-kva.example', ['domain-not-ascii']],
    ['\uff43\ufb01@example.com', 'c\ufb01@example.com', ['unicode-form']],
    ['11.22.33.44', '::ffff:11.22.33.44', ['ip-notation']],
    ['::ffff:0b16:212c', '11.22.33.44', ['ip-notation']],
    ['11.22.33.44', '185999660', ['ip-notation']],
    ['2001:db8::1', '2001:0db8:0000:0000:0000:0000:0000:0001', ['ip-notation']],
    ['[2001:db8::1]:443', '2001:db8::1', ['ip-port-or-zone']],
    ['11.22.33.44', '11.22.33.44:443', ['ip-port-or-zone']],
    ['11.22.33.44', '11.22.33.0', ['ip-port-or-zone']],
    ['11.22.33.44', '11.22.33.0/24', ['ip-port-or-zone']],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', ['ip-port-or-zone']],
    ['2001:db8::1', '2001:db8::/64', ['ip-port-or-zone']],
    ['carlford@gmail.com', 'carl.ford@gmail.com', ['gmail-spelling']],
    ['+15550100199', '01115550100199', ['phone-country-code']],
    ['carl@example.com', 'email=carl@example.com', ['text-around-value']],
    ['+15550100199', 'phone:+15550100199', ['text-around-value']],
    ['www.example.com', 'example.com', ['www']],
    ['example.com', 'www.example.com', ['www']],
    ['https://example.com/shop', 'example.com', ['url-parts']],
    ['example.com', 'https://example.com/', ['url-parts']],
    ['2125550199', '+12125550199', ['phone-country-code']],
    ['12125550199', '2125550199', ['phone-country-code']],
    ['2125550199', '12125550199', ['phone-country-code']],
    ['4930901820', '030901820', ['phone-country-code']],
    ['4930901820', '+4930901820', ['phone-country-code']],
    ['185999660', '11.22.33.44', ['ip-notation']],
    ['xn--mller-kva.example', 'm\u00fcller.example', ['domain-not-ascii']],
    ['m\u00fcller.example', 'xn--mller-kva.example', ['domain-not-ascii']],
    ['carl@xn--mller-kva.example', 'carl@m\u00fcller.example', ['domain-not-ascii']],
    [
      'xn--fiqs8s.xn--80akhbyknj4f',
      '\u4e2d\u56fd.\u0438\u0441\u043f\u044b\u0442\u0430\u043d\u0438\u0435',
      ['domain-not-ascii'],
    ],
    ['2001:db8::1/64', '2001:db8::1', ['ip-port-or-zone']],
    ['2001:db8::1', '2001:db8::1/64', ['ip-port-or-zone']],
    ['11.22.33.44, 10.0.0.1', '11.22.33.44', ['text-around-value']],
    ['carl&#64;example.com', 'carl@example.com', ['text-around-value']],
    ['carl@example.com', 'carl&#64;example.com', ['text-around-value']],
    ['4930901820', '4930901820.0', ['text-around-value']],
    ['+15550100199', '15550100199.0', ['text-around-value']],
    ['+15550100199', '%2b15550100199', ['text-around-value']],
    ['carl@example.com', "b'carl@example.com'", ['text-around-value']],
    ['+15550100199', "b'+15550100199'", ['text-around-value']],
    ['carl@example.com', 'Carl <carl@example.com>', ['text-around-value']],
    ['a\u00a0b', 'ab', ['all-white-space-removed']],
    ['11.22.33.044', '11.22.33.44', ['ip-notation']],
    ['11.22.33.044', '11.22.33.36', ['ip-notation']],
    ['carl@example.com\tCarl', 'carl@example.com', ['text-around-value']],
    ['Carl\rcarl@example.com', 'carl@example.com', ['text-around-value']],
    ['carl-\u00a0smith\u200b', 'carl-smith', ['invisible-characters', 'other-white-space']],
  ];
  it.each(PAIRS)('%j and the hash of %j', (value, hashed, codes) => {
    const found = clientTexts(value, 'service-').find(({ text }) => text === normaliseIdentifier(hashed));
    expect(found?.codes).toEqual(codes);
  });

  it.each(PAIRS.filter((_, at) => at % 6 === 0))('%j is diagnosed by the hash of %j', async (value, hashed, codes) => {
    const hash = hashIdentifierSync(hashed, { iterations: ROUNDS });
    expect(await diagnose(value, hash, 'service-', ROUNDS)).toEqual({ determined: true, codes });
  });

  it('is found for each value of the corpus and its canonical form', async () => {
    const corpus = JSON.parse(await readFile(new URL('spellings.json', import.meta.url), 'utf8')) as readonly {
      written: string;
      canonical?: string;
      country?: string;
    }[];
    for (const { written, canonical, country } of corpus) {
      if (canonical === undefined || country !== undefined) continue;
      const texts = clientTexts(written, 'service-').map(({ text }) => text);
      expect(texts, `${written} ${canonical}`).toContain(canonical);
    }
  });

  it('is found for the half of a line end, and for a tab, which is named', () => {
    const found = (text: string) =>
      clientTexts('carl@example.com', 'service-').find((one) => one.text === `carl@example.com${text}`);
    expect(found('\r')?.codes).toEqual(['newline-at-end']);
    expect(found('\t')).toMatchObject({ codes: ['other-white-space'], characters: 'U+0009' });
    expect(found('\u00a0')).toMatchObject({ codes: ['other-white-space'], characters: 'U+00A0' });
    expect(found(' ')?.codes).toEqual(['ends-not-trimmed']);
  });

  it('is found for the capital with which keyboards of phones begin', () => {
    const found = clientTexts('carl@example.com', 'service-').find(({ text }) => text === 'Carl@example.com');
    expect(found?.codes).toEqual(['not-lower-cased']);
  });

  it('is found for a host in Unicode and in ASCII', () => {
    const label = fc.string({ unit: fc.constantFrom(...'aüßéжя中国日本あعب٣-9z'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(label, (text) => {
        const host = domainToASCII(`${text}.example`);
        const readable = domainToUnicode(host);
        fc.pre(host.includes('xn--') && host !== readable);
        expect(clientTexts(host, '').map((one) => one.text)).toContain(readable);
      }),
      { numRuns: budget(12) },
    );
    for (const broken of ['xn--.example', 'xn---.example', 'xn--99999999.example', 'xn--a-.example'])
      expect(clientTexts(broken, '').length).toBeGreaterThan(0);
  });

  // Unicode forms take quadratic time for such marks: 20,000 of them took ten seconds.
  it('is not looked for in the Unicode forms of a pile of marks', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const texts = clientTexts(`a${'\u0301\u0323'.repeat(20)}`, '');
    const piles = normalize.mock.contexts.filter((text) => `${text as string}`.length > 40);
    normalize.mockRestore();
    expect(texts.length).toBeGreaterThan(50);
    expect(piles).toEqual([]);
  });

  it('names invisible characters by their code points', async () => {
    const hash = hashIdentifierSync('\u200bcarl@example.com', { iterations: ROUNDS });
    const diagnosis = await diagnoseHash('carl@example.com', hash, { iterations: ROUNDS });
    expect(!diagnosis.ok && diagnosis.mistakes[0]?.explanation).toBe(
      'Only one of value and hash has an invisible character (U+200B).',
    );
  });
});
