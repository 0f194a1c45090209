import { describe, expect, it } from 'vitest';
import type { Evidence, EvidenceReport } from '../../src/core/scoring/evidence.ts';
import { createSummingModel } from '../../src/lab/summing.ts';

/** A report is written as `id reporter strength`. */
const evidence = (...reports: readonly string[]): Evidence => ({
  reports: reports.map((text): EvidenceReport => {
    const [reportId, reporterId, severity] = text.split(' ') as [string, string, string];
    const shared = [{ kind: 'email', hash: 'e' }];
    return { reportId, reporterId, type: 'fraud', severity: Number(severity), ageDays: 0, shared };
  }),
  standings: new Map([['a', { precision: 0.03, established: false, verified: false }]]),
});

const model = (everyReport: boolean) =>
  createSummingModel({
    name: 'sum/7',
    weightOfKind: (kind) => (kind === 'email' ? 0.25 : 0.5),
    strengthOf: ({ severity }) => severity,
    linkOf: ({ severity }) => severity / 16,
    everyReport,
  });

describe('a model that adds up reporters', () => {
  it('has the name and the weights of its rules, and counts all reporters alike', () => {
    const { name, weightOfKind, standingOf } = model(true);
    expect({ name, weights: ['email', 'ip'].map(weightOfKind) }).toEqual({ name: 'sum/7', weights: [0.25, 0.5] });
    for (const verified of [true, false])
      expect(standingOf({ verified })).toEqual({ precision: 1, established: true, verified });
  });

  it('explains the sum of all reports of a reporter, each with its part of the sum', () => {
    const share = (of: Partial<object>) => ({ type: 'fraud', ageDays: 0, disputed: false, typeWeight: 1, ...of });
    expect(model(true).explain(evidence('r2 a 6', 'r1 a 4', 'r3 a 6'))).toEqual({
      model: 'sum/7',
      verdict: { points: 16, reported: 3, reliability: 3 },
      exact: { points: 16, reliability: 3, calibrated: 3, uncalibrated: 3 },
      reach: 1,
      identifiers: [{ number: 1, kind: 'email', weight: 0.25, slowing: 1 }],
      voices: [
        {
          reporterId: 'a',
          standing: { precision: 1, established: true, verified: false },
          points: { strength: 6, discount: 1, bound: 1, part: 16 },
          reliability: { strength: 1, discount: 1, bound: 1, part: 3 },
          reports: [
            { reportId: 'r1', severity: 4, link: 0.25, shareOfPoints: 0.25 },
            { reportId: 'r2', severity: 6, link: 0.375, shareOfPoints: 0.375 },
            { reportId: 'r3', severity: 6, link: 0.375, shareOfPoints: 0.375 },
          ].map((one) => share({ ...one, duplicate: false, matches: [], shareOfReliability: 1 / 3 })),
        },
      ],
    });
  });

  it('explains the strongest report of a reporter; among equals, all but the lowest id are duplicates', () => {
    const { exact, voices } = model(false).explain(evidence('r3 a 6', 'r1 a 4', 'r2 a 6'));
    expect(exact).toEqual({ points: 6, reliability: 1, calibrated: 1, uncalibrated: 1 });
    expect(voices[0]).toMatchObject({
      points: { strength: 6, discount: 1, bound: 1, part: 6 },
      reliability: { strength: 1, discount: 1, bound: 1, part: 1 },
      reports: [
        { reportId: 'r1', duplicate: true, shareOfPoints: 0, shareOfReliability: 0 },
        { reportId: 'r2', duplicate: false, shareOfPoints: 0.5, shareOfReliability: 0.5 },
        { reportId: 'r3', duplicate: true, shareOfPoints: 0.5, shareOfReliability: 0.5 },
      ],
    });
  });

  it('gives reports equal shares if they add nothing', () => {
    const { exact, voices } = model(true).explain(evidence('r1 a 0', 'r2 a 0'));
    expect(exact.points).toBe(0);
    expect(voices[0]!.reports.map(({ shareOfPoints }) => shareOfPoints)).toEqual([0.5, 0.5]);
  });

  it('sorts voices by their part, largest first, and equal parts by id', () => {
    const reports = ['r1 d 1', 'r2 b 5', 'r3 c 9', 'r4 a 5'];
    for (const given of [reports, [...reports].reverse()])
      expect(
        model(true)
          .explain(evidence(...given))
          .voices.map(({ reporterId }) => reporterId),
      ).toEqual(['c', 'a', 'b', 'd']);
  });

  // In floats, .1 + .2 + .3 is one bit above .6, and .3 + .2 + .1 is .6.
  it('adds the reports of a reporter from the smallest, and the reporters by id, whatever their order', () => {
    for (const given of [
      ['r1 a .3', 'r2 a .2', 'r3 a .1'],
      ['r1 a .1', 'r2 a .2', 'r3 a .3'],
      ['r1 c .3', 'r2 b .2', 'r3 a .1'],
      ['r1 a .1', 'r2 b .2', 'r3 c .3'],
    ])
      expect(model(true).measure(evidence(...given)).points, given.join()).toBe(0.1 + 0.2 + 0.3);
  });
});
