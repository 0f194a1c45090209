import type { Verdict } from '../domain/verdict.ts';
import type { Standing } from './evidence.ts';

/**
 * Explains a verdict. The parts of all voices add up to `exact.points` and to `exact.uncalibrated`. The verdict is
 * `exact`, rounded. Identifiers are named by kind and number, never by hash.
 */
export interface Explanation {
  /** Name of the model, e.g. `link-claim/7`. The same model gives the same answer for the same evidence. */
  readonly model: string;
  /** The answer that is explained, rounded. */
  readonly verdict: Verdict;
  /**
   * Unrounded points (0 to 100) and reliability (0 to 10). `uncalibrated` is Reliability before the calibration map,
   * and `calibrated` after it. `reliability` is less than `calibrated` where the map would lift the bound on reporters
   * that the operator has not verified.
   */
  readonly exact: Readonly<Record<'points' | 'reliability' | 'calibrated' | 'uncalibrated', number>>;
  /**
   * How often answers with this reliability are right: the ends of a 95 % interval in the unit of Reliability, 0 to 10.
   * It contains `exact.calibrated`. `unknown` if fewer than 30 labelled queries of the calibration map are about such
   * answers, and without a map. Undefined without a report, and for a model that states no chance.
   */
  readonly interval: readonly [low: number, high: number] | 'unknown' | undefined;
  /**
   * V, 0 to 1: chance that at least one matching identifier is the person's. It limits the score for any number of
   * reports. In other models, 1 if a report matches.
   */
  readonly reach: number;
  /** Matching identifiers, each once. */
  readonly identifiers: readonly ExplainedIdentifier[];
  /** One voice per reporter, the largest part of Points first. Voices of one strength have equal parts. */
  readonly voices: readonly ExplainedVoice[];
}

/** An identifier of the query that matched. */
export interface ExplainedIdentifier {
  /** From 1, in the order of first appearance. Reports are sorted by id. */
  readonly number: number;
  /** Strongest kind under which a report has it. */
  readonly kind: string;
  /** W: chance that two customers with this identifier are one person, 0 to below 1. */
  readonly weight: number;
  /** How many times as long its half-life is, because many verified reporters reported it: 1 or more. */
  readonly slowing: number;
}

/** All reports of one reporter. Together they count once. */
export interface ExplainedVoice {
  /** The reporter's id. */
  readonly reporterId: string;
  /** Standing of the reporter at the moment of the answer. */
  readonly standing: Standing;
  /** Part of Points. */
  readonly points: VoicePart;
  /** Part of Reliability, before the calibration map. */
  readonly reliability: VoicePart;
  /** Matching reports of the reporter, at least one. */
  readonly reports: readonly ExplainedReport[];
}

/** What a voice adds to Points or to Reliability. */
export interface VoicePart {
  /** a: strength of the voice's strongest report. */
  readonly strength: number;
  /** ρ^j: factor for the square of the jth voice that is not verified; 1 for a verified voice. */
  readonly discount: number;
  /**
   * Upper bound as a share of the reach, 0 to 1: of this voice if it is verified, and of all unverified voices together
   * if not. 1 for no bound.
   */
  readonly bound: number;
  /** The part that the voice adds to the number, in the number's unit. The first voice also adds the least value. */
  readonly part: number;
}

/** A matching report. */
export interface ExplainedReport {
  /** The report's id. */
  readonly reportId: string;
  /** Offence type. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  /** Age at the moment of the answer, in days. */
  readonly ageDays: number;
  /** True while a dispute is open. The report then counts in part (`openDispute`). */
  readonly disputed: boolean;
  /** True unless this is the reporter's strongest report. Among equals, the lowest id is the strongest. */
  readonly duplicate: boolean;
  /** m: chance that the report is about this person. */
  readonly link: number;
  /** Factor of the offence type, 0 to 1. */
  readonly typeWeight: number;
  /**
   * Shared identifiers, by `number` of `Explanation.identifiers`. `decay`: factor of age, from 1 down to 0.
   */
  readonly matches: readonly { readonly number: number; readonly kind: string; readonly decay: number }[];
  /** Share of the voice's part, 0 to 1. If n reports are equally strong, each has 1/n. Weaker reports have 0. */
  readonly shareOfPoints: number;
  /** Share of the voice's part of Reliability, 0 to 1. */
  readonly shareOfReliability: number;
}
