import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import parsePhone, { getCountries, getExampleNumber } from 'libphonenumber-js';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { readClearValue } from '../../src/core/identifiers/clear-value.ts';
import { isSharedHost } from '../../src/core/identifiers/platforms.ts';
import { canonicalise, whyNotIdentifier, type CanonicalOptions, type NotIdentifier } from '../../src/canonical.ts';
import { normaliseIdentifier } from '../../src/hash.ts';
import { lawFor } from '../budget.ts';
import { anyCharacter } from '../any-character.ts';

/** A value as people and programs write it. Both: it is damaged as it is written, and mended by canonicalising. */
interface Spelling {
  readonly kind: string;
  readonly written: string;
  readonly canonical?: string;
  readonly notAnIdentifier?: NotIdentifier;
  readonly country?: string;
  readonly mailbox?: true;
  /** `guide`: written from docs/hashing.md, before the code was run. */
  readonly batch: 'guide' | 'later';
  readonly source: string;
}

const SPELLINGS = JSON.parse(readFileSync(new URL('spellings.json', import.meta.url), 'utf8')) as Spelling[];

const optionsOf = ({ country, mailbox }: Spelling): CanonicalOptions => ({
  mailbox,
  ...(country === undefined ? {} : { country, parsePhone }),
});

describe('digits after 00', () => {
  it.each([
    ['CO', '00573211736305', undefined],
    ['BR', '005511961805266', '+5511961805266'],
    ['AU', '0061412522988', '+61412522988'],
    ['RU', '00447400365582', '+447400365582'],
    ['ID', '0062812980942', undefined],
    ['DE', '00447400365582', '+447400365582'],
    // In Korea, 001 is also an operator to other countries: to Egypt, or to North America without it.
    ['KR', '0012015095235', undefined],
  ] as const)('in %s, %s is %s', (country, written, expected) => {
    const { value, isCanonical } = canonicalise('phone', written, { country, parsePhone });
    if (expected !== undefined) expect(value).toBe(expected);
    expect(isCanonical).toBe(expected !== undefined);
  });
});

describe('a phone that a spreadsheet made a date', () => {
  it.each(['2024-03-05', '05.03.2024', '3/5/2024', '2024-03-05 00:00:00'])(
    '%s is no number with a country',
    (value) => {
      expect(readClearValue('phone', value, { isSharedHost, canonical: { country: 'DE', parsePhone } })).toBe(
        'destroyed',
      );
    },
  );

  it('is another thing than one that it marked', () => {
    const read = readClearValue('phone', "'+4915123456789", { isSharedHost, canonical: { country: 'DE', parsePhone } });
    expect(read).toMatchObject({ text: '+4915123456789' });
  });
});

describe('the corpus of spellings', () => {
  it('has hundreds, of which a hundred come from the guide', () => {
    expect(SPELLINGS.length).toBeGreaterThanOrEqual(400);
    expect(SPELLINGS.filter(({ batch }) => batch === 'guide').length).toBe(100);
    for (const { source } of SPELLINGS) expect(source).not.toBe('');
  });

  const canonical = SPELLINGS.filter((one) => one.canonical !== undefined);
  it('becomes canonical', () => {
    const wrong = canonical.filter(
      (one) => canonicalise(one.kind, one.written, optionsOf(one)).value !== one.canonical,
    );
    expect(wrong).toEqual([]);
  });

  it('names a change for each value that normalising alone does not make canonical', () => {
    for (const one of canonical) {
      const { changes } = canonicalise(one.kind, one.written, optionsOf(one));
      expect(changes.length > 0, one.written).toBe(normaliseIdentifier(one.written) !== one.canonical);
    }
  });

  it('leaves out what is no identifier, and nothing else', () => {
    const wrong = SPELLINGS.filter(
      ({ kind, written, notAnIdentifier }) => whyNotIdentifier(kind, written) !== notAnIdentifier,
    );
    expect(wrong).toEqual([]);
  });

  it('accepts every canonical value', () => {
    const wrong = canonical.filter(({ kind, canonical: value }) => kind !== 'name' && whyNotIdentifier(kind, value!));
    expect(wrong).toEqual([]);
  });
});

/** Pieces of values, and what clients put around and into them. */
const piece = fc.constantFrom(
  ...'a B ä ß É e\u0301 1 0 49 255 3.4 @ @example.com .com . .. , ; : :: :443 / // ? # % %40 + - ( ) (0) [ ] < > " \' ` “ ” « = =" \\ tel: mailto: https:// ftp:// www. for= ip: xn-- 0x7f 1:2 ffff: ext. x12 doc (at) [.] dot null none N/A #REF! \ufffd \u200b \u200e \ufeff \u00a0 \u00ad \u2028 １ ＠ 。 ４９ ٣ \ud800 \udc00 İ ς ﬁ ℡ ㎯ *** {{ }} 1e5 \0 \t'.split(
    ' ',
  ),
  ' ',
);
const anything = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter }),
);
const kind = fc.constantFrom('email', 'phone', 'ip', 'domain', 'name', 'customer');
const options = fc.constantFrom<CanonicalOptions>(
  {},
  { mailbox: true },
  { country: 'DE', parsePhone },
  { country: 'US', parsePhone, mailbox: true },
);

describe('canonicalising', () => {
  it('changes a canonical value no further', () => {
    fc.assert(
      fc.property(kind, anything, options, (of, value, by) => {
        const once = canonicalise(of, value, by);
        const again = canonicalise(of, once.value, by);
        expect(again).toMatchObject({ value: once.value, changes: [] });
        // Only the text as it was written shows that words were joined.
        const hasWords = (of === 'email' || of === 'domain') && /\p{White_Space}/u.test(value);
        if (!hasWords || once.isCanonical) expect(again.isCanonical).toBe(once.isCanonical);
      }),
      lawFor(0.25),
    );
  });

  it('gives the same, whether the value is normalised before or after', () => {
    fc.assert(
      fc.property(kind, anything, options, (of, value, by) => {
        let normalised: string;
        try {
          normalised = normaliseIdentifier(value);
        } catch {
          return;
        }
        const { value: canonical } = canonicalise(of, value, by);
        expect(canonical, 'a value is never lost').not.toBe('');
        expect(canonicalise(of, normalised, by).value).toBe(canonical);
        if (!/\p{Surrogate}/u.test(canonical)) expect(normaliseIdentifier(canonical)).toBe(canonical);
      }),
      lawFor(0.25),
    );
  });

  it('never throws for a string, nor does the list', () => {
    fc.assert(
      fc.property(kind, anything, (of, value) => {
        canonicalise(of, value);
        whyNotIdentifier(of, value);
        whyNotIdentifier(undefined, value);
      }),
      lawFor(0.25),
    );
  });

  // Unicode forms take quadratic time for such marks: 100,000 of them took ten seconds.
  const KINDS = ['email', 'phone', 'ip', 'domain', 'name', 'customer'];
  it.each([
    ['marks', '\u0301\u0323', KINDS],
    ['marks of Katakana', '\uff9e\u0301', KINDS],
    ['marks between invisible characters', '\u0301\u200b\u0323 ', KINDS],
    ['marks that are entities', '&#769;&#803;', ['email']],
  ])('leaves a pile of %s as it is', (_, marks, kinds) => {
    const written = `a${marks.repeat(16)}@example.com`;
    const value = normaliseIdentifier(written);
    for (const of of kinds) expect(canonicalise(of, written), of).toEqual({ value, changes: [], isCanonical: false });
  });

  it('joins the marks that a language has', () => {
    // Tibetan and Vietnamese have several on a letter.
    const written = `e\u0323\u0302${'\u0f71'.repeat(28)}`;
    expect(canonicalise('name', written)).toEqual({
      value: written.normalize('NFC'),
      changes: ['unicode-form'],
      isCanonical: true,
    });
  });

  it('of a number with + needs no library', () => {
    for (const country of getCountries()) {
      const example = getExampleNumber(country, examples)!;
      for (const written of [example.number, example.formatInternational(), example.format('RFC3966')])
        expect(canonicalise('phone', written), country).toMatchObject({ value: example.number, isCanonical: true });
    }
  });

  it('of a national number needs its country', () => {
    for (const country of getCountries()) {
      const example = getExampleNumber(country, examples)!;
      const written = example.formatNational();
      expect(canonicalise('phone', written, { country, parsePhone }).value, `${country} ${written}`).toBe(
        example.number,
      );
      expect(canonicalise('phone', written).isCanonical).toBe(false);
    }
  });

  it('says whether the value has the form of its kind', () => {
    expect(canonicalise('phone', '030/901820')).toEqual({
      value: '030901820',
      changes: ['phone-separators'],
      isCanonical: false,
    });
    for (const [of, value] of [
      ['email', 'carl'],
      ['email', 'a@b.example,c@d.example'],
      ['email', 'A <a@b.example>, c@d.example'],
      ['ip', '300.1.1.1'],
      ['ip', '1.2.3.4, 5.6.7.8'],
      ['domain', 'a b/c'],
      ['phone', '+34 0 666 666 666'],
      ['email', 'mailto:?a@b.de'],
      ['phone', ';ext=5@'],
      ['domain', 'http://user@'],
      ['ip', 'ip:'],
      ['customer', '\u200b'],
      // What stands before a semicolon is cut off only behind digits, and two numbers are not the first one.
      ['phone', 'unbekannt; 0151 2345678'],
      ['phone', 'sip:carl@shop.example'],
      ['phone', '; +49 30 901820 ; +49 30 901821'],
      ['phone', '+49 151 12345678; +49 30 901820'],
      ['phone', '+49 151 12345678;030901820;'],
      ['phone', '+49 151 12345678 | +49 30 901820'],
      ['phone', '+49 151 12345678 oder +49 30 901820'],
    ] as const)
      expect(canonicalise(of, value), value).toMatchObject({ value: expect.stringMatching(/./), isCanonical: false });
    for (const digits of ['4915112345678', '491701234567', '447911123456'])
      expect(canonicalise('phone', digits, { country: 'DE', parsePhone })).toEqual({
        value: digits,
        changes: [],
        isCanonical: false,
        doubt: 'two-readings',
      });
    const valid = (number: string, isValid: boolean) => ({
      number,
      countryCallingCode: '49',
      isPossible: () => true,
      isValid: () => isValid,
    });
    const strict = (text: string) =>
      text.startsWith('+') ? valid(text, true) : valid(`+49${text.replace(/^0/, '')}`, text.length < 10);
    expect(canonicalise('phone', '4915112345678', { country: 'DE', parsePhone: strict })).toMatchObject({
      value: '+4915112345678',
      isCanonical: true,
    });
  });

  it.each([
    ['ip', '11.22.33.044', undefined, '11.22.33.044', 'unclear-zeros'],
    ['ip', '203.010.113.7', undefined, '203.010.113.7', 'unclear-zeros'],
    ['ip', '[11.22.33.044]:443', undefined, '11.22.33.044', 'unclear-zeros'],
    ['phone', '+1 555 010 019', undefined, '+1555010019', 'wrong-length'],
    ['phone', '+1 (555) 010-01999', undefined, '+155501001999', 'wrong-length'],
    ['phone', '+7 912 345 67 8', undefined, '+7912345678', 'wrong-length'],
    ['phone', '+52 1 55 1234 5678', undefined, '+5215512345678', 'wrong-length'],
    ['phone', '+52 1 55 1234 5678', 'MX', '+5215512345678', 'wrong-length'],
    ['phone', '+49 12', 'DE', '+4912', 'wrong-length'],
    ['phone', '+1 555 010 0199', 'US', '+15550100199', 'unused-number'],
    ['phone', '(555) 010-0199', 'US', '5550100199', 'unused-number'],
    ['phone', '+999964822885', 'DE', '+999964822885', 'unused-number'],
  ] as const)(
    'of the %s %j leaves the number as it is, and says why (country %s)',
    (kind, text, country, value, doubt) => {
      const by = country === undefined ? {} : { country, parsePhone };
      expect(canonicalise(kind, text, by)).toMatchObject({ value, isCanonical: false, doubt });
    },
  );

  it.each(['+6621234567', '+66812345678', '+6281234567890', '+62812345678901', '+25441212345', '+254712345678'])(
    'of the number %s, as long as a landline or a mobile number of its country, is none',
    (number) => expect(canonicalise('phone', number)).toMatchObject({ value: number, isCanonical: true }),
  );

  it.each(['11.22.33.44', '011.022.033.044', '08.8.8.8', '01.02.03.04', '0013.026.041.054'])(
    'of the address %s is clear',
    (address) => expect(canonicalise('ip', address)).toMatchObject({ isCanonical: true }),
  );

  it('of an address with unclear zeros says no guess, and no other kind', () => {
    expect(whyNotIdentifier('ip', '11.22.33.044')).toBe(undefined);
    expect(whyNotIdentifier(undefined, '192.168.001.010')).toBe('nobody');
    expect(whyNotIdentifier(undefined, '11.22.33.044')).toBe(undefined);
  });

  it('of an email joins no words: only a name beside brackets may stand there', () => {
    for (const value of [
      'Jane Doe jane@gmail.com',
      'jane@gmail.com Jane Doe',
      'Jane\tjane@gmail.com',
      'jane doe@gmail.com',
      'Dr. jane@gmail.com',
      'Jane\u00a0jane@gmail.com',
    ])
      expect(canonicalise('email', value).isCanonical, value).toBe(false);
    for (const value of [
      'Jane Doe <jane@gmail.com>',
      'jane@gmail.com (Jane Doe)',
      'Jane Doe &lt;jane@gmail.com&gt;',
      'mailto: jane@gmail.com',
      'E-Mail: jane @ gmail.com',
      'jane@gmail .com',
      'jane [at] gmail [dot] com',
      '[Jane Doe](mailto:jane@gmail.com)',
      ' jane@gmail.com\n',
    ])
      expect(canonicalise('email', value), value).toMatchObject({ value: 'jane@gmail.com', isCanonical: true });
  });

  it('throws a TypeError that names the argument, for what is no string', () => {
    for (const [value, name] of [
      [5, 'number'],
      [null, 'null'],
      [undefined, 'undefined'],
      [new Date(), 'object'],
      [['a'], 'a list of 1'],
    ] as const) {
      const error = new TypeError(`"value" expected a string, got ${name}`);
      expect(() => canonicalise('email', value as never)).toThrow(error);
      expect(() => whyNotIdentifier('email', value as never)).toThrow(error);
      expect(() => canonicalise(value as never, 'x')).toThrow(`"kind" expected a string, got ${name}`);
    }
    expect(() => whyNotIdentifier(null as never, 'x')).toThrow(new TypeError('"kind" expected a string, got null'));
  });

  it('finds the kind in the name of a column', () => {
    for (const of of [
      'E-Mail',
      'customerEmail2',
      'email_address',
      'Correo electrónico',
      'メールアドレス',
      'メアド',
      'OXBILLEMAIL',
      'Mailadresse',
      'Adresse électronique',
      '电子邮件',
      'דוא"ל',
      'e-mail',
      'mail',
    ])
      expect(canonicalise(of, 'mailto:carl@example.com').value, of).toBe('carl@example.com');
    for (const of of [
      'Telefon',
      'Phone Number',
      'mobilePhone',
      'Tel.',
      'Billing Phone',
      '電話番号',
      'Rufnummer',
      'telefoonnummer',
      'Handynummer',
      'OXBILLFON',
      'OXPRIVFON',
      'Festnetz',
      'Cellulare',
      'Telemóvel',
      'Ph',
      'Ph. No.',
      'Contact No.',
      '휴대폰',
      'الهاتف',
      'טלפון',
    ])
      expect(canonicalise(of, '+49 30-901820').value, of).toBe('+4930901820');
    for (const of of [
      'IP',
      'ipAddress',
      'REMOTE_ADDR',
      'client ip',
      'ipv6',
      'src',
      'source_ip',
      'sourceip',
      'src_addr',
      'OXIP',
      'x_forwarded_for',
      'X-Real-IP',
    ])
      expect(canonicalise(of, '[2001:db8::1]:1').value, of).toBe('2001:db8::1');
    for (const of of [
      'email_domain',
      'Domain name',
      'hostname',
      'Website',
      'URL',
      'Webseite',
      'Homepage',
      'site',
      'Domäne',
      'dominio',
    ])
      expect(canonicalise(of, 'https://example.com/').value, of).toBe('example.com');
    for (const of of [
      'iphone_id',
      'shipping',
      'zip',
      'customer',
      'description',
      'membership',
      'ship',
      'graph',
      'composite',
      'contact',
      'mailing_address',
    ])
      expect(canonicalise(of, 'a-(b)').value, of).toBe('a-(b)');
  });

  it.each([
    ['phone', 'TEL;TYPE=CELL:+15550100199', '+15550100199'],
    ['phone', 'item1.TEL;type=CELL;type=pref:+1 (555) 010-0199', '+15550100199'],
    ['phone', 'TEL;VALUE=uri;TYPE="voice,home":tel:+1-555-010-0199', '+15550100199'],
    ['phone', 'item2.TEL:+1 555 010 0199', '+15550100199'],
    ['email', 'EMAIL;TYPE=INTERNET:Carl@Shop.example', 'carl@shop.example'],
    ['domain', 'URL;TYPE=work:https://www.shop.example/a', 'shop.example'],
    ['phone', '+49 30 901820;', '+4930901820'],
    ['phone', "b'+15550100199'", '+15550100199'],
    ['email', 'u"carl@shop.example"', 'carl@shop.example'],
  ])('reads the %s in %s', (kind, value, canonical) =>
    expect(canonicalise(kind, value)).toMatchObject({ value: canonical, isCanonical: true }),
  );

  it('keeps the server of a name that is called there', () => {
    expect(canonicalise('phone', 'sip:carl@shop.example').value).toBe('sip:carl@shop.example');
    expect(canonicalise('phone', 'sip:+15550100199@shop.example').value).toBe('+15550100199');
  });

  it('refuses wrong options', () => {
    expect(() => canonicalise('phone', '1', { country: 'DE' })).toThrow(TypeError);
    expect(() => canonicalise('phone', '1', { parsePhone: 1 as never })).toThrow('parsePhone');
    expect(() => canonicalise('phone', '1', { contry: 'DE' } as never)).toThrow('contry');
  });
});
