import type { EvidenceReport, Standing } from './evidence.ts';

/** One report under the link × claim model. */
export interface Claim {
  readonly report: EvidenceReport;
  /** m, 0 to 1. */
  readonly link: number;
  readonly typeWeight: number;
  /** a, with severity and without. */
  readonly points: number;
  readonly reliability: number;
}

/** All that one reporter says, as strong as its strongest report; which one that is may differ between the two sums. */
export interface Voice {
  readonly reporterId: string;
  readonly standing: Standing;
  readonly claims: readonly Claim[];
  readonly points: number;
  readonly reliability: number;
}
