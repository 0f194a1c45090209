import type { EngineStore } from '../../src/core/engine/context.ts';
import { createCoordination } from '../../src/stores/shared/coordination.ts';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { PepperError, StoreKeyError, StoreUnavailableError, unwrap } from '../../src/index.ts';
import { createSqljsStore, type SqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { budget } from '../budget.ts';
import { createTestEngine, hashOf, START } from './setup.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import { createMemoryStore } from '../memory-store.ts';

const [FIRST, SECOND, THIRD] = [
  'the first pepper, long enough',
  'the second pepper, long enough',
  'the third pepper, long enough',
] as const;
const identifiers = [
  { kind: 'email', hash: hashOf(1) },
  { kind: 'phone', hash: hashOf(2) },
];
const draft = { type: 'fraud', severity: 7, text: 'text', identifiers };

const holds = (store: SqljsStore, hash: string): boolean =>
  Buffer.from(store.export()).includes(Buffer.from(hash, 'hex'));
const answer = async (engine: Engine, apiKey: string, asked = identifiers) => {
  const { points, reported, reliability, link } = unwrap(await engine.query({ apiKey, identifiers: asked }));
  const shown = await engine.view({ linkHash: link.slice(-40) });
  return { points, reported, reliability, link, shown: shown.ok ? shown.value.length : 0 };
};

describe('a store under a pepper', () => {
  it('holds no hash that anybody sent, and answers as one without', async () => {
    const told = [];
    for (const peppers of [[], [FIRST], [FIRST, SECOND]]) {
      const store = await createMemoryStore();
      const { engine, apiKey, otherKey } = await createTestEngine({ store, peppers });
      unwrap(await engine.report({ apiKey, ...draft }));
      unwrap(await engine.protect({ hash: hashOf(3), reason: 'ours', by: 'Ada' }));
      unwrap(
        await engine.report({ apiKey, ...draft, text: 'more', identifiers: [{ kind: 'domain', hash: hashOf(3) }] }),
      );
      const again = unwrap(await engine.report({ apiKey, ...draft }));
      const explained = unwrap(await engine.explain({ identifiers }));
      told.push({
        query: await answer(engine, otherKey),
        protected: await answer(engine, otherKey, [{ kind: 'domain', hash: hashOf(3) }]),
        again,
        explained,
      });
      expect([1, 2, 3].map((n) => holds(store, hashOf(n)))).toEqual(Array(3).fill(peppers.length === 0));
      expect(unwrap(await engine.unprotect({ hash: hashOf(3), by: 'Ada' }))).toBeUndefined();
    }
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
    expect(told[0]!.query).toMatchObject({ reported: 1, shown: 1 });
    expect(told[0]!.again.duplicate).toBe(true);
  });

  it('is not opened without it, with another one, or with them in another order', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store, peppers: [FIRST, SECOND] });
    unwrap(await engine.report({ apiKey, ...draft }));
    const before = Buffer.from(store.export());
    for (const peppers of [[], [FIRST], [SECOND, FIRST], [FIRST, THIRD], [THIRD, SECOND]]) {
      const other = await reopen(before, peppers);
      for (const refused of [
        other.query({ apiKey, identifiers }),
        other.report({ apiKey, ...draft, text: 'other' }),
        other.explain({ identifiers }),
        other.protect({ hash: hashOf(9), reason: 'r', by: 'Ada' }),
        other.pepperStatus(),
      ]) {
        await expect(refused).rejects.toThrow(PepperError);
        await expect(refused).rejects.toBeInstanceOf(StoreKeyError);
        await expect(refused).rejects.toThrow(/fingerprint [0-9a-f]{16}/);
      }
    }
    expect(await engine.pepperStatus()).toMatchObject({ generation: 2, moving: false, spare: 0 });
  });

  it('refuses what is no pepper', async () => {
    await expect(createTestEngine({ peppers: ['short'] })).rejects.toThrow(
      '"peppers[0]" expected at least 16 bytes, got 5',
    );
    await expect(createTestEngine({ peppers: [FIRST, 7 as unknown as string] })).rejects.toThrow(
      '"peppers[1]" expected text or bytes, got number',
    );
    await expect(createTestEngine({ peppers: FIRST as unknown as string[] })).rejects.toThrow(
      '"peppers" expected an array',
    );
    const { engine } = await createTestEngine({ peppers: [FIRST] });
    await expect(engine.rotatePepper()).rejects.toThrow('"pepper" expected a pepper that the store does not use yet');
    await expect(engine.rotatePepper({ pepper: 'short' })).rejects.toThrow('"pepper" expected at least 16 bytes');
    expect(await engine.pepperStatus()).toMatchObject({ generation: 1, moving: false });
  });
});

describe('a new pepper', () => {
  it('goes on top of what is there: nothing is lost, links stay good, and the old values are gone', async () => {
    for (const peppers of [[], [FIRST]]) {
      const store = await createMemoryStore();
      const { engine, apiKey, otherKey } = await createTestEngine({ store, peppers });
      const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft }));
      unwrap(await engine.protect({ hash: hashOf(3), reason: 'ours', by: 'Ada' }));
      unwrap(
        await engine.report({ apiKey, ...draft, text: 'more', identifiers: [{ kind: 'domain', hash: hashOf(3) }] }),
      );
      const before = await answer(engine, otherKey);
      const old = (await store.readIdentifiers(undefined, 10)).map(({ hash }) => hash);
      expect(await engine.rotatePepper({ pepper: SECOND })).toBe(3);
      expect(await engine.pepperStatus()).toMatchObject({ generation: peppers.length + 1, moving: false, spare: 0 });
      expect((await engine.view({ linkHash: before.link.slice(-40) })).ok).toBe(true);
      expect(await answer(engine, otherKey)).toEqual(before);
      expect((await answer(engine, otherKey, [{ kind: 'domain', hash: hashOf(3) }])).reported).toBe(0);
      for (const hash of old) expect(holds(store, hash), 'an old value is still in the file').toBe(false);
      expect(unwrap(await engine.report({ apiKey, ...draft })).duplicate).toBe(true);
      unwrap(await engine.remove({ apiKey, deletionCode }));
      expect((await answer(engine, otherKey)).reported).toBe(0);
    }
  });

  it('is put on while everything goes on: whoever asks in the middle finds everything, and nothing is left behind', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey, otherKey } = await createTestEngine({
      store,
      peppers: [FIRST],
      limits: { report: { requests: 5000, windowSeconds: 1 }, query: { requests: 5000, windowSeconds: 1 } },
    });
    const person = (n: number) => [{ kind: 'email', hash: hashOf(n) }];
    for (let n = 0; n < 450; n++)
      unwrap(await engine.report({ apiKey, ...draft, text: `t${n}`, identifiers: person(n) }));
    const rotation = { done: false };
    const rotating = engine.rotatePepper({ pepper: SECOND }).then((moved) => ((rotation.done = true), moved));
    const during = { asked: 0, written: 0, moving: false };
    for (let n = 0; !rotation.done; n = (n + 7) % 450) {
      const written = engine.report({ apiKey: otherKey, ...draft, text: `d${during.written}`, identifiers: person(n) });
      expect(unwrap(await engine.query({ apiKey, identifiers: person((n + 200) % 450) })).reported).toBeGreaterThan(0);
      if (!unwrap(await written).duplicate) during.written++;
      during.moving ||= (await engine.pepperStatus()).moving;
      during.asked++;
      await new Promise((resolve) => setTimeout(resolve));
    }
    await rotating;
    expect(during.moving).toBe(true);
    expect(during.asked).toBeGreaterThan(1);
    expect(await store.readOldHashes({ generation: 2, after: '', limit: 1 })).toEqual([]);
    let found = 0;
    for (let n = 0; n < 450; n++) found += unwrap(await engine.query({ apiKey, identifiers: person(n) })).reported;
    expect(found).toBe(450 + during.written);
  });

  it('goes on where it was interrupted, and all are found meanwhile', async () => {
    const store = await createMemoryStore();
    const calls = { left: 1 };
    const failing: Store = new Proxy(store, {
      get: (target, name: keyof Store) =>
        name === 'rehash'
          ? (...args: Parameters<Store['rehash']>) =>
              calls.left-- > 0 ? target.rehash(...args) : Promise.reject(new StoreUnavailableError('gone'))
          : target[name],
    });
    const { engine, apiKey, otherKey } = await createTestEngine({
      store: failing,
      peppers: [FIRST],
      limits: { report: { requests: 5000, windowSeconds: 1 }, query: { requests: 5000, windowSeconds: 1 } },
    });
    for (let n = 0; n < 450; n++)
      unwrap(
        await engine.report({ apiKey, ...draft, text: `t${n}`, identifiers: [{ kind: 'email', hash: hashOf(n) }] }),
      );
    await expect(engine.rotatePepper({ pepper: SECOND })).rejects.toThrow(StoreUnavailableError);
    // The same call again goes on: it adds no third pepper.
    await expect(engine.rotatePepper({ pepper: SECOND })).rejects.toThrow(StoreUnavailableError);
    calls.left = Infinity;
    expect(await engine.pepperStatus()).toMatchObject({ generation: 2, moving: true });
    // The next process.
    const next = await reopen(store.export(), [FIRST, SECOND]);
    expect(await next.pepperStatus()).toMatchObject({ generation: 2, moving: true });
    for (let n = 0; n < 450; n += 45) {
      const asked = [{ kind: 'email', hash: hashOf(n) }];
      expect(unwrap(await engine.query({ apiKey: otherKey, identifiers: asked })).reported).toBe(1);
    }
    expect(await engine.rotatePepper()).toBeGreaterThan(200);
    expect(await engine.pepperStatus()).toMatchObject({ generation: 2, moving: false });
    expect(await next.rotatePepper()).toBe(250);
  });

  it('changes no answer, whenever it comes and whatever happens around it', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('report' as const),
        by: fc.nat(1),
        of: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
        severity: fc.integer({ min: 1, max: 10 }),
      }),
      fc.record({ do: fc.constant('remove' as const), nth: fc.nat(5) }),
      fc.record({ do: fc.constant('protect' as const), of: fc.nat(4) }),
      fc.record({ do: fc.constant('query' as const), of: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }) }),
      fc.record({ do: fc.constant('rotate' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const plain = await play(steps, false);
        const peppered = await play(steps, true);
        expect(peppered).toEqual(plain);
      }),
      { numRuns: budget(2) },
    );
  });
});

type Step =
  | { do: 'report'; by: number; of: number[]; severity: number }
  | { do: 'remove'; nth: number }
  | { do: 'protect'; of: number }
  | { do: 'query'; of: number[] }
  | { do: 'rotate' };

async function play(steps: readonly Step[], rotates: boolean): Promise<unknown[]> {
  const { engine, apiKey, otherKey, clock } = await createTestEngine({ peppers: rotates ? [FIRST] : [] });
  const people = (of: readonly number[]) => of.map((n) => ({ kind: 'email', hash: hashOf(n) }));
  const codes: { code: string; key: string }[] = [];
  const told: unknown[] = [];
  for (const [at, step] of steps.entries()) {
    clock.nowMs += 1000;
    if (step.do === 'report') {
      const key = step.by === 0 ? apiKey : otherKey;
      codes.push({
        key,
        code: unwrap(
          await engine.report({
            apiKey: key,
            type: 'fraud',
            severity: step.severity,
            text: `t${at}`,
            identifiers: people(step.of),
          }),
        ).deletionCode,
      });
    } else if (step.do === 'remove') {
      const one = codes[step.nth];
      if (one) told.push(await engine.remove({ apiKey: one.key, deletionCode: one.code }));
    } else if (step.do === 'protect')
      told.push((await engine.protect({ hash: hashOf(step.of), reason: 'r', by: 'Ada' })).ok);
    else if (step.do === 'query')
      told.push(
        await answer(engine, apiKey, people(step.of)),
        unwrap(await engine.explain({ identifiers: people(step.of) })),
      );
    else if (rotates) await engine.rotatePepper({ pepper: `a pepper of step ${at}, long enough` });
  }
  told.push((await engine.listStandings()).map(({ name, precision }) => [name, precision]));
  return told;
}

/** Another process on a copy of a store; the keys are good there, too. */
async function reopen(bytes: Uint8Array, peppers: readonly string[]): Promise<Engine> {
  return createEngine({
    store: await createSqljsStore({ bytes }),
    secret: 'a secret of more than sixteen bytes',
    publicUrl: 'https://reports.example',
    clock: () => START,
    peppers,
  });
}

describe('a clock that was ahead', () => {
  it('when the store was created puts no pepper out of use', async () => {
    const store = await createMemoryStore();
    const ahead = await createTestEngine({ store, peppers: [FIRST], clock: () => START + 86_400_000 });
    unwrap(await ahead.engine.report({ apiKey: ahead.apiKey, ...draft }));
    const back = createEngine({
      store,
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START,
      peppers: [FIRST],
    });
    expect(await back.pepperStatus()).toMatchObject({ generation: 1 });
    expect(unwrap(await back.query({ apiKey: ahead.otherKey, identifiers })).reported).toBe(1);
    unwrap(await back.report({ apiKey: ahead.otherKey, ...draft, identifiers: [{ kind: 'email', hash: hashOf(9) }] }));
    expect(holds(store, hashOf(9))).toBe(false);
  });
});

describe('a rotation where several processes share the store', () => {
  it('waits with the given timer until the other processes know the new pepper', async () => {
    const inner = await createMemoryStore();
    const clock = { nowMs: START };
    const shared = { lease: async () => undefined, takeTokens: createSharedBuckets(), nowMs: async () => clock.nowMs };
    const coordination = createCoordination(shared as never);
    const store = new Proxy(inner as EngineStore, {
      get: (target, name: keyof EngineStore) => ({ shared, coordination })[name as 'shared'] ?? target[name],
    });
    const waits: number[] = [];
    let fraction = 0;
    const engine = createEngine({
      store,
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs,
      // Its readings have fractions, but what is stored is whole.
      monotonic: () => clock.nowMs + (fraction += 0.001),
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        clock.nowMs += milliseconds;
      },
      peppers: [FIRST],
    });
    // Not `ready`, which waits for the standings: no process computes them here.
    await engine.pepperStatus();
    expect(await engine.rotatePepper({ pepper: SECOND })).toBe(0);
    expect(new Set(waits)).toEqual(new Set([200]));
    expect(waits.reduce((sum, milliseconds) => sum + milliseconds, 0)).toBe(6000);
    expect(await engine.pepperStatus()).toMatchObject({ generation: 2, moving: false });
    for (const { addedAt } of await store.findPeppers()) expect(addedAt).toSatisfy(Number.isInteger);
  });
});
