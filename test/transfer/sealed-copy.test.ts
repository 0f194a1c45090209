import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { SealError, unwrap } from '../../src/index.ts';
import type { Seal } from '../../src/sealed.ts';
import type { Store } from '../../src/core/store/store.ts';
import { copyRows } from '../../src/stores/transfer/copy-rows.ts';
import { readExport } from '../../src/stores/transfer/read-export.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { createTestSeal, elementOf, sealFingerprint } from '../sealed/engine/test-seal.ts';
import { exportOf, KEYS, PEPPER, SECRET } from './stores.ts';
import { createMemoryStore } from '../memory-store.ts';

const identifiers = [1, 2].map((n) => ({ kind: 'email', hash: hashOf(n) }));
const draft = { type: 'fraud', severity: 5, text: 'text', identifiers };
const engineOn = (store: Store, seal?: Seal) =>
  createEngine({
    store,
    secret: SECRET,
    peppers: [PEPPER],
    publicUrl: 'https://reports.example',
    clock: () => START,
    ...(seal && { seal }),
  });

describe('a copy of a sealed store', () => {
  it('has its elements and needs its sealing key', async () => {
    const store = await createMemoryStore();
    const seal = createTestSeal();
    const { engine, apiKey } = await createTestEngine({ store, secret: SECRET, peppers: [PEPPER], seal });
    unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(await engine.protect({ hash: hashOf(3), reason: 'ours', by: 'Ada' }));

    const lines = await exportOf(store);
    const target = await createMemoryStore();
    const source = readExport(async function* () {
      yield* lines;
    });
    // Not into a store of another sealing key: of its operator, or its own.
    for (const other of [null, sealFingerprint('key 2')])
      await expect(copyRows(source, target, { ...KEYS, seal: other })).rejects.toMatchObject({ problem: 'seal' });
    await expect(copyRows(source, target, { ...KEYS, seal: 'x' })).rejects.toThrow(TypeError);
    const taken = await createMemoryStore();
    await engineOn(taken, createTestSeal('key 3')).ready();
    await expect(copyRows(source, taken, KEYS)).rejects.toMatchObject({ problem: 'target' });
    expect((await target.findElementKeys()).length).toBe(0);
    await copyRows(source, target, { ...KEYS, seal: sealFingerprint('key 1') });
    expect(await exportOf(target)).toEqual(lines);
    expect(await target.check()).toEqual([]);
    expect(await target.findElementKeys()).toEqual(await store.findElementKeys());
    for (const wrong of [undefined, createTestSeal('key 2')])
      await expect(engineOn(target, wrong).ready()).rejects.toThrow(SealError);
    const copy = engineOn(target, seal);
    const elements = identifiers.map(({ kind, hash }) => ({ kind, element: elementOf(hash) }));
    expect(unwrap(await copy.query({ apiKey, identifiers: elements }))).toMatchObject({ reported: 1 });
  });
});
