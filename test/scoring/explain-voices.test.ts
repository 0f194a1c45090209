import { describe, expect, it } from 'vitest';
import type { EvidenceReport, SharedIdentifier } from '../../src/core/scoring/evidence.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';

const report = (
  reportId: string,
  severity: number,
  shared: readonly SharedIdentifier[],
  more: Partial<EvidenceReport> = {},
): EvidenceReport => ({ reportId, reporterId: 'a', type: 'fraud', severity, ageDays: 0, shared, ...more });
const by = (kind: string, hash = kind): SharedIdentifier => ({ kind, hash });

const explain = (reports: readonly EvidenceReport[]) =>
  createLinkClaimModel().explain({
    reports,
    standings: new Map([['a', { precision: 0.7, established: true, verified: true }]]),
  });
const explainReports = (...reports: readonly EvidenceReport[]) => explain(reports).voices[0]!.reports;

describe('the reports of an explained voice', () => {
  it('are duplicates except for the strongest; equals share the voice, and the lowest id among them speaks', () => {
    const [mild, second, third] = [
      report('1', 4, [by('email')]),
      report('2', 9, [by('email')]),
      report('3', 9, [by('email')]),
    ];
    for (const order of [
      [mild, second, third],
      [third, second, mild],
      [third, mild, second],
    ])
      expect(explainReports(...order)).toMatchObject([
        { reportId: '1', duplicate: true, shareOfPoints: 0, shareOfReliability: 1 / 3 },
        { reportId: '2', duplicate: false, shareOfPoints: 0.5, shareOfReliability: 1 / 3 },
        { reportId: '3', duplicate: true, shareOfPoints: 0.5, shareOfReliability: 1 / 3 },
      ]);
  });

  it('have different shares of Points and of Reliability if severity decides', () => {
    // Without severity: .7 · .97 = .679 against .7 · .7 = .49. With it: .679 · .4 = .2716 against .49.
    expect(explainReports(report('1', 4, [by('email')]), report('2', 10, [by('phone')]))).toMatchObject([
      { reportId: '1', duplicate: true, shareOfPoints: 0, shareOfReliability: 1 },
      { reportId: '2', duplicate: false, shareOfPoints: 1, shareOfReliability: 0 },
    ]);
  });

  it('are undisputed unless a dispute is open', () => {
    expect(
      explainReports(
        report('1', 6, [by('email')]),
        report('2', 6, [by('email')], { disputed: true }),
        report('3', 6, [by('email')], { disputed: false }),
      ).map(({ disputed }) => disputed),
    ).toEqual([false, true, false]);
  });
});

describe('the identifiers of an explanation', () => {
  it.each<[string, [first: string, second: string], { kind: string; weight: number }]>([
    ['the stronger kind if it comes first', ['phone', 'ip'], { kind: 'phone', weight: 0.7 }],
    ['the stronger kind if it comes last', ['ip', 'phone'], { kind: 'phone', weight: 0.7 }],
    ['the kind of the first report among kinds of one weight', ['passport', 'iban'], { kind: 'passport', weight: 0.5 }],
    ['the kind of the first report, in any order of kinds', ['iban', 'passport'], { kind: 'iban', weight: 0.5 }],
  ])('have %s', (_, [first, second], expected) => {
    const reports = [report('1', 6, [by(first, 'x')]), report('2', 6, [by(second, 'x')])];
    expect(explain(reports).identifiers).toEqual([{ number: 1, ...expected, slowing: 1 }]);
  });
});
