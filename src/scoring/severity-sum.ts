import type { ScoringModel } from './model.ts';
import { createSummingModel } from './summing.ts';

/** A comparison: the severities of all matching reports, added up. What the field's oldest services answer. */
export function createSeveritySumModel(): ScoringModel {
  return createSummingModel({
    name: 'severity-sum/1',
    weightOfKind: () => 1,
    strengthOf: ({ severity }) => severity,
    linkOf: () => 1,
    everyReport: true,
  });
}
