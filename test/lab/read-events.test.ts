import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LabEventError, toLabIdentifier, type LabEvent, type QueryEvent } from '../../src/lab/event.ts';
import { formatEvent, parseEvent, readEvents } from '../../src/lab/read-events.ts';
import { anyCharacter } from '../any-character.ts';

const HASH = 'a1'.repeat(20);
const SECRET = 'secret@example.com';

/** The examples of `redflag lab run --help`. */
const EXAMPLES = [
  '{"at":"2021-01-01T00:00:00Z","do":"reporter","name":"ami","verified":true}',
  '{"at":"2021-01-02T00:00:00Z","do":"report","id":"r1","reporter":"ami","type":"fraud","severity":5,"identifiers":[["domain","0-mail.com"]]}',
  '{"at":"2021-01-03T00:00:00Z","do":"query","reporter":"x","identifiers":[["email","a@example.com"]],"label":1}',
  '{"at":"2021-01-04T00:00:00Z","do":"dispute","id":"r1"}',
  '{"at":"2021-01-05T00:00:00Z","do":"dispute","id":"r1","upheld":true}',
  '{"at":"2021-01-06T00:00:00Z","do":"remove","id":"r1"}',
];

const READ: readonly LabEvent[] = [
  { at: Date.UTC(2021, 0, 1), do: 'reporter', name: 'ami', verified: true },
  {
    at: Date.UTC(2021, 0, 2),
    do: 'report',
    id: 'r1',
    reporter: 'ami',
    type: 'fraud',
    severity: 5,
    identifiers: [toLabIdentifier('domain', '0-mail.com')],
  },
  {
    at: Date.UTC(2021, 0, 3),
    do: 'query',
    reporter: 'x',
    identifiers: [toLabIdentifier('email', 'a@example.com')],
    label: 1,
  },
  { at: Date.UTC(2021, 0, 4), do: 'dispute', id: 'r1' },
  { at: Date.UTC(2021, 0, 5), do: 'dispute', id: 'r1', upheld: true },
  { at: Date.UTC(2021, 0, 6), do: 'remove', id: 'r1' },
];

async function readAll(lines: Iterable<string>): Promise<LabEvent[]> {
  const events: LabEvent[] = [];
  for await (const event of readEvents(lines)) events.push(event);
  return events;
}

const line = (fields: object): string => JSON.stringify({ at: '2021-01-01T00:00:00Z', ...fields });
const query = (identifiers: unknown): string => line({ do: 'query', identifiers });
const identifiersOf = (identifiers: unknown) => (parseEvent(query(identifiers)) as QueryEvent).identifiers;
const atOf = (at: string): number => parseEvent(JSON.stringify({ at, do: 'remove', id: 'r' })).at;

describe('reading events', () => {
  it('reads one event of each kind, and leaves missing fields out', async () => {
    expect(await readAll(EXAMPLES)).toStrictEqual(READ.map((event, at) => ({ ...event, line: at + 1 })));
    expect(parseEvent(line({ do: 'reporter', name: 'b' }))).toStrictEqual({
      at: Date.UTC(2021, 0, 1),
      do: 'reporter',
      name: 'b',
      verified: false,
    });
    expect(parseEvent(line({ do: 'query', identifiers: [['email', HASH]], label: 0, group: 'victim' }))).toStrictEqual({
      at: Date.UTC(2021, 0, 1),
      do: 'query',
      identifiers: [{ kind: 'email', hash: HASH }],
      label: 0,
      group: 'victim',
    });
  });

  it('skips blank lines and counts them', async () => {
    expect(await readAll(['', ...EXAMPLES.flatMap((example) => [example, ' \t'])])).toStrictEqual(
      READ.map((event, at) => ({ ...event, line: 2 * at + 2 })),
    );
    await expect(readAll(['', EXAMPLES[0]!, '  ', 'x'])).rejects.toThrow(
      new LabEventError(4, 'it is not a JSON object'),
    );
  });

  it('reads lines only on demand', async () => {
    let read = 0;
    const lines = function* () {
      for (const example of EXAMPLES) {
        read++;
        yield example;
      }
    };
    const events = readEvents(lines());
    await events.next();
    await events.next();
    expect(read).toBe(2);
  });

  it('normalises clear text, and drops the number of a kind', () => {
    const [plain] = identifiersOf([['email', 'ada@example.com']]);
    expect(plain!.hash).toMatch(/^[0-9a-f]{40}$/);
    expect(
      identifiersOf([
        ['email', ' Ada@Example.COM '],
        ['email2', 'a d a@example.com'],
        ['email17', 'ada@example.com'],
      ]),
    ).toStrictEqual([plain, plain, plain]);
    expect(identifiersOf([['phone', 'ada@example.com']])[0]!.hash).not.toBe(plain!.hash);
  });

  it('keeps 40 hex characters of either case, and treats 39 as text', () => {
    expect(
      identifiersOf([
        ['email', HASH],
        ['email', HASH.toUpperCase()],
        ['ip', HASH],
      ]),
    ).toStrictEqual([
      { kind: 'email', hash: HASH },
      { kind: 'email', hash: HASH },
      { kind: 'ip', hash: HASH },
    ]);
    expect(identifiersOf([['email', HASH.slice(1)]])[0]!.hash).not.toContain(HASH.slice(1));
  });

  it.each([
    ['2021-01-01T02:30:00+02:30', Date.UTC(2021, 0, 1)],
    ['2020-12-31T19:00:00-05:00', Date.UTC(2021, 0, 1)],
    ['2021-01-01T00:00Z', Date.UTC(2021, 0, 1)],
    ['2021-01-01T00:00:00.25Z', Date.UTC(2021, 0, 1) + 250],
    ['2021-01-01T00:00:00.123456+00:00', Date.UTC(2021, 0, 1) + 123],
    ['2020-02-29T23:59:59.999Z', Date.UTC(2020, 2, 1) - 1],
  ])('reads %s', (text, at) => expect(atOf(text)).toBe(at));

  it.each([
    '2021-01-01',
    '2021-01-01T00:00:00',
    '2021-01-01 00:00:00Z',
    '2021-02-31T00:00:00Z',
    '2021-02-29T00:00:00Z',
    '2021-13-01T00:00:00Z',
    '2021-01-01T25:00:00Z',
    '2021-01-01T00:00:00 (noon) Z',
    '2021-01-01T00:00:00Z\n',
    '2021-01-01T00:00:00+99:00',
    '',
    'yesterday',
  ])('refuses the time %j', (text) => {
    expect(() => atOf(text)).toThrow('line 1: "at" expected a time like 2021-01-01T00:00:00Z');
  });
});

describe('a line that is not an event', () => {
  const ID = [['email', SECRET]];
  const report = { do: 'report', id: SECRET, reporter: SECRET, type: SECRET, severity: 5, identifiers: ID };
  const IDENTIFIERS = '"identifiers" expected a list of [kind, value], at least one';
  const TEXT = (name: string): string => `"${name}" expected text`;

  it.each<[string, string]>([
    [SECRET, 'it is not a JSON object'],
    [`"${SECRET}"`, 'it is not a JSON object'],
    [`["${SECRET}"]`, 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    [`{"at":"${SECRET}"`, 'it is not a JSON object'],
    [JSON.stringify({ at: SECRET, do: 'remove', id: 'r' }), '"at" expected a time like 2021-01-01T00:00:00Z'],
    [
      JSON.stringify({ at: 1_600_000_000_000, do: 'remove', id: 'r' }),
      '"at" expected a time like 2021-01-01T00:00:00Z',
    ],
    [JSON.stringify({ do: 'remove', id: SECRET }), '"at" expected a time like 2021-01-01T00:00:00Z'],
    [line({}), '"do" expected reporter, report, remove, dispute or query'],
    [line({ do: SECRET }), '"do" expected reporter, report, remove, dispute or query'],
    [line({ do: 'reporter' }), TEXT('name')],
    [line({ do: 'reporter', name: '' }), TEXT('name')],
    [line({ do: 'reporter', name: 5 }), TEXT('name')],
    [line({ do: 'reporter', name: SECRET, verified: SECRET }), '"verified" expected true or false'],
    [line({ do: 'reporter', name: SECRET, verified: null }), '"verified" expected true or false'],
    [line({ ...report, id: undefined }), TEXT('id')],
    [line({ ...report, id: 7 }), TEXT('id')],
    [line({ ...report, reporter: null }), TEXT('reporter')],
    [line({ ...report, type: '' }), TEXT('type')],
    [line({ ...report, severity: '5' }), '"severity" expected a whole number from 1 to 10'],
    [line({ ...report, severity: 5.5 }), '"severity" expected a whole number from 1 to 10'],
    [line({ ...report, severity: 0 }), '"severity" expected a whole number from 1 to 10'],
    [line({ ...report, severity: 11 }), '"severity" expected a whole number from 1 to 10'],
    [line({ ...report, severity: undefined }), '"severity" expected a whole number from 1 to 10'],
    [line({ ...report, identifiers: undefined }), IDENTIFIERS],
    [line({ do: 'remove' }), TEXT('id')],
    [line({ do: 'dispute', upheld: true }), TEXT('id')],
    [line({ do: 'dispute', id: SECRET, upheld: 1 }), '"upheld" expected true or false'],
    [query(undefined), IDENTIFIERS],
    [query([]), IDENTIFIERS],
    [query({ email: SECRET }), IDENTIFIERS],
    [query(SECRET), IDENTIFIERS],
    [query([SECRET]), IDENTIFIERS],
    [query([['email']]), IDENTIFIERS],
    [query([['email', SECRET, SECRET]]), IDENTIFIERS],
    [query([['email', 5]]), IDENTIFIERS],
    [query([['email', '  ']]), IDENTIFIERS],
    [query([['email', '\ud800']]), IDENTIFIERS],
    [query([['Email', SECRET]]), IDENTIFIERS],
    [query([['', SECRET]]), IDENTIFIERS],
    [query([...ID, ['x'.repeat(33), SECRET]]), IDENTIFIERS],
    [line({ do: 'query', identifiers: ID, label: '1' }), '"label" expected 0 or 1'],
    [line({ do: 'query', identifiers: ID, label: 2 }), '"label" expected 0 or 1'],
    [line({ do: 'query', identifiers: ID, label: null }), '"label" expected 0 or 1'],
    [line({ do: 'query', identifiers: ID, reporter: null }), TEXT('reporter')],
    [line({ do: 'query', identifiers: ID, group: '' }), TEXT('group')],
    [
      line({ do: 'remove', id: 'r', [SECRET]: SECRET }),
      'it has an unknown field; this kind of event allows only at, do, id',
    ],
    [
      line({ do: 'remove', id: 'r', upheld: true }),
      'it has an unknown field; this kind of event allows only at, do, id',
    ],
    [
      '{"at":"2021-01-01T00:00:00Z","do":"remove","id":"r","__proto__":{}}',
      'it has an unknown field; this kind of event allows only at, do, id',
    ],
  ])('%s is refused', (text, problem) => {
    const refused = (): LabEvent => parseEvent(text, 7);
    expect(refused).toThrow(new LabEventError(7, problem));
    expect(refused).toThrow(
      expect.objectContaining({
        name: 'LabEventError',
        line: 7,
        message: expect.not.stringContaining(SECRET) as unknown,
      }),
    );
  });
});

const text = fc.string({ minLength: 1, unit: anyCharacter });
const identifiers = fc.array(
  fc
    .tuple(fc.stringMatching(/^[a-z][a-z_-]{0,20}$/), fc.oneof(fc.stringMatching(/^[0-9a-f]{40}$/), fc.emailAddress()))
    .map(([kind, value]) => toLabIdentifier(kind, value)),
  { minLength: 1, maxLength: 5 },
);
const at = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.getTime());
const is = <T extends string>(what: T) => fc.constant(what);
const anyEvent: fc.Arbitrary<LabEvent> = fc.oneof(
  fc.record({ at, do: is('reporter'), name: text, verified: fc.boolean() }),
  fc.record({
    at,
    do: is('report'),
    id: text,
    reporter: text,
    type: text,
    severity: fc.integer({ min: 1, max: 10 }),
    identifiers,
  }),
  fc.record({ at, do: is('remove'), id: text }),
  fc.record({ at, do: is('dispute'), id: text, upheld: fc.boolean() }),
  fc.record({ at, do: is('dispute'), id: text }),
  fc.record(
    { at, do: is('query'), identifiers, reporter: text, label: fc.constantFrom(0 as const, 1 as const), group: text },
    { requiredKeys: ['at', 'do', 'identifiers'] },
  ),
);

describe('a formatted event', () => {
  it('is one line, and parses to the same event', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const written = formatEvent(event);
        expect(written).not.toMatch(/[\r\n]/);
        expect(parseEvent(written)).toEqual(event);
      }),
    );
  });
});
