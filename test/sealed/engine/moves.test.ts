import { describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../../src/index.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { createTestEngine, hashOf, START } from '../../engine/setup.ts';
import { createTestSeal, elementOf, readBy } from './test-seal.ts';
import { createMemoryStore } from '../../memory-store.ts';

const [FIRST, SECOND] = ['the first pepper, long enough', 'the second pepper, long enough'] as const;
const asked = [{ kind: 'email', hash: hashOf(1) }];

/** An event that happens once. */
function createEvent(): { readonly happened: Promise<void>; happen(): void } {
  let happen = (): void => undefined;
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return { happened, happen: () => happen() };
}

/**
 * An engine with a seal, on a store with one report from before the seal. `around` wraps the methods that the engine
 * uses.
 */
async function openSealed(
  around: (store: Store) => Partial<Store>,
): Promise<{ readonly engine: Engine; readonly apiKey: string }> {
  const store = await createMemoryStore();
  const { engine: plain, apiKey } = await createTestEngine({ store, peppers: [FIRST] });
  unwrap(await plain.report({ apiKey, type: 'fraud', severity: 7, text: 'text', identifiers: asked }));
  const engine = createEngine({
    store: { ...store, ...around(store) },
    secret: 'a secret of more than sixteen bytes',
    publicUrl: 'https://reports.example',
    clock: () => START,
    peppers: [FIRST],
    seal: createTestSeal(),
  });
  return { engine, apiKey };
}

describe('a row without an element that a rotation of peppers moves', () => {
  /** The rotation moves its page as late as a request allows: after the request's look, and before its own move. */
  const openRotating = async () => {
    const [pageRead, asksNow, pageMoved] = [createEvent(), createEvent(), createEvent()];
    const state = { isOn: false };
    const { engine, apiKey } = await openSealed((store) => ({
      async rehash(moves, generation, seal) {
        if (!state.isOn) return store.rehash(moves, generation, seal);
        const isRotation = moves.every(({ element }) => element === undefined);
        if (isRotation) {
          pageRead.happen();
          await asksNow.happened;
        } else {
          asksNow.happen();
          await pageMoved.happened;
        }
        const moved = await store.rehash(moves, generation, seal);
        if (isRotation) pageMoved.happen();
        return moved;
      },
      async read(work) {
        const found = await store.read(work);
        if (!state.isOn || readBy(work) !== 'findHashes') return found;
        asksNow.happen();
        await pageMoved.happened;
        return found;
      },
    }));
    await engine.sealStatus();
    state.isOn = true;
    const rotated = engine.rotatePepper({ pepper: SECOND });
    await pageRead.happened;
    return { engine, apiKey, rotated };
  };

  it('is found by a query', async () => {
    const { engine, apiKey, rotated } = await openRotating();
    const reported = async () => unwrap(await engine.query({ apiKey, identifiers: asked })).reported;
    expect(await reported()).toBe(1);
    await rotated;
    expect(await reported()).toBe(1);
  });

  it('is erased', async () => {
    const { engine, apiKey, rotated } = await openRotating();
    expect(unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(1)], by: 'Ada' }))).toMatchObject({ reports: 1 });
    await rotated;
    expect(unwrap(await engine.query({ apiKey, identifiers: asked })).reported).toBe(0);
  });
});

describe('a protected row that a rotation of peppers moves', () => {
  it('is in no page that is read meanwhile', async () => {
    const state: { rotate?: (() => Promise<unknown>) | undefined } = {};
    const { engine, apiKey } = await openSealed((store) => ({
      async read(work) {
        const rows = await store.read(work);
        if (readBy(work) !== 'findSealed') return rows;
        const { rotate } = state;
        state.rotate = undefined;
        await rotate?.();
        return rows;
      },
    }));
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
