import { describe, expect, it } from 'vitest';
import type { Evidence, EvidenceReport } from '../../src/core/scoring/evidence.ts';
import { createOneVoiceModel, createReportCountModel, createSeveritySumModel } from '../../src/lab/comparisons.ts';

const report = (
  reportId: string,
  reporterId: string,
  severity: number,
  kinds: readonly string[],
  ageDays = 0,
): EvidenceReport => ({
  reportId,
  reporterId,
  type: 'fraud',
  severity,
  ageDays,
  shared: kinds.map((kind) => ({ kind, hash: kind })),
});

/** Reporter a says it three times, b once: by phone and ip, a half-life of phones ago. */
const given: Evidence = {
  reports: [
    report('1', 'a', 4, ['email']),
    report('2', 'a', 6, ['email']),
    report('3', 'a', 6, ['email']),
    report('4', 'b', 10, ['phone', 'ip'], 240),
  ],
  standings: new Map([['a', { precision: 0.03, established: false, verified: false }]]),
};

describe('the models to compare with', () => {
  it('severity sum adds all severities up, and knows no trust and no age', () => {
    const model = createSeveritySumModel();
    expect(model.score(given)).toEqual({ points: 26, reported: 4, reliability: 4 });
    const { voices, exact, model: name, reach } = model.explain(given);
    expect({ exact, name, reach }).toEqual({
      exact: { points: 26, reliability: 4, calibrated: 4, uncalibrated: 4 },
      name: 'severity-sum/1',
      reach: 1,
    });
    expect(voices.map(({ reporterId, points }) => [reporterId, points.part])).toEqual([
      ['a', 16],
      ['b', 10],
    ]);
    expect(voices[0]!.reports.map(({ shareOfPoints }) => shareOfPoints)).toEqual([4 / 16, 6 / 16, 6 / 16]);
  });

  it('report count counts reports', () => {
    const model = createReportCountModel();
    expect(model.score(given)).toEqual({ points: 4, reported: 4, reliability: 4 });
    expect(model.explain(given).voices.map(({ reporterId, points }) => [reporterId, points.part])).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
  });

  it('one voice counts a reporter’s strongest report, times the weights of what matches as they have faded, added up', () => {
    const model = createOneVoiceModel();
    // a: 6 · .97 = 5.82; b: 10 · (.7/2 + .1 · 2^(−240/45))
    const ofB = 10 * (0.35 + 0.1 * 2 ** (-240 / 45));
    expect(model.measure(given).points).toBeCloseTo(5.82 + ofB, 12);
    expect(model.score(given)).toEqual({ points: 9, reported: 4, reliability: 2 });
    const { voices } = model.explain(given);
    expect(voices.map(({ reporterId }) => reporterId)).toEqual(['a', 'b']);
    // Of the three the two strongest share the voice.
    expect(voices[0]!.reports.map(({ shareOfPoints }) => shareOfPoints)).toEqual([0, 0.5, 0.5]);
  });

  it('have no end to their points, but show 100 at most, and at least 1', () => {
    const many: Evidence = {
      reports: Array.from({ length: 30 }, (_, n) => report(String(n), `k${n}`, 10, ['email'])),
      standings: new Map(),
    };
    expect(createSeveritySumModel().measure(many)).toEqual({ points: 300, reliability: 30, chance: undefined });
    expect(createSeveritySumModel().score(many)).toEqual({ points: 100, reported: 30, reliability: 10 });
    expect(createOneVoiceModel().score(many)).toEqual({ points: 100, reported: 30, reliability: 10 });
    const faint: Evidence = { reports: [report('1', 'a', 1, ['ip'], 3000)], standings: new Map() };
    expect(createOneVoiceModel().measure(faint).points).toBeLessThan(0.001);
    expect(createOneVoiceModel().score(faint)).toEqual({ points: 1, reported: 1, reliability: 1 });
  });

  it('answer three zeros without a report, and trust everybody alike', () => {
    const models = [createOneVoiceModel(), createSeveritySumModel(), createReportCountModel()];
    expect(models.map(({ name }) => name)).toEqual(['one-voice/1', 'severity-sum/1', 'report-count/1']);
    for (const model of models) {
      expect(model.score({ reports: [], standings: new Map() })).toEqual({ points: 0, reported: 0, reliability: 0 });
      expect(model.standingOf({ verified: false })).toEqual({
        ...model.standingOf({ verified: true }),
        verified: false,
      });
      expect(model.trust).toBeUndefined();
    }
  });
});
