import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../src/index.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { createTestEngine, hashOf } from '../../engine/setup.ts';
import { createTestSeal, elementOf, readsSealed } from './test-seal.ts';
import { createMemoryStore } from '../../memory-store.ts';

const [FIRST, SECOND] = ['the first pepper, long enough', 'the second pepper, long enough'] as const;
const asked = [{ kind: 'email', hash: hashOf(1) }];

describe('a protected row that a rotation of peppers moves', () => {
  it('is in no page that is read meanwhile', async () => {
    const state: { rotate?: (() => Promise<unknown>) | undefined } = {};
    const store = await createMemoryStore();
    const around: Store = {
      ...store,
      async read(work) {
        const rows = await store.read(work);
        if (!readsSealed(work)) return rows;
        const { rotate } = state;
        state.rotate = undefined;
        await rotate?.();
        return rows;
      },
    };
    const { engine, apiKey } = await createTestEngine({ store: around, peppers: [FIRST], seal: createTestSeal() });
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 7, text: 'text', identifiers: asked }));
    const elements = async () => (await engine.readSealedRows({ limit: 10 })).rows.map(({ element }) => element);
    expect(unwrap(await engine.query({ apiKey, identifiers: asked })).reported).toBe(1);
    expect(await elements()).toEqual([elementOf(hashOf(1))]);
    unwrap(await engine.protect({ hash: hashOf(1), reason: 'ours', by: 'Ada' }));
    state.rotate = () => engine.rotatePepper({ pepper: SECOND });
    expect(await elements()).toEqual([]);
    expect(state.rotate).toBeUndefined();
    unwrap(await engine.unprotect({ hash: hashOf(1), by: 'Ada' }));
    expect(await elements()).toEqual([elementOf(hashOf(1))]);
  });
});
