import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap, type ReportDraft } from '../../src/index.ts';
import { createTestEngine, hashOf } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const draft = (over: Partial<ReportDraft> = {}): ReportDraft => ({
  type: 'fraud',
  severity: 6,
  text: 'Paid with a stolen card',
  identifiers: [{ kind: 'email', hash: hashOf(1) }],
  ...over,
});

describe('misuse by a program without types', () => {
  it.each([null, undefined, 77, {}, [], Symbol('x')])(
    '%o in any place is refused or a TypeError, and nothing is stored',
    async (odd) => {
      const store = await createMemoryStore();
      const { engine, apiKey, reporterId } = await createTestEngine({ store });
      // The first query also counts against the budget of its reporter.
      unwrap(await engine.query({ apiKey, identifiers: draft().identifiers }));
      const before = store.export();
      const calls: (() => Promise<unknown>)[] = [
        () => engine.report({ apiKey: odd as never, ...draft() }),
        ...(['type', 'severity', 'text', 'identifiers'] as const).map(
          (name) => () => engine.report({ apiKey, ...draft({ [name]: odd as never }) }),
        ),
        () => engine.report({ apiKey, ...draft({ identifiers: [odd as never] }) }),
        () => engine.report({ apiKey, ...draft({ identifiers: [{ kind: odd as never, hash: hashOf(1) }] }) }),
        () => engine.report({ apiKey, ...draft({ identifiers: [{ kind: 'email', hash: odd as never }] }) }),
        () => engine.query({ apiKey, identifiers: odd as never }),
        () => engine.remove({ apiKey, deletionCode: odd as never }),
        () => engine.view({ linkHash: odd as never }),
        () => engine.createReporter({ name: odd as never }),
        () => engine.suspendReporter({ reporterId: odd as never, suspended: true }),
        () => engine.suspendReporter({ reporterId, suspended: odd as never }),
        () => engine.issueKey({ reporterId: odd as never }),
        () => engine.rotateKey({ keyId: odd as never }),
        () => engine.revokeKey({ keyId: odd as never }),
      ];
      for (const call of calls) {
        const answer = await call().catch((error: unknown) => error);
        if (answer instanceof Error) expect(answer, String(call)).toBeInstanceOf(TypeError);
        else expect(answer, String(call)).toMatchObject({ ok: false });
      }
      expect(Buffer.compare(store.export(), before)).toBe(0);
    },
  );
});

describe('options are validated at construction', () => {
  it.each([
    ['secret', { secret: 'short' }],
    ['secret', { secret: undefined as never }],
    ['store', { store: {} as never }],
    ['model', { model: {} as never }],
    ['bounds.identifer', { bounds: { identifer: 3 } as never }],
    ['limits.querry', { limits: { querry: { requests: 1, windowSeconds: 1 } } as never }],
    ['limits.unknownKey', { limits: { unknownKey: { requests: 1, windowSeconds: 1 } } as never }],
    ['budgets.identifier', { budgets: { identifier: {} } as never }],
    ['budgets.identifiers.old', { budgets: { identifiers: { old: 1 } as never } }],
    ['monotonic', { monotonic: 7 as never }],
    ['storeTime', { storeTime: () => 0 } as never],
    ['limits.query.window', { limits: { query: { window: 1 } as never } }],
    ['secret', { secret: Array(20).fill('x') as never }],
    ['offenceTypes', { offenceTypes: [undefined as never] }],
    ['clock', { clock: 7 as never }],
    ['publicUrl', { publicUrl: 'ftp://x' }],
    ['publicUrl', { publicUrl: 'reports.example' }],
    ['offenceTypes', { offenceTypes: [] }],
    ['offenceTypes', { offenceTypes: ['with-hyphen'] }],
    ['matchKinds', { matchKinds: 'some' as 'any' }],
    ['personalData', { personalData: 'hide' as 'redact' }],
    ['emptyHash', { emptyHash: 'x' }],
    ['bounds.identifiers', { bounds: { identifiers: 0 } }],
    ['limits.query.requests', { limits: { query: { requests: 0.5, windowSeconds: 1 } } }],
    ['limits.viewer.windowSeconds', { limits: { viewer: { requests: 1, windowSeconds: 0 } } }],
    ['sameRequestSeconds', { sameRequestSeconds: -1 }],
    ['onNotise', { onNotise: () => undefined } as never],
    ['linkStart', { linkStart: '' } as never],
    ['giveTurn', { giveTurn: async () => undefined } as never],
    ['trustEpoch', { trustEpoch: 'weekly' as never }],
    ['clock', { clock: () => 0.5 }],
  ])('%s', async (label, over) => {
    const store = await createMemoryStore();
    expect(() =>
      createEngine({ store, secret: 'x'.repeat(16), publicUrl: 'https://reports.example', ...over }),
    ).toThrow(`"${label}"`);
  });
});

describe('a wrong type is a TypeError, and a number out of range a RangeError', () => {
  it.each([
    ['onNotice', TypeError, { onNotice: 7 as never }],
    ['wait', TypeError, { wait: 7 as never }],
    ['random', TypeError, { random: 'x' as never }],
    ['peppers', TypeError, { peppers: 'a pepper of sixteen bytes' as never }],
    ['offenceTypes', TypeError, { offenceTypes: 'fraud' as never }],
    ['bounds.identifiers', TypeError, { bounds: { identifiers: '3' as never } }],
    ['bounds.identifiers', RangeError, { bounds: { identifiers: 1.5 } }],
    ['limits.query.requests', TypeError, { limits: { query: { requests: '3' as never, windowSeconds: 1 } } }],
    ['limits.unknown-key.requests', RangeError, { limits: { 'unknown-key': { requests: 0, windowSeconds: 1 } } }],
    ['budgets.identifiers.new', RangeError, { budgets: { identifiers: { new: 0 } } }],
    ['budgets.identifiers.verified', TypeError, { budgets: { identifiers: { verified: '9' as never } } }],
    ['sameRequestSeconds', TypeError, { sameRequestSeconds: '0' as never }],
    ['sameRequestSeconds', RangeError, { sameRequestSeconds: Number.NaN }],
  ])('%s: %o', async (label, type, over) => {
    const store = await createMemoryStore();
    const create = () => createEngine({ store, secret: 'x'.repeat(16), publicUrl: 'https://reports.example', ...over });
    expect(create).toThrow(type);
    expect(create).toThrow(`"${label}"`);
  });

  it('in requests too', async () => {
    const { engine } = await createTestEngine();
    const [key] = await engine.listKeys();
    const { keyId } = key!;
    const identifiers = draft().identifiers;
    await expect(engine.rotateKey({ keyId, graceSeconds: '0' as never })).rejects.toThrow(TypeError);
    await expect(engine.rotateKey({ keyId, graceSeconds: -1 })).rejects.toThrow(RangeError);
    await expect(engine.rotateKey({ keyId, graceSecond: 0 } as never)).rejects.toThrow('"graceSecond"');
    await expect(engine.createReporter({ name: 'x', verifed: false } as never)).rejects.toThrow('"verifed"');
    await expect(engine.explain({ identifiers, asof: 1 } as never)).rejects.toThrow('"asof"');
    await expect(engine.explain({ identifiers, asOf: 0.5 })).rejects.toThrow(TypeError);
    await expect(engine.explain({ identifiers, asOf: 1e15 })).rejects.toThrow(RangeError);
    const protection = { hash: hashOf(1), reason: 'r', by: 'Ada' };
    await expect(engine.protect({ ...protection, endAt: 1 } as never)).rejects.toThrow('"endAt"');
    await expect(engine.protect({ ...protection, endsAt: 'soon' as never })).rejects.toThrow(TypeError);
    await expect(engine.protect({ ...protection, endsAt: 1 })).rejects.toThrow(RangeError);
  });

  it('in a seeded source of bytes too', () => {
    expect(() => createSeededRandom(7 as never)).toThrow(TypeError);
    const random = createSeededRandom('seed');
    expect(() => random('8' as never)).toThrow(TypeError);
    expect(() => random(-1)).toThrow(RangeError);
    expect(() => random(0.5)).toThrow(RangeError);
    expect(random(33)).toHaveLength(33);
  });
});
