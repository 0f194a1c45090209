import { MIN_GROUP_QUERIES, type CalibrationGroup, type CalibrationGroups } from '../result-parts.ts';
import { calibrationBins, withInterval } from './bins.ts';

/** An answer to a query with a match. */
export interface GroupedAnswer {
  readonly label: 0 | 1;
  /** Stated probability, 0 to 1. */
  readonly chance: number;
  /** Strongest matching kind. */
  readonly kind: string;
  /** Age of the youngest matching report, days. */
  readonly ageDays: number;
}

const AGE_GROUPS = 3;

/** Returns reliability diagrams by strongest kind and by age. The order of the answers does not matter. */
export function calibrationGroupsOf(answers: readonly GroupedAnswer[]): CalibrationGroups {
  const kinds = [...new Set(answers.map(({ kind }) => kind))].sort().map((kind) => {
    return { kind, ...groupOf(answers.filter((answer) => answer.kind === kind)) };
  });
  return { kinds: kinds.sort((a, b) => b.judged - a.judged), ages: agesOf(answers) };
}

/** Answers of equal age stay in one group: otherwise, their order would decide. */
function agesOf(answers: readonly GroupedAnswer[]): CalibrationGroups['ages'] {
  const ages = Float64Array.from(answers, ({ ageDays }) => ageDays).sort();
  const ends = Array.from({ length: AGE_GROUPS }, (_, group) => {
    return ages[Math.ceil((ages.length * (group + 1)) / AGE_GROUPS) - 1] ?? 0;
  });
  return ends.flatMap((end, group) => {
    const start = ends[group - 1] ?? -Infinity;
    const own = answers.filter(({ ageDays }) => ageDays > start && ageDays <= end);
    if (own.length === 0) return [];
    const leastDays = own.reduce((least, { ageDays }) => Math.min(least, ageDays), Infinity);
    return [{ leastDays, mostDays: end, ...groupOf(own) }];
  });
}

function groupOf(answers: readonly GroupedAnswer[]): CalibrationGroup {
  // Sums of floats depend on their order.
  const sorted = [...answers].sort((a, b) => a.chance - b.chance);
  const bins =
    sorted.length < MIN_GROUP_QUERIES
      ? []
      : calibrationBins(
          Float64Array.from(sorted, ({ chance }) => chance),
          Uint8Array.from(sorted, ({ label }) => label),
          new Float64Array(sorted.length).fill(1),
        );
  return {
    judged: sorted.length,
    positives: sorted.filter(({ label }) => label === 1).length,
    bins: bins.map(withInterval),
  };
}
