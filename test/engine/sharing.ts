import { expect } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap, type EngineNotice, type Store } from '../../src/index.ts';
import type { SharedStore } from '../../src/core/store/store.ts';
import type { EngineStore } from '../../src/core/engine/context.ts';
import { createCoordination } from '../../src/stores/shared/coordination.ts';
import { hashOf, START } from './setup.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
export const draft = (n: number, text = `about ${n}`) => ({
  type: 'fraud',
  severity: 6,
  text,
  identifiers: [{ kind: 'email', hash: hashOf(n) }],
});

/** Several engines over one store in this process, which shares what a database shares. test/store uses processes. */
export async function createSharing(
  engines: number,
  limits: object = {},
  peppersOf: (engine: number) => string[] = () => [],
  aheadMs: readonly number[] = [],
) {
  const clock = { nowMs: START };
  const kept = await createMemoryStore();
  const counted = { learnt: 0, leases: 0 };
  /** Of all engines. */
  const notices: EngineNotice[] = [];
  const held = new Set<string>();
  const takeTokens = createSharedBuckets();
  const shared: SharedStore = {
    async lease(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      counted.leases++;
      return { isHeld: async () => held.has(name), release: async () => void held.delete(name) };
    },
    takeTokens(asked) {
      expect(asked.bucket).toMatch(/^[0-9a-f]{32}(?:[0-9a-f]{16})?$/);
      return takeTokens(asked);
    },
    nowMs: async () => clock.nowMs,
  };
  const coordination = createCoordination(shared);
  const store: EngineStore = new Proxy(kept as EngineStore, {
    get(target, name: keyof EngineStore) {
      if (name === 'shared') return shared;
      if (name === 'coordination') return coordination;
      if (name === 'putTrust')
        return (...args: Parameters<Store['putTrust']>) => (counted.learnt++, target.putTrust(...args));
      return target[name];
    },
  });
  const start = (n: number): Engine =>
    createEngine({
      store,
      secret: SECRET,
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs + (aheadMs[n] ?? 0),
      monotonic: () => clock.nowMs,
      random: createSeededRandom(`engine ${n}`),
      limits,
      peppers: peppersOf(n),
      onNotice: (notice) => notices.push(notice),
    });
  const all = Array.from({ length: engines }, (_, n) => start(n));
  const keys: string[] = [];
  for (const name of ['First Shop', 'Second Shop', 'Third Shop']) {
    const { reporterId } = unwrap(await all[0]!.createReporter({ name, verified: name !== 'Third Shop' }));
    keys.push(unwrap(await all[0]!.issueKey({ reporterId })).apiKey);
  }
  return {
    engines: all,
    /** Starts one more engine on the store. */
    start: () => start(all.length),
    clock,
    keys,
    counted,
    kept,
    notices,
    alone: () =>
      createEngine({
        store: kept,
        secret: SECRET,
        publicUrl: 'https://reports.example',
        clock: () => clock.nowMs,
        trustEpoch: 'on-demand',
      }),
  };
}

export const standings = async (engine: Engine) =>
  (await engine.listStandings()).map(({ name, claims, preceded, echoed, lost, established, precision }) => [
    name,
    claims,
    preceded,
    echoed,
    lost,
    established,
    precision.toFixed(9),
  ]);
