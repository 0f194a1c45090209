import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPersonalData, redactPersonalData, type PersonalDataKind } from '../../src/core/domain/personal-data.ts';
import { redact as redactMore } from '../../src/service/cli/client/redact.ts';
import { lawFor } from '../budget.ts';
import { countFindings, readSentences, type Half } from './corpus.ts';

const redact = (text: string): string => redactPersonalData(text, findPersonalData(text));

describe('findPersonalData', () => {
  it.each<[string, string]>([
    ['Write to jane@example.com.', 'Write to [email address].'],
    ['Write to jane@example.com, call +1 202 555 0100', 'Write to [email address], call [phone number]'],
    ['mailto:jane@example.com?subject=x', 'mailto:[email address]?subject=x'],
    ['https://jane@example.com/login', 'https://[email address]/login'],
    ['https://shop.example/?a=jane%40example.com', 'https://shop.example/?a=[email address]'],
    ['ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ', '[email address]'],
    ['ja\u200bne@exam\u00adple.com', '[email address]'],
    ['请联系jane@example.com。谢谢', '请联系[email address]。谢谢'],
    ['"jane roe"@example.com', '[email address]'],
    ['Tel. 030 23125 123, falsch', 'Tel. [phone number], falsch'],
    ['Tlf. 91234567, tlf 912 34 567', 'Tlf. [phone number], tlf [phone number]'],
    ['(415) 555-0132', '[phone number]'],
    ['٠٥٠١٢٣٤٥٦٧', '[phone number]'],
    ['From 192.0.2.1:443', 'From [IP address]:443'],
    [
      'nginx: 192.0.2.1 - -, Apache 192.0.2.1, Windows 192.0.2.1',
      'nginx: [IP address] - -, Apache [IP address], Windows [IP address]',
    ],
    ['nginx: 5.6.7.8 - - and php[7]: 5.6.7.8', 'nginx: [IP address] - - and php[7]: [IP address]'],
    ['192.0.2.66_443', '[IP address]_443'],
    ['ec2-192-0-2-66.compute-1.amazonaws.com', 'ec2-[IP address].compute-1.amazonaws.com'],
    ['rhost=192-0-2-66.static.isp.net', 'rhost=[IP address].static.isp.net'],
    ['From [2001:db8::1]:443', 'From [[IP address]]:443'],
    ['192[.]0[.]2[.]1', '[IP address]'],
    ['From ::ffff:192.0.2.1 and 64:ff9b::192.0.2.33', 'From [IP address] and [IP address]'],
    ['Card 4111 1111 1111 1111!', 'Card [card number]!'],
    ['Amex 3782-822463-10005', 'Amex [card number]'],
    ['To GB82 WEST 1234 5698 7654 32 and', 'To [IBAN] and'],
    ['de89370400440532013000', '[IBAN]'],
    // Each sign of each kind, disguised.
    ['jane[at]example[dot]com', '[email address]'],
    ['jane (at) example.com, JANE [AT] EXAMPLE [DOT] COM', '[email address], [email address]'],
    ['jane{at}example{dot}com or jane<at>example<punkt>de', '[email address] or [email address]'],
    ['jane(arroba)example(punto)es', '[email address]'],
    ['jane&#64;example&#46;com jane&#x40;example.com', '[email address] [email address]'],
    ['jane%2540example%2Ecom', '[email address]'],
    [
      String.raw`jane\u0040example.com and jane\x40example.com and jane\@example\.com`,
      '[email address] and [email address] and [email address]',
    ],
    ['jane@example dot com', '[email address]'],
    ['192(.)0{.}2[dot]1, 192 dot 0 dot 2 dot 1, 192 . 0 . 2 . 1', '[IP address], [IP address], [IP address]'],
    [
      String.raw`192\.0\.2\.1, 192%2E0%2E2%2E1, 192&#46;0&#46;2&#46;1, 192·0·2·1`,
      '[IP address], [IP address], [IP address], [IP address]',
    ],
    ['1\u200b92.0.2.1 and １９２．０．２．１', '[IP address] and [IP address]'],
    ['2001[:]db8[:]0[:]0[:]0[:]0[:]0[:]1 2001[:]db8[::]1 2001(:)db8::1', '[IP address] [IP address] [IP address]'],
    ['2001%3Adb8%3A%3A1 2001&#58;db8&#58;&#58;1', '[IP address] [IP address]'],
    [
      '+49 (0) 30 12345678, +49[-]30[-]12345678, %2B49%2030%2012345678',
      '[phone number], [phone number], [phone number]',
    ],
    ['+ 49 30 12345678, plus 49 30 12345678, &#43;49 30 12345678', '[phone number], [phone number], [phone number]'],
    ['+49 dot 30 dot 12345678 and +49·30·12345678', '[phone number] and [phone number]'],
    [
      '4111/1111/1111/1111, 4111_1111_1111_1111, 4111 - 1111 - 1111 - 1111',
      '[card number], [card number], [card number]',
    ],
    [
      '4111[-]1111[-]1111[-]1111 4111%201111%201111%201111 4111  1111-1111.1111',
      '[card number] [card number] [card number]',
    ],
    ['GB82.WEST.1234.5698.7654.32, GB82 - WEST - 1234 - 5698 - 7654 - 32', '[IBAN], [IBAN]'],
    ['GB82/WEST/1234/5698/7654/32 GB82%20WEST%201234%205698%207654%2032', '[IBAN] [IBAN]'],
  ])('finds personal data in %j', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  const CARL = '[email address]';
  const PHONE = '[phone number]';
  const IP = '[IP address]';
  const CARD = '[card number]';
  it.each<[string, string]>([
    // Wide gaps, and numbers over the end of a line.
    ['Tel. +49  30  901820', `Tel. ${PHONE}`],
    ['+49 30\n901820', PHONE],
    ['+49\n30 901820 and more', `${PHONE} and more`],
    ['+49\t30\t901820', PHONE],
    ['+1 202\r\n555 0100', PHONE],
    ['+1 202 555\n0100', PHONE],
    ['Phone: 030  901  820', `Phone: ${PHONE}`],
    // Where a code was sent to. The word before it announces another number.
    ['OTP sent to 0049 151 12345678', `OTP sent to ${PHONE}`],
    ['PIN via 0044 7911 123456', `PIN via ${PHONE}`],
    ['Konto von 0049 30 901820', `Konto von ${PHONE}`],
    ['Order 0049 151 12345678', 'Order 0049 151 12345678'],
    ['Order shipped to 10115 Berlin, ticket from 20260115', 'Order shipped to 10115 Berlin, ticket from 20260115'],
    ['Telefon 030\n901820', `Telefon ${PHONE}`],
    ['4111 1111\n1111 1111', CARD],
    ['DE89 3704 0044\n0532 0130 00', '[IBAN]'],
    // Other digits.
    ['+4️⃣9️⃣ 3️⃣0️⃣ 9️⃣0️⃣1️⃣8️⃣2️⃣0️⃣', PHONE],
    ['2️⃣0️⃣3️⃣.0️⃣.1️⃣1️⃣3️⃣.9️⃣', IP],
    ['+④⑨ ③⓪ ⑨⓪①⑧②⓪', PHONE],
    ['②⓪③.⓪.①①③.⑨', IP],
    ['④①①① ①①①① ①①①① ①①①①', CARD],
    ['+𝟒𝟗 𝟛𝟘 𝟿𝟶𝟣𝟪𝟤𝟢', PHONE],
    ['＋４９　３０　９０１８２０', PHONE],
    ['+⁴⁹ ³⁰ ⁹⁰¹⁸²⁰ +₄₉ ₃₀ ₉₀₁₈₂₀', `${PHONE} ${PHONE}`],
    ['②⓪③.⓪.①①③.⑨', IP],
    ['④①①① ①①①① ①①①① ①①①①', CARD],
    // Marks on and between characters.
    ['c̈arl@example.com', CARL],
    ['carl@\u0308example.com', CARL],
    ['carl@example.\u0308com', CARL],
    ['c\u0332a\u0332r\u0332l\u0332@\u0332e\u0332x\u0332a\u0332m\u0332p\u0332l\u0332e\u0332.\u0332d\u0332e\u0332', CARL],
    ['+4\u03369\u0336 3\u03360\u0336 9\u03360\u03361\u03368\u03362\u03360\u0336', PHONE],
    ['2\u03320\u03323.0.1\u033213.9', IP],
    ['4\u20dd111 1111 1111 1111\u20dd', CARD],
    ['+49\u200b 30\u2060 90\u200d18\ufe0f20', PHONE],
    ['carl\u034f@exa\u115fmple.com', CARL],
    // Character references.
    ['carl&#0064;example.com', CARL],
    ['carl&#064example.com carl&#64example.com', `${CARL} ${CARL}`],
    ['carl&#x0040;example.com carl&#X40example.com', `${CARL} ${CARL}`],
    ['carl&commat;example&period;com', CARL],
    ['&#99;&#97;&#114;&#108;&#64;&#101;xample&#x2e;com', CARL],
    ['carl&#65312;example.com', CARL],
    ['203&period;0&#0046;113&#x002E;9', IP],
    ['+49&nbsp;30&nbsp;901820', PHONE],
    ['+49&#160;30&#xA0;90&#8203;1820', PHONE],
    ['2001&#0058;db8&#x3a;&#x003A;1', IP],
    ['4111&#45;1111&#x2d;1111&#8211;1111', CARD],
    [String.raw`carl\u{40}example.com and carl\u{0040}example.com`, `${CARL} and ${CARL}`],
    // A disguise of a disguise.
    ['ｃａｒｌ（ａｔ）ｅｘａｍｐｌｅ（ｄｏｔ）ｃｏｍ', CARL],
    ['carl&#91;at&#93;example&#40;dot&#x29;com', CARL],
    ['carl [a\u200bt] example [do\u200bt] com', CARL],
    // Signs in words.
    ['Seller was jane.doe at gmail.com', `Seller was ${CARL}`],
    ['carl [at] example [dot] com', CARL],
    ['carl *at* example *dot* com', CARL],
    ['carl "at" example.com', CARL],
    ['carl (@) example (.) com', CARL],
    ['carl arroba example punto com', CARL],
    ['carl(arroba)exemplo(ponto)com and carl arroba exemplo.com', `${CARL} and ${CARL}`],
    ['carl arobase exemple point fr', CARL],
    ['carl chiocciola esempio punto it', CARL],
    ['carl Klammeraffe beispiel Punkt de', CARL],
    ['carl małpa przyklad kropka pl', CARL],
    ['карл собака пример точка рф', CARL],
    ['carl(собака)primer(точка)ru', CARL],
    ['carl at example dot com', CARL],
    ['Write to carl at example dot com.', `Write to ${CARL}.`],
    ['E-mail: carl dot smith at example dot com', `E-mail: ${CARL}`],
    ['His mail is carl AT example DOT com', `His mail is ${CARL}`],
    ['Paid by carl AT example DOT com', `Paid by ${CARL}`],
    ['Mail carl @ example.com', `Mail ${CARL}`],
    ['Mail an carl ät beispiel Punkt de', `Mail an ${CARL}`],
    ['Adresse : carl chez exemple point fr', `Adresse : ${CARL}`],
    ['203 . 0 . 113 . 9 and 203.0.113.9.', `${IP} and ${IP}.`],
    ['203 punto 0 punto 113 punto 9', IP],
    ['{"ip": "::ffff:203.0.113.9", "x": "-"}', `{"ip": "${IP}", "x": "-"}`],
  ])('finds disguised personal data in %j', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it.each<[string, string]>([
    // Ports, and several addresses of one line.
    ['[client 2001:db8::66:54321] and [2001:db8::66]:443', `[client ${IP}] and [${IP}]:443`],
    ['from 2001:db8:0:0:0:0:0:66:443, ::1:54321', `from ${IP}, ${IP}`],
    [
      'IP 203.0.113.66.45264 > 198.51.100.4.22: Flags [S]; 198.51.100.4.22 > 5.6.7.8.53:',
      `IP ${IP} > ${IP}: Flags [S]; ${IP} > ${IP}:`,
    ],
    ['IP 203.0.113.66 > 198.51.100.4: ICMP echo request', `IP ${IP} > ${IP}: ICMP echo request`],
    ['IP6 2001:db8::66.45264 > 2001:db8::4.22: Flags', `IP6 ${IP} > ${IP}: Flags`],
    ['tcp4 0 0 203.0.113.66.52345 198.51.100.4.443 ESTABLISHED', `tcp4 0 0 ${IP} ${IP} ESTABLISHED`],
    // Text of a program, with its escapes.
    [
      String.raw`"failed\n203.0.113.66\n198.51.100.4\t2001:db8::66\r\n+49 30 901820\nDE89370400440532013000"`,
      String.raw`"failed\n${IP}\n${IP}\t${IP}\r\n${PHONE}\n[IBAN]"`,
    ],
    [
      String.raw`{"a":"x\n203.0.113.66\u000a203.0.113.66\x09203.0.113.66%0D%0A203.0.113.66"}`,
      String.raw`{"a":"x\n${IP}\u000a${IP}\x09${IP}%0D%0A${IP}"}`,
    ],
    // Names of reverse DNS.
    [`${'6.6.0.0.'.repeat(2)}${'0.'.repeat(16)}8.b.d.0.1.0.0.2.ip6.arpa PTR`, `${IP} PTR`],
    ['66.113.0.203.in-addr.arpa.', `${IP}.`],
    ['2001-0db8-0000-0000-0000-0000-0000-0066.dyn.isp.example', `${IP}.dyn.isp.example`],
    [
      'host-2001-db8--66.dyn.isp.example, 2001-db8--66.ipv6-literal.net',
      `host-${IP}.dyn.isp.example, ${IP}.ipv6-literal.net`,
    ],
    // What only looks like a version.
    ['Server 203.0.113.9 from 8.8.8.8 client/203.0.113.9', `Server ${IP} from ${IP} client/${IP}`],
    ['Ban 5.6.7.8, IP 1.2.3.4, Host 1.2.3.4, client/1.2.3.4', `Ban ${IP}, IP ${IP}, Host ${IP}, client/${IP}`],
    [
      'Outside/198.51.100.4 Gateway 81.2.69.142 Total 203.0.113.9 tries',
      `Outside/${IP} Gateway ${IP} Total ${IP} tries`,
    ],
    ['Telefon 030 901820 und 030 901821', `Telefon ${PHONE} und ${PHONE}`],
  ])('finds addresses as logs write them in %j', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it.each([
    'https://phish.example/login?order=0123456789#top',
    'http://192.0.2.7:8080/login and https://[2001:db8::7]/login',
    'Card 4111 1111 1111 1112',
    'DE89370400440532013001',
    'Order 0123456789 of 2026-01-15 at 10:30:45, 1.234.567,89 EUR',
    'Version 10.0.19.1, section 1.2.3.4, 300.1.2.3',
    'PHP 8.1.2.10 and php/8.1.2.10, nginx 1.18.0.3, Apache/2.4.6.1, OpenSSL 1.1.1.1, OpenSSH-8.9.1.2',
    'Firefox/12.0.0.5, Chrome 12.0.74.22, Android 14.0.0.1, iOS 17.1.2.3, Windows 10.0.19.45, kernel 5.4.0.42',
    'WordPress 6.4.2.1, Java 17.0.9.1, Python 3.9.1.2, MySQL 8.0.35.1, PostgreSQL 16.1.0.2',
    'http://192-0-2-66.static.isp.net/x, cdn/lib-1-2-3-4.min.js.map, backup-10-20-30-40.tar.gz, foo_1.2.3.4_amd64',
    'Chrome/122.0.0.0 Safari/537.36 Edg/122.0.0.0, OPR/108.0.0.0 Firefox/115.0.0.0 HeadlessChrome/119.0.0.0',
    'Version/17.4.1.1, .NET 8.0.2.1, Magento 2.4.6.3, WooCommerce 8.6.1.0, curl 8.5.0.1, curl/8.5.0.1, SAP 7.53.0.1',
    'FRITZ!OS 7.57.0.1, cpe:2.3:a:x:y:1.2.3.4, cpe:/a:x:y:1.2.3.4, OID 1.3.6.1, Joomla! 4.4.2.1, Shopware 6.5.8.2',
    'git@github.com:evil/repo.git, ssh://git@gitlab.com/evil/repo',
    'Invoice total 10.20.30.40 EUR, 10.20.30.40 €',
    'Bestellung 0815-4711-2024 und 0815-4712-2024, 0815-4713-2024 & 0815-4714-2024',
    'Tilaus 0815-4711-2024, Lasku 0815-4711-2024, Замовлення 0815-4711-2024, Рахунок № 0815-4711-2024',
    'Beställning 0815-4711-2024, Objednávka 0815-4711-2024, Rendelés 0815-4711-2024, Lieferschein 0815-4711-2024',
    'IP 4.1.2.3.4.5, 1.3.6.1.4.1.311, section 4.1.2.3.5',
    'e2e--abc.preview.shop.example, log-2024-01-15-10-20-30-00-01.tar.gz, 2024-01-15--12.tar.gz',
    'logo@2x.png and react@18.2.0',
    'a::b, 00:1a:2b:3c:4d:5e, 550e8400-e29b-41d4-a716-446655440000',
    'Name at example dot com',
    'Meet me at example dot com or (at) the shop, at 10 dot 30, polka dot 7',
    'Version 1 dot 2 dot 3 dot 4, v1(.)2(.)3(.)4',
    '100%20 of 50%40 in https://shop.example/a%20b%2Fc?d=%7B1%7D',
    'hxxp://192[.]0[.]2[.]7/login and hxxps[:]//[2001[:]db8[:][:]7]/login',
    '1. 5 2. 7 3. 9 4. 11, 3 + 12345678 = 12345681, 2 plus 2 is 4, plus 12 months',
    String.raw`C:\x86\u0041 and \u0031\u0032, &#8364;12, &amp; &#34;`,
    '(+) 7 (-) 8 (:) 9 <-> [at] [dot] (at) {at}',
    'if (at > Date.now()) throw; at = dirname(at)) parents.push(at)',
    'I bought it at example dot com, and shoes at example.com',
    'Bought @ example.com, 3 @ 9.99, meet me @ example.com',
    'Contact support at example.com. Acheté chez exemple.fr, chez exemple point fr',
    'Im Punkt 3 und im Punkt 5, point de vente, el punto 4, точка 7, kropka 1',
    'shop-at-home.example, photo_at_night.mp4, https://shop.example/at/home.html',
    'Qty\n612\n345\n678\nSum\n1635',
    'Called in 2025\n12000 items were open',
    '1. 2. 3. 4. and 5. 6. 7. 8.',
    '612  345  6789',
    'a&#12;b &#x1F600; &notin; &copy; &amp;#64 &#0; &#;',
    '',
  ])('finds nothing in %j', (text) => {
    expect(findPersonalData(text)).toEqual([]);
  });

  it('gives kind and place in the original text', () => {
    expect(findPersonalData('👩 ｊ＠ｅｘａｍｐｌｅ．ｃｏｍ, 192.0.2.1')).toEqual([
      { kind: 'email', from: 3, to: 16 },
      { kind: 'ip', from: 18, to: 27 },
    ]);
  });
});

/** Least precision and recall of each kind, in hundredths; docs/operating.md has the figures with their intervals. */
const FLOORS: Record<Half, Record<PersonalDataKind, readonly [precision: number, recall: number]>> = {
  tuning: { email: [99, 90], phone: [99, 95], ip: [99, 90], card: [99, 99], iban: [99, 99] },
  'held-out': { email: [99, 90], phone: [85, 90], ip: [95, 85], card: [95, 90], iban: [99, 99] },
};

describe.each(Object.keys(FLOORS) as Half[])('the %s half of the corpus', (half) => {
  const sentences = readSentences(half);
  const counts = countFindings(sentences);

  it('has at least 250 sentences in at least 20 languages, a third of them without personal data', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(250);
    expect(new Set(sentences.map(({ language }) => language)).size).toBeGreaterThanOrEqual(20);
    expect(sentences.filter(({ marked }) => marked.length === 0).length * 3).toBeGreaterThan(sentences.length);
  });

  it.each(Object.entries(FLOORS[half]))(
    'reaches the floors of precision and recall for %s',
    (kind, [precise, recalled]) => {
      const { found, missed, right, wrong } = counts[kind as PersonalDataKind];
      expect((100 * right) / (right + wrong)).toBeGreaterThanOrEqual(precise);
      expect((100 * found) / (found + missed)).toBeGreaterThanOrEqual(recalled);
    },
  );
});

/** Pieces of personal data and what stands around them, in any order. */
const PIECES = (
  String.raw`jane müller 王 иван @ @ %40 [@] example .com .png . [.] " ' mailto: 0 7 12 030 555 0100 2026 90182 23125 ` +
  String.raw`1234567 ٣ １ ² + 00 - / ( ) : :: , # = _ – [ ] tel order version v € EUR % https:// // //[ ?ip= 192.0.2.1 ` +
  String.raw`255 .1.2 2001:db8::1 db8: ffff IPv6: ::ffff: 10:30 01.02.2026 4111111111111111 4111 1111 3782 822463 ` +
  String.raw`10005 4242-4242-4242-4242 DE89370400440532013000 GB82 WEST 1234 5698 7654 32 DE89 NO93 8601 1117 947 AT20`
).split(' ');
PIECES.push(
  ' ',
  ' ',
  ' ',
  '  ',
  ' / ',
  'phone ',
  '\n',
  '\0',
  '\u200b',
  '\u202f',
  '\u0332',
  '\t',
  '&#48;',
  '&#x40',
  '3782 822463 10005',
  '[IP address]',
  '[IBAN]',
);
const mixed = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
    ),
    { maxLength: 15 },
  )
  .map((pieces) => pieces.join(''));
const RUNS = lawFor(0.2);

describe('laws of findPersonalData', () => {
  it('findings are in the text, in order, not empty and do not overlap', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        let end = 0;
        for (const { from, to } of findPersonalData(text)) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      RUNS,
    );
  });

  it('a redacted text has no findings', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        expect(findPersonalData(redact(text))).toEqual([]);
      }),
      RUNS,
    );
  });

  it.each([
    ['phone 5698765432+5698765432', 'phone [phone number][phone number]'],
    ['phone 1234567/0301234567', 'phone [phone number]/[phone number]'],
    ['phone)192.0.2.1032(15698765432', 'phone)[phone number][phone number]'],
    ['phone.1234567::db8', 'phone.1234567::db8'],
  ])('a redacted text has no findings: %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
    expect(findPersonalData(redacted)).toEqual([]);
  });

  it('finds a sign in words also in a text of plain letters', () => {
    const words = 'jane roe mail example com dot punto at AT chez commat arroba arobase chiocciola plus k'.split(' ');
    const signs = Array.from(' []{}()<>*"|~;.+-:_');
    const piece = fc.constantFrom(...words, ...words, ...signs, ' at ', ' dot ', '[at]', '(arroba)', '~at~', '.com');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join('');
        // The last character is not seen, and makes the text one that is not plain.
        expect(findPersonalData(text)).toEqual(findPersonalData(`${text}\n\u200b`));
      }),
      RUNS,
    );
  });

  it('a text without digits and @ has no findings', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const bare = [...text].filter((character) => !/[@\p{Nd}]/u.test(character.normalize('NFKC'))).join('');
        expect(findPersonalData(bare)).toEqual([]);
      }),
      RUNS,
    );
  });
});

it('no sentence of the corpus without personal data is refused', () => {
  const refused = (['tuning', 'held-out'] as const).flatMap((half) =>
    readSentences(half).filter(({ text, marked }) => marked.length === 0 && findPersonalData(text).length > 0),
  );
  expect(refused).toEqual([]);
});

describe('the option --redact of redflag client', () => {
  it.each([
    ['wget http://192.0.2.66/bot.sh', 'wget http://[IP address]/bot.sh'],
    ['curl hxxp://192[.]0[.]2[.]66:8080/x', 'curl hxxp://[IP address]:8080/x'],
    ['get http%3A%2F%2F192.0.2.66%2Fx', 'get http%3A%2F%2F[IP address]%2Fx'],
    ['ldap://[2001:db8::66]:389/a', 'ldap://[IP address]:389/a'],
    ['GET http://3221226050/ and http://0xc0000242/x', 'GET http://[IP address]/ and http://[IP address]/x'],
    ['http://0xC0.0x00.0x02.0x42/ http://0300.0000.0002.0102', 'http://[IP address]/ http://[IP address]'],
    ['connect from unknown[192.0.2.66]', 'connect from unknown[IP address]'],
    ['ec2-192-0-2-66.compute-1.amazonaws.com', 'ec2-[IP address].compute-1.amazonaws.com'],
    ['rhost=192-0-2-66.static.isp.net  user=root', 'rhost=[IP address].static.isp.net  user=root'],
    ['host66-2-0-192.range.isp.it, p192_0_2_66.isp.ne.jp', 'host[IP address].range.isp.it, p[IP address].isp.ne.jp'],
    ['static.192.0.2.66.isp.net and ip-192-0-2-66 sshd', 'static.[IP address].isp.net and ip-[IP address] sshd'],
    ['192.0.2.66_443, src_192.0.2.66', '[IP address]_443, src_[IP address]'],
    ['Passive Mode (192,0,2,66,195,80)', 'Passive Mode ([IP address],195,80)'],
    ['jane@192-0-2-66.static.isp.net', '[email address]'],
    ['from=<carl=example.org@bounces.example.net>', 'from=<[email address]>'],
    ['bounce-7+carl.roe=example.co.uk@lists.example.net', '[email address]'],
    ['SRS0=abcd=XY=example.org=carl@fwd.example', '[email address]'],
    ['SRS1+HH=fwd.example==abcd=XY=example.org=carl@b.example', '[email address]'],
    ['user=jane@example.com to=jane.roe@example.com', 'user=[email address] to=[email address]'],
    ['2001-db8--66.isp.example', '[IP address].isp.example'],
    ['http://2001-db8--66.ipv6-literal.net/x', 'http://[IP address].ipv6-literal.net/x'],
    [
      'p5B0A1234.dip0.t-ipconnect.de, c0000242.dyn.isp.example',
      'p[IP address].dip0.t-ipconnect.de, [IP address].dyn.isp.example',
    ],
  ])('has no address that a service accepts: %j', (text, redacted) => {
    expect(redactMore(text).text).toBe(redacted);
    expect(redactMore(redacted)).toEqual({ text: redacted, changes: [] });
  });

  it.each([
    'Ten attempts, 1,2,3,4 and 10-20-30-40, of 2024-03-05 10:14:00',
    'https://shop.example/12345678?order=1-2-3-4 with libfoo-1-2-3-4.so',
    '550e8400-e29b-41d4-a716-446655440000, a//b, // 12 of 30',
    'version 1.2.3.4 of the plugin',
  ])('keeps what is no address: %j', (text) => {
    expect(redactMore(text)).toEqual({ text, changes: [] });
  });

  it('leaves nothing that a service refuses', () => {
    const piece = fc.constantFrom(
      ...'192 0 2 66 .0.2.66 -0-2-66 192.0.2.66 // //[ ] [ http:// 2001:db8::66 _ , ( = ip- .isp.net 12345678 0x +49'.split(
        ' ',
      ),
      'phone ',
      ' ',
      '@',
      'jane',
      '4111 1111 1111 1111',
      '[IP address]',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(findPersonalData(redactMore(pieces.join('')).text)).toEqual([]);
      }),
      RUNS,
    );
  });
});
