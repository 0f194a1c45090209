import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toIdentifier } from '../src/core/domain/identifier.ts';
import { findPersonalData, redactPersonalData } from '../src/core/domain/personal-data.ts';
import { isPublicText, withoutTrailing } from '../src/core/domain/text.ts';
import { addressBucket } from '../src/core/engine/limits.ts';
import { bareAddress } from '../src/core/http/client-address.ts';
import { fromQueryText, readFields } from '../src/core/http/body.ts';
import { headersOfParts } from '../src/core/http/multipart.ts';
import { prefersHtml } from '../src/core/http/pages.ts';
import { canonicalise } from '../src/core/identifiers/canonicalise.ts';
import { normaliseIdentifier } from '../src/core/identifiers/normalise.ts';
import { formOfKind } from '../src/core/identifiers/value-form.ts';
import { whyNotIdentifier } from '../src/core/identifiers/why-not-identifier.ts';
import { readDisputeForm } from '../src/service/web/dispute-form.ts';
import { readForm } from '../src/core/protocol/form.ts';
import { READERS as REPLIES } from '../src/core/client/dialects.ts';
import { redact } from '../src/service/cli/client/redact.ts';
import { unitsOf } from '../src/service/cli/lab/minor-units.ts';
import { readAmount } from '../src/service/cli/lab/order-money.ts';
import { createTimeReader } from '../src/service/cli/lab/order-times.ts';
import { zoneOfName } from '../src/service/cli/lab/time-zones.ts';
import { lawFor } from './budget.ts';
import { closeSteps, countSteps, openSteps } from './steps.ts';

/** Pieces of hostile texts: what the patterns look for, what begins it, and characters that become several. */
const PIECES = [
  ...'. : :: … @ " "@ %40 [.] [@ ( ) + - / //[ _ = # % 0 1 1. 1: 1- (0 +1 00 2026-01- 10:30 a a. a@ a@b. a: f:: ffff:'.split(
    ' ',
  ),
  ...'DE89 GB v1. xn-- .png 4111- ٠ 𝟗 ㎯ \ufdfa \u200b \u2800 \u0301 漢 א \u200f € & =& ; </ < >'.split(' '),
  ...' |\n|\t|\0|\u00a0| - |DE8 |tel |order |4111 | at | dot |a at b dot |&#0|&#x0|[at|mail |\u0332'.split('|'),
];
const piece = fc.constantFrom(...PIECES);

/** A text of about `length` characters: a start, a few pieces many times, and an end. */
const hostile = (length: number) =>
  fc
    .tuple(
      fc.array(piece, { maxLength: 3 }),
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.array(piece, { maxLength: 3 }),
    )
    .map(([start, pump, end]) => {
      const repeated = pump.join('');
      return start.join('') + repeated.repeat(Math.ceil(length / repeated.length)) + end.join('');
    });

/** Texts of one piece in which quadratic time was likely, each with an end. */
const EXAMPLES = '1 1. 1: 1- +1 a a@ "@ "@a. @a.b . : ( DE89 é1 ٣ %40 [.] 1@ 1/1/ 2001:db8::'
  .split(' ')
  .concat('1 ', ' ', 'DE89 ', '4111 ', 'phone ', '\u200b')
  .map((one, at) => one.repeat(Math.ceil(2_000 / one.length)) + ['', '@', 'a@example.com'][at % 3]!);

const MARGIN = 5_000;

/** Further steps of the guard: the character U+FDFA becomes 18 characters. */
const ofLigatures = (text: string): number => 250 * (text.split('\ufdfa').length - 1);

/** Further steps of what folds a text several times: one character becomes up to 18. */
const ofExpanded = (text: string): number => 200 * Math.max(0, text.normalize('NFKC').length - text.length);

/** Runs what may throw at such a text. */
function attempt(read: () => unknown): void {
  try {
    read();
  } catch {
    // Its steps count all the same.
  }
}

/** Each reader of text from outside, with the longest text that it gets and the most steps a character. */
const READERS: readonly (readonly [
  name: string,
  characters: number,
  steps: number,
  read: (text: string) => unknown,
  further?: (text: string) => number,
])[] = [
  [
    'the guard against personal data',
    2_000,
    150,
    (text) => redactPersonalData(text, findPersonalData(text)),
    ofLigatures,
  ],
  ['what --redact replaces in a text', 2_000, 900, redact, (text) => 8 * ofLigatures(text)],
  ['the check of a public text', 4_000, 40, (text) => isPublicText(text, 2_000)],
  ['the normalising of an identifier', 4_000, 40, (text) => attempt(() => normaliseIdentifier(text))],
  [
    'the canonical form of an identifier',
    4_000,
    600,
    (text) => ['email', 'phone', 'ip', 'domain', 'customer'].map((kind) => canonicalise(kind, text)),
    ofExpanded,
  ],
  [
    'the list of what is no identifier',
    4_000,
    200,
    (text) =>
      ['email', 'phone', 'ip', 'domain', 'name', 'customer', undefined].map((kind) => whyNotIdentifier(kind, text)),
    ofExpanded,
  ],
  ['the parser of a form', 8_000, 40, (text) => readForm(fromQueryText(text), 64)],
  [
    'a value of a form',
    8_000,
    60,
    (text) =>
      readForm(
        [
          ['_action', 'query'],
          ['_api', '0'.repeat(16)],
          ['email', text],
          [text, ''],
        ],
        64,
      ),
  ],
  ['the parser of a dispute', 8_000, 40, (text) => readDisputeForm(fromQueryText(text))],
  ['the name of an identifier', 2_000, 40, (text) => toIdentifier(text, text)],
  ['the address of a client', 2_000, 80, (text) => [addressBucket(text), bareAddress(text)]],
  ['the end of a text', 2_000, 40, (text) => withoutTrailing(text, text.slice(0, 2))],
  ['the form of the values of a column', 4_000, 500, formOfKind],
  ['the zone of a column', 4_000, 60, zoneOfName, ofExpanded],
  ['the unit of a column', 4_000, 60, (text) => unitsOf(text, new Set([2])), ofExpanded],
  ['the time of an order', 80, 2_000, createTimeReader()],
  ['the amount of an order', 64, 400, readAmount],
  ['the reply to a query', 4_000, 40, (text) => REPLIES.specification.parseQuery(text, 'https://a.example/api/')],
];

describe('the time of what reads text from outside', () => {
  beforeAll(openSteps);
  afterAll(closeSteps);

  const rows = READERS.map(([name, characters, ...law]) => [name, characters, law] as const);
  it.each(rows)('%s is linear in up to %i characters', (_, characters, [steps, read, further = () => 0]) => {
    // Run once first: what a module makes at its first use does not count.
    read('a@b.example 1.2.3.4 +49 30 12345678');
    fc.assert(
      fc.property(hostile(characters), (text) => {
        expect(countSteps(() => read(text))).toBeLessThan(steps * text.length + MARGIN + further(text));
      }),
      lawFor(0.25),
    );
  });

  // Unicode forms take quadratic time for a pile of marks, which the counter does not see.
  it.each([formOfKind, zoneOfName, (text: string) => unitsOf(text, new Set([2]))])(
    'the name of a column has no pile of marks when its Unicode form is made (reader %#)',
    (read) => {
      const normalize = vi.spyOn(String.prototype, 'normalize');
      read(`e${'\u0315\u0300'.repeat(2_000)}mail`);
      const longest = Math.max(...normalize.mock.contexts.map((text) => String(text).length));
      normalize.mockRestore();
      expect(longest).toBeLessThan(20);
    },
  );

  it('the guard against personal data is linear in texts of one piece', () => {
    const [, , steps, read] = READERS[0]!;
    for (const text of EXAMPLES)
      expect(
        countSteps(() => read(text)),
        text.slice(0, 9),
      ).toBeLessThan(steps * text.length + MARGIN);
  });

  it('what a request may have thousands of costs few steps', () => {
    const form = (parsedBody: string) => (): unknown => {
      const header = () => 'application/x-www-form-urlencoded';
      return readFields({ header, parsedBody } as unknown as Parameters<typeof readFields>[0], 65_536, 64);
    };
    const words = 'a '.repeat(8_000);
    const parts = '\r\n--x\r\n'.repeat(8_000);
    const read: readonly (readonly [name: string, steps: number, read: () => unknown])[] = [
      ['types of Accept', 1.5 * 15_000, () => prefersHtml(','.repeat(15_000))],
      ['parameters of Accept', 2.5 * 15_000, () => prefersHtml(';'.repeat(15_000))],
      ['fields of a form', 4 * 64_000, form('a&'.repeat(32_000))],
      ['encoded fields of a form', 4 * 64_000, form('%61&'.repeat(16_000))],
      ['empty fields of a form', 4 * 64_000, form('&'.repeat(64_000))],
      ['words of a column', 300 * words.length, () => formOfKind(words)],
      ['parts of a form', 1.1 * parts.length, () => headersOfParts(parts, 'multipart/form-data; boundary=x', 64)],
    ];
    for (const [name, steps, run] of read) {
      run();
      expect(countSteps(run), name).toBeLessThan(steps);
    }
  });

  it('counts the steps of nested loops', () => {
    const square = (length: number) =>
      countSteps(() => Array.from({ length }, (_, at) => 'a'.repeat(length).indexOf('b', at)));
    expect(square(200)).toBeGreaterThan(3 * square(100));
  });
});
