import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStandings } from '../../src/operator/standings.ts';
import { createContext } from '../../src/core/engine/create-context.ts';
import { createSeededRandom } from '../../src/core/engine/seeded-random.ts';
import { createService } from '../../src/core/engine/service.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap, type Store } from '../../src/index.ts';
import type { ReporterStanding } from '../../src/operator.ts';
import { budget } from '../budget.ts';
import { DAY, HOUR } from './history.ts';
import { createTestEngine, hashOf, START, type TestClock } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const SECRET = 'a secret of more than sixteen bytes';
const draft = (n: number, text = `about ${n}`, kind = 'email') => ({
  type: 'fraud',
  severity: 6,
  text,
  identifiers: [{ kind, hash: hashOf(n) }],
});
const record = ({ name, claims, preceded, echoed, lost, established, corroborated, precision }: ReporterStanding) => ({
  name,
  claims,
  preceded,
  echoed,
  lost,
  established,
  corroborated: Number(corroborated.toFixed(9)),
  precision: Number(precision.toFixed(9)),
});
const standings = async (engine: Engine) => (await engine.listStandings()).map(record);
const learntAnew = async (engine: Engine) => (await engine.recomputeTrust()).map(record);

/** Another engine over a store, which computes standings only when asked. */
async function createTestEngineOver(store: Store, clock: TestClock) {
  const engine = createEngine({
    store,
    secret: SECRET,
    publicUrl: 'https://reports.example',
    clock: () => clock.nowMs,
    trustEpoch: 'on-demand',
  });
  return { engine };
}

/** An engine in pieces; in each turn that its long work gives, `meanwhile` begins something. */
async function inTurns(meanwhile: (turn: number) => Promise<unknown> | undefined) {
  const { store, apiKey, otherKey } = await (async () => {
    const kept = await createMemoryStore();
    return { store: kept, ...(await createTestEngine({ store: kept })) };
  })();
  const clock = { nowMs: START + HOUR };
  const begun: (Promise<unknown> | undefined)[] = [];
  const giveTurn = (): Promise<void> => {
    begun.push(meanwhile(begun.length));
    return new Promise((resolve) => setTimeout(resolve));
  };
  const options = { store, secret: SECRET, trustEpoch: 'on-demand' } as const;
  const context = createContext(options, {
    clock: () => clock.nowMs,
    monotonic: () => clock.nowMs,
    random: createSeededRandom('turns'),
    giveTurn,
    wait: async () => undefined,
    later: () => () => undefined,
  });
  return {
    clock,
    apiKey,
    otherKey,
    service: createService(context),
    standings: createStandings({ context }),
    turns: () => begun.length,
    allDone: () => Promise.all(begun),
  };
}

describe('a table in the making', () => {
  it('loses no report that arrives, and counts none twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 6 }),
        fc.boolean(),
        async (people, sameMoment) => {
          const test = await inTurns((turn) => {
            if (!sameMoment) test.clock.nowMs += 1;
            return turn < people.length
              ? test.service.report({
                  apiKey: turn % 2 ? test.apiKey : test.otherKey,
                  ...draft(people[turn]!, `arrives in turn ${turn}`),
                })
              : undefined;
          });
          unwrap(await test.service.report({ apiKey: test.apiKey, ...draft(1, 'before') }));
          test.clock.nowMs += DAY;
          while (test.turns() < people.length) await test.standings.recomputeTrust();
          await test.allDone();
          const touched = (await test.standings.listStandings()).map(record);
          const stored = new Set([
            `First Shop 1`,
            ...people.map((person, turn) => `${turn % 2 ? 'First' : 'Second'} Shop ${person}`),
          ]);
          expect(touched.map(({ name, claims }) => [name, claims])).toEqual(
            ['First Shop', 'Second Shop'].map((name) => [
              name,
              [...stored].filter((claim) => claim.startsWith(name)).length,
            ]),
          );
          expect((await test.standings.recomputeTrust()).map(record)).toEqual(touched);
        },
      ),
      { numRuns: budget(5) },
    );
  });

  it('counts no deletion twice, whether it had read the report or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 1 }), async (removed) => {
        const receipts: { deletionCode: string }[] = [];
        const left = [...removed];
        const test = await inTurns(() => {
          const next = receipts.length === 6 ? left.shift() : undefined;
          return next === undefined
            ? undefined
            : test.service.remove({ apiKey: test.apiKey, deletionCode: receipts[next]!.deletionCode });
        });
        for (let n = 0; n < 6; n++)
          receipts.push(unwrap(await test.service.report({ apiKey: test.apiKey, ...draft(n) })));
        test.clock.nowMs += DAY;
        while (left.length > 0) await test.standings.recomputeTrust();
        await test.allDone();
        const touched = (await test.standings.listStandings()).map(record);
        expect(touched[0]).toMatchObject({ claims: 6 - removed.length });
        expect((await test.standings.recomputeTrust())[0]).toMatchObject({ claims: 6 - removed.length });
      }),
      { numRuns: budget(5) },
    );
  });

  it('that began yesterday is not taken for today’s', async () => {
    const due = { is: false };
    const test = await inTurns(() => {
      if (!due.is) return undefined;
      due.is = false;
      test.clock.nowMs += DAY;
      return test.standings.recomputeTrust();
    });
    unwrap(await test.service.report({ apiKey: test.apiKey, ...draft(1) }));
    test.clock.nowMs += 60 * DAY;
    due.is = true;
    await test.standings.recomputeTrust();
    await test.allDone();
    // The report is sixty days old today, and was not yet yesterday.
    expect((await test.standings.listStandings())[0]).toMatchObject({ claims: 1, matureClaims: 1 });
  });
});

describe('reports of one millisecond', () => {
  it('are each a claim, as when learnt anew', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    clock.nowMs += HOUR;
    for (const text of ['one', 'again']) unwrap(await engine.report({ apiKey, ...draft(1, text) }));
    unwrap(await engine.report({ apiKey: otherKey, ...draft(1) }));
    const touched = await standings(engine);
    expect(touched).toMatchObject([
      { name: 'First Shop', claims: 1, preceded: 0 },
      { name: 'Second Shop', claims: 1, preceded: 0 },
    ]);
    expect(await learntAnew(engine)).toEqual(touched);
    expect(await learntAnew(engine)).toEqual(touched);
  });

  it('that are sent at once count as when they are sent one by one', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    clock.nowMs += HOUR;
    await engine.recomputeTrust();
    await Promise.all(
      [1, 2, 1, 3].flatMap((n, at) =>
        [apiKey, otherKey].map(async (key) => unwrap(await engine.report({ apiKey: key, ...draft(n, `text ${at}`) }))),
      ),
    );
    const touched = await standings(engine);
    expect(touched.map(({ claims, preceded }) => [claims, preceded])).toEqual([
      [3, 0],
      [3, 0],
    ]);
    expect(await learntAnew(engine)).toEqual(touched);
  });
});

describe('a reporter who joins after the table was computed', () => {
  it('has a standing at once, and its claims count', async () => {
    const { engine, apiKey, clock } = await createTestEngine();
    await engine.recomputeTrust();
    clock.nowMs += HOUR;
    const { reporterId } = unwrap(await engine.createReporter({ name: 'Third Shop', verified: false }));
    const newKey = unwrap(await engine.issueKey({ reporterId })).apiKey;
    expect((await standings(engine))[2]).toMatchObject({ name: 'Third Shop', claims: 0, established: false });
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    clock.nowMs += 1000;
    for (const n of [1, 2]) unwrap(await engine.report({ apiKey: newKey, ...draft(n) }));
    const touched = await standings(engine);
    expect(touched).toMatchObject([
      { name: 'First Shop', claims: 1, preceded: 0 },
      { name: 'Second Shop', claims: 0 },
      { name: 'Third Shop', claims: 2, preceded: 1, established: false },
    ]);
    expect(await learntAnew(engine)).toEqual(touched);
  });
});

describe('a deletion', () => {
  it('leaves the claim of whoever said it twice', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    const send = async (key: string, text: string) => {
      clock.nowMs += 1000;
      return unwrap(await engine.report({ apiKey: key, ...draft(1, text) })).deletionCode;
    };
    clock.nowMs += HOUR;
    await engine.recomputeTrust();
    const [first, second] = [await send(apiKey, 'first'), await send(apiKey, 'second')];
    await send(otherKey, 'agrees');
    unwrap(await engine.remove({ apiKey, deletionCode: first }));
    expect(await standings(engine)).toMatchObject([{ claims: 1 }, { claims: 1 }]);
    unwrap(await engine.remove({ apiKey, deletionCode: second }));
    expect(await standings(engine)).toMatchObject([{ claims: 0 }, { claims: 1 }]);
    expect((await learntAnew(engine)).map(({ claims, corroborated }) => [claims, corroborated])).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it('of the last report undoes it for everybody, whoever had said what before', async () => {
    const person = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), person), { maxLength: 6 }), person, async (others, mine) => {
        const { engine, apiKey, otherKey, clock } = await createTestEngine();
        for (const [at, [own, n]] of others.entries()) {
          clock.nowMs += at === 2 ? DAY : 1000;
          unwrap(await engine.report({ apiKey: own ? apiKey : otherKey, ...draft(n, `text ${at}`) }));
        }
        const before = await standings(engine);
        clock.nowMs += 1000;
        const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft(mine, 'mine') }));
        unwrap(await engine.remove({ apiKey, deletionCode }));
        expect(await standings(engine)).toEqual(before);
      }),
      { numRuns: budget(6) },
    );
  });
});

describe('the allow-list', () => {
  it('teaches of the day’s later reports at once, and of earlier ones with the next day', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    clock.nowMs += HOUR;
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    clock.nowMs += 1;
    unwrap(await engine.protect({ hash: hashOf(1), reason: 'Shared by many', by: 'Ada' }));
    clock.nowMs += HOUR;
    unwrap(await engine.report({ apiKey: otherKey, ...draft(1) }));
    const claims = async (): Promise<number[]> => (await engine.listStandings()).map((standing) => standing.claims);
    expect(await claims()).toEqual([1, 0]);
    await engine.recomputeTrust();
    expect(await claims()).toEqual([1, 0]);
    clock.nowMs += DAY;
    expect(await claims()).toEqual([0, 0]);
    unwrap(await engine.unprotect({ hash: hashOf(1), by: 'Ada' }));
    expect(await claims()).toEqual([0, 0]);
    clock.nowMs += DAY;
    expect(await claims()).toEqual([1, 1]);
  });
});

describe('a reporter that is verified or unverified', () => {
  const of = async (engine: Engine, name = 'First Shop') =>
    (await engine.listStandings()).find((standing) => standing.name === name)!;

  it('has another standing at once, also in scores, and the same after a day and a restart', async () => {
    const store = await createMemoryStore();
    const { engine, clock, apiKey, otherKey, reporterId } = await createTestEngine({ store });
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    const points = async (from: Engine) =>
      unwrap(await from.query({ apiKey: otherKey, identifiers: draft(1).identifiers })).points;
    const before = await of(engine);
    const verified = await points(engine);
    expect(before).toMatchObject({ verified: true, established: true });
    unwrap(await engine.updateReporter({ reporterId, verified: false }));
    const after = await of(engine);
    expect(after).toMatchObject({ verified: false, established: false, claims: 1 });
    expect(after.precision).toBeLessThan(before.precision);
    expect(after.why).toContain(
      'Not verified by the operator: the reports of all such reporters together are bounded.',
    );
    const unverified = await points(engine);
    expect(unverified).toBeLessThan(verified);
    // The first answer uses the table that was stored before the change.
    const restarted = (await createTestEngineOver(store, clock)).engine;
    expect(await points(restarted)).toBe(unverified);
    expect(await of(restarted)).toMatchObject({ verified: false, established: false, precision: after.precision });
    clock.nowMs += DAY;
    expect(await of(engine)).toMatchObject({ verified: false, established: false });
    unwrap(await engine.updateReporter({ reporterId, verified: true }));
    expect(await of(engine)).toMatchObject({ verified: true, established: true });
    expect(await of(engine, 'Second Shop')).toMatchObject({ verified: true });
  });

  it('keeps a change that is made while all standings are recomputed', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey, reporterId } = await createTestEngine({ store });
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    await engine.listStandings();
    const computing = engine.recomputeTrust();
    unwrap(await engine.updateReporter({ reporterId, verified: false }));
    await computing;
    expect(await of(engine)).toMatchObject({ verified: false, established: false });
  });
});
