import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import type { EngineStore } from '../../src/core/engine/context.ts';
import type { SharedStore } from '../../src/core/store/store.ts';
import { createCoordination } from '../../src/stores/shared/coordination.ts';
import { budget } from '../budget.ts';
import { DAY, HOUR } from './history.ts';
import { hashOf, START } from './setup.ts';
import { createSharing, draft, standings } from './sharing.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import { createMemoryStore } from '../memory-store.ts';

describe('several engines over one store', () => {
  it('agree about every reporter, whichever engine took a report, a deletion or a dispute', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('report' as const), at: fc.nat(1), by: fc.nat(2), about: fc.nat(3) }),
      fc.record({ do: fc.constant('remove' as const), at: fc.nat(1), nth: fc.nat(4) }),
      fc.record({ do: fc.constant('dispute' as const), at: fc.nat(1), nth: fc.nat(4) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 2_000, HOUR) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const { engines, clock, keys, alone } = await createSharing(2);
        await Promise.all(engines.map((engine) => engine.listStandings()));
        const reports: { reportId: string; deletionCode: string; key: string }[] = [];
        for (const [n, action] of steps.entries()) {
          clock.nowMs += 5;
          if (action.do === 'wait') clock.nowMs += action.ms;
          else if (action.do === 'report') {
            const key = keys[action.by]!;
            reports.push({
              ...unwrap(await engines[action.at]!.report({ apiKey: key, ...draft(action.about, `step ${n}`) })),
              key,
            });
          } else {
            const report = reports[action.nth];
            if (!report) continue;
            if (action.do === 'remove')
              await engines[action.at]!.remove({ apiKey: report.key, deletionCode: report.deletionCode });
            else if (
              (await engines[action.at]!.openDispute({ reportId: report.reportId, reason: 'wrong', by: 'Ada' })).ok
            ) {
              clock.nowMs += 1;
              unwrap(await engines[action.at]!.decideDispute({ reportId: report.reportId, upheld: true, by: 'Ada' }));
            }
          }
        }
        clock.nowMs += 11_000;
        const [first, second] = await Promise.all(engines.map(standings));
        expect(second).toEqual(first);
        // A process that starts now reads the same, and so does one that has the store to itself.
        const one = alone();
        await one.recomputeTrust();
        expect(await standings(one)).toEqual(first);
      }),
      { numRuns: budget(3) },
    );
  });

  it('learn a day’s table once, whoever is asked first, and all use it', async () => {
    const { engines, clock, keys, counted } = await createSharing(3);
    for (let n = 0; n < 5; n++) unwrap(await engines[n % 3]!.report({ apiKey: keys[n % 2]!, ...draft(n) }));
    await Promise.all(engines.map((engine) => engine.listStandings()));
    expect(counted.learnt).toBe(1);
    clock.nowMs += DAY;
    const asked = () =>
      Promise.all(engines.map((engine) => engine.query({ apiKey: keys[0]!, identifiers: draft(1).identifiers })));
    await asked();
    const [first, ...others] = await Promise.all(engines.map(standings));
    for (const other of others) expect(other).toEqual(first);
    await asked();
    expect(counted.learnt).toBe(2);
    // Told to learn anew, one does; the others load it.
    clock.nowMs += HOUR;
    await engines[2]!.recomputeTrust();
    expect(counted.learnt).toBe(3);
  });

  it('see within ten seconds that a reporter is verified or not, and at once where it was said', async () => {
    const {
      engines: [here, there],
      clock,
      keys,
    } = await createSharing(2);
    const of = async (engine: Engine) => (await engine.listStandings()).map(({ verified }) => verified);
    unwrap(await here!.report({ apiKey: keys[0]!, ...draft(1) }));
    const before = await of(there!);
    expect(await of(here!)).toEqual(before);
    const changed = (await here!.listReporters()).find(({ verified }) => verified)!;
    const at = (await here!.listStandings()).findIndex(({ reporterId }) => reporterId === changed.reporterId);
    unwrap(await here!.updateReporter({ reporterId: changed.reporterId, verified: false }));
    expect(await of(here!)).toEqual(before.map((verified, n) => verified && n !== at));
    clock.nowMs += 10_001;
    expect(await of(there!)).toEqual(before.map((verified, n) => verified && n !== at));
    unwrap(await there!.updateReporter({ reporterId: changed.reporterId, verified: true }));
    clock.nowMs += 10_001;
    expect(await standings(here!)).toEqual(await standings(there!));
    expect(await of(here!)).toEqual(before);
  });

  it('see each other’s reports within a second, and their own at once', async () => {
    const {
      engines: [here, there],
      clock,
      keys,
    } = await createSharing(2);
    await Promise.all([here!.listStandings(), there!.listStandings()]);
    // A copy of a fresh key's claim: how much it says follows from who said it before.
    unwrap(await here!.report({ apiKey: keys[2]!, ...draft(1) }));
    const claims = async (engine: Engine) =>
      unwrap(await engine.explainQuery({ apiKey: keys[0]!, identifiers: draft(1).identifiers })).explanation!;
    expect((await claims(here!)).verdict.reported).toBe(1);
    expect((await claims(there!)).verdict.reported).toBe(1);
    clock.nowMs += 1_000;
    expect((await claims(there!)).verdict).toEqual((await claims(here!)).verdict);
  });

  it('read the identifiers of a report once, although they look back further at each read', async () => {
    const {
      engines: [here, there],
      clock,
      keys,
      kept,
    } = await createSharing(2);
    await Promise.all([here!.listStandings(), there!.listStandings()]);
    const reports = await Promise.all(
      [1, 2, 3].map(async (n) => unwrap(await here!.report({ apiKey: keys[0]!, ...draft(n) })).reportId),
    );
    const found = vi.spyOn(kept, 'findIdentifiers');
    const claims: number[] = [];
    for (let second = 0; second < 3; second++) {
      clock.nowMs += 1_000;
      claims.push((await there!.listStandings())[0]!.claims);
    }
    expect(claims).toEqual([3, 3, 3]);
    expect(found.mock.calls.flatMap(([reportIds]) => reportIds).sort()).toEqual(reports.sort());
  });

  it('look for identifiers under a new pepper from the moment from which another process may move them', async () => {
    const [first, second] = ['the first pepper, long enough', 'the second pepper, long enough'];
    const {
      engines: [here, there],
      clock,
      keys,
      kept,
    } = await createSharing(2, {}, (engine) => (engine === 0 ? [first!] : [first!, second!]));
    unwrap(await here!.report({ apiKey: keys[0]!, ...draft(1) }));
    const found = async () =>
      unwrap(await there!.query({ apiKey: keys[1]!, identifiers: draft(1).identifiers })).reported;
    expect(await found()).toBe(1);
    const rotation = here!.rotatePepper({ pepper: second! });
    while ((await kept.findPeppers()).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    // The other one looks at what is announced a second before, and not again within the second after.
    clock.nowMs += 5_000;
    expect(await found()).toBe(1);
    clock.nowMs += 1_001;
    expect(await rotation).toBe(1);
    expect(await found()).toBe(1);
  });

  it('hold their limits together', async () => {
    const { engines, keys, clock } = await createSharing(3, {
      query: { requests: 10, windowSeconds: 60 },
      viewer: { requests: 4, windowSeconds: 60 },
    });
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        engines[n % 3]!.query({ apiKey: keys[0]!, identifiers: draft(1).identifiers }),
      ),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(10);
    expect(asked.find(({ ok }) => !ok)).toMatchObject({ refusal: { reason: 'limited', retryAfterSeconds: 6 } });
    expect((await engines[0]!.query({ apiKey: keys[1]!, identifiers: draft(1).identifiers })).ok).toBe(true);
    const viewed = await Promise.all(
      Array.from({ length: 9 }, (_, n) => engines[n % 3]!.view({ linkHash: hashOf(9), client: '192.0.2.7' })),
    );
    expect(viewed.filter((outcome) => !outcome.ok && outcome.refusal.reason === 'limited')).toHaveLength(5);
    clock.nowMs += 6_000;
    expect((await engines[1]!.query({ apiKey: keys[0]!, identifiers: draft(1).identifiers })).ok).toBe(true);
  });
});

describe('standings where another process holds the lease', () => {
  it('are loaded when the other process has stored them, with the given timer', async () => {
    const inner = await createMemoryStore();
    const lease = { isFree: false };
    const shared = {
      lease: async () => (lease.isFree ? { release: async () => undefined } : undefined),
      takeTokens: createSharedBuckets(),
    };
    const coordination = createCoordination(shared as unknown as SharedStore);
    const store = new Proxy(inner as EngineStore, {
      get: (target, name: keyof EngineStore) => {
        if (name === 'coordination') return coordination;
        return name === 'shared' ? shared : target[name];
      },
    });
    const waits: number[] = [];
    const engine = createEngine({
      store,
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START,
      wait: async (milliseconds) => {
        if (waits.push(milliseconds) === 3) lease.isFree = true;
      },
    });
    unwrap(await engine.createReporter({ name: 'First Shop' }));
    expect(await engine.listStandings()).toHaveLength(1);
    expect(waits).toEqual([200, 200, 200]);
  });
});
