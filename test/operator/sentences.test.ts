import { describe, expect, it } from 'vitest';
import type { ExplainedReport, ExplainedVoice, Explanation } from '../../src/core/scoring/explanation.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { explainInWords } from '../../src/operator/sentences.ts';

const nameOf = (reporterId: string): string => `Shop ${reporterId.toUpperCase()}`;

const REPORT: ExplainedReport = {
  reportId: '1',
  type: 'fraud',
  severity: 6,
  ageDays: 0,
  disputed: false,
  duplicate: false,
  link: 0.97,
  typeWeight: 1,
  matches: [{ number: 1, kind: 'email', decay: 1 }],
  shareOfPoints: 1,
  shareOfReliability: 1,
};
const VOICE: ExplainedVoice = {
  reporterId: 'a',
  standing: { precision: 0.7, established: true, verified: true },
  points: { strength: 0.4074, discount: 1, bound: 0.3, part: 24.365 },
  reliability: { strength: 0.679, discount: 1, bound: 1, part: 7.111 },
  reports: [REPORT],
};
const EXPLANATION: Explanation = {
  model: 'link-claim/7',
  verdict: { points: 24, reported: 1, reliability: 7.1 },
  exact: { points: 24.365, reliability: 7.111, calibrated: 7.111, uncalibrated: 7.111 },
  interval: undefined,
  reach: 0.97,
  identifiers: [{ number: 1, kind: 'email', weight: 0.97, slowing: 1 }],
  voices: [VOICE],
};

/** Returns the sentences about one voice: all between what matches and the bounds. */
const aboutVoice = (voice: Partial<ExplainedVoice>): string[] =>
  explainInWords({ ...EXPLANATION, voices: [{ ...VOICE, ...voice }] }, nameOf).filter((one) => one.includes('Shop A'));
/** Returns the sentences after those about voices. */
const aboutBounds = (...voices: Partial<ExplainedVoice>[]): string[] =>
  explainInWords({ ...EXPLANATION, voices: voices.map((voice) => ({ ...VOICE, ...voice })) }, nameOf)
    .slice(2)
    .filter((one) => !one.includes('Shop A'));
const aboutReport = (report: Partial<ExplainedReport>): string[] => aboutVoice({ reports: [{ ...REPORT, ...report }] });

describe('an explanation in words', () => {
  it('says of one report the numbers, what matches, the voice, and the bound on one voice', () => {
    const explanation = createLinkClaimModel().explain({
      reports: [
        {
          reportId: '1',
          reporterId: 'a',
          type: 'fraud',
          severity: 6,
          ageDays: 0,
          shared: [
            { kind: 'email', hash: 'e' },
            { kind: 'ip', hash: 'i' },
          ],
        },
        { reportId: '2', reporterId: 'a', type: 'fraud', severity: 6, ageDays: 0, shared: [{ kind: 'ip', hash: 'i' }] },
      ],
      standings: new Map([['a', { precision: 0.7, established: true, verified: true }]]),
    });
    // m = 1 − .03 · .9 = .973; R = 1 + 9 · .7 · m = 7.1299; P = 100 · m · B(.7 · .6, .3) = 24.4404
    expect(explainInWords(explanation, nameOf)).toEqual([
      '24 points (24.44 before rounding), 2 reports of 1 organisation, reliability 7.1 (7.13), by link-claim/7.',
      'What matches: email (weight 0.97), ip (weight 0.1). ' +
        'Such matches give at most 97.3 points, however many reports there are.',
      'Shop A (verified, right with a probability of 0.7) reported fraud, severity 6, today. ' +
        'The probability that the report is about this person is 0.97 (email, ip). ' +
        'It adds 24.44 points, and 7.13 to the reliability.',
      '1 further report of Shop A about the same person counts with this report as one voice.',
      'One verified reporter alone can add at most 29.19 points. A second one lifts this bound.',
      'How often such answers are right is unknown: no calibration map says how sure it is.',
    ]);
  });

  it('has at most two decimals, and says of less that it is less', () => {
    const reliability = { ...VOICE.reliability, part: 0.0961 };
    const points = { ...VOICE.points, part: 0.0032 };
    const faded = { link: 0.0124, matches: [{ number: 1, kind: 'email', decay: 0.000_04 }] };
    expect(aboutVoice({ points, reliability, reports: [{ ...REPORT, ...faded }] })).toEqual([
      'Shop A (verified, right with a probability of 0.7) reported fraud, severity 6, today. ' +
        'The probability that the report is about this person is 0.01 (email faded to less than 0.01). ' +
        'It adds less than 0.01 points, and 0.1 to the reliability.',
    ]);
    expect(aboutVoice({ points: { ...points, part: 0 } })[0]).toContain('It adds 0 points, and ');
  });

  it('says which identifier fades slowly, and why', () => {
    const identifiers = [
      { number: 1, kind: 'domain', weight: 0.95, slowing: 1.5 },
      { number: 2, kind: 'ip', weight: 0.1, slowing: 1 },
    ];
    expect(explainInWords({ ...EXPLANATION, identifiers }, nameOf)[1]).toBe(
      'What matches: domain (weight 0.95, fades 1.5 times as slowly because many verified reporters reported it), ' +
        'ip (weight 0.1). Such matches give at most 97 points, however many reports there are.',
    );
  });

  it('says so if nothing matches', () => {
    const nothing = { ...EXPLANATION, verdict: { points: 0, reported: 0, reliability: 0 }, voices: [] };
    expect(explainInWords(nothing, nameOf)).toEqual(['No report matches.']);
  });

  it.each<[string, Partial<ExplainedReport>, string]>([
    [
      'today',
      {},
      'reported fraud, severity 6, today. The probability that the report is about this person is 0.97 (email).',
    ],
    [
      'a day ago',
      { ageDays: 1 },
      'reported fraud, severity 6, 1 day ago. The probability that the report is about this person is 0.97 (email).',
    ],
    [
      'days ago, in whole days',
      { ageDays: 3.9 },
      'reported fraud, severity 6, 3 days ago. The probability that the report is about this person is 0.97 (email).',
    ],
    [
      'by a match that has faded',
      { matches: [{ number: 1, kind: 'phone', decay: 0.123456 }] },
      'reported fraud, severity 6, today. The probability that the report is about this person is 0.97 (phone faded to 0.12).',
    ],
    [
      'by two matches',
      {
        matches: [
          { number: 1, kind: 'email', decay: 1 },
          { number: 2, kind: 'ip', decay: 0.5 },
        ],
      },
      'reported fraud, severity 6, today. The probability that the report is about this person is 0.97 (email, ip faded to 0.5).',
    ],
    [
      'in a model that has no matches',
      { matches: [], link: 1 },
      'reported fraud, severity 6, today. The probability that the report is about this person is 1.',
    ],
    [
      'with a weight of its type',
      { type: 'spam', typeWeight: 0.4 },
      'reported spam, severity 6, today, offence type weight 0.4. The probability that the report is about this person is 0.97 (email).',
    ],
    [
      'with an open dispute',
      { disputed: true },
      'reported fraud, severity 6, today, under dispute. The probability that the report is about this person is 0.97 (email).',
    ],
    [
      'with both',
      { typeWeight: 0.4, disputed: true },
      'reported fraud, severity 6, today, offence type weight 0.4, under dispute. ' +
        'The probability that the report is about this person is 0.97 (email).',
    ],
  ])('describes a report %s', (_, report, words) => {
    expect(aboutReport(report)).toEqual([
      `Shop A (verified, right with a probability of 0.7) ${words} It adds 24.36 points, and 7.11 to the reliability.`,
    ]);
  });

  it.each([
    ['verified', { precision: 0.7, established: true, verified: true }],
    ['established', { precision: 0.7, established: true, verified: false }],
    ['not established', { precision: 0.7, established: false, verified: false }],
  ])('says of a voice that it is %s', (word, standing) => {
    expect(aboutVoice({ standing })[0]).toMatch(`Shop A (${word}, right with a probability of 0.7) reported`);
  });

  it('says how much a crowd of unverified voices costs each of them', () => {
    const standing = { precision: 0.1, established: false, verified: false };
    const points = { strength: 0.1, discount: 0.09, bound: 0.29, part: 1.25 };
    expect(aboutVoice({ standing, points })[0]).toMatch(
      'It adds 1.25 points (at 0.3 of its strength, because stronger voices are not verified either), ' +
        'and 7.11 to the reliability.',
    );
  });

  it('says which bounds apply, once each', () => {
    const verified = (bound: number) => ({ points: { ...VOICE.points, bound } });
    const unverified = {
      standing: { precision: 0.1, established: false, verified: false },
      points: { strength: 0.1, discount: 1, bound: 0.29, part: 8 },
      reliability: { strength: 0.1, discount: 1, bound: 0.2, part: 2.4 },
    };
    const alone = 'One verified reporter alone can add at most 29.1 points. A second one lifts this bound.';
    const agreed =
      'The strongest voice can add at most 58.2 points, because a second verified reporter agrees in part.';
    const together =
      'Reporters that the operator has not verified can add at most 28.13 points together, and 2.75 to the reliability.';
    expect(aboutBounds(verified(0.3))).toEqual([alone]);
    expect(aboutBounds(verified(0.6), verified(1))).toEqual([agreed]);
    expect(aboutBounds(unverified, unverified)).toEqual([together]);
    // 97 · √(1 − (1 − 0.3²) · (1 − 0.29²))
    const all = 'All of these reporters can reach at most 39.58 points.';
    expect(aboutBounds(verified(0.3), unverified)).toEqual([alone, together, all]);
    expect(aboutBounds(verified(1))).toEqual([]);
    const exact = { ...EXPLANATION.exact, uncalibrated: 2.5 };
    expect(explainInWords({ ...EXPLANATION, exact, voices: [{ ...VOICE, ...unverified }] }, nameOf)).toContain(
      together.replace(/\.$/, ' before the map.'),
    );
  });

  it('bounds each group by what its own reports match', () => {
    const ip: Partial<ExplainedVoice> = { reports: [{ ...REPORT, matches: [{ number: 2, kind: 'ip', decay: 1 }] }] };
    const unverified = {
      standing: { precision: 0.1, established: false, verified: false },
      points: { strength: 0.1, discount: 1, bound: 0.29, part: 8 },
      reliability: { strength: 0.1, discount: 1, bound: 0.2, part: 2.4 },
    };
    const identifiers = [...EXPLANATION.identifiers, { number: 2, kind: 'ip', weight: 0.1, slowing: 1 }];
    const voices = [
      { ...VOICE, ...ip },
      { ...VOICE, ...unverified },
    ];
    // The last number is 97.3 · √(1 − (1 − (3/97.3)²)(1 − (28.13/97.3)²)).
    expect(explainInWords({ ...EXPLANATION, identifiers, reach: 0.973, voices }, nameOf).slice(-3)).toEqual([
      'One verified reporter alone can add at most 3 points. A second one lifts this bound.',
      'Reporters that the operator has not verified can add at most 28.13 points together, and 2.75 to the reliability.',
      'All of these reporters can reach at most 28.28 points.',
    ]);
  });

  it('counts the further reports of a voice', () => {
    const withFurther = (further: number): string[] =>
      aboutVoice({ reports: [REPORT, ...Array.from({ length: further }, () => ({ ...REPORT, shareOfPoints: 0 }))] });
    expect(withFurther(0)).toHaveLength(1);
    expect(withFurther(1).slice(1)).toEqual([
      '1 further report of Shop A about the same person counts with this report as one voice.',
    ]);
    expect(withFurther(2).slice(1)).toEqual([
      '2 further reports of Shop A about the same person count with this report as one voice.',
    ]);
  });

  it('describes the first report that has a share of the points, or the first of all if none has one', () => {
    const described = (shares: readonly number[]): string | undefined =>
      /severity (\d+)/.exec(
        aboutVoice({
          reports: shares.map((shareOfPoints, at) => ({ ...REPORT, severity: at + 1, shareOfPoints })),
        })[0] ?? '',
      )?.[1];
    expect(described([0, 0.5, 0.5])).toBe('2');
    expect(described([0.5, 0, 0.5])).toBe('1');
    expect(described([0, 0])).toBe('1');
  });

  it('has no sentence about a voice without reports', () => {
    expect(aboutVoice({ reports: [] })).toEqual([]);
  });

  it('says how often such answers are right, rounded outward, or that it is unknown', () => {
    const last = (interval: Explanation['interval']): string | undefined =>
      explainInWords({ ...EXPLANATION, interval }, nameOf).at(-1);
    expect(last([4.12, 5.71])).toBe('On average, 41 to 58 % of such answers are right.');
    expect(last([0, 0.31])).toBe('On average, 0 to 4 % of such answers are right.');
    expect(last([9.96, 10])).toBe('On average, 99 to 100 % of such answers are right.');
    expect(last('unknown')).toBe(
      'How often such answers are right is unknown: no calibration map says how sure it is.',
    );
    expect(last(undefined)).toMatch(/^One verified /);
  });

  it('says what the calibration map does only if it changes the reliability', () => {
    const last = (uncalibrated: number): string | undefined =>
      explainInWords({ ...EXPLANATION, exact: { ...EXPLANATION.exact, uncalibrated } }, nameOf).at(-1);
    expect(last(9.12345)).toBe('The voices add up to a reliability of 9.12; the calibration map makes it 7.11.');
    expect(last(7.111)).toMatch(/^One verified /);
  });

  it('says that the map does not lift the bound on unverified reporters, where it would', () => {
    const exact = { ...EXPLANATION.exact, reliability: 2.9, calibrated: 8.2, uncalibrated: 2.5 };
    expect(explainInWords({ ...EXPLANATION, exact, interval: [7.02, 9.1] }, nameOf).slice(-3)).toEqual([
      'The voices add up to a reliability of 2.5; the calibration map makes it 8.2.',
      'On average, 70 to 91 % of such answers are right.',
      'The map lifts reporters that the operator has not verified no further than their bound, so the answer is 2.9.',
    ]);
  });
});
