import type { Sentence } from './calculation.ts';
import type { PublicReport } from './report.ts';
import type { Verdict } from './verdict.ts';

/** Stands for a kind of identifier that may say something about a person. */
export const OTHER_DATA = 'other data';

/** A public contact of an organisation. */
export interface ReporterContact {
  /** Public name. */
  readonly reporter: string;
  /** An email address, an address that begins with `https:` or `mailto:`, or a phone number. */
  readonly contact: string;
}

/** Matching reports of one organisation that a page does not show. */
export interface LeftOut {
  /** Public name. */
  readonly reporter: string;
  /** Number of these reports. */
  readonly reports: number;
}

/** What a person sees behind a link. */
export interface PublicRecord extends Verdict {
  /** Public address of this record, as queries return it. */
  readonly link: string;
  /** The moment of the score (ms, UTC). */
  readonly asOf: number;
  /**
   * When the record last changed (ms, UTC): the latest moment at which a shown report was made, or at which a dispute
   * about a matching report was opened, answered or decided. A deletion does not move it, and may set it back: nothing
   * stays of a deleted report under these identifiers.
   */
  readonly changedAt: number;
  /**
   * Kinds of the identifiers that match, each once, sorted. One that may say something about a person is `other data`:
   * known kinds are named, and those that two organisations use and in which no personal data is found.
   */
  readonly kinds: readonly string[];
  /** Number of organisations whose reports count. */
  readonly reporters: number;
  /** Ids of shown reports about which a dispute is open. */
  readonly disputed: readonly string[];
  /** Number of reports that the operator found wrong. They do not count and are not shown. */
  readonly upheldDisputes: number;
  /** The newest reports first, as the viewer returns them. */
  readonly reports: readonly PublicReport[];
  /**
   * Those of them that a page shows, at most 50: each organisation's strongest report in the order of `voices`, then
   * the others, newest first. If `voices` is empty, all are newest first.
   */
  readonly shown: readonly PublicReport[];
  /** How many matching reports of each organisation are not in `shown`, the most first. Sums up to all of them. */
  readonly leftOut: readonly LeftOut[];
  /** How a person reaches the organisations of these reports. Those without a contact are left out. Sorted by name. */
  readonly contacts: readonly ReporterContact[];
  /** Explains the score, in English. Empty if more than 500 identifiers of reports match. */
  readonly sentences: readonly string[];
  /**
   * The same for any language.
   *
   * @internal
   */
  readonly calculation: readonly Sentence[];
  /**
   * What organisations add to the points, largest part first: at most 12. Equally strong ones add alike. All parts,
   * with those of further organisations, add up to `points`. Empty if `sentences` is empty.
   */
  readonly voices: readonly RecordVoice[];
  /**
   * How the points moved: at most 24 moments from the oldest report up to now, at equal distances. Empty if the oldest
   * report is less than two days old, or if `sentences` is empty.
   */
  readonly history: readonly PastScore[];
}

/** What one organisation adds to the points of a record. */
export interface RecordVoice {
  /** The organisation's public name. */
  readonly name: string;
  /** Number of its reports that match. Together they count once. */
  readonly reported: number;
  /** Its part of the points, not rounded. */
  readonly added: number;
  /**
   * Points that open disputes about its reports take away now, not rounded: with `points` of the record, the sum is the
   * score without these disputes.
   */
  readonly disputed: number;
  /**
   * Points that the age of its reports took away, not rounded: with `points` and `disputed`, the sum is the score if
   * its reports were undisputed and of today.
   */
  readonly faded: number;
}

/** The points at a past moment, computed from the reports that count now. */
export interface PastScore {
  /** The moment (ms, UTC). */
  readonly at: number;
  /** Points, 0 to 100. */
  readonly points: number;
  /** Number of matching reports at that moment. */
  readonly reported: number;
}
