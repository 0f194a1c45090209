import fc from 'fast-check';
import parsePhone, { getCountries, getExampleNumber } from 'libphonenumber-js';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { describe, expect, it, vi } from 'vitest';
import { whyNotIdentifier } from '../../src/canonical.ts';
import { readClearValue, recogniseKind, splitTypedValues } from '../../src/core/identifiers/clear-value.ts';
import { isSharedHost } from '../../src/core/identifiers/platforms.ts';
import { isNoValue } from '../../src/core/identifiers/not-identifier.ts';
import { COMMON } from '../../src/core/identifiers/words-for-no-value.ts';
import { anyCharacter } from '../any-character.ts';

describe('what a person types', () => {
  it.each([
    ['carl@example.com', 'email'],
    [' Carl <carl@example.com> ', 'email'],
    ['+49 30 901820', 'phone'],
    ['030/901820', 'phone'],
    ['(030) 90 18 20', 'phone'],
    ['192.0.2.7', 'ip'],
    ['2001:db8::1', 'ip'],
    ['shop.example', 'domain'],
    ['https://www.shop.example/a?b', 'domain'],
    ['bücher.example', 'domain'],
    ['Carl Ford', 'name'],
    ['Dr. No', 'name'],
    ['4711', 'name'],
    ['', 'name'],
  ])('%j is recognised as %s', (value, kind) => expect(recogniseKind(value)).toBe(kind));

  it.each([
    ['carl@example.com', ['carl@example.com']],
    ['carl@example.com, +49 30 901820; 192.0.2.7', ['carl@example.com', '+49 30 901820', '192.0.2.7']],
    ['carl@example.com\r\ndora@example.com\n', ['carl@example.com', 'dora@example.com']],
    ['carl@example.com 192.0.2.7 shop.example', ['carl@example.com', '192.0.2.7', 'shop.example']],
    ['Carl Ford\t030 901820', ['Carl Ford', '030 901820']],
    ['carl@example.com +49 30 901820', ['carl@example.com', '+49 30 901820']],
    ['030 901820 carl@example.com 192.0.2.7', ['030 901820', 'carl@example.com', '192.0.2.7']],
    ['+49 30 901820 +49 30 901821', ['+49 30 901820', '+49 30 901821']],
    ['+49 30 901820 192.0.2.7', ['+49 30 901820', '192.0.2.7']],
    ['03090182012 03090182013', ['03090182012', '03090182013']],
    ['9018201 9018202', ['9018201 9018202']],
    ['+33 1 42 68 53 00', ['+33 1 42 68 53 00']],
    ['+49 30 901 42.68.53.00', ['+49 30 901 42.68.53.00']],
    ['+49 (0)30 901820', ['+49 (0)30 901820']],
    ['Carl Ford carl@example.com', ['Carl Ford carl@example.com']],
    ['Carl 030 901820', ['Carl 030 901820']],
    ['4711 carl@example.com', ['4711 carl@example.com']],
    ['a@b.example\na@b.example', ['a@b.example']],
    [' ,;\n', []],
  ])('%j is split into %j', (text, values) => expect(splitTypedValues(text)).toEqual(values));

  it('is never lost or changed by splitting, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const values = splitTypedValues(text);
        expect(values.every((value) => value !== '' && text.includes(value) && recogniseKind(value))).toBe(true);
        const bare = (of: string): string => [...new Set(of.replaceAll(/[\s,;]/gu, ''))].sort().join('');
        expect(bare(values.join(''))).toBe(bare(text));
      }),
    );
  });

  it('is read in the canonical form of its kind, or left out with a reason', () => {
    const read = (kind: string, value: string) => readClearValue(kind, value, { isSharedHost, canonical: {} });
    expect(read('email', ' Carl@Example.com.')).toEqual({ text: 'carl@example.com', isCanonical: true });
    expect(read('phone', '030 901820')).toEqual({ text: '030901820', isCanonical: false });
    expect(read('phone', '+49 (0)30 901820')).toEqual({ text: '+4930901820', isCanonical: true });
    expect(read('phone', "'+49 30 901820")).toEqual({ text: '+4930901820', isCanonical: true });
    expect(read('phone', "'0000000000 ext. 12")).toBe('placeholder');
    expect(read('email', "b'none@none.com'")).toBe('placeholder');
    for (const name of ['Null', 'None', 'Nan', 'Deleter'])
      expect(read('name', name)).toEqual({ text: name.toLowerCase(), isCanonical: true });
    expect([read('name', '"null"'), read('name', 'NULL'), read('name', 'J\ufffdrg')]).toEqual([
      'placeholder',
      'placeholder',
      'destroyed',
    ]);
    expect([read('email', 'none'), read('ip', '127.0.0.1')]).toEqual(['placeholder', 'nobody']);
    expect(readClearValue('email', 'none', { isSharedHost, keepAll: true })).toEqual({
      text: 'none',
      isCanonical: true,
    });
    expect(readClearValue('email', ' A@B.example', { isSharedHost })).toEqual({
      text: ' A@B.example',
      isCanonical: true,
    });
  });
});

describe('the list of what is no identifier', () => {
  it('leaves out no number that a country gives as an example', () => {
    for (const country of getCountries()) {
      const example = getExampleNumber(country, examples)!;
      const written = [example.number, example.nationalNumber, example.formatNational(), example.formatInternational()];
      // Those of Ivory Coast and Malaysia are the row of digits that people of all countries type.
      if (/^0?123456789$/.test(example.nationalNumber)) written.splice(1, 2);
      // Numbers of up to six digits are numbers only with their country, and with its zero.
      if (country === 'PM') written.splice(1, 1);
      const isShort = example.nationalNumber.length < 7;
      for (const one of written) {
        if (isShort)
          expect(readClearValue('phone', one, { isSharedHost, canonical: { country, parsePhone } })).toBeTypeOf(
            'object',
          );
        else expect(whyNotIdentifier('phone', one), `${country} ${one}`).toBeUndefined();
      }
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
    [
      'ip',
      'nobody',
      '2001:db8::/64|2001:DB8::/32,|[2001:db8::]/64|[2001:db8::/48]|2001:db8::-2001:db8::ff|::ffff:11.22.33.0/120',
    ],
    ['ip', undefined, '2001:db8::1/128|[2001:db8::1]/64|::ffff:11.22.33.44/128'],
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
    for (const value of ['carl', 'shop.example', '4711', '5500 0000 0000 0004'])
      expect(whyNotIdentifier('OXFOO', value)).toBeUndefined();
  });

  it.each(['name', 'customer_id', 'email', 'phone', 'ip', 'domain'])(
    'has what programs write for nothing: %s',
    (kind) => {
      for (const value of [
        'System.String[]',
        'System.Collections.Generic.List`1[System.String]',
        'java.lang.Object@1b6d3586',
        '[Ljava.lang.String;@1b6d3586',
        '%!s(<nil>)',
        '%!d(string=)',
        'HASH(0x55d0c8a0)',
        'ARRAY(0x7f8)',
        '<__main__.User object at 0x7f3a>',
        '#DIV/0',
        '#REF',
        '#WERT',
        '1.#QNAN',
        '-1.#IND',
        '1.#INF00',
        'void 0',
        'Optional.empty',
        '@Model.Email',
        'null,null',
        'null null',
        'N/A; N/A',
        'undefined/undefined',
        'keine Angabe',
        'Not provided',
        'nicht angegeben',
        'WAHR',
        'FALSE',
        'Anonymized',
        'deleted',
        '[deleted]',
        '"null"',
        'k. A.',
        'anonymisiert',
        'Deleted User',
        'Gelöschter Kunde',
        'stdClass Object',
        'map[]',
        'class java.lang.String',
        'com.acme.User@1b6d3586',
      ])
        expect(whyNotIdentifier(kind, value), value).toBeDefined();
    },
  );

  it.each([
    [
      'name',
      'Null|None|Nan|Noone Null|Deleter|System|Wahr|Hash|Ray Void|Java Lang|Falsch|Anonymus Miller|Blank|Optional',
    ],
    ['customer_id', '1.5|#12|#A17|system-7|x/y|deleted-7|hash(7)'],
    ['email', 'tom@tom.de|bos@bos.nl|nat@nat.com|brak@firma.pl'],
    ['phone', '0612345678|07000000001|+33612345678|+498001000000'],
  ])('has no %s that may belong to a person', (kind, values) => {
    for (const value of values.split('|')) expect(whyNotIdentifier(kind, value), value).toBeUndefined();
  });

  it.each([
    ['email', 'brak@brak.pl|nada@nada.es|nil@nil.com|anonym@anonym.de|deleted@deleted.de', 'placeholder'],
    ['phone', '0600000000|07000000000|+33600000000|06 00 00 00 00', 'placeholder'],
    ['phone', '+91 98765 43210', 'placeholder'],
    ['idfa', '00000000-0000-0000-0000-000000000000|{00000000-0000-0000-0000-000000000000}', 'placeholder'],
    [
      'device',
      'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF|9774d56d682e549c|02:00:00:00:00:00|00-00-00-00-00-00',
      'placeholder',
    ],
    ['fingerprint', 'd41d8cd98f00b204e9800998ecf8427e|da39a3ee5e6b4b0d3255bfef95601890afd80709', 'placeholder'],
    ['name', 'Guest|Walk-in Customer|Laufkundschaft|Max Mustermann|John Doe', 'placeholder'],
    ['customer', 'Guest|Gast|Walk-in|Cash Customer|Barverkauf', 'placeholder'],
    ['username', 'guest', 'placeholder'],
    ['email', 'deleted@shop.de|walkin@shop.com|deleted_user@shop.fr|guest@gmail.com', 'placeholder'],
    ['email', 'SRS0+abc=x=y.example=dora@z.example|SRS0=abc=xy=y.example=bob@z.example', 'nobody'],
    ['phone', '45356.42639|45356,4', 'destroyed'],
    ['phone', 'carl@shop.de|203.0.113.5|2001:db8::1', 'placeholder'],
    ['phone', '22.33.44.55|42.68.53.00|@carl|sip:carl@shop.de|01.42.68.53.00|+493012345@sip.example', undefined],
  ])('%s: %s is %s', (kind, values, reason) => {
    for (const value of values.split('|')) expect(whyNotIdentifier(kind, value), value).toBe(reason);
  });

  // Unicode forms take quadratic time for such marks: 100,000 of them in a cell of orders took six seconds.
  it('has no word that is longer than any', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    expect(isNoValue(`-${'\u0301\u0323'.repeat(2_000)}`)).toBe(false);
    expect(normalize).not.toHaveBeenCalled();
    normalize.mockRestore();
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
