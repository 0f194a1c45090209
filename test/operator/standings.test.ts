import { describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap } from '../../src/index.ts';
import type { ReporterStanding } from '../../src/operator.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { createTestEngine, hashOf, START, type TestEngine } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const DAY = 86_400_000;
const draft = (n: number) => ({
  type: 'fraud',
  severity: 6,
  text: `about ${n}`,
  identifiers: [{ kind: 'email', hash: hashOf(n) }],
});
const standingOf = async (engine: Engine, name: string): Promise<ReporterStanding> =>
  (await engine.listStandings()).find((standing) => standing.name === name)!;

/** Sums of the same numbers in another order differ in the last digit. */
function expectAlike(a: readonly ReporterStanding[], b: readonly ReporterStanding[]): void {
  expect(a.map(({ name }) => name)).toEqual(b.map(({ name }) => name));
  for (const [index, standing] of a.entries()) {
    const { claims, preceded, lost, established } = b[index]!;
    expect(standing).toMatchObject({ claims, preceded, lost, established });
    expect(standing.corroborated).toBeCloseTo(b[index]!.corroborated, 9);
    expect(standing.precision).toBeCloseTo(b[index]!.precision, 9);
  }
}

/** A store whose walk over everything waits until it is let go. */
function heldUp(store: Store): { store: Store; hold: () => { begun: Promise<void>; letGo: () => void } } {
  const held: { begun: () => void; gate: Promise<void> } = { begun: () => undefined, gate: Promise.resolve() };
  return {
    store: new Proxy(store, {
      get: (target, name: keyof Store) =>
        name === 'readIdentifiers'
          ? async (...args: Parameters<Store['readIdentifiers']>) => {
              held.begun();
              await held.gate;
              return target.readIdentifiers(...args);
            }
          : target[name],
    }),
    hold() {
      let letGo = (): void => undefined;
      held.gate = new Promise((resolve) => (letGo = resolve));
      return { begun: new Promise((resolve) => (held.begun = resolve)), letGo };
    },
  };
}

describe('standings', () => {
  it('are listed by name, with the record and the reasons', async () => {
    const { engine, reporterId } = await createTestEngine();
    unwrap(await engine.createReporter({ name: 'A new one', verified: false }));
    unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
    const standings = await engine.listStandings();
    expect(await engine.listStandings({ reporterIds: [reporterId, reporterId] })).toHaveLength(1);
    expect(
      standings.map(({ name, verified, established, suspended, claims, lost }) => [
        name,
        verified,
        established,
        suspended,
        claims,
        lost,
      ]),
    ).toEqual([
      ['A new one', false, false, false, 0, 0],
      ['First Shop', true, true, true, 0, 0],
      ['Second Shop', true, true, false, 0, 0],
    ]);
    expect(standings[0]!.why.slice(0, 2)).toEqual([
      expect.stringMatching(/^Not established: /),
      'Not verified by the operator: the reports of all such reporters together are bounded.',
    ]);
    // No averages of claims that were never made.
    expect(standings[0]!.why.slice(2)).toEqual(['It has no reports yet, so its standing is that of a new reporter.']);
    expect((await engine.listStandings({ reader: 'reporter' }))[0]!.why.slice(2)).toEqual([
      'You have no reports yet, so your standing is that of a new reporter.',
    ]);
    expect(standings[1]!.why.slice(0, 2)).toEqual([
      expect.stringMatching(/^Established: /),
      'Verified by the operator.',
    ]);
    expect(standings[0]!.precision).toBeLessThan(standings[1]!.precision);
    for (const { why } of standings) expect(why.join(' ')).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('say what leads: claims made first, weeks old, that established reporters came to later', async () => {
    const { engine, clock } = await createTestEngine();
    const { reporterId } = unwrap(await engine.createReporter({ name: 'A scout', verified: false }));
    const { apiKey: scout } = unwrap(await engine.issueKey({ reporterId }));
    const { reporterId: knownId } = unwrap(await engine.createReporter({ name: 'Known', verified: true }));
    const { apiKey: known } = unwrap(await engine.issueKey({ reporterId: knownId }));
    for (const n of [1, 2, 3]) unwrap(await engine.report({ apiKey: scout, ...draft(n) }));
    clock.nowMs += 50 * DAY;
    for (const n of [1, 2]) unwrap(await engine.report({ apiKey: known, ...draft(n) }));
    clock.nowMs += 2 * DAY;
    const standings = await engine.recomputeTrust();
    const [leading, verified] = ['A scout', 'Known'].map((name) =>
      standings.find((standing) => standing.name === name)!,
    );
    expect(leading!.led).toBeGreaterThan(1);
    expect(leading!.why).toContain(
      `Established reporters later confirmed ${leading!.led.toFixed(1)} of the mature claims that this reporter made first: only such claims establish an unverified reporter.`,
    );
    for (const { why, claims } of [leading!, verified!]) {
      expect(why[2]).toMatch(new RegExp(`^Claims: ${claims}\\. Other reporters confirm (none|\\d+\\.\\d) of them\\.$`));
      expect(why).toHaveLength(4);
    }
    expect(verified!.why).toContain(
      'Established reporters later confirmed none of the mature claims that this reporter made first.',
    );
  });

  it('count the very first report once, and are what learning anew gives', async () => {
    const { engine, apiKey } = await createTestEngine();
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    expect(await standingOf(engine, 'First Shop')).toMatchObject({ claims: 1, matureClaims: 0 });
    expectAlike(await engine.listStandings(), await engine.recomputeTrust());
  });

  it('follow each report and deletion as learning anew would', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    const codes: string[] = [];
    for (const n of [1, 2, 3, 1]) {
      clock.nowMs += 1000;
      codes.push(unwrap(await engine.report({ apiKey, ...draft(n), severity: 5 + codes.length })).deletionCode);
    }
    clock.nowMs += 1000;
    unwrap(await engine.report({ apiKey: otherKey, ...draft(1) }));
    expect(await standingOf(engine, 'First Shop')).toMatchObject({ claims: 3, preceded: 0 });
    expect(await standingOf(engine, 'Second Shop')).toMatchObject({ claims: 1, preceded: 1 });
    // The agreement of others counts from 90 days on, and only when the day is over.
    expect((await standingOf(engine, 'First Shop')).corroborated).toBe(0);
    clock.nowMs += 1000;
    unwrap(await engine.remove({ apiKey, deletionCode: codes[1]! }));
    const touched = await engine.listStandings();
    expect(touched.find(({ name }) => name === 'First Shop')!.claims).toBe(2);
    expectAlike(touched, await engine.recomputeTrust());
    clock.nowMs += 89 * DAY;
    await engine.recomputeTrust();
    expect(await standingOf(engine, 'First Shop')).toMatchObject({ confirmable: 0, corroborated: 0 });
    clock.nowMs += 2 * DAY;
    await engine.recomputeTrust();
    const confirmed = await standingOf(engine, 'First Shop');
    expect(confirmed.confirmable).toBe(2);
    expect(confirmed.corroborated).toBeGreaterThan(0);
  });

  it('count nothing twice that happens while a table is being made', async () => {
    const { store, hold } = heldUp(await createMemoryStore());
    const { engine, apiKey, clock } = await createTestEngine({ store });
    const before = unwrap(await engine.report({ apiKey, ...draft(1) }));
    clock.nowMs += 2 * DAY;
    await engine.recomputeTrust();
    clock.nowMs += 1000;
    const { begun, letGo } = hold();
    const running = engine.recomputeTrust();
    await begun;
    clock.nowMs += 1000;
    unwrap(await engine.report({ apiKey, ...draft(2) }));
    unwrap(await engine.openDispute({ reportId: before.reportId, reason: 'wrong person', by: 'Ada' }));
    clock.nowMs += 1;
    unwrap(await engine.decideDispute({ reportId: before.reportId, upheld: true, by: 'Ada' }));
    letGo();
    await running;
    expect(await standingOf(engine, 'First Shop')).toMatchObject({ claims: 2, lost: 1 });
    expectAlike(await engine.listStandings(), await engine.recomputeTrust());
  });

  it('count a deletion once that is the first to come on a new day', async () => {
    const { engine, apiKey, clock } = await createTestEngine();
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft(1) }));
    unwrap(await engine.report({ apiKey, ...draft(2) }));
    clock.nowMs += DAY;
    await engine.recomputeTrust();
    clock.nowMs += DAY;
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect(await standingOf(engine, 'First Shop')).toMatchObject({ claims: 1 });
  });

  it.each(['daily', 'on-demand'] as const)('hold what an earlier process left unlearnt (%s)', async (trustEpoch) => {
    const store = await createMemoryStore();
    const { engine: earlier, apiKey, clock } = await createTestEngine({ store, trustEpoch });
    await earlier.listStandings();
    clock.nowMs += 1000;
    const { reportId } = unwrap(await earlier.report({ apiKey, ...draft(1) }));
    unwrap(await earlier.openDispute({ reportId, reason: 'wrong', by: 'Ada' }));
    unwrap(await earlier.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    unwrap(await earlier.report({ apiKey, ...draft(2) }));
    const left = await standingOf(earlier, 'First Shop');
    expect(left).toMatchObject({ claims: 2, lost: 1 });
    const engine = createEngine({
      store: await createSqljsStore({ bytes: store.export() }),
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START + 2000,
      random: createSeededRandom('later'),
      trustEpoch,
    });
    expect(await standingOf(engine, 'First Shop')).toEqual(left);
    const explained = unwrap(await engine.explain({ identifiers: draft(2).identifiers }));
    expect(explained.voices[0]!.standing.precision).toBe(left.precision);
  });

  it('are learnt anew once a day, in the background, and only when told with trustEpoch on-demand', async () => {
    const walks = async (test: TestEngine, counted: { walks: number }): Promise<number> => {
      const { engine, apiKey, clock } = test;
      unwrap(await engine.report({ apiKey, ...draft(1) }));
      const before = counted.walks;
      clock.nowMs += DAY;
      for (let n = 0; n < 3; n++) unwrap(await engine.query({ apiKey, identifiers: draft(1).identifiers }));
      // The end of what runs in the background.
      await engine.close();
      return counted.walks - before;
    };
    const counting = async (): Promise<{ store: Store; counted: { walks: number } }> => {
      const store = await createMemoryStore();
      const counted = { walks: 0 };
      const count = (...args: Parameters<Store['readIdentifiers']>) => {
        counted.walks++;
        return store.readIdentifiers(...args);
      };
      return {
        counted,
        store: new Proxy(store, {
          get: (target, name: keyof Store) => (name === 'readIdentifiers' ? count : target[name]),
        }),
      };
    };
    const daily = await counting();
    expect(await walks(await createTestEngine({ store: daily.store }), daily.counted)).toBe(1);
    const onDemand = await counting();
    expect(
      await walks(await createTestEngine({ store: onDemand.store, trustEpoch: 'on-demand' }), onDemand.counted),
    ).toBe(0);
  });

  it('are none for a model that learns nothing', async () => {
    const { trust: _, ...model } = createLinkClaimModel();
    const { engine, apiKey } = await createTestEngine({ model });
    unwrap(await engine.report({ apiKey, ...draft(1) }));
    expect(unwrap(await engine.query({ apiKey, identifiers: draft(1).identifiers }))).toMatchObject({ reported: 1 });
    expect(await engine.listStandings()).toEqual([]);
    expect(await engine.recomputeTrust()).toEqual([]);
  });
});
