import { describe, expect, it } from 'vitest';
import { copyRows, readExport, readSnapshot, writeExport } from '../../src/store.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import {
  createSeededRandom,
  secretFingerprint,
  unwrap,
  type EngineOptions,
  type PersonalDataPolicy,
} from '../../src/index.ts';
import { formatRefusal } from '../../src/protocol.ts';
import { createTestEngine, hashOf, START } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
const POLICIES: readonly PersonalDataPolicy[] = ['refuse', 'redact', 'allow'];
const TEXT = 'Jane (jane@example.com, +1 202 555 0100) paid with 4111 1111 1111 1111. See https://phish.example/a?b=1';
const REDACTED = 'Jane ([email address], [phone number]) paid with [card number]. See https://phish.example/a?b=1';
const identifiers = [{ kind: 'email', hash: hashOf(1) }];
const draft = (text: string) => ({ type: 'fraud', severity: 6, text, identifiers });

async function textsOf(engine: Engine, apiKey: string): Promise<string[]> {
  const { link } = unwrap(await engine.query({ apiKey, identifiers }));
  const reports = unwrap(await engine.view({ linkHash: link.slice(-40) }));
  return reports.map(({ text }) => text);
}

describe('a report whose text holds personal data', () => {
  it('is refused by default, with the kinds of data and without the data', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store });
    const outcome = await engine.report({ apiKey, ...draft(`${TEXT}. Again: other@example.com`) });
    expect(outcome).toEqual({ ok: false, refusal: { reason: 'personal-data', kinds: ['email', 'phone', 'card'] } });
    expect(formatRefusal((outcome as { refusal: Parameters<typeof formatRefusal>[0] }).refusal)).toBe(
      'The field _text is public and must have no personal data. Found: email address, phone number, card number. ' +
        'Write what happened without it, and send the value as a hashed identifier.',
    );
    expect((await store.count()).reports).toBe(0);
  });

  it.each([
    ['email', 'jane@example.com'],
    ['phone', 'Tel. 030 23125 123'],
    ['ip', 'From 2001:db8::1'],
    ['card', '４１１１ １１１１ １１１１ １１１１'],
    ['iban', 'GB82 WEST 1234 5698 7654 32'],
  ])('is refused for %s', async (kind, text) => {
    const { engine, apiKey } = await createTestEngine();
    expect(await engine.report({ apiKey, ...draft(text) })).toEqual({
      ok: false,
      refusal: { reason: 'personal-data', kinds: [kind] },
    });
  });

  it('is stored without the data under redact', async () => {
    const { engine, apiKey } = await createTestEngine({ personalData: 'redact' });
    unwrap(await engine.report({ apiKey, ...draft(TEXT) }));
    expect(await textsOf(engine, apiKey)).toEqual([REDACTED]);
  });

  it('is stored as it was sent under allow', async () => {
    const { engine, apiKey } = await createTestEngine({ personalData: 'allow' });
    unwrap(await engine.report({ apiKey, ...draft(TEXT) }));
    expect(await textsOf(engine, apiKey)).toEqual([TEXT]);
  });

  it('is one report if it is sent again under redact, and two if only the data differs', async () => {
    const { engine, apiKey } = await createTestEngine({ personalData: 'redact' });
    const first = unwrap(await engine.report({ apiKey, ...draft(TEXT) }));
    expect(unwrap(await engine.report({ apiKey, ...draft(TEXT) }))).toEqual({ ...first, duplicate: true });
    const other = unwrap(await engine.report({ apiKey, ...draft(TEXT.replace('jane@', 'joan@')) }));
    expect(other.duplicate).toBe(false);
    expect(await textsOf(engine, apiKey)).toEqual([REDACTED, REDACTED]);
  });
});

describe('after a change of the policy', () => {
  async function twice(before: PersonalDataPolicy, after: PersonalDataPolicy) {
    const options: EngineOptions = {
      store: await createMemoryStore(),
      secret: SECRET,
      publicUrl: 'https://reports.example',
      clock: () => START,
    };
    const { engine, apiKey } = await createTestEngine({ ...options, personalData: before });
    const changed = createEngine({ ...options, random: createSeededRandom('changed'), personalData: after });
    return { engine, changed, apiKey, options };
  }

  it.each<[PersonalDataPolicy, PersonalDataPolicy]>([
    ['allow', 'redact'],
    ['redact', 'allow'],
  ])('from %s to %s, a retry is still recognised', async (before, after) => {
    const { engine, changed, apiKey } = await twice(before, after);
    const first = unwrap(await engine.report({ apiKey, ...draft(TEXT) }));
    expect(unwrap(await changed.report({ apiKey, ...draft(TEXT) }))).toEqual({ ...first, duplicate: true });
  });

  it('to refuse, stored texts are still shown, copied and imported', async () => {
    const { engine, changed, apiKey, options } = await twice('allow', 'refuse');
    unwrap(await engine.report({ apiKey, ...draft(TEXT) }));
    expect(await textsOf(changed, apiKey)).toEqual([TEXT]);

    const secret = secretFingerprint(SECRET);
    const target = await createMemoryStore();
    const snapshot = await options.store.snapshot();
    const lines: string[] = [];
    for await (const line of writeExport(readSnapshot(snapshot, { secret, at: '2026-01-02T03:04:05.678Z' })))
      lines.push(line);
    await snapshot.close();
    const source = readExport(async function* () {
      yield* lines;
    });
    await copyRows(source, target, { secret, peppers: [] });
    const imported = createEngine({ ...options, store: target, personalData: 'refuse' });
    expect(await textsOf(imported, apiKey)).toEqual([TEXT]);
  });
});

describe.each(POLICIES)('under %s', (personalData) => {
  it.each(['a\u202eb', 'a\u202db', 'a\u206ab', 'a\u{e0041}b', 'a\u0007b', '\u200b \u2060', '\u200f\u2066'])(
    'a text with %j is refused',
    async (text) => {
      const { engine, apiKey } = await createTestEngine({ personalData });
      expect(await engine.report({ apiKey, ...draft(text) })).toEqual({
        ok: false,
        refusal: {
          reason: 'invalid-text',
          limitCharacters: 2000,
          ...(text.startsWith('a') ? { at: 2 } : { characters: 0 }),
        },
      });
    },
  );

  it.each([
    ['של\u200fום 12\u200f', 'שלום 12'],
    ['\u061cمرحبا (\u2066abc\u2069)', 'مرحبا (abc)'],
    ['\u202bشكرا\u202c \u200eabc', 'شكرا abc'],
    ['می\u200cخواهم क्\u200dष 👩\u200d💻\u200e', 'می\u200cخواهم क्\u200dष 👩\u200d💻'],
    [`Pai${'\u0334'.repeat(900)}d`, `Pai${'\u0334'.repeat(8)}d`],
  ])('the text %j is stored without marks of direction and piles of marks', async (text, stored) => {
    const { engine, apiKey } = await createTestEngine({ personalData });
    const { reportId } = unwrap(await engine.report({ apiKey, ...draft(text) }));
    expect(await textsOf(engine, apiKey)).toEqual([stored]);
    // The marks make no other report.
    expect(unwrap(await engine.report({ apiKey, ...draft(stored) }))).toMatchObject({ reportId, duplicate: true });
  });

  it.each([
    'Lines\r\nand\ttabs',
    '👩‍💻 می‌خواهم क्‍ष',
    'See http://192.0.2.7/login and hxxps://phish.example/x',
    '<script>alert(1)</script>',
  ])('the text %j is stored as it was sent', async (text) => {
    const { engine, apiKey } = await createTestEngine({ personalData });
    unwrap(await engine.report({ apiKey, ...draft(text) }));
    expect(await textsOf(engine, apiKey)).toEqual([text]);
  });
});
