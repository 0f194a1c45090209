import type { Verdict } from '../domain/verdict.ts';
import type { Standing } from './evidence.ts';

/**
 * Where a verdict comes from. The parts of the voices add up to `exact`, and `exact` rounded is the verdict: Points half up, Reliability to one decimal,
 * neither below its least for a match. Identifiers are named by their kind and their number in the evidence, never by their hash.
 */
export interface Explanation {
  /** The model's name, e.g. `link-claim/2`: with the same constants the same evidence has the same answer. */
  readonly model: string;
  readonly verdict: Verdict;
  /** Unrounded: points 0 to 100 and reliability 0 to 10. `uncalibrated` is Reliability before the calibration map, which the parts add up to. */
  readonly exact: { readonly points: number; readonly reliability: number; readonly uncalibrated: number };
  /** V: the chance that any of the matching identifiers links at all, 0 to 1, the most that any number of reports can say; 1 for models without it. */
  readonly reach: number;
  /** What matched, each identifier once, with the weight of its kind. */
  readonly identifiers: readonly ExplainedIdentifier[];
  /** One a reporter, the one that adds most to Points first. */
  readonly voices: readonly ExplainedVoice[];
}

export interface ExplainedIdentifier {
  /** From 1, in order of first appearance in the evidence as sorted by report id. */
  readonly number: number;
  readonly kind: string;
  readonly weight: number;
}

/** All that one reporter says, which counts once. */
export interface ExplainedVoice {
  readonly reporterId: string;
  readonly standing: Standing;
  readonly points: VoicePart;
  readonly reliability: VoicePart;
  readonly reports: readonly ExplainedReport[];
}

/** How a voice adds to one of the two numbers. */
export interface VoicePart {
  /** a: the strength of the voice's strongest report. */
  readonly strength: number;
  /** ρ^j: what the voice counts as the jth of those that are not established; 1 for an established one. */
  readonly discount: number;
  /** What it adds, in the number's own unit. */
  readonly part: number;
}

export interface ExplainedReport {
  readonly reportId: string;
  readonly type: string;
  readonly severity: number;
  readonly ageDays: number;
  readonly disputed: boolean;
  /** True for a further report of this reporter about the same person: the strongest one (of equal ones the one with the lowest id) speaks for it. */
  readonly duplicate: boolean;
  /** m: the chance that the report is about this person. */
  readonly link: number;
  readonly typeWeight: number;
  readonly matches: readonly { readonly number: number; readonly kind: string; readonly decay: number }[];
  /** Share of the voice's vote, 0 to 1: n equally strong reports have 1/n each; 0 is a report that a stronger one of the same reporter stands for. */
  readonly shareOfPoints: number;
  readonly shareOfReliability: number;
}
