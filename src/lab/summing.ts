import type { Evidence, EvidenceReport, Standing } from '../core/scoring/evidence.ts';
import { factsOf, numberIdentifiers } from '../core/scoring/explain-voices.ts';
import type { ExplainedReport, ExplainedVoice } from '../core/scoring/explanation.ts';
import { toVerdict, type Measure, type ExplainingModel } from '../core/scoring/model.ts';

/** Rules of a model that adds up reporters. Other services use such models; here they serve for comparison. */
export interface SummingRules {
  readonly name: string;
  weightOfKind(kind: string): number;
  /** Returns the number that a report adds. */
  strengthOf(report: EvidenceReport): number;
  /** Returns the chance that the report is about this person; 1 if the model has no such chance. */
  linkOf(report: EvidenceReport): number;
  /** If true, adds all reports of a reporter. If false, counts only the strongest. */
  readonly everyReport: boolean;
}

/** These models have no standings; all reporters count alike. */
const ALIKE = { precision: 1, established: true };

/**
 * Returns a model that adds up reporters. Points is the sum; the verdict limits it to 100. Reliability is the number of
 * added values, limited to 10; it is not a chance.
 */
export function createSummingModel(rules: SummingRules): ExplainingModel {
  /** One voice per reporter. Sorted by id, because float sums depend on the order. */
  const voicesOf = ({ reports, standings }: Evidence): ExplainedVoice[] => {
    const byReporter = new Map<string, EvidenceReport[]>();
    for (const report of reports) {
      const own = byReporter.get(report.reporterId);
      if (own === undefined) byReporter.set(report.reporterId, [report]);
      else own.push(report);
    }
    return [...byReporter]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([reporterId, own]) => toVoice(reporterId, own, standings.get(reporterId)?.verified ?? false));
  };

  const toVoice = (reporterId: string, own: readonly EvidenceReport[], verified: boolean): ExplainedVoice => {
    const strongest = own.reduce((most, report) => Math.max(most, rules.strengthOf(report)), 0);
    const speaking = own.filter((report) => rules.strengthOf(report) === strongest).length;
    const sum = rules.everyReport
      ? own
          .map((report) => rules.strengthOf(report))
          .sort((a, b) => a - b)
          .reduce((total, one) => total + one, 0)
      : strongest;
    const shareOf = (report: EvidenceReport): number => {
      if (rules.everyReport) return sum === 0 ? 1 / own.length : rules.strengthOf(report) / sum;
      return rules.strengthOf(report) === strongest ? 1 / speaking : 0;
    };
    const sorted = [...own].sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
    const first = sorted.find((report) => rules.strengthOf(report) === strongest);
    return {
      reporterId,
      standing: { ...ALIKE, verified },
      points: { strength: strongest, discount: 1, bound: 1, part: sum },
      reliability: { strength: 1, discount: 1, bound: 1, part: rules.everyReport ? own.length : 1 },
      reports: sorted.map((report): ExplainedReport => ({
        ...factsOf(report),
        duplicate: !rules.everyReport && report !== first,
        link: rules.linkOf(report),
        typeWeight: 1,
        matches: [],
        shareOfPoints: shareOf(report),
        shareOfReliability: rules.everyReport ? 1 / own.length : shareOf(report),
      })),
    };
  };

  const measureOf = (voices: readonly ExplainedVoice[]): Measure => ({
    points: voices.reduce((sum, { points }) => sum + points.part, 0),
    reliability: voices.reduce((sum, { reliability }) => sum + reliability.part, 0),
    chance: undefined,
  });

  return {
    name: rules.name,
    weightOfKind: (kind) => rules.weightOfKind(kind),
    standingOf: ({ verified }): Standing => ({ ...ALIKE, verified }),
    measure: (evidence) => measureOf(voicesOf(evidence)),
    score(evidence) {
      const { points, reliability } = measureOf(voicesOf(evidence));
      return toVerdict(points, reliability, evidence.reports.length);
    },
    explain(evidence) {
      const voices = voicesOf(evidence);
      const { points, reliability } = measureOf(voices);
      return {
        model: rules.name,
        verdict: toVerdict(points, reliability, evidence.reports.length),
        exact: { points, reliability, calibrated: reliability, uncalibrated: reliability },
        interval: undefined,
        reach: evidence.reports.length === 0 ? 0 : 1,
        identifiers: [...numberIdentifiers(evidence, (kind) => rules.weightOfKind(kind)).values()],
        // The sort is stable: voices with equal parts stay in the order of ids.
        voices: voices.sort((a, b) => b.points.part - a.points.part),
      };
    },
  };
}
