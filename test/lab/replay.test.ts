import { describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap } from '../../src/index.ts';
import { LabEventError, toLabIdentifier } from '../../src/lab/event.ts';
import type { LabEvent } from '../../src/lab/event.ts';
import { createModels } from '../../src/lab/models.ts';
import { replay } from '../../src/lab/replay.ts';
import type { Replayed } from '../../src/lab/replayed.ts';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { day, dispute, email, live, query, remove, report, reporter, START } from './histories.ts';
import { createMemoryStore } from '../memory-store.ts';

const pointsOf = ({ samples }: Replayed, model = 0): number[] => samples.map(({ answers }) => answers[model]!.points);
const reportedOf = ({ samples }: Replayed): number[] => samples.map(({ reported }) => reported);

/** Two verified reporters, an unverified one, and four reports. */
const HISTORY: readonly LabEvent[] = [
  reporter('ami'),
  reporter('bea'),
  report(1, 'r1', 'ami', 'ada'),
  report(2, 'r2', 'bea', 'ada', 3),
  report(3, 'r3', 'stranger', 'ada', 10),
  report(4, 'r4', 'stranger', 'bob'),
];

describe('a query in the lab', () => {
  it('gets the answer of the engine at that time', async () => {
    const lab = await live([...HISTORY, query(200, 'ada', 1), query(200, 'bob', 0), query(200, 'nobody', 0)]);

    let now = START;
    const engine = createEngine({
      store: await createMemoryStore(),
      secret: 'a secret of 16 bytes',
      publicUrl: 'https://r.example',
      clock: () => now,
      random: createSeededRandom('t'),
      trustEpoch: 'on-demand',
    });
    const keys = new Map<string, string>();
    const keyOf = async (name: string, verified: boolean): Promise<string> => {
      const { reporterId } = unwrap(await engine.createReporter({ name, verified }));
      keys.set(name, unwrap(await engine.issueKey({ reporterId })).apiKey);
      return keys.get(name)!;
    };
    for (const event of HISTORY) {
      now = event.at;
      if (event.do === 'reporter') await keyOf(event.name, event.verified);
      if (event.do !== 'report') continue;
      const { type, severity, identifiers, id: text } = event;
      unwrap(
        await engine.report({
          apiKey: keys.get(event.reporter) ?? (await keyOf(event.reporter, false)),
          type,
          severity,
          identifiers,
          text,
        }),
      );
    }
    now = day(200);
    await engine.recomputeTrust();
    const asked = await Promise.all(
      ['ada', 'bob', 'nobody'].map(async (name) =>
        unwrap(await engine.query({ apiKey: keys.get('ami')!, identifiers: [email(name)] })),
      ),
    );
    await engine.close();

    expect(pointsOf(lab)).toEqual(asked.map(({ points }) => points));
    expect(reportedOf(lab)).toEqual(asked.map(({ reported }) => reported));
    expect(reportedOf(lab)).toEqual([3, 1, 0]);
    expect(lab.samples.map(({ kinds }) => kinds)).toEqual([['email'], ['email'], []]);
    // Unrounded values agree, too.
    expect(lab.samples.map(({ answers }) => Math.round(answers[0]!.score))).toEqual(pointsOf(lab));
  });

  it('states the time of a query, and the age of the youngest match by kind, without own reports', async () => {
    const both = [email('ada'), toLabIdentifier('ip', '192.0.2.1')];
    const events = [
      { ...report(1, 'r1', 'ami', 'ada'), identifiers: both },
      report(5, 'r2', 'bea', 'ada'),
      report(8, 'r3', 'cid', 'ada'),
      { ...query(12, 'ada', 1, { reporter: 'cid' }), identifiers: both },
      query(13, 'nobody', 0),
    ];
    const { samples } = await live(events, { excludeOwn: true });
    expect(samples.map(({ at }) => at)).toEqual([day(12), day(13)]);
    const byKind = samples.map(({ youngest }) => new Map(youngest.map(({ kind, ageDays }) => [kind, ageDays])));
    expect(byKind).toEqual([
      new Map([
        ['email', 7],
        ['ip', 11],
      ]),
      new Map(),
    ]);
  });

  it('finds earlier reports, and no later ones', async () => {
    expect(
      reportedOf(await live([reporter('ami'), query(1, 'ada', 1), report(1, 'r1', 'ami', 'ada'), query(1, 'ada', 1)])),
    ).toEqual([0, 1]);
  });

  it('leaves the asking reporter’s own reports out only with excludeOwn', async () => {
    const events = [
      ...HISTORY,
      query(5, 'ada', 1, { reporter: 'ami' }),
      query(5, 'ada', 1, { reporter: 'somebody else' }),
      query(5, 'ada', 1),
      query(5, 'bob', 0, { reporter: 'stranger' }),
    ];
    expect(reportedOf(await live(events))).toEqual([3, 3, 3, 1]);
    const without = await live(events, { excludeOwn: true });
    expect(reportedOf(without)).toEqual([2, 3, 3, 0]);
    expect(without).toMatchObject({ labelled: 4, matched: 3 });
  });

  it('ignores removed reports and upheld disputes, and counts rejected disputes', async () => {
    const lab = await live([
      ...HISTORY,
      query(6, 'ada', 1),
      dispute(6, 'r2', false),
      query(6, 'ada', 1),
      dispute(7, 'r2', true),
      query(7, 'ada', 1),
      remove(8, 'r1'),
      query(8, 'ada', 1),
      remove(9, 'r3'),
      remove(9, 'r2'),
      query(9, 'ada', 1),
    ]);
    expect(reportedOf(lab)).toEqual([3, 3, 2, 1, 0]);
    const [before, rejected, upheld] = pointsOf(lab);
    expect(rejected).toBe(before);
    expect(upheld).toBeLessThan(before!);
    expect(lab).toMatchObject({
      events: 16,
      reports: 4,
      removed: 3,
      disputes: 2,
      queries: 5,
      labelled: 5,
      matched: 4,
      reporters: 3,
      from: START,
      to: day(9),
    });
  });

  it('counts a report half while a dispute is open', async () => {
    const decidedBy = async (upheld: boolean): Promise<Replayed> =>
      live(
        [
          reporter('ami'),
          report(1, 'r1', 'ami', 'ada', 10),
          query(2, 'ada', 1),
          dispute(2, 'r1'),
          query(2, 'ada', 1),
          query(40, 'ada', 1),
          dispute(41, 'r1', upheld),
          query(41, 'ada', 1),
        ],
        { epochDays: 1000 },
      );
    const rejected = await decidedBy(false);
    const [before, open, later, after] = rejected.samples.map(({ answers }) => answers[0]!.chance!);
    // What is above the least value of .1.
    expect((open! - 0.1) / (before! - 0.1)).toBeCloseTo(0.5, 9);
    expect((later! - 0.1) / (after! - 0.1)).toBeCloseTo(0.5, 2);
    expect(reportedOf(rejected)).toEqual([1, 1, 1, 1]);
    expect(rejected.disputes).toBe(1);
    expect(reportedOf(await decidedBy(true))).toEqual([1, 1, 1, 0]);
  });

  it('treats a dispute that is opened and decided like one decided at once, and allows another one', async () => {
    const lab = await live([
      ...HISTORY,
      dispute(5, 'r1'),
      dispute(6, 'r1', true),
      dispute(7, 'r1'),
      query(7, 'ada', 1),
      dispute(8, 'r1', false),
      dispute(9, 'r2'),
      remove(9, 'r2'),
      query(9, 'ada', 1),
    ]);
    const atOnce = await live([
      ...HISTORY,
      dispute(6, 'r1', true),
      dispute(8, 'r1', false),
      remove(9, 'r2'),
      query(9, 'ada', 1),
    ]);
    expect(lab.disputes).toBe(3);
    // A report that was found wrong stays so while a further dispute is open.
    expect(reportedOf(lab)).toEqual([2, 2]);
    expect(lab.samples[1]!.answers).toEqual(atOnce.samples[0]!.answers);
  });

  it('is not judged without a label', async () => {
    const lab = await live(
      [
        ...HISTORY,
        query(5, 'ada'),
        query(5, 'ada', undefined, { group: 'victim' }),
        query(5, 'nobody', undefined, { group: 'victim' }),
        query(5, 'bob', 0),
      ],
      { models: createModels(['report-count', 'severity-sum']) },
    );
    expect(lab).toMatchObject({ queries: 4, labelled: 1, matched: 1 });
    expect(lab.samples).toHaveLength(1);
    expect(lab.unlabelled).toEqual(
      new Map([
        [
          'victim',
          [
            [3, 0],
            [21, 0],
          ],
        ],
      ]),
    );
  });
});

describe('reports in the lab', () => {
  it('are two if they are equal', async () => {
    const lab = await live([
      reporter('ami'),
      report(1, 'r1', 'ami', 'ada'),
      report(1, 'r2', 'ami', 'ada'),
      query(1, 'ada', 1),
      remove(2, 'r1'),
      query(2, 'ada', 1),
    ]);
    expect(lab.reports).toBe(2);
    expect(reportedOf(lab)).toEqual([2, 1]);
  });

  it('register an unknown reporter, unverified', async () => {
    const known = await live([reporter('ami'), report(1, 'r1', 'ami', 'ada'), query(1, 'ada', 1)]);
    const unknown = await live([report(1, 'r1', 'ami', 'ada'), query(1, 'ada', 1)]);
    expect(unknown.reporters).toBe(1);
    expect(pointsOf(unknown)[0]).toBeLessThan(pointsOf(known)[0]!);
  });
});

describe('disputes in the lab', () => {
  it('can be decided and reopened several times at one time', async () => {
    const lab = await live([
      reporter('ami'),
      report(1, 'r1', 'ami', 'ada'),
      report(1, 'r2', 'ami ', 'bob'),
      dispute(2, 'r1'),
      remove(3, 'r1'),
      dispute(4, 'r1', true),
      dispute(4, 'r1', false),
      dispute(5, 'r2', true),
      dispute(5, 'r2', false),
      query(6, 'bob', 1),
    ]);
    expect(lab).toMatchObject({ reporters: 1, disputes: 4, removed: 1 });
    expect(reportedOf(lab)).toEqual([1]);
  });
});

describe('an event that contradicts earlier ones', () => {
  const refused: readonly (readonly [string, readonly LabEvent[], string])[] = [
    [
      'out of order',
      [reporter('ami', true, day(2)), report(1, 'r1', 'ami', 'secret')],
      'line 2: it is earlier than the previous event',
    ],
    ['a reporter twice', [reporter('ami'), reporter('ami')], 'line 2: an earlier reporter has this name'],
    [
      'a reporter after its report',
      [report(0, 'r1', 'ami', 'secret'), reporter('ami')],
      'line 2: an earlier reporter has this name',
    ],
    ['an invalid name', [reporter('secret\nname')], 'line 1: the name of the reporter was refused (invalid-name)'],
    [
      'an id twice',
      [report(1, 'secret', 'ami', 'ada'), report(2, 'secret', 'ami', 'bob')],
      'line 2: an earlier report has this id',
    ],
    ['severity 11', [report(1, 'r1', 'secret', 'ada', 11)], 'line 1: the report was refused (invalid-severity)'],
    ['severity 0', [report(1, 'r1', 'secret', 'ada', 0)], 'line 1: the report was refused (invalid-severity)'],
    [
      'an unknown type',
      [{ ...report(1, 'r1', 'secret', 'ada'), type: 'secret' }],
      'line 1: the report was refused (invalid-type)',
    ],
    ['a removal of no report', [remove(1, 'secret')], 'line 1: it removes a report that does not exist'],
    [
      'a second removal',
      [report(1, 'secret', 'ami', 'ada'), remove(2, 'secret'), remove(3, 'secret')],
      'line 3: it removes a report that does not exist',
    ],
    ['a dispute about no report', [dispute(1, 'secret', true)], 'line 1: it disputes a report that does not exist'],
    [
      'a dispute about a removed report',
      [report(1, 'secret', 'ami', 'ada'), remove(2, 'secret'), dispute(3, 'secret', true)],
      'line 3: the dispute was refused (unknown-report)',
    ],
    [
      'a dispute that is already open',
      [report(1, 'secret', 'ami', 'ada'), dispute(2, 'secret'), dispute(3, 'secret')],
      'line 3: a dispute about this report is already open',
    ],
  ];

  it.each(refused)('%s ends the run with an error that has its number', async (_, events, message) => {
    const ended = live(events);
    await expect(ended).rejects.toThrow(LabEventError);
    await expect(ended).rejects.toThrow(expect.objectContaining({ message, line: Number(/\d+/.exec(message)![0]) }));
    expect(message).not.toContain('secret');
  });

  it('has the line of its file and the engine’s reason in its error', async () => {
    await expect(
      live([
        { ...reporter('ami'), line: 3 },
        { ...remove(1, 'r'), line: 8 },
      ]),
    ).rejects.toThrow('line 8: it removes');
    await expect(live([{ ...report(1, 'r1', 'ami', 'ada', 11), line: 8 }])).rejects.toThrow(
      expect.objectContaining({ line: 8, refusal: { reason: 'invalid-severity' } }),
    );
  });
});

describe('several models', () => {
  const MODELS = createModels(['link-claim', 'report-count', 'one-voice']);

  it('give the same answers side by side as alone', async () => {
    const events = [
      ...HISTORY,
      dispute(5, 'r2', true),
      query(6, 'ada', 1),
      remove(7, 'r4'),
      query(8, 'bob', 0),
      query(30, 'ada', 0),
    ];
    const together = await live(events, { models: MODELS });
    for (const [at, model] of MODELS.entries()) {
      const alone = await live(events, { models: [model] });
      expect(together.samples.map(({ answers }) => answers[at])).toEqual(
        alone.samples.map(({ answers }) => answers[0]),
      );
      expect(together.misses[at]).toEqual(alone.misses[0]);
    }
    expect(together.samples[0]!.answers.map(({ chance }) => typeof chance)).toEqual([
      'number',
      'undefined',
      'undefined',
    ]);
    expect(together.samples[0]!.answers[1]!.score).toBe(2);
  });

  it('learn their own standings, in any order', async () => {
    const forgiving = createLinkClaimModel(configureLinkClaim({ trust: { disputeCost: 0 } }));
    const strict = createLinkClaimModel(configureLinkClaim({ trust: { disputeCost: 20 } }));
    const events = [
      reporter('ami'),
      report(1, 'r1', 'ami', 'ada'),
      report(1, 'r2', 'ami', 'bob'),
      report(1, 'r3', 'ami', 'cyd'),
      dispute(2, 'r1', true),
      dispute(2, 'r2', true),
      query(3, 'cyd', 1),
      query(20, 'cyd', 1),
    ];
    for (const models of [
      [forgiving, strict],
      [strict, forgiving],
      [createModels(['report-count'])[0]!, strict, forgiving],
    ]) {
      const lab = await live(events, { models });
      const of = (model: typeof strict): number[] => pointsOf(lab, models.indexOf(model));
      expect(of(strict)).toEqual(pointsOf(await live(events, { models: [strict] })));
      expect(of(forgiving)).toEqual(pointsOf(await live(events, { models: [forgiving] })));
      expect(of(strict)[1]).toBeLessThan(of(forgiving)[1]! / 2);
    }
  });
});

describe('what a replay collects', () => {
  const many = (count: number): LabEvent[] => [
    ...HISTORY,
    ...Array.from({ length: count }, (_, at) => query(5, ['ada', 'bob', 'nobody'][at % 3]!, at % 2 === 0 ? 1 : 0)),
  ];

  it('is at most maxSamples samples, and all queries are counted', async () => {
    const lab = await live(many(300), { maxSamples: 40 });
    expect(lab).toMatchObject({ queries: 300, labelled: 300, matched: 200 });
    expect(lab.samples).toHaveLength(40);
    expect((await live(many(300), { maxSamples: 40, seed: 2 })).samples).not.toEqual(lab.samples);
  });

  it('is at most maxSamples Points of a group without a label, of the same queries for each model', async () => {
    const models = createModels(['report-count', 'severity-sum']);
    const events = [
      report(1, 'r0', 'ami', 'ada', 1),
      ...Array.from({ length: 50 }, (_, at) => [
        report(2, `r${at + 1}`, 'ami', 'ada', 1),
        query(2, 'ada', undefined, { group: 'g' }),
      ]).flat(),
    ];
    const [counts, sums] = (await live(events, { models, maxSamples: 10 })).unlabelled.get('g')!;
    expect(counts).toHaveLength(10);
    expect(new Set(counts).size).toBe(10);
    expect(sums).toEqual(counts);
  });

  it('is the worst misses of each label, explained without a hash', async () => {
    const about = Array.from({ length: 8 }, (_, at) => `p${at}`);
    const lab = await live(
      [
        reporter('ami'),
        ...about.map((name, at) => report(1, name, 'ami', name, at + 1)),
        ...about.flatMap((name) => [query(2, name, 0), query(2, name, 1)]),
        query(2, 'nobody', 1),
      ],
      { models: createModels(['severity-sum', 'link-claim']), misses: 2 },
    );
    for (const [model, misses] of lab.misses.entries()) {
      expect(misses).toHaveLength(4);
      for (const miss of misses) {
        expect(miss).toMatchObject({ at: '2021-01-03T00:00:00.000Z', reported: 1 });
        expect(miss.sentences.length).toBeGreaterThan(0);
        expect(miss.sentences.join(' ')).not.toMatch(/[0-9a-f]{16}/);
      }
      if (model === 0)
        expect(misses.map(({ label, points }) => [label, points])).toEqual([
          [1, 1],
          [1, 2],
          [0, 8],
          [0, 7],
        ]);
    }
    expect(
      (await live([reporter('ami'), report(1, 'r', 'ami', 'ada'), query(2, 'ada', 0)], { misses: 0 })).misses,
    ).toEqual([[]]);
  });

  it('is the same bytes for the same events', async () => {
    const bytes = async (): Promise<string> =>
      JSON.stringify(
        await live(many(60), { models: createModels(['link-claim', 'one-voice']), maxSamples: 20 }),
        (_, value: unknown) => (value instanceof Map ? [...value] : value),
      );
    expect(await bytes()).toBe(await bytes());
  });

  it('is empty without events', async () => {
    expect(await live([])).toEqual({
      events: 0,
      from: null,
      to: null,
      reporters: 0,
      reports: 0,
      removed: 0,
      disputes: 0,
      queries: 0,
      labelled: 0,
      matched: 0,
      samples: [],
      unlabelled: new Map(),
      misses: [[]],
      standings: [],
    });
  });
});

describe('how a replay runs', () => {
  it('recomputes standings every epochDays, and changes nothing else', async () => {
    const people = Array.from({ length: 12 }, (_, at) => `p${at}`);
    const events = [
      reporter('ami'),
      reporter('bea'),
      ...people.map((name, at) => report(at, `a${at}`, 'ami', name)),
      ...people.slice(0, 6).map((name, at) => report(20 + at, `b${at}`, 'bea', name)),
      ...people.map((name, at) => report(26 + at, `s${at}`, 'stranger', name)),
      report(39, 'own', 'stranger', 'own'),
      ...[40, 80, 120].flatMap((days) => [...people, 'own'].map((name) => query(days, name, 1))),
    ];
    const models = createModels(['link-claim', 'one-voice', 'report-count']);
    const [often, seldom] = [
      await live(events, { models, epochDays: 1 }),
      await live(events, { models, epochDays: 1000 }),
    ];
    expect(pointsOf(often)).not.toEqual(pointsOf(seldom));
    expect(often.standings).not.toEqual(seldom.standings);
    for (const model of [1, 2]) expect(pointsOf(often, model)).toEqual(pointsOf(seldom, model));
    const rest = (lab: Replayed): object => ({
      ...lab,
      misses: [],
      standings: [],
      samples: lab.samples.map((sample) => ({ ...sample, answers: [] })),
    });
    expect(rest(often)).toEqual(rest(seldom));
  });

  it('reads an event after the previous one is processed', async () => {
    let waiting = 0;
    let most = 0;
    let given = 0;
    const events = {
      async *[Symbol.asyncIterator]() {
        for (const event of [...HISTORY, query(5, 'ada', 1)]) {
          waiting++;
          most = Math.max(most, waiting);
          given++;
          yield event;
          waiting--;
        }
      },
    };
    const store = await createMemoryStore();
    const seen: number[] = [];
    await replay(
      events,
      { ...store, addReport: (...args) => (seen.push(given), store.addReport(...args)) },
      { models: createModels(['report-count']) },
    );
    await store.close();
    expect(most).toBe(1);
    // The reports are events 3 to 6. Each is stored before the next is read.
    expect(seen).toEqual([3, 4, 5, 6]);
  });

  it('closes its source when an event is refused', async () => {
    let closed = false;
    const events = function* (): Generator<LabEvent> {
      try {
        yield remove(1, 'r');
        yield query(1, 'ada');
      } finally {
        closed = true;
      }
    };
    await expect(live(events())).rejects.toThrow(LabEventError);
    expect(closed).toBe(true);
  });

  it('reports progress every thousand events', async () => {
    const told: number[] = [];
    await live([...HISTORY, ...Array.from({ length: 2500 }, () => query(5, 'nobody'))], {
      models: createModels(['report-count']),
      onProgress: (events) => told.push(events),
    });
    expect(told).toEqual([1000, 2000]);
  });
});
