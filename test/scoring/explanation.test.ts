import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/core/domain/verdict.ts';
import { createCalibration } from '../../src/core/scoring/calibration.ts';
import type { CalibrationMap } from '../../src/core/scoring/calibration-map.ts';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import type { Evidence } from '../../src/core/scoring/evidence.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { ExplainingModel } from '../../src/core/scoring/model.ts';
import { createOneVoiceModel, createReportCountModel, createSeveritySumModel } from '../../src/lab/comparisons.ts';
import { explainInWords } from '../../src/operator/sentences.ts';
import { LAW_RUNS, build, draft, drafts, HASHES, linkClaimModels, shuffled } from './arbitraries.ts';

const RUNS = LAW_RUNS;
const MODELS: [string, fc.Arbitrary<ExplainingModel>][] = [
  ['link × claim, with and without a calibration map', linkClaimModels],
  [
    'the models to compare with',
    fc.constantFrom(createOneVoiceModel(), createSeveritySumModel(), createReportCountModel()),
  ],
];

/** The rounding as the explanation's documentation has it. */
function rounded({ points, reliability }: { points: number; reliability: number }, reported: number): Verdict {
  const halfUp = (x: number): number => Math.floor(x + 1e-9 + 0.5);
  const within = (x: number, least: number, most: number): number => Math.max(least, Math.min(most, x));
  return {
    points: within(halfUp(points), 1, 100),
    reported,
    reliability: within(halfUp(reliability * 10) / 10, 1, 10),
  };
}

/** Anybody who changes it is found out. */
function frozen(evidence: Evidence): Evidence {
  for (const report of evidence.reports) {
    for (const one of report.shared) Object.freeze(one);
    Object.freeze(report.shared);
    Object.freeze(report);
  }
  Object.freeze(evidence.reports);
  return Object.freeze(evidence);
}

const nameOf = (reporterId: string): string => `Shop ${reporterId.toUpperCase()}`;

describe.each(MODELS)('an explanation by %s', (_, models) => {
  it('has parts that add up to the exact numbers, which rounded are the verdict, which is the score', () => {
    fc.assert(
      fc.property(models, drafts, (model, given) => {
        const evidence = frozen(build(given));
        const { verdict, exact, voices } = model.explain(evidence);
        expect(Math.abs(voices.reduce((sum, { points }) => sum + points.part, 0) - exact.points)).toBeLessThan(1e-9);
        expect(
          Math.abs(voices.reduce((sum, { reliability }) => sum + reliability.part, 0) - exact.uncalibrated),
        ).toBeLessThan(1e-9);
        expect(verdict).toEqual(rounded(exact, given.length));
        expect(model.score(evidence)).toEqual(verdict);
        expect(model.measure(evidence)).toMatchObject({ points: exact.points, reliability: exact.reliability });
      }),
      RUNS,
    );
  });

  it('has each reporter once and each report once, in shares of its voice that add up to one', () => {
    fc.assert(
      fc.property(models, drafts, (model, given) => {
        const evidence = frozen(build(given));
        const { voices } = model.explain(evidence);
        expect(voices.map(({ reporterId }) => reporterId).sort()).toEqual(
          [...new Set(given.map(({ reporterId }) => reporterId))].sort(),
        );
        expect(voices.flatMap(({ reports }) => reports.map(({ reportId }) => reportId)).sort()).toEqual(
          evidence.reports.map(({ reportId }) => reportId),
        );
        const shares = voices.flatMap(({ reports }) =>
          (['shareOfPoints', 'shareOfReliability'] as const).map((of) =>
            reports.reduce((sum, { [of]: share }) => sum + share, 0),
          ),
        );
        expect(
          shares.every((sum) => Math.abs(sum - 1) < 1e-12),
          String(shares),
        ).toBe(true);
      }),
      RUNS,
    );
  });

  it('is the same bytes for the same facts in any order, of reports, of identifiers and of standings', () => {
    fc.assert(
      fc.property(models, drafts, fc.infiniteStream(fc.nat()), (model, given, numbers) => {
        const evidence = frozen(build(given));
        const other: Evidence = {
          reports: shuffled(evidence.reports, numbers).map((report) => ({
            ...report,
            shared: shuffled(report.shared, numbers),
          })),
          standings: new Map(shuffled([...evidence.standings], numbers)),
        };
        expect(JSON.stringify(model.explain(other))).toBe(JSON.stringify(model.explain(evidence)));
        expect(model.measure(other)).toEqual(model.measure(evidence));
      }),
      RUNS,
    );
  });

  it('names every reporter in one sentence of its own, and no identifier', () => {
    fc.assert(
      fc.property(models, drafts, (model, given) => {
        const explanation = model.explain(frozen(build(given)));
        const sentences = explainInWords(explanation, nameOf);
        const speakers = [...new Set(given.map(({ reporterId }) => reporterId))].sort();
        const naming = (start: string) =>
          speakers.map(
            (reporterId) =>
              sentences.filter((sentence) =>
                start === '' ? sentence.includes(nameOf(reporterId)) : sentence.startsWith(nameOf(reporterId) + start),
              ).length,
          );
        expect(naming(' (')).toEqual(speakers.map(() => 1));
        // And once more where its further reports are counted.
        expect(naming('')).toEqual(
          speakers.map((reporterId) => (given.filter((one) => one.reporterId === reporterId).length > 1 ? 2 : 1)),
        );
        const told = JSON.stringify(explanation) + sentences.join('\n');
        expect(HASHES.some((hash) => told.includes(hash))).toBe(false);
        expect(told).not.toMatch(/NaN|undefined|Infinity/);
        expect(sentences.every((sentence) => sentence.endsWith('.'))).toBe(true);
      }),
      RUNS,
    );
  });

  it('forgets a report that is deleted, to the last byte', () => {
    fc.assert(
      fc.property(models, drafts, draft, fc.nat(), (model, given, extra, pick) => {
        const before = build(given);
        const at = pick % (given.length + 1);
        const added: Evidence = {
          ...before,
          reports: [...before.reports.slice(0, at), { ...extra, reportId: 'x' }, ...before.reports.slice(at)],
        };
        const told = JSON.stringify(model.explain(frozen(before)));
        const during = model.explain(frozen(added));
        expect(during.verdict.reported).toBe(given.length + 1);
        expect(
          JSON.stringify(
            model.explain({ ...added, reports: added.reports.filter(({ reportId }) => reportId !== 'x') }),
          ),
        ).toBe(told);
      }),
      RUNS,
    );
  });

  it('says of nothing that nothing matches', () => {
    fc.assert(
      fc.property(models, (model) => {
        const nothing = model.explain({ reports: [], standings: new Map() });
        expect(nothing).toMatchObject({
          verdict: { points: 0, reported: 0, reliability: 0 },
          reach: 0,
          identifiers: [],
          voices: [],
        });
        expect(explainInWords(nothing, nameOf)).toEqual(['No report matches.']);
      }),
      { numRuns: 20 },
    );
  });
});

describe('an explanation by link × claim', () => {
  const model = createLinkClaimModel();

  it('has parts of Points that add up to the last bit, in the order in which they are given', () => {
    fc.assert(
      fc.property(drafts, (given) => {
        const { exact, voices } = model.explain(build(given));
        expect(voices.reduce((sum, { points }) => sum + points.part, 0)).toBe(exact.points);
        expect(exact.uncalibrated).toBe(exact.reliability);
      }),
      RUNS,
    );
  });

  it('discounts each further voice that is not verified, and nobody else', () => {
    fc.assert(
      fc.property(drafts, (given) => {
        for (const of of ['points', 'reliability'] as const) {
          const voices = [...model.explain(build(given)).voices];
          expect(voices.every(({ standing, [of]: part }) => part.discount === 1 || !standing.verified)).toBe(true);
          const crowd = voices
            .filter(({ standing }) => !standing.verified)
            .map(({ [of]: part }) => part.discount)
            .sort((a, b) => b - a);
          for (const [at, discount] of crowd.entries()) expect(discount).toBeCloseTo(0.2 ** at, 12);
        }
      }),
      RUNS,
    );
  });

  it('tells a report how far each of its matches has faded, by the number of the identifier', () => {
    const { identifiers, voices, reach } = model.explain(
      build([
        {
          reporterId: 'a',
          type: 'fraud',
          severity: 6,
          ageDays: 800,
          shared: [
            { kind: 'ip', hash: HASHES[0]! },
            { kind: 'email', hash: HASHES[1]! },
          ],
        },
        { reporterId: 'b', type: 'fraud', severity: 6, ageDays: 0, shared: [{ kind: 'phone', hash: HASHES[0]! }] },
      ]),
    );
    expect(identifiers).toEqual([
      { number: 1, kind: 'email', weight: 0.97, slowing: 1 },
      { number: 2, kind: 'phone', weight: 0.7, slowing: 1 },
    ]);
    expect(reach).toBeCloseTo(1 - 0.03 * 0.3, 12);
    const [old] = voices.find(({ reporterId }) => reporterId === 'a')!.reports;
    expect(old!.matches).toEqual([
      { number: 1, kind: 'email', decay: 0.25 },
      { number: 2, kind: 'ip', decay: expect.closeTo(2 ** (-800 / 45), 15) },
    ]);
    expect(old!.link).toBeCloseTo(1 - (1 - 0.97 * 0.25) * (1 - 0.1 * 2 ** (-800 / 45)), 12);
  });

  it('states the interval of the map, around the calibrated reliability, in the unit of Reliability', () => {
    const calibration: CalibrationMap = {
      version: 3,
      points: [
        [0, 0],
        [1, 0.5],
      ],
      support: [{ from: 0.3, to: 0.7, labelled: 200, right: 60 }],
      spread: 0.02,
    };
    const calibrated = createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, calibration });
    const { intervalOf } = createCalibration(calibration);
    fc.assert(
      fc.property(drafts, (given) => {
        const { interval, exact } = calibrated.explain(build(given));
        const expected = intervalOf(exact.uncalibrated / 10);
        expect(interval).toEqual(expected?.map((end) => 10 * end) ?? 'unknown');
        if (typeof interval !== 'object') return;
        expect(interval[0]).toBeLessThanOrEqual(exact.calibrated);
        expect(interval[1]).toBeGreaterThanOrEqual(exact.calibrated);
        expect(exact.reliability).toBeLessThanOrEqual(exact.calibrated);
      }),
    );
  });

  it('states no interval without a report, and without a chance', () => {
    const one = build([
      { reporterId: 'a', type: 'fraud', severity: 6, ageDays: 0, shared: [{ kind: 'email', hash: HASHES[0]! }] },
    ]);
    expect(createLinkClaimModel().explain(one).interval).toBe('unknown');
    expect(createLinkClaimModel().explain({ ...one, reports: [] }).interval).toBeUndefined();
    expect(createOneVoiceModel().explain(one).interval).toBeUndefined();
    expect(explainInWords(createOneVoiceModel().explain(one), nameOf).join(' ')).not.toMatch(/such answers/);
  });

  it('adds a sentence for what the map does', () => {
    const calibrated = createLinkClaimModel({
      ...LINK_CLAIM_CONSTANTS,
      calibration: {
        version: 3,
        points: [
          [0, 0],
          [1, 0.5],
        ],
        support: [],
        spread: 0,
      },
    });
    const sentences = explainInWords(
      calibrated.explain(
        build([
          { reporterId: 'a', type: 'fraud', severity: 10, ageDays: 0, shared: [{ kind: 'email', hash: HASHES[0]! }] },
        ]),
      ),
      nameOf,
    );
    expect(sentences.at(-2)).toBe('The voices add up to a reliability of 7.11; the calibration map makes it 3.56.');
    // Constants of its own: the name says so.
    expect(sentences[0]).toMatch(
      /^29 points \(28\.57 before rounding\), 1 report of 1 organisation, reliability 3\.6 \(3\.56\), by link-claim\/7\+[0-9a-f]{8}\.$/,
    );
  });
});
