import { DAY_MS } from '../../core/domain/day.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import type { ReportDraft } from '../../core/domain/report.ts';
import type { Evidence, EvidenceReport, SharedIdentifier, Standing } from '../../core/scoring/evidence.ts';
import { checksum } from '../checksum.ts';
import { CLOCK_TOLERANCE_MS } from '../manifest.ts';
import { reporterName, share, type EvidenceContext } from './local-evidence.ts';
import type { Receipt, ReceiptReporter } from './receipt.ts';

/** A report that this client has sent. */
export interface SentReport extends ReportDraft, Pick<Receipt, 'report' | 'deletionCode'> {
  /** Local time of the receipt in milliseconds, UTC. */
  readonly at: number;
}

/** What is remembered of it. */
type OwnReport = Omit<SentReport, 'text'>;

/** The reporter of own reports while the signed table has no number for it. */
const OWN = 'own';

/**
 * Remembers own reports, without their texts, until the published rows contain them. Forgets them when the process
 * ends.
 *
 * Receipts are not signed. With a false one, a service or a proxy can change the weight of own reports and hide them,
 * until the rows contain them; it cannot change what the signed rows and standings say.
 */
export interface OwnReports {
  /** `epoch` is the epoch of the report's receipt. */
  add(report: SentReport, reporter: ReceiptReporter | null, epoch: number): void;
  /** Forgets a report that was deleted. */
  forget(deletionCode: string): void;
  /** Forgets the reports that a state of this time contains. */
  forgetBefore(issuedAt: number): void;
  /**
   * Returns the evidence with the own reports about these identifiers that it lacks, and their number. They have the
   * reporter's standing of the signed table; if it has none, that of the last receipt.
   */
  addTo(
    evidence: Evidence,
    asked: readonly Identifier[],
    context: EvidenceContext,
  ): { readonly evidence: Evidence; readonly own: number };
}

export function createOwnReports(): OwnReports {
  /** By {@link contentOf}: a retry has the receipt of the first request, and no other report can replace one. */
  const reports = new Map<string, OwnReport>();
  let last: LastReceipt | undefined;
  return {
    add(sent, reporter, epoch) {
      const { text: _, ...own } = sent;
      reports.set(contentOf(sent), own);
      last = { reporter, epoch };
    },
    forget(deletionCode) {
      for (const [content, own] of reports) if (own.deletionCode === deletionCode) reports.delete(content);
    },
    forgetBefore(issuedAt) {
      for (const [content, { at }] of reports) if (at + CLOCK_TOLERANCE_MS < issuedAt) reports.delete(content);
    },
    addTo(evidence, asked, context) {
      if (last === undefined) return { evidence, own: 0 };
      const reporterId = reporterOf(last, context);
      const added = lackingReports(reports.values(), reporterId, evidence, asked, context);
      if (added.length === 0) return { evidence, own: 0 };
      const standings = reporterId === OWN ? withOwn(evidence, last.reporter) : evidence.standings;
      return { evidence: { reports: [...evidence.reports, ...added], standings }, own: added.length };
    },
  };
}

interface LastReceipt {
  readonly reporter: ReceiptReporter | null;
  readonly epoch: number;
}

/** Returns the SHA-256 of what tells reports apart. A forged tag alone must not make two reports one. */
function contentOf({ report, type, severity, text, identifiers }: SentReport): string {
  const sorted = identifiers.map(({ kind, hash }) => `${kind} ${hash}`).sort();
  return checksum(new TextEncoder().encode(JSON.stringify([report, type, severity, text, sorted])));
}

/** Returns the name of the reporter's number, so that own reports and its rows are one voice; else {@link OWN}. */
function reporterOf({ reporter, epoch }: LastReceipt, context: EvidenceContext): string {
  if (reporter === null || reporter.number === null || epoch !== context.epoch) return OWN;
  const name = reporterName(reporter.number);
  return context.standings.has(name) ? name : OWN;
}

function lackingReports(
  reports: Iterable<OwnReport>,
  reporterId: string,
  evidence: Evidence,
  asked: readonly Identifier[],
  context: EvidenceContext,
): EvidenceReport[] {
  const published = new Set(evidence.reports.map(({ reportId }) => reportId));
  const lacking: EvidenceReport[] = [];
  for (const { report, type, severity, identifiers, at } of reports) {
    const shared = sharedWith(identifiers, asked, context);
    if (shared.length === 0 || published.has(report)) continue;
    const ageDays = Math.floor(Math.max(0, context.now - at) / DAY_MS);
    lacking.push({ reportId: report, reporterId, type, severity, ageDays, shared, disputed: false });
  }
  return lacking;
}

/** Returns the standings that the evidence needs, and that of {@link OWN}. Not all: a query must not copy the table. */
function withOwn(evidence: Evidence, standing: Standing | null): ReadonlyMap<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const { reporterId } of evidence.reports) {
    const known = evidence.standings.get(reporterId);
    if (known !== undefined) standings.set(reporterId, known);
  }
  if (standing !== null) standings.set(OWN, standing);
  return standings;
}

function sharedWith(
  reported: readonly Identifier[],
  asked: readonly Identifier[],
  context: EvidenceContext,
): SharedIdentifier[] {
  const shared: SharedIdentifier[] = [];
  for (const { kind, hash } of asked)
    for (const own of reported)
      if (own.hash === hash) share(context, shared, { hash, queriedKind: kind, reportedKind: own.kind });
  return shared;
}
