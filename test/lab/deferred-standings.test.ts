import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap } from '../../src/index.ts';
import type { LabEvent } from '../../src/lab/event.ts';
import { createModels } from '../../src/lab/models.ts';
import { replay } from '../../src/lab/replay.ts';
import { simulateWorld } from '../../src/lab/simulate/world.ts';
import { isLong } from '../budget.ts';
import { DAY, email, live } from './histories.ts';
import { randomHistory } from './random-history.ts';
import { createMemoryStore } from '../memory-store.ts';

/**
 * Replays events on a plain engine that computes the standings at the beginning of each epoch, also of those without an
 * event. Returns the unrounded
 * Points of each query.
 */
async function replayPlainly(events: Iterable<LabEvent>, epochDays: number): Promise<number[]> {
  let now = 0;
  let nextEpochAt = -Infinity;
  const engine = createEngine({
    store: await createMemoryStore(),
    secret: 'the lab has no secrets, only seeds',
    publicUrl: 'https://r.example',
    clock: () => now,
    // The order of equal times depends on the ids.
    random: createSeededRandom('redflag lab'),
    trustEpoch: 'on-demand',
    limits: { report: { requests: 1_000_000, windowSeconds: 1 }, query: { requests: 1_000_000, windowSeconds: 1 } },
  });
  const keys = new Map<string, string>();
  const reports = new Map<string, { reportId: string; deletionCode: string; apiKey: string }>();
  const disputed = new Set<string>();
  const keyOf = async (name: string, verified = false): Promise<string> => {
    if (!keys.has(name)) {
      const { reporterId } = unwrap(await engine.createReporter({ name, verified }));
      keys.set(name, unwrap(await engine.issueKey({ reporterId })).apiKey);
    }
    return keys.get(name)!;
  };
  const points: number[] = [];
  let number = 0;
  for (const event of events) {
    number++;
    now = event.at;
    // Days without an event: as a service that runs all the time.
    for (; epochDays === 1 && nextEpochAt + DAY <= event.at && nextEpochAt > 0; nextEpochAt += DAY) {
      now = nextEpochAt;
      await engine.recomputeTrust();
    }
    now = event.at;
    if (event.at >= nextEpochAt) {
      await engine.recomputeTrust();
      nextEpochAt = (Math.floor(event.at / DAY) + epochDays) * DAY;
    }
    if (event.do === 'reporter') await keyOf(event.name, event.verified);
    else if (event.do === 'report') {
      const apiKey = await keyOf(event.reporter);
      const { type, severity, identifiers } = event;
      const receipt = unwrap(await engine.report({ apiKey, type, severity, identifiers, text: `Report ${number}` }));
      reports.set(event.id, { ...receipt, apiKey });
    } else if (event.do === 'remove') unwrap(await engine.remove(reports.get(event.id)!));
    else if (event.do === 'dispute') {
      const { reportId } = reports.get(event.id)!;
      if (!disputed.has(event.id)) unwrap(await engine.openDispute({ reportId, reason: 'lab', by: 'lab' }));
      disputed.add(event.id);
      if (event.upheld === undefined) continue;
      unwrap(await engine.decideDispute({ reportId, upheld: event.upheld, by: 'lab' }));
      disputed.delete(event.id);
    } else {
      points.push(unwrap(await engine.explain({ identifiers: event.identifiers })).exact.points);
    }
  }
  await engine.close();
  return points;
}

describe('standings that are computed when they are needed', () => {
  it.each(isLong ? [1, 2, 3, 4, 11, 18, 25, 28] : [3, 11, 28])(
    'equal those of every epoch and report (seed %i)',
    async (seed) => {
      const epochDays = [1, 3, 20][seed % 3]!;
      const events = [...randomHistory(seed, 250)];
      const { samples, matched } = await live(events, { epochDays });
      expect(matched).toBeGreaterThan(40);
      expect(samples.map(({ answers }) => answers[0]!.score)).toEqual(await replayPlainly(events, epochDays));
    },
  );

  it('at a cut, equal those of a service that computes them every day', async () => {
    const differences = { yearly: 0 };
    for (const seed of isLong ? [1, 2, 3, 4, 5, 6] : [2]) {
      const before = [...randomHistory(seed, 120)].filter((event) => event.do !== 'query');
      const last = before.at(-1)!.at;
      // On the day of the last event, whose changes come after the computation of that day, and at a later midnight.
      for (const cut of [last, (Math.floor(last / DAY) + 3) * DAY]) {
        const queries = [...randomHistory(seed + 10, 200)].filter((event) => event.do === 'query');
        const events = [...before, ...queries.map((event) => ({ ...event, at: cut }))];
        const daily = await replayPlainly(events, 1);
        const scores = async (options: object): Promise<number[]> =>
          (await live(events, options)).samples.map(({ answers }) => answers[0]!.score);
        expect(new Set(daily).size).toBeGreaterThan(10);
        expect(await scores({ epochDays: 1 })).toEqual(daily);
        expect(await scores({ epochDays: 1, epochsFrom: cut })).toEqual(daily);
        if (JSON.stringify(await scores({ epochDays: 365 })) !== JSON.stringify(daily)) differences.yearly++;
      }
    }
    // Otherwise, this test could not fail.
    expect(differences.yearly).toBeGreaterThan(isLong ? 4 : 0);
  });

  it('are not there before the first day with standings: an earlier query is refused', async () => {
    const events = [...randomHistory(1, 40)].filter((event) => event.do !== 'query');
    const [first] = events;
    const asked = { at: first!.at, do: 'query', identifiers: [email('ada')], label: 1 } as const;
    await expect(live([first!, asked], { epochsFrom: first!.at + DAY })).rejects.toThrow(
      'line 2: it is a query before the first day with standings',
    );
    await expect(live([first!, asked], { epochsFrom: first!.at + 1 })).resolves.toMatchObject({ queries: 1 });
  });

  it('are stored at the end, even if no query needed them', async () => {
    const store = await createMemoryStore();
    const events = [...randomHistory(9, 60)].filter((event) => event.do === 'report');
    await replay(events, store, { models: createModels(['link-claim']), epochDays: 1 });
    const lastDay = Math.floor(events.at(-1)!.at / DAY) * DAY;
    expect(await store.findTrust()).toMatchObject({ epochAt: lastDay });
    await store.close();
  });

  it('give the known answers in a small world', async () => {
    const world = { customers: 600, reporters: 20, queries: { count: 600 } };
    const {
      samples,
      misses,
      standings: _standings,
      ...counts
    } = await live(simulateWorld({ seed: 7, options: world }), {
      models: createModels(['link-claim', 'one-voice', 'report-count', 'severity-sum']),
      excludeOwn: true,
    });
    expect(counts).toMatchObject({ events: 799, reports: 175, removed: 4, queries: 600, matched: 81, reporters: 20 });
    // Nine digits: the last digits of a logarithm depend on the version of Node. An explanation may be reworded.
    const answers = samples.map(({ label, group, reported, kinds, answers: given }) => ({
      label,
      group,
      reported,
      kinds,
      answers: given,
    }));
    const text = JSON.stringify([answers, misses], (name, value: unknown) =>
      typeof value === 'number' ? value.toPrecision(9) : name === 'sentences' ? undefined : value,
    );
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '2307c788dd4357714fdef7563392d07cf43e5e99e4a8234471e14ba130633193',
    );
  });
});
