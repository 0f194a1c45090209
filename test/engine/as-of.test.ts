import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEngine, createSeededRandom, unwrap } from '../../src/index.ts';
import { createSqljsStore } from '../../src/store/sqljs/store.ts';
import { createTold, DAY, histories, HOUR, QUESTIONS, type Told } from './history.ts';
import { createTestEngine, hashOf, START } from './setup.ts';

const RUNS = { numRuns: 40 };
const chapters = fc.array(histories(1, 12), { minLength: 1, maxLength: 5 });

/** Asks at the end of each chapter, before and after a moment more, once the day's standings are learnt. */
async function tell(told: Told, parts: readonly Parameters<Told['live']>[0][]): Promise<{ learntAt: number; asked: number; answers: string }[]> {
  const asked: { learntAt: number; asked: number; answers: string }[] = [];
  for (const part of parts) {
    const half = Math.ceil(part.length / 2);
    await told.live(part.slice(0, half));
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
    await fc.assert(fc.asyncProperty(chapters, async (parts) => {
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
    }), RUNS);
    for (const [label, times] of Object.entries(met)) expect(times, label).toBeGreaterThan(0);
  });
});
