import type { EngineStore } from '../../src/core/engine/context.ts';
import { createCoordination } from '../../src/stores/shared/coordination.ts';
import { describe, expect, it } from 'vitest';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';
import {
  StoreDamagedError,
  StoreUnavailableError,
  unwrap,
  type EngineNotice,
  type EngineOptions,
  type Store,
} from '../../src/index.ts';
import { DAY } from './history.ts';
import { createTestEngine, hashOf } from './setup.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import { createMemoryStore } from '../memory-store.ts';

const draft = (n: number, text = `about ${n}`) => ({
  type: 'fraud',
  severity: 6,
  text,
  identifiers: [{ kind: 'email', hash: hashOf(n) }],
});

/** Returns a method that adds a report, but does not say what the store knows about its hashes. */
const addReportOnly =
  (store: Store): Store['addReport'] =>
  (report, sameSince) =>
    store.addReport(report, sameSince);

/** What a store has that several processes share. */
function createShared(): Partial<EngineStore> {
  const shared = { lease: async () => ({ release: async () => undefined }), takeTokens: createSharedBuckets() };
  return { shared, coordination: createCoordination(shared as never) } as object;
}

/** An engine over a store whose named methods fail while they are in `failing`, and the notices of the engine. */
async function createFailing(
  options: Partial<EngineOptions> = {},
  error: Error = new StoreUnavailableError('disk full'),
  further: Partial<EngineStore> = {},
) {
  const inner = await createMemoryStore();
  const failing = new Set<keyof Store>();
  /** Methods that fail after they have done their work. */
  const failingLate = new Set<keyof Store>();
  const store: Store = new Proxy(inner as Store, {
    get(target, name: keyof Store) {
      if (name in further) return further[name];
      if (name === 'addReport' && failing.has('findSharings')) return addReportOnly(target);
      const method = target[name];
      if (typeof method !== 'function') return method;
      return async (...args: never[]) => {
        if (failing.has(name)) throw error;
        const result = await (method as (...args: never[]) => Promise<unknown>)(...args);
        if (failingLate.has(name)) throw error;
        return result;
      };
    },
  });
  const notices: EngineNotice[] = [];
  const test = await createTestEngine({ store, onNotice: (notice) => notices.push(notice), ...options });
  const events = () => notices.map(({ event }) => event);
  const claims = async (engine: Engine = test.engine) =>
    (await engine.listStandings()).find(({ name }) => name === 'First Shop')?.claims;
  return { ...test, inner, failing, failingLate, notices, events, claims };
}

describe('once the store has committed', () => {
  it.each(['findSharings', 'findProtections'] as const)(
    'a report is accepted although %s fails, and the same request again counts it once',
    async (method) => {
      const { engine, apiKey, failing, events, notices, claims } = await createFailing();
      await engine.listStandings();
      failing.add(method);
      const first = unwrap(await engine.report({ apiKey, ...draft(1) }));
      expect(first.duplicate).toBe(false);
      expect(events()).toEqual(['standings-not-updated']);
      expect(notices[0]).toMatchObject({ error: expect.any(StoreUnavailableError) });
      // The retry fails as well, and tells so.
      expect(unwrap(await engine.report({ apiKey, ...draft(1) }))).toEqual({ ...first, duplicate: true });
      expect(events()).toHaveLength(2);
      failing.clear();
      expect(await claims()).toBe(0);
      for (let retry = 0; retry < 3; retry++) {
        expect(unwrap(await engine.report({ apiKey, ...draft(1) })).duplicate).toBe(true);
        expect(await claims()).toBe(1);
      }
      expect(events()).toHaveLength(2);
    },
  );

  it('the next epoch has a report whose update failed, and a retry after it counts nothing twice', async () => {
    const { engine, apiKey, clock, failing, claims } = await createFailing();
    await engine.listStandings();
    failing.add('findSharings');
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    failing.clear();
    clock.nowMs += 1000;
    await engine.recomputeTrust();
    expect(await claims()).toBe(1);
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    expect(await claims()).toBe(1);
  });

  it('the background computation of the next day has it too', async () => {
    const { engine, apiKey, clock, failing, claims } = await createFailing();
    await engine.listStandings();
    failing.add('findSharings');
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    failing.clear();
    clock.nowMs += DAY;
    expect(await claims()).toBe(1);
  });

  it('a report that the store has kept although it failed counts when it is sent again', async () => {
    const { engine, apiKey, failingLate, claims } = await createFailing();
    await engine.listStandings();
    failingLate.add('addReport');
    await expect(engine.report({ apiKey, ...draft(1) })).rejects.toThrow(StoreUnavailableError);
    failingLate.clear();
    expect(unwrap(await engine.report({ apiKey, ...draft(1) })).duplicate).toBe(true);
    expect(await claims()).toBe(1);
  });

  it('a deletion is accepted although the standings are not updated, and the next epoch lacks the report', async () => {
    const { engine, apiKey, clock, failing, events, claims } = await createFailing();
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft(1) }));
    expect(await claims()).toBe(1);
    failing.add('findSharings');
    expect(await engine.remove({ apiKey, deletionCode })).toEqual({ ok: true, value: undefined });
    expect(events()).toEqual(['standings-not-updated']);
    failing.clear();
    clock.nowMs += DAY;
    expect(await claims()).toBe(0);
  });

  it('a deleted report that was never counted takes nothing away', async () => {
    const { engine, apiKey, failing, claims } = await createFailing();
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    failing.add('findSharings');
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft(2) }));
    failing.clear();
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(await claims()).toBe(1);
  });

  it.each(['findDisputes', 'listDisputes'] as const)(
    'a dispute is opened and decided although %s fails afterwards',
    async (method) => {
      const { engine, apiKey, clock, inner, failing, events } = await createFailing();
      const { reportId } = unwrap(await engine.report({ apiKey, ...draft(1) }));
      await engine.listStandings();
      // `findDisputes` is also read before the commit, so it fails from the commit on.
      for (const name of ['openDispute', 'decideDispute'] as const) {
        const original = inner[name];
        Object.assign(inner, {
          [name]: async (change: never) => {
            const result = await original(change);
            failing.add(method);
            return result;
          },
        });
      }
      expect(await engine.openDispute({ reportId, reason: 'wrong', by: 'Ada' })).toEqual({
        ok: true,
        value: undefined,
      });
      failing.clear();
      clock.nowMs += 1000;
      expect(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' })).toEqual({ ok: true, value: undefined });
      failing.clear();
      expect(events()).toEqual(['standings-not-updated', 'standings-not-updated']);
      clock.nowMs += 1000;
      await engine.recomputeTrust();
      expect((await engine.listStandings()).find(({ name }) => name === 'First Shop')?.lost).toBe(1);
    },
  );

  it('an erasure is done although the standings cannot be recomputed', async () => {
    const { engine, apiKey, clock, failing, events, claims } = await createFailing();
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    expect(await claims()).toBe(1);
    failing.add('readIdentifiers');
    expect(unwrap(await engine.eraseIdentifiers({ hashes: [hashOf(1)], by: 'Ada' })).reports).toBe(1);
    expect(events()).toEqual(['standings-not-updated']);
    failing.clear();
    clock.nowMs += DAY;
    expect(await claims()).toBe(0);
  });
});

describe('the link of a query', () => {
  it('is a notice if the store is unavailable', async () => {
    const { engine, apiKey, failing, events } = await createFailing();
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    failing.add('putLink');
    expect(unwrap(await engine.query({ apiKey, identifiers: draft(1).identifiers })).reported).toBe(1);
    expect(events()).toEqual(['link-not-saved']);
  });

  it.each([new StoreDamagedError('a damaged row in "link"'), new TypeError('a bug')])(
    'rejects the query with any other error (%o)',
    async (error) => {
      const { engine, apiKey, failing, events } = await createFailing({}, error);
      unwrap(await engine.report({ apiKey, ...draft(1) }));
      failing.add('putLink');
      await expect(engine.query({ apiKey, identifiers: draft(1).identifiers })).rejects.toBe(error);
      expect(events()).toEqual([]);
    },
  );
});

describe('a damaged row of a dispute', () => {
  it('leaves the standings of a process as they were, and queries are answered', async () => {
    const error = new StoreDamagedError('a row of dispute is damaged');
    const { engine, apiKey, clock, failing, events, claims } = await createFailing({}, error, createShared());
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    expect(await claims()).toBe(1);
    failing.add('listDisputes');
    for (let seconds = 0; seconds < 30; seconds++) {
      clock.nowMs += 1_000;
      expect(unwrap(await engine.query({ apiKey, identifiers: draft(1).identifiers })).reported).toBe(1);
    }
    expect(events()).toEqual(['standings-not-updated']);
    failing.clear();
    unwrap(await engine.report({ apiKey, ...draft(2) }));
    expect(await claims()).toBe(2);
  });
});

describe('a new day', () => {
  it('is a notice if its standings cannot be computed in the background', async () => {
    const { engine, apiKey, clock, failing, notices } = await createFailing();
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    await engine.listStandings();
    clock.nowMs += DAY;
    failing.add('readIdentifiers');
    expect(unwrap(await engine.query({ apiKey, identifiers: draft(1).identifiers })).reported).toBe(1);
    await engine.listStandings();
    expect(notices).toEqual([{ event: 'epoch-failed', error: expect.any(StoreUnavailableError) }]);
  });

  it('is one too where several processes share the store', async () => {
    const { engine, apiKey, clock, failing, events, claims } = await createFailing({}, undefined, createShared());
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    expect(await claims()).toBe(1);
    // A failing update is repaired when the store is read again.
    failing.add('findSharings');
    unwrap(await engine.report({ apiKey, ...draft(2) }));
    expect(events()).toEqual(['standings-not-updated']);
    failing.clear();
    expect(unwrap(await engine.report({ apiKey, ...draft(2) })).duplicate).toBe(true);
    expect(await claims()).toBe(2);
    clock.nowMs += DAY;
    failing.add('readIdentifiers');
    unwrap(await engine.query({ apiKey, identifiers: draft(1).identifiers }));
    await engine.listStandings();
    expect(events()).toEqual(['standings-not-updated', 'epoch-failed']);
  });
});
