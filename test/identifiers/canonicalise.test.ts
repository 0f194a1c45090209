import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import parsePhone, { getCountries, getExampleNumber } from 'libphonenumber-js';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { canonicalise, whyNotIdentifier, type CanonicalOptions, type NotIdentifier } from '../../src/canonical.ts';
import { isNoValue } from '../../src/core/identifiers/not-identifier.ts';
import { COMMON } from '../../src/core/identifiers/words-for-no-value.ts';
import { normaliseIdentifier } from '../../src/hash.ts';
import { lawFor } from '../budget.ts';

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
  fc.string({ unit: 'binary' }),
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
        const hasWords = of === 'email' && /\S\s+\S/u.test(value);
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
      ['phone', '+44 0 20 7946 0958'],
      ['email', 'mailto:?a@b.de'],
      ['phone', ';ext=5@'],
      ['domain', 'http://user@'],
      ['ip', 'ip:'],
      ['customer', '\u200b'],
      // What stands before a semicolon is cut off only behind digits, and two numbers are not the first one.
      ['phone', 'unbekannt; 0151 2345678'],
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
    ['phone', 'TEL;VALUE=uri;TYPE="voice,home":tel:+1-555-010-0199;ext=5', '+15550100199'],
    ['phone', 'item2.TEL:+1 555 010 0199', '+15550100199'],
    ['email', 'EMAIL;TYPE=INTERNET:Carl@Shop.example', 'carl@shop.example'],
    ['domain', 'URL;TYPE=work:https://www.shop.example/a', 'shop.example'],
    ['phone', '+49 30 901820; ext. 12', '+4930901820'],
    ['phone', '+49 30 901820;', '+4930901820'],
    ['phone', "b'+15550100199'", '+15550100199'],
    ['email', 'u"carl@shop.example"', 'carl@shop.example'],
  ])('reads the %s in %s', (kind, value, canonical) =>
    expect(canonicalise(kind, value)).toMatchObject({ value: canonical, isCanonical: true }),
  );

  it('refuses wrong options', () => {
    expect(() => canonicalise('phone', '1', { country: 'DE' })).toThrow(TypeError);
    expect(() => canonicalise('phone', '1', { parsePhone: 1 as never })).toThrow('parsePhone');
    expect(() => canonicalise('phone', '1', { contry: 'DE' } as never)).toThrow('contry');
  });
});

describe('the list of what is no identifier', () => {
  it('leaves out no number that a country gives as an example', () => {
    for (const country of getCountries()) {
      const example = getExampleNumber(country, examples)!;
      const written = [example.number, example.nationalNumber, example.formatNational(), example.formatInternational()];
      // Those of Ivory Coast and Malaysia are the row of digits that people of all countries type.
      if (/^0?123456789$/.test(example.nationalNumber)) written.splice(1, 2);
      for (const one of written) expect(whyNotIdentifier('phone', one), `${country} ${one}`).toBeUndefined();
    }
  });

  it.each([
    // Nobody has a number of these digits where they begin: groups again and again, rows and pairs.
    ['phone', 'placeholder', '1231231234 123-123-1234 1212121212 +11231231234 123123123 1234512345 123412341234'],
    ['phone', 'placeholder', '0987654321 1122334455 112233445566 111222333 1112223333 1234554321 123454321'],
    ['phone', 'placeholder', '123456 12345 1234 654321 +1-121-212-1212 +49111111111 147258369 1020304050'],
    // Each has an owner.
    ['phone', undefined, '+12122122122 212-212-2122 +919898989898 0909090909 13131313131 +12312312312'],
    ['phone', undefined, '01212121212 +441212121212 +48123456789 87654321 0612345678 1123456789'],
    // RFC 2142 and RFC 5321: boxes of a network or of a machine, which every host has.
    ['email', 'nobody', 'postmaster@shop.example Abuse@shop.example hostmaster@shop.example webmaster@shop.example'],
    ['email', 'nobody', 'mailer-daemon@shop.example root@shop.example noc@shop.example no-reply@shop.example'],
    ['email', 'nobody', 'usenet@shop.example uucp@shop.example www-data@shop.example abuse+tag@gmail.com'],
    // Boxes in which a person of a small shop reads, and names of people.
    ['email', undefined, 'info@shop.example sales@shop.example support@shop.example office@shop.example'],
    ['email', undefined, 'marketing@shop.example kontakt@shop.example security@shop.example news@shop.example'],
    ['email', undefined, 'root66@gmail.com r.oot@shop.example postmasters@shop.example abuse.fan@shop.example'],
  ])('%s: %s for %s', (kind, reason, values) => {
    for (const value of values.split(' ')) expect(whyNotIdentifier(kind, value), value).toBe(reason);
  });

  it.each([
    // Canonicalising removes what stands around these, and the list looks at the rest.
    ['phone', 'placeholder', '0000000000 ext. 12|0000000000x12|005555555555|+١٠٠٠٠٠٠٠٠٠٠|TEL;TYPE=CELL:0000000000'],
    ['phone', 'placeholder', 'tel:0000000000;ext=12|"1231231234"|whatsapp:+11231231234|wa.me/10000000000'],
    ['phone', undefined, 'TEL;TYPE=CELL:+15550100199|unbekannt; 0151 2345678|+15550100199 x12|+15550100199,,1234567#'],
    ['ip', 'nobody', '"10.0.0.1"|http://127.0.0.1/|127.0.0.1,|(10.0.0.1)|10[.]0[.]0[.]1|"::1"|http://[::1]:80/a'],
    ['ip', undefined, '"11.22.33.44"|http://11.22.33.44/|11.22.33.44/24|2001:db8::1/64'],
    ['domain', 'nobody', '@shop.local|user@localhost|"shop.local"|<https://shop.local>|carl@10.0.0.1|shop[.]local'],
    ['domain', undefined, '@shop.example|user@shop.example'],
    [
      'email',
      'nobody',
      '(postmaster@shop.de)|<postmaster@shop.de>|`root@shop.de`|[abuse@shop.de](mailto:abuse@shop.de)',
    ],
    ['email', undefined, '(carl@shop.de)|"carl"@shop.de'],
    // Networks of version 6, too, and of version 4 in it.
    ['ip', 'nobody', '2001:db8::/64|2001:DB8::/32,|[2001:db8::]/64|[2001:db8::/48]|::/0|::ffff:11.22.33.0/120'],
    ['ip', undefined, '2001:db8::/128|2001:db8::|[2001:db8::1]/64|::ffff:11.22.33.44/128'],
    // Two or three numbers are no address of this person, even if a program reads one.
    ['ip', 'destroyed', '203.0113|203.0.0113|203,0113|203.011.35|203.113|45356.42639'],
    ['ip', 'nobody', '127.1'],
    // Half a pair of quotes, and the quotes of Python.
    ['email', 'destroyed', "'a@shop.de|’a@shop.de|b'a@shop.de'|b\"a@shop.de\"|u'a@shop.de'"],
    ['phone', 'destroyed', "'+15550100199|b'+15550100199'"],
    ['ip', 'destroyed', "'11.22.33.44|b'11.22.33.44'|'2001:db8::1"],
    ['domain', 'destroyed', "'shop.de|b'shop.de'"],
    ['name', undefined, "'t Hooft|O'Neill|D'Arcy"],
    ['email', undefined, "'a@shop.de'|o'neill@shop.de|bob'a@shop.de"],
    // Several values in one cell.
    [
      'email',
      'nobody',
      'a@shop.de; b@shop.de|a@shop.de,b@shop.de|a@shop.de / b@shop.de|a@shop.de b@shop.de|A <a@shop.de>, B <b@shop.de>',
    ],
    [
      'email',
      'nobody',
      'a@shop.de;b@shop.de;|A <a@shop.de>, b@shop.de|a@shop.de oder b@shop.de|a@shop.de & b@shop.de|a@shop.de\tb@shop.de|a@shop.de\nb@shop.de',
    ],
    [
      'email',
      undefined,
      '"Ford, Carl" <a@shop.de>|a@shop.de <a@shop.de>|a@home <a@shop.de>|a@shop.de (Carl)|mailto:a@shop.de?cc=b@shop.de|a/b@shop.de',
    ],
    ['phone', 'nobody', '+49 151 12345678; +49 30 901820|+4915112345678,+4930901820|015112345678 / 030901820'],
    ['phone', 'nobody', '+4915112345678 +4930901820|015112345678 oder 030901820|030 901820 & 0151 2345678'],
    ['phone', undefined, '030/9018201|+49 (0) 30 / 90 18 20|tel:+4930901820;phone-context=+49|+1,555,010,0199'],
    ['phone', undefined, 'tel:+4930901820;ext=1234567|(+49) 30 901820|0049/30/901820'],
  ])('%s: %s for %j', (kind, reason, values) => {
    for (const value of values.split('|')) expect(whyNotIdentifier(kind, value), value).toBe(reason);
  });

  it('recognises emails, addresses and numbers without a kind', () => {
    for (const value of [
      'none',
      '4.92E+11',
      "'+4912345",
      '127.0.0.1',
      'noreply@shop.example',
      '000-000-0000',
      '{{email}}',
    ])
      expect(whyNotIdentifier(undefined, value), value).toBeDefined();
    for (const value of [
      'client@example.com',
      '11.22.33.44',
      '+1 000 111 22 33',
      'example.com',
      'carl',
      '2001:db8::1',
      '-x',
      '1e5',
    ])
      expect(whyNotIdentifier(undefined, value), value).toBeUndefined();
  });

  it('has the rules of the form that a value shows, in a column of unknown kind', () => {
    for (const value of ['127.0.0.1', 'noreply@shop.example', '000-000-0000', 'test@test.com'])
      expect(whyNotIdentifier('OXFOO', value), value).toBe(whyNotIdentifier(undefined, value));
    for (const value of ['carl', 'shop.example', '4711', '4111 1111 1111 1111'])
      expect(whyNotIdentifier('OXFOO', value)).toBeUndefined();
  });

  it('has all the words that the doctor looks for', () => {
    for (const word of ['none', 'array', 'nan', 'n/a', '-', '[objectobject]']) expect(COMMON).toContain(word);
    expect(COMMON.filter((word) => !isNoValue(word))).toEqual([]);
    for (const word of ['0000-00-00', '00.00.0000 00:00', '0001-01-01 00:00:00'])
      expect(whyNotIdentifier('birthday', word)).toBe('placeholder');
    for (const word of ['1970-01-01', '2001-01-01', 'carl']) expect(isNoValue(word)).toBe(false);
  });

  it('leaves an empty value to the caller, who counts it as empty', () => {
    for (const value of ['', ' ', '\t']) expect(whyNotIdentifier('email', value)).toBeUndefined();
  });

  it('sees through invisible characters and other forms of letters', () => {
    for (const value of ['\u200bnone', 'ｎｏｎｅ', 'N\u00a0/\u00a0A', '\u200b', '\ufeff-'])
      expect(whyNotIdentifier('customer', value), JSON.stringify(value)).toBe('placeholder');
  });
});
