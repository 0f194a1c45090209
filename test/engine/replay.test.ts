import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { unwrap, type Store } from '../../src/index.ts';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';
import { createContext } from '../../src/core/engine/create-context.ts';
import { createSeededRandom } from '../../src/core/engine/seeded-random.ts';
import { createService } from '../../src/core/engine/service.ts';
import { computeStandings } from '../../src/core/engine/standings/compute.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { budget } from '../budget.ts';
import { createTold, DAY, histories, HOUR } from './history.ts';
import { createTestEngine, hashOf, START } from './setup.ts';
import { createSharing, draft, standings } from './sharing.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
const hex = (n: number, length: number): string => n.toString(16).padStart(length, '0');

/** Stores reports about one person, as another process would. */
async function addReports(store: Store, reporterIds: readonly string[], count: number, fromMs: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const added = await store.addReport(
      {
        reportId: hex(0x1000_0000 + n, 16),
        nonce: hex(n, 16),
        fingerprint: hex(0x2000_0000 + n, 32),
        reporterId: reporterIds[n % reporterIds.length]!,
        type: 'fraud',
        severity: 6,
        text: `number ${n}`,
        createdAt: fromMs + n,
        identifiers: [{ kind: 'email', hash: hashOf(1) }],
      },
      0,
    );
    expect(added.outcome).toBe('added');
  }
}

/** Counts the calls of every method of a store. */
function counting(store: Store) {
  const calls: Record<string, number> = {};
  const counted = new Proxy(store, {
    get(target, name: keyof Store) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      return (...args: never[]) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return (method as (...given: never[]) => unknown).apply(target, args);
      };
    },
  });
  return { store: counted, calls };
}

/** Asserts that an engine has the standings that one engine on the same store computes anew. */
async function assertComputed(engine: Engine, alone: () => Engine): Promise<void> {
  const known = await standings(engine);
  // An engine that is alone stores a table of its own, so it comes last.
  const one = alone();
  await one.recomputeTrust();
  expect(known).toEqual(await standings(one));
}

describe('computing standings', () => {
  it('reads the store in pages and gives turns, however many reports of one person the day has', async () => {
    const { engine, reporterId } = await createTestEngine();
    await engine.close();
    const reads: Record<string, number>[] = [];
    const turns: number[] = [];
    for (const count of [3_000, 9_000]) {
      const { store, calls } = counting(await createMemoryStore());
      await store.addReporter({ reporterId, name: 'First Shop', verified: true, suspended: false, createdAt: START });
      await addReports(store, [reporterId], count, START + HOUR);
      const written = calls['addReport']!;
      const given = { turns: 0 };
      const { state } = await computeStandings(store, createLinkClaimModel().trust!, START + DAY - 1, async () => {
        given.turns++;
      });
      expect(state.standingOf(reporterId)).toMatchObject({ claims: 1, preceded: 0 });
      const { addReport: _added, addReporter: _reporter, ...read } = calls;
      expect(written).toBe(count);
      reads.push(read);
      turns.push(given.turns);
    }
    // A page more for each 2,000 identifiers, and nothing else.
    const [few, many] = reads;
    expect(many).toEqual({ ...few, readIdentifiers: few!['readIdentifiers']! + 3 });
    expect(turns[1]! - turns[0]!).toBeGreaterThanOrEqual(3);
  });

  it('gives what one lookup for each report gives, with disputes and the allow-list', async () => {
    const met = { preceded: 0, echoed: 0, lost: 0 };
    await fc.assert(
      fc.asyncProperty(histories(10, 40), async (steps) => {
        const told = await createTold();
        // Everything within two days: most of it is replayed.
        await told.live(steps.map((step) => ({ ...step, after: 1 + (step.after % (3 * HOUR)) })));
        const touched = await told.engine.listStandings();
        for (const { preceded, echoed, lost } of touched) {
          met.preceded += preceded;
          met.echoed += echoed;
          met.lost += lost;
        }
        const { state } = await computeStandings(
          told.store,
          createLinkClaimModel().trust!,
          told.clock.nowMs,
          async () => undefined,
          true,
        );
        const oracle = await replayOneByOne(told.store, told.clock.nowMs);
        for (const { reporterId } of touched)
          expect(state.standingOf(reporterId)).toEqual(oracle.standingOf(reporterId));
        await told.store.close();
      }),
      { numRuns: budget(10), seed: 3 },
    );
    for (const [label, times] of Object.entries(met)) expect(times, label).toBeGreaterThan(0);
  });
});

/** The same state with `findSharings` for each report of the day. */
async function replayOneByOne(store: Store, atMs: number) {
  const { StandingsState } = await import('../../src/core/engine/standings/state.ts');
  const { onlyCounting, applyReport } = await import('../../src/core/engine/standings/state.ts');
  const { recountLosses } = await import('../../src/core/engine/standings/losses.ts');
  const rules = createLinkClaimModel().trust!;
  const epochAt = Math.floor(atMs / DAY) * DAY;
  const { epoch } = await computeStandings(store, rules, epochAt, async () => undefined);
  const state = new StandingsState(rules, epoch);
  const reports = await store.readReports({ from: epochAt, after: undefined, limit: 10_000 });
  for (const report of reports) {
    const identifiers = (await store.findIdentifiers([report.reportId])).map(({ kind, hash }) => ({ kind, hash }));
    await applyReport(store, state, await onlyCounting({ store, rules }, state, { ...report, identifiers }), 1);
  }
  await recountLosses({ store, rules }, state, await store.listDisputes());
  return state;
}

describe('the first answer after a restart', () => {
  it('comes before a long day is replayed, if the store has a table', async () => {
    const store = await createMemoryStore();
    const first = await createTestEngine({ store });
    await first.engine.recomputeTrust();
    await addReports(store, [first.reporterId], 9_000, START + HOUR);
    unwrap(await first.engine.report({ apiKey: first.otherKey, ...draft(2) }));

    const kept = await createSqljsStore({ bytes: store.export() });
    const counted = counting(kept);
    const atAnswer = { pages: -1 };
    const given: (() => void)[] = [];
    const options = { store: counted.store, secret: SECRET };
    const context = createContext(options, {
      clock: () => START + 2 * HOUR,
      monotonic: () => START,
      random: createSeededRandom('restart'),
      // Turns come when the test gives them.
      giveTurn: () => new Promise((resolve) => given.push(resolve)),
      wait: async () => undefined,
      later: () => () => undefined,
    });
    const answer = unwrap(
      await createService(context).query({ apiKey: first.apiKey, identifiers: draft(2).identifiers }),
    );
    atAnswer.pages = counted.calls['readIdentifiers']!;
    expect(answer.reported).toBe(1);
    expect(atAnswer.pages).toBe(1);
    const done = { is: false };
    const settled = context.standings!.settled().then(() => (done.is = true));
    while (!done.is) {
      for (const give of given.splice(0)) give();
      await new Promise((resolve) => setTimeout(resolve));
    }
    await settled;
    expect(counted.calls['readIdentifiers']).toBe(5);
    expect(counted.calls['findSharings']).toBeUndefined();
  });

  it('of a process on a shared store waits for two pages of the day’s reports, and the rest follow', async () => {
    const { engines, kept, start, keys, clock, alone } = await createSharing(1);
    await engines[0]!.listStandings();
    const ids = (await engines[0]!.listReporters()).map(({ reporterId }) => reporterId);
    await addReports(kept, ids, 2_600, START + HOUR);
    clock.nowMs = START + 2 * HOUR;
    unwrap(await engines[0]!.report({ apiKey: keys[0]!, ...draft(2) }));

    const spies = {
      readReports: vi.spyOn(kept, 'readReports'),
      findSharings: vi.spyOn(kept, 'findSharings'),
      findProtections: vi.spyOn(kept, 'findProtections'),
      findIdentifiers: vi.spyOn(kept, 'findIdentifiers'),
    };
    const fresh = start();
    expect(unwrap(await fresh.query({ apiKey: keys[0]!, identifiers: draft(2).identifiers })).reported).toBe(1);
    expect(spies.readReports.mock.calls.length).toBeLessThanOrEqual(3);
    const known = await standings(fresh);
    expect(spies.readReports).toHaveBeenCalledTimes(6);
    // One lookup for each person, not for each report.
    expect(spies.findSharings.mock.calls.flatMap(([hashes]) => hashes)).toHaveLength(2);
    expect(spies.findProtections).not.toHaveBeenCalled();
    expect(spies.findIdentifiers.mock.calls.flatMap(([reportIds]) => reportIds)).toHaveLength(2_601);
    vi.restoreAllMocks();

    clock.nowMs += 11_000;
    expect(await standings(engines[0]!)).toEqual(known);
    // An engine that is alone stores a table of its own, so it comes last.
    const one = alone();
    await one.recomputeTrust();
    expect(known).toEqual(await standings(one));
  });
});

describe('a process that starts on a shared store', () => {
  it('has the standings of those that follow it since the beginning of the day', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('report' as const), by: fc.nat(2), about: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), nth: fc.nat(6) }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'decide' as const), nth: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('protect' as const, 'unprotect' as const) }) },
    );
    const met = { lost: 0, preceded: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), fc.nat(12), async (steps, epochAfter) => {
        const { engines, start, keys, clock, alone } = await createSharing(1);
        const [engine] = engines as [Engine];
        await engine.listStandings();
        const reports: { reportId: string; deletionCode: string; key: string }[] = [];
        for (const [n, action] of steps.entries()) {
          clock.nowMs += 1_000;
          if (n === epochAfter) {
            clock.nowMs += DAY;
            await engine.recomputeTrust();
          }
          const about = { hash: hashOf(1), by: 'Ada' };
          if (action.do === 'report') {
            const key = keys[action.by]!;
            reports.push({ key, ...unwrap(await engine.report({ apiKey: key, ...draft(action.about, `step ${n}`) })) });
          } else if (action.do === 'protect') await engine.protect({ ...about, reason: 'shared' });
          else if (action.do === 'unprotect') await engine.unprotect(about);
          else if ('nth' in action) {
            const report = reports[action.nth];
            if (report === undefined) continue;
            const { reportId, deletionCode, key: apiKey } = report;
            // The deletion of a report of an earlier day counts from the next epoch on.
            if (action.do === 'remove' && epochAfter >= steps.length) await engine.remove({ apiKey, deletionCode });
            else if (action.do === 'open') await engine.openDispute({ reportId, reason: 'no', by: 'Ada' });
            else if (action.do === 'decide') await engine.decideDispute({ reportId, upheld: true, by: 'Ada' });
          }
        }
        clock.nowMs += 11_000;
        const known = await standings(engine);
        expect(await standings(start())).toEqual(known);
        const one = alone();
        await one.recomputeTrust();
        expect(await standings(one)).toEqual(known);
        for (const [, , preceded, , lost] of known) {
          met.preceded += Number(preceded);
          met.lost += Number(lost);
        }
      }),
      { numRuns: budget(12), seed: 5 },
    );
    for (const [label, times] of Object.entries(met)) expect(times, label).toBeGreaterThan(0);
  });
});

describe('the limits of a replay', () => {
  it('a report that is deleted while a long day is read counts nowhere', async () => {
    const { engines, kept, start, keys, clock, alone } = await createSharing(1);
    await engines[0]!.listStandings();
    const ids = (await engines[0]!.listReporters()).map(({ reporterId }) => reporterId);
    clock.nowMs = START + HOUR;
    // The first report about the person; without it, the next one is first.
    const { deletionCode } = unwrap(await engines[0]!.report({ apiKey: keys[0]!, ...draft(1, 'the first') }));
    await addReports(kept, ids.slice(1), 1_400, START + HOUR + 1);
    clock.nowMs = START + 2 * HOUR;
    const fresh = start();
    unwrap(await fresh.query({ apiKey: keys[0]!, identifiers: draft(1).identifiers }));
    unwrap(await fresh.remove({ apiKey: keys[0]!, deletionCode }));
    clock.nowMs += 11_000;
    await assertComputed(fresh, alone);
  });

  it('costs no more if reports about the same person come meanwhile', async () => {
    const { engines, kept, start, keys, clock, alone } = await createSharing(1);
    await engines[0]!.listStandings();
    const ids = (await engines[0]!.listReporters()).map(({ reporterId }) => reporterId);
    await addReports(kept, ids, 2_600, START + HOUR);
    clock.nowMs = START + 2 * HOUR;
    const fresh = start();
    unwrap(await fresh.query({ apiKey: keys[0]!, identifiers: draft(1).identifiers }));
    const findSharings = vi.spyOn(kept, 'findSharings');
    for (let n = 0; n < 5; n++) unwrap(await fresh.report({ apiKey: keys[n % 3]!, ...draft(1, `live ${n}`) }));
    await standings(fresh);
    expect(findSharings.mock.calls.length).toBeLessThan(20);
    vi.restoreAllMocks();
    clock.nowMs += 11_000;
    await assertComputed(fresh, alone);
  });

  it('disputes of the day cost no lookup for each report', async () => {
    const { engines, kept, start, clock, alone } = await createSharing(2);
    for (const engine of engines) await engine.listStandings();
    const ids = (await engines[0]!.listReporters()).map(({ reporterId }) => reporterId);
    await addReports(kept, ids, 40, START + HOUR);
    clock.nowMs = START + 2 * HOUR;
    for (const engine of engines) await engine.listStandings();
    for (let n = 0; n < 40; n += 2)
      unwrap(await engines[0]!.openDispute({ reportId: hex(0x1000_0000 + n, 16), reason: 'no', by: 'Ada' }));
    clock.nowMs += 1_000;
    const findSharings = vi.spyOn(kept, 'findSharings');
    const known = await standings(start());
    expect(findSharings.mock.calls.length).toBeLessThanOrEqual(1);
    findSharings.mockClear();
    // A process that read these reports before recomputes each of them once.
    clock.nowMs += 11_000;
    expect(await standings(engines[1]!)).toEqual(known);
    expect(findSharings.mock.calls.length).toBeGreaterThan(30);
    expect(findSharings.mock.calls.length).toBeLessThanOrEqual(40);
    vi.restoreAllMocks();
    await assertComputed(engines[1]!, alone);
  });

  it('a failure in the middle is repaired by the next reading', async () => {
    const { engines, kept, start, clock } = await createSharing(1);
    await engines[0]!.listStandings();
    const ids = (await engines[0]!.listReporters()).map(({ reporterId }) => reporterId);
    await addReports(kept, ids, 2_600, START + HOUR);
    clock.nowMs = START + 2 * HOUR;
    const fresh = start();
    const { readReports } = kept;
    const failing = { after: 3 };
    vi.spyOn(kept, 'readReports').mockImplementation((page) =>
      --failing.after < 0 ? Promise.reject(new Error('the server went away')) : readReports(page),
    );
    await expect(fresh.listStandings()).rejects.toThrow('went away');
    vi.spyOn(kept, 'findSharings').mockRejectedValueOnce(new Error('the server went away again'));
    failing.after = 100;
    clock.nowMs += 1_000;
    await expect(fresh.listStandings()).rejects.toThrow('went away again');
    vi.restoreAllMocks();
    clock.nowMs += 1_000;
    expect(await standings(fresh)).toEqual(await standings(engines[0]!));
    // Only the whole reading is waited for: the failure reaches the caller, and is not also an unhandled rejection.
    vi.spyOn(kept, 'findTrustEpoch').mockRejectedValueOnce(new Error('the server went away at the end'));
    await expect(fresh.listStandings()).rejects.toThrow('at the end');
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
