import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap } from '../../src/index.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { budget } from '../budget.ts';
import { createTold, DAY, histories, HOUR, QUESTIONS, type Told } from './history.ts';
import { createTestEngine, hashOf, START } from './setup.ts';

const RUNS = { numRuns: budget(5) };
const chapters = fc.array(histories(1, 12), { minLength: 1, maxLength: 5 });

/** Asks at the end of each chapter, before and after a moment more, once the day's standings are learnt. */
async function tell(
  told: Told,
  parts: readonly Parameters<Told['live']>[0][],
): Promise<{ learntAt: number; asked: number; answers: string }[]> {
  const asked: { learntAt: number; asked: number; answers: string }[] = [];
  for (const part of parts) {
    const half = Math.ceil(part.length / 2);
    await told.live(part.slice(0, half));
    // Twice: the first call may share a computation that began before the last deletion.
    await told.engine.recomputeTrust();
    await told.engine.recomputeTrust();
    const learntAt = told.clock.nowMs;
    // The second half within the day: by minutes.
    await told.live(part.slice(half).map((step) => ({ ...step, after: 1 + (step.after % 1000) })));
    if (Math.floor(told.clock.nowMs / DAY) !== Math.floor(learntAt / DAY)) continue;
    asked.push({ learntAt, asked: told.clock.nowMs, answers: JSON.stringify(await told.ask()) });
  }
  return asked;
}

describe('a query about an earlier moment', () => {
  it('has the very bytes that were answered then, when nothing was deleted since its day’s standings were learnt', async () => {
    const met = { compared: 0, matched: 0, protected: 0, upheld: 0, disputed: 0, established: 0 };
    await fc.assert(
      fc.asyncProperty(chapters, async (parts) => {
        const told = await createTold();
        const asked = await tell(told, parts);
        told.clock.nowMs += 3 * DAY;
        for (const { learntAt, asked: moment, answers } of asked) {
          if (told.removals.some((at) => at > learntAt)) continue;
          expect(JSON.stringify(await told.ask(moment))).toBe(answers);
          met.compared++;
          if (answers.includes('"reported":1')) met.matched++;
          if (answers.includes('"protected":[{')) met.protected++;
          if (/"upheldDisputes":[1-9]/.test(answers)) met.upheld++;
          if (answers.includes('"disputed":true')) met.disputed++;
          if (answers.includes('"established":true')) met.established++;
        }
        // One seed: what these histories meet is counted below.
      }),
      { ...RUNS, seed: 7 },
    );
    for (const [label, times] of Object.entries(met)) expect(times, label).toBeGreaterThan(0);
  });

  it('counts what was deleted since, and is then what it would have been without it', async () => {
    await fc.assert(
      fc.asyncProperty(chapters, async (parts) => {
        const told = await createTold();
        const asked = await tell(told, parts);
        for (const { asked: moment } of asked) {
          const since = told.removals.filter((at) => at > moment).length;
          for (const { explanation } of await told.ask(moment)) {
            expect(explanation!.deletedSince).toBe(since);
            expect(explanation!.sentences.some((sentence) => sentence.includes('deleted after this moment'))).toBe(
              since > 0,
            );
          }
        }
      }),
      { numRuns: budget(3) },
    );
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    const draft = (text: string) => ({
      type: 'fraud',
      severity: 6,
      text,
      identifiers: [{ kind: 'email', hash: hashOf(1) }],
    });
    unwrap(await engine.report({ apiKey, ...draft('stays') }));
    clock.nowMs += HOUR;
    const alone = unwrap(await engine.query({ apiKey, identifiers: draft('').identifiers }));
    const { deletionCode } = unwrap(await engine.report({ apiKey: otherKey, ...draft('goes') }));
    clock.nowMs += HOUR;
    const asOf = clock.nowMs;
    expect(unwrap(await engine.query({ apiKey, identifiers: draft('').identifiers })).points).toBeGreaterThan(
      alone.points,
    );
    clock.nowMs += DAY;
    unwrap(await engine.remove({ apiKey: otherKey, deletionCode }));
    expect(unwrap(await engine.query({ apiKey, identifiers: draft('').identifiers, asOf }))).toEqual(alone);
  });

  it('of a day on which something was deleted leaves it out, where the answer of that day still had learnt from it', async () => {
    const { engine, apiKey, otherKey, clock } = await createTestEngine();
    const draft = (n: number) => ({
      type: 'fraud',
      severity: 6,
      text: `about ${n}`,
      identifiers: [{ kind: 'email', hash: hashOf(n) }],
    });
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft(1) }));
    clock.nowMs += 1;
    for (const n of [1, 2]) unwrap(await engine.report({ apiKey: otherKey, ...draft(n) }));
    clock.nowMs += DAY;
    await engine.recomputeTrust();
    clock.nowMs += HOUR;
    unwrap(await engine.remove({ apiKey, deletionCode }));
    clock.nowMs += HOUR;
    const ask = async (asOf?: number) =>
      unwrap(
        await engine.explainQuery({
          apiKey,
          identifiers: draft(2).identifiers,
          ...(asOf === undefined ? {} : { asOf }),
        }),
      );
    const then = await ask();
    // The table of the day is computed without the deleted report, so the claim about 1 is no longer preceded.
    const preceded = async () => (await engine.listStandings()).find(({ name }) => name === 'Second Shop')!.preceded;
    expect(await preceded()).toBe(1);
    await engine.recomputeTrust();
    expect(await preceded()).toBe(0);
    expect(await ask(clock.nowMs)).toEqual(await ask());
    expect(then.explanation!.deletedSince).toBe(0);
  });

  it('leaves no link and no other trace, and a later moment or none is an error', async () => {
    const told = await createTold();
    const { engine, clock, apiKey, store } = told;
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'one', identifiers: [...QUESTIONS[0]!] }));
    clock.nowMs += DAY;
    await engine.recomputeTrust();
    // Counts against the budget of the reporter, and saves the last use of the key.
    unwrap(await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: '9'.repeat(40) }] }));
    await engine.listKeys();
    const before = store.export();
    const earlier = (await told.ask(clock.nowMs - 1))[0]!;
    expect(earlier.reported).toBe(1);
    expect(Buffer.compare(store.export(), before)).toBe(0);
    expect(await engine.view({ linkHash: earlier.link.slice(-40) })).toMatchObject({
      ok: false,
      refusal: { reason: 'not-found' },
    });
    for (const asOf of [clock.nowMs + 1, Number.MAX_SAFE_INTEGER]) {
      await expect(engine.query({ apiKey, identifiers: QUESTIONS[0]!, asOf })).rejects.toThrow(RangeError);
      await expect(engine.explain({ identifiers: QUESTIONS[0]!, asOf })).rejects.toThrow('"asOf"');
    }
    for (const asOf of [0.5, Number.NaN, '0' as unknown as number, null as unknown as number])
      await expect(engine.query({ apiKey, identifiers: QUESTIONS[0]!, asOf })).rejects.toThrow(TypeError);
  });

  it('before anything was reported has nothing to say', async () => {
    const told = await createTold();
    unwrap(
      await told.engine.report({
        apiKey: told.apiKey,
        type: 'fraud',
        severity: 6,
        text: 'one',
        identifiers: [...QUESTIONS[0]!],
      }),
    );
    for (const moment of [0, -1, START - 1])
      for (const { points, reported, reliability } of await told.ask(moment))
        expect([points, reported, reliability]).toEqual([0, 0, 0]);
  });

  it('follows the allow-list of that moment, and does not tell an end that somebody set later', async () => {
    const { engine, apiKey, clock } = await createTestEngine();
    const identifiers = [{ kind: 'domain', hash: hashOf(1) }];
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'one', identifiers }));
    const ask = async (asOf?: number) =>
      unwrap(await engine.explainQuery({ apiKey, identifiers, ...(asOf === undefined ? {} : { asOf }) }));
    const moments: { asOf: number; answer: unknown }[] = [];
    const note = async (): Promise<void> => {
      clock.nowMs += HOUR;
      moments.push({ asOf: clock.nowMs, answer: await ask() });
      // What happens in the very millisecond of a moment belongs to it.
      clock.nowMs += 1;
    };
    await note();
    unwrap(await engine.protect({ hash: hashOf(1), reason: 'A provider', by: 'Ada' }));
    await note();
    unwrap(await engine.unprotect({ hash: hashOf(1), by: 'Ada' }));
    await note();
    unwrap(
      await engine.protect({ hash: hashOf(1), reason: 'A provider again', by: 'Ada', endsAt: clock.nowMs + 2 * HOUR }),
    );
    await note();
    clock.nowMs += HOUR;
    await note();
    expect(moments.map(({ answer }) => (answer as { reported: number }).reported)).toEqual([1, 0, 1, 0, 1]);
    for (const { asOf, answer } of moments) expect(await ask(asOf)).toEqual(answer);
  });

  it('follows the disputes of that moment: counted, halved, left out, and counted again', async () => {
    const { engine, apiKey, clock } = await createTestEngine();
    const identifiers = [{ kind: 'email', hash: hashOf(1) }];
    const { reportId } = unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'one', identifiers }));
    const told: { asOf: number; answer: unknown }[] = [];
    const ask = async (asOf?: number) =>
      unwrap(await engine.explainQuery({ apiKey, identifiers, ...(asOf === undefined ? {} : { asOf }) }));
    const change = [
      () => engine.openDispute({ reportId, reason: 'no', by: 'Ada' }),
      () => engine.decideDispute({ reportId, upheld: true, by: 'Ada' }),
      () => engine.openDispute({ reportId, reason: 'yes', by: 'Ada' }),
      () => engine.decideDispute({ reportId, upheld: false, by: 'Ada' }),
    ];
    for (const step of [undefined, ...change]) {
      clock.nowMs += HOUR;
      if (step) unwrap(await step());
      clock.nowMs += DAY;
      await engine.recomputeTrust();
      told.push({ asOf: clock.nowMs, answer: await ask() });
    }
    const exact = told.map(({ answer }) => answer as Awaited<ReturnType<typeof ask>>);
    expect(
      exact.map(({ reported, explanation }) => [
        reported,
        explanation!.upheldDisputes,
        explanation!.voices[0]?.reports[0]?.disputed,
      ]),
    ).toEqual([
      [1, 0, false],
      [1, 0, true],
      [0, 1, undefined],
      [0, 1, undefined],
      [1, 0, false],
    ]);
    for (const { asOf, answer } of told) expect(await ask(asOf)).toEqual(answer);
  });
});

describe('the same history', () => {
  it('has the same bytes twice', async () => {
    await fc.assert(
      fc.asyncProperty(chapters, async (parts) => {
        const run = async () => {
          const told = await createTold();
          const asked = await tell(told, parts);
          return { asked, bytes: Buffer.from(told.store.export()).toString('base64') };
        };
        expect(await run()).toEqual(await run());
      }),
      { numRuns: budget(3) },
    );
  });

  it('has the same standings and answers after a restart on what was stored', async () => {
    await fc.assert(
      fc.asyncProperty(chapters, async (parts) => {
        const told = await createTold();
        await tell(told, parts);
        await told.engine.recomputeTrust();
        const again = createEngine({
          store: await createSqljsStore({ bytes: told.store.export() }),
          secret: 'a secret of more than sixteen bytes',
          publicUrl: 'https://reports.example',
          clock: () => told.clock.nowMs,
          random: createSeededRandom('after the restart'),
        });
        expect(await again.listStandings()).toEqual(await told.engine.listStandings());
        for (const identifiers of QUESTIONS)
          expect(unwrap(await again.explainQuery({ apiKey: told.apiKey, identifiers }))).toEqual(
            unwrap(await told.engine.explainQuery({ apiKey: told.apiKey, identifiers })),
          );
      }),
      { numRuns: budget(3) },
    );
  });
});
