import { DAY_MS } from '../../domain/day.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { Evidence, EvidenceReport, SharedIdentifier } from '../../scoring/evidence.ts';
import type { ScoringModel } from '../../scoring/model.ts';
import { CLOCK_TOLERANCE_MS } from '../manifest.ts';
import { OTHER, share, weaker, type RowEvidence, type RowReport } from './local-evidence.ts';

/** A report that this client has sent. */
export interface OwnReport {
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  readonly identifiers: readonly Identifier[];
  /** Local time of the receipt in milliseconds, UTC. */
  readonly at: number;
}

/** The reporter of own reports. It is no number, so the model gives it the standing of a new key. */
const OWN = 'own';

/** Remembers own reports until the published rows contain them. Forgets them when the process ends. */
export interface OwnReports {
  add(report: OwnReport): void;
  /** Forgets the reports that a state of this time contains. */
  forgetBefore(issuedAt: number): void;
  /**
   * Returns the evidence with the own reports about these identifiers that it lacks, and their number. A report is not
   * added if one of the same type, severity and identifiers has its time, up to the tolerance of clocks: the rows
   * contain it then. The client does not know its own number in the table. So it cannot give these reports its own
   * standing, and an own report beside older own reports counts as another voice.
   */
  addTo(
    evidence: RowEvidence,
    asked: readonly Identifier[],
    model: ScoringModel,
    now: number,
  ): { readonly evidence: Evidence; readonly own: number };
}

export function createOwnReports(): OwnReports {
  let reports: readonly OwnReport[] = [];
  return {
    add(report) {
      reports = [...reports, report];
    },
    forgetBefore(issuedAt) {
      reports = reports.filter(({ at }) => at + CLOCK_TOLERANCE_MS >= issuedAt);
    },
    addTo(evidence, asked, model, now) {
      if (reports.length === 0) return { evidence, own: 0 };
      const added: EvidenceReport[] = [];
      for (const [number, report] of reports.entries()) {
        const shared = sharedWith(report, asked, model);
        if (shared.length === 0 || evidence.reports.some((known) => isSame(known, report, shared))) continue;
        const { type, severity, at } = report;
        const ageDays = Math.floor(Math.max(0, now - at) / DAY_MS);
        added.push({ reportId: `${OWN} ${number}`, reporterId: OWN, type, severity, ageDays, shared, disputed: false });
      }
      if (added.length === 0) return { evidence, own: 0 };
      return { evidence: { ...evidence, reports: [...evidence.reports, ...added] }, own: added.length };
    },
  };
}

function sharedWith(report: OwnReport, asked: readonly Identifier[], model: ScoringModel): SharedIdentifier[] {
  const shared: SharedIdentifier[] = [];
  for (const { kind, hash } of asked)
    for (const reported of report.identifiers)
      if (reported.hash === hash) share(model, shared, hash, weaker(model, kind, reported.kind));
  return shared;
}

/** True if the report of the rows is this own one, as far as its content tells. */
function isSame(known: RowReport, own: OwnReport, shared: readonly SharedIdentifier[]): boolean {
  return (
    known.severity === own.severity &&
    (known.type === own.type || known.type === OTHER) &&
    Math.abs(1000 * known.seconds - own.at) <= CLOCK_TOLERANCE_MS &&
    known.shared.length === shared.length &&
    known.shared.every(({ hash }) => shared.some((other) => other.hash === hash))
  );
}
