import { describe, expect, it } from 'vitest';
import { createEngine, type ReportDraft } from '../../src/index.ts';
import { createSqljsStore } from '../../src/store/sqljs/store.ts';
import { createTestEngine, hashOf } from './setup.ts';

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
      const store = await createSqljsStore();
      const { engine, apiKey, reporterId } = await createTestEngine({ store });
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

describe('configuration is proved at construction', () => {
  it.each([
    ['secret', { secret: 'short' }],
    ['secret', { secret: undefined as never }],
    ['store', { store: {} as never }],
    ['model', { model: {} as never }],
    ['bounds.identifer', { bounds: { identifer: 3 } as never }],
    ['limits.querry', { limits: { querry: { requests: 1, windowSeconds: 1 } } as never }],
    ['limits.query.window', { limits: { query: { window: 1 } as never } }],
    ['secret', { secret: Array(20).fill('x') as never }],
    ['offenceTypes', { offenceTypes: [undefined as never] }],
    ['clock', { clock: 7 as never }],
    ['publicUrl', { publicUrl: 'ftp://x' }],
    ['publicUrl', { publicUrl: 'reports.example' }],
    ['offenceTypes', { offenceTypes: [] }],
    ['offenceTypes', { offenceTypes: ['with-hyphen'] }],
    ['matchKinds', { matchKinds: 'some' as 'any' }],
    ['emptyHash', { emptyHash: 'x' }],
    ['bounds.identifiers', { bounds: { identifiers: 0 } }],
    ['limits.query.requests', { limits: { query: { requests: 0.5, windowSeconds: 1 } } }],
    ['limits.viewer.windowSeconds', { limits: { viewer: { requests: 1, windowSeconds: 0 } } }],
    ['sameRequestSeconds', { sameRequestSeconds: -1 }],
  ])('%s', async (label, over) => {
    const store = await createSqljsStore();
    expect(() =>
      createEngine({ store, secret: 'x'.repeat(16), publicUrl: 'https://reports.example', ...over }),
    ).toThrow(`"${label}"`);
  });
});
