import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/core/domain/refusal.ts';
import { formatForm, parseForm } from '../../src/core/protocol/form.ts';

const KEY = '0123456789abcdef';
const [A, B, C] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)] as const;
const QUERY: [string, string][] = [
  ['_action', 'query'],
  ['_api', KEY],
];
const REPORT: [string, string][] = [
  ['_action', 'report'],
  ['_api', KEY],
  ['_type', 'fraud'],
  ['_value', '7'],
  ['_text', 'Text.'],
];

const DELETE: [string, string][] = [
  ['_action', 'delete'],
  ['_api', KEY],
  ['_code', KEY],
];

function refusalOf(fields: [string, string][], options = {}): Refusal | undefined {
  const form = parseForm(fields, options);
  return form.ok ? undefined : form.refusal;
}

describe('identifiers in a form (protocol 2.3)', () => {
  it('lose the number of their kind and keep their order', () => {
    const form = parseForm([
      ['phone2', C],
      ...QUERY,
      ['email', A],
      ['email2', B],
      ['email10', C],
      ['paypal-email', A],
      ['ipv4', B],
      ['email0', C],
    ]);
    expect(form).toEqual({
      ok: true,
      value: {
        action: 'query',
        apiKey: KEY,
        identifiers: [
          { kind: 'phone', hash: C },
          { kind: 'email', hash: A },
          { kind: 'email', hash: B },
          { kind: 'email', hash: C },
          { kind: 'paypal-email', hash: A },
          { kind: 'ipv', hash: B },
          { kind: 'email0', hash: C },
        ],
      },
    });
  });

  it('are lowered, names and values, and the key and the code with them', () => {
    expect(
      parseForm([
        ['_ACTION', 'query'],
        ['_Api', KEY.toUpperCase()],
        ['EMAIL', A.toUpperCase()],
      ]),
    ).toMatchObject({ ok: true, value: { apiKey: KEY, identifiers: [{ kind: 'email', hash: A }] } });
    expect(
      parseForm([
        ['_action', 'delete'],
        ['_api', KEY],
        ['_code', KEY.toUpperCase()],
      ]),
    ).toMatchObject({ ok: true, value: { deletionCode: KEY } });
  });

  it('are written with numbers from 2 on, in their order', () => {
    const identifiers = [
      { kind: 'email', hash: A },
      { kind: 'ip', hash: A },
      { kind: 'email', hash: B },
      { kind: 'email', hash: C },
      { kind: 'ip', hash: B },
    ];
    expect(formatForm({ action: 'query', apiKey: KEY, identifiers })).toEqual([
      ...QUERY,
      ['email', A],
      ['ip', A],
      ['email2', B],
      ['email3', C],
      ['ip2', B],
    ]);
  });

  it('given with a number are counted with their kind', () => {
    const identifiers = [
      { kind: 'email2', hash: A },
      { kind: 'email', hash: B },
    ];
    expect(formatForm({ action: 'query', apiKey: KEY, identifiers }).slice(2)).toEqual([
      ['email', A],
      ['email2', B],
    ]);
  });

  it('never leave in clear text', () => {
    for (const identifier of [
      { kind: 'email', hash: 'jane@example.org' },
      { kind: 'email', hash: A.toUpperCase() },
      { kind: '_api', hash: A },
      { kind: 'E mail', hash: A },
    ]) {
      const format = (): unknown => formatForm({ action: 'query', apiKey: KEY, identifiers: [identifier] });
      expect(format).toThrow(TypeError);
      expect(format).not.toThrow(identifier.hash);
    }
  });

  it('are not sent in place of a deletion code', () => {
    const format = (deletionCode: string) => formatForm({ action: 'delete', apiKey: KEY, deletionCode });
    for (const text of ['jane@example.org', '', KEY.slice(1), `${KEY}0`, `${KEY}\n`, A])
      expect(() => format(text)).toThrow(new TypeError('"deletionCode" expected 16 hex characters, got another text'));
    expect(() => format(undefined as never)).toThrow('"deletionCode"');
    expect(format('ABCDEF0123456789').at(-1)).toEqual(['_code', 'abcdef0123456789']);
  });

  it.each([
    ['a kind', { kind: 'E mail', hash: A }, 'kind" expected a lowercase name of 1 to 32 letters, digits, _ and -'],
    [
      'a kind before its hash',
      { kind: '', hash: '' },
      'kind" expected a lowercase name of 1 to 32 letters, digits, _ and -',
    ],
    ['a hash', { kind: 'email', hash: 'jane@example.org' }, 'hash" expected 40 lowercase hex characters'],
  ])('are refused without their text: %s', (_, identifier, expected) => {
    expect(() => formatForm({ action: 'query', apiKey: KEY, identifiers: [identifier] })).toThrow(
      new TypeError(`"${expected}, got another text`),
    );
  });

  it('have names of at most 32 characters with their number', () => {
    const names = (kind: string): string[] =>
      formatForm({ action: 'query', apiKey: KEY, identifiers: [A, B].map((hash) => ({ kind, hash })) })
        .slice(2)
        .map(([name]) => name);
    expect(names('a'.repeat(31))).toEqual(['a'.repeat(31), `${'a'.repeat(31)}2`]);
    expect(() => names('a'.repeat(32))).toThrow(
      new TypeError('"kind" expected at most 32 characters with its number, got 33'),
    );
  });
});

describe('the order of refusals (protocol 4.1, our choice)', () => {
  const bad: [string, string][] = [['email', 'x']];

  it.each<[string, [string, string][], Refusal]>([
    [
      'structure before all',
      [
        ['_action', 'nothing'],
        ['a b', ''],
      ],
      { reason: 'invalid-field-name' },
    ],
    [
      'a repeated field before its name is known',
      [
        ['_x', ''],
        ['_x', ''],
      ],
      { reason: 'unknown-field', field: '_x' },
    ],
    ['encoding before the name', [['\ud800', '']], { reason: 'invalid-encoding' }],
    ['_action before _api', bad, { reason: 'missing-field', field: '_action' }],
    ['an unknown action before _api', [['_action', 'QUERY'], ...bad], { reason: 'unknown-action' }],
    ['_api before the rest', [['_action', 'report'], ...bad], { reason: 'missing-field', field: '_api' }],
    ['the shape of the key before the rest', [['_action', 'report'], ['_api', 'x'], ...bad], { reason: 'unknown-key' }],
    [
      'strange fields before missing ones',
      [['_action', 'report'], ['_api', KEY], ['_code', ''], ...bad],
      { reason: 'unknown-field', field: '_code' },
    ],
    [
      'missing fields before values',
      [['_action', 'report'], ['_api', KEY], ['_value', 'x'], ...bad],
      { reason: 'missing-field', field: '_type' },
    ],
    [
      'the severity before the identifiers',
      [...REPORT.slice(0, 3), ['_value', 'x'], ['_text', ''], ...bad],
      { reason: 'invalid-severity' },
    ],
    [
      'the identifiers last',
      [...REPORT, ['email', A], ['email2', 'x']],
      { reason: 'invalid-identifier', field: 'email2' },
    ],
    ['none of them', REPORT, { reason: 'no-identifier' }],
    ['a name sent twice', [...QUERY, ['email', A], ['EMAIL', B]], { reason: 'repeated-field', field: 'email' }],
    [
      'a name sent twice before the rest of the form',
      [
        ['email', A],
        ['email', A],
      ],
      { reason: 'repeated-field', field: 'email' },
    ],
    ['an identifier in a deletion', [...DELETE, ['email', A]], { reason: 'unknown-field', field: 'email' }],
    ['a deletion without a code', DELETE.slice(0, 2), { reason: 'missing-field', field: '_code' }],
    ['a report without a text', REPORT.slice(0, 4), { reason: 'missing-field', field: '_text' }],
  ])('%s', (_, fields, refusal) => {
    expect(refusalOf(fields)).toEqual(refusal);
  });

  it('counts up to the bounds and no further', () => {
    const many = (count: number): [string, string][] =>
      Array.from({ length: count }, (_, index) => [`ip${index + 1}`, A]);
    expect(refusalOf([...QUERY, ...many(62)])).toBeUndefined();
    expect(refusalOf([...QUERY, ...many(63)])).toEqual({ reason: 'too-many-fields', limit: 64 });
  });

  it('stops at the bound of an endless form', () => {
    function* endless(): Generator<[string, string]> {
      for (let index = 1; ; index += 1) yield [`ip${index}`, A];
    }
    expect(parseForm(endless())).toEqual({ ok: false, refusal: { reason: 'too-many-fields', limit: 64 } });
  });

  it('takes no letter for ASCII that only lowers to it', () => {
    expect(refusalOf([...QUERY, ['\u212aind', A]])).toEqual({ reason: 'invalid-field-name' });
  });
});

describe('texts', () => {
  it.each(['a\nb\r\nc\td', 'ﷺ', 'a\ufffd', '\u202etxt', 'a\u200bb'])('keep %j', (text) => {
    expect(parseForm([...REPORT.slice(0, 4), ['_text', text], ['email', A]])).toMatchObject({
      ok: true,
      value: { text },
    });
  });

  it.each(['\ud800', 'a\udc00b'])('refuse %j as not UTF-8', (text) => {
    expect(refusalOf([...REPORT.slice(0, 4), ['_text', text], ['email', A]])).toEqual({ reason: 'invalid-encoding' });
  });
});

describe('the values of a form', () => {
  it.each(['', 'x', KEY.slice(1), `${KEY}0`, `0${KEY}`, ` ${KEY}`])('%j is no deletion code', (code) => {
    expect(refusalOf([...DELETE.slice(0, 2), ['_code', code]])).toEqual({ reason: 'invalid-code' });
  });

  it.each(['1', '2', '9', '10'])('%s is a severity', (value) => {
    expect(parseForm([...REPORT.slice(0, 3), ['_value', value], ['_text', 'Text.'], ['email', A]])).toEqual({
      ok: true,
      value: {
        action: 'report',
        apiKey: KEY,
        type: 'fraud',
        severity: Number(value),
        text: 'Text.',
        identifiers: [{ kind: 'email', hash: A }],
      },
    });
  });

  it.each(['', '0', '11', '07', '+7', '-7', '7.0', ' 7', '7 ', '7\n', '17', '71', '010', '100', '1e0', '0x7', '٧'])(
    '%j is no severity',
    (value) => {
      expect(refusalOf([...REPORT.slice(0, 3), ['_value', value], ['_text', ''], ['email', A]])).toEqual({
        reason: 'invalid-severity',
      });
    },
  );
});

describe('the options of parseForm', () => {
  it('set the number of fields', () => {
    expect(refusalOf([...QUERY, ['email', A]], { fields: 3 })).toBeUndefined();
    expect(refusalOf([...QUERY, ['email', A]], { fields: 2 })).toEqual({ reason: 'too-many-fields', limit: 2 });
    expect(refusalOf([['email', A]], { fields: 1 })).toEqual({ reason: 'missing-field', field: '_action' });
  });

  it.each([
    [{ field: 3 }, new TypeError('"field" is not an option')],
    [{ fields: '3' }, new TypeError('"fields" expected a number, got string')],
    [{ fields: 0 }, new RangeError('"fields" expected a whole number of at least 1, got 0')],
  ])('refuse %j', (options, error) => {
    expect(() => refusalOf([], options)).toThrow(error);
  });
});
