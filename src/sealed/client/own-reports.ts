import { DAY_MS } from '../../domain/day.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { Evidence, EvidenceReport, SharedIdentifier, Standing } from '../../scoring/evidence.ts';
import { CLOCK_TOLERANCE_MS } from '../manifest.ts';
import { reporterName, share, type EvidenceContext } from './local-evidence.ts';
import type { Receipt, ReceiptReporter } from './receipt.ts';

/** A report that this client has sent. */
export interface OwnReport extends Pick<Receipt, 'report'> {
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  readonly identifiers: readonly Identifier[];
  /** Local time of the receipt in milliseconds, UTC. */
  readonly at: number;
}

/** The reporter of own reports while the rows have no number for it. */
const OWN = 'own';

/** Remembers own reports until the published rows contain them. Forgets them when the process ends. */
export interface OwnReports {
  /** `epoch` is the epoch of the report's receipt. */
  add(report: OwnReport, reporter: ReceiptReporter | null, epoch: number): void;
  /** Forgets the reports that a state of this time contains. */
  forgetBefore(issuedAt: number): void;
  /**
   * Returns the evidence with the own reports about these identifiers that it lacks, and their number. They have the
   * reporter's standing of the last receipt, and so do its reports in the rows.
   */
  addTo(
    evidence: Evidence,
    asked: readonly Identifier[],
    context: EvidenceContext,
  ): { readonly evidence: Evidence; readonly own: number };
}

export function createOwnReports(): OwnReports {
  let reports: readonly OwnReport[] = [];
  let last: { readonly reporter: ReceiptReporter | null; readonly epoch: number } | undefined;
  return {
    add(report, reporter, epoch) {
      // A retry has the receipt of the first request.
      reports = [...reports.filter((other) => other.report !== report.report), report];
      last = { reporter, epoch };
    },
    forgetBefore(issuedAt) {
      reports = reports.filter(({ at }) => at + CLOCK_TOLERANCE_MS >= issuedAt);
    },
    addTo(evidence, asked, context) {
      if (reports.length === 0 || last === undefined) return { evidence, own: 0 };
      const { reporter } = last;
      const number = context.epoch === last.epoch ? (reporter?.number ?? null) : null;
      const reporterId = number === null ? OWN : reporterName(number);
      const known = new Set(evidence.reports.map(({ reportId }) => reportId));
      const added: EvidenceReport[] = [];
      for (const { report, type, severity, identifiers, at } of reports) {
        const shared = sharedWith(identifiers, asked, context);
        if (shared.length === 0 || known.has(report)) continue;
        const ageDays = Math.floor(Math.max(0, context.now - at) / DAY_MS);
        added.push({ reportId: report, reporterId, type, severity, ageDays, shared, disputed: false });
      }
      if (added.length === 0) return { evidence, own: 0 };
      const standings = new Map<string, Standing>();
      for (const { reporterId: id } of evidence.reports) {
        const standing = evidence.standings.get(id);
        if (standing !== undefined) standings.set(id, standing);
      }
      if (reporter !== null) standings.set(reporterId, reporter);
      return { evidence: { reports: [...evidence.reports, ...added], standings }, own: added.length };
    },
  };
}

function sharedWith(
  reported: readonly Identifier[],
  asked: readonly Identifier[],
  context: EvidenceContext,
): SharedIdentifier[] {
  const shared: SharedIdentifier[] = [];
  for (const { kind, hash } of asked)
    for (const own of reported)
      if (own.hash === hash) share(context, shared, { hash, asked: kind, reported: own.kind });
  return shared;
}
