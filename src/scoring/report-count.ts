import type { ScoringModel } from './model.ts';
import { createSummingModel } from './summing.ts';

/** A comparison: how many reports match. */
export function createReportCountModel(): ScoringModel {
  return createSummingModel({
    name: 'report-count/1',
    weightOfKind: () => 1,
    strengthOf: () => 1,
    linkOf: () => 1,
    everyReport: true,
  });
}
