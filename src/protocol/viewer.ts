import { isCode } from '../domain/identifier.ts';
import { SEVERITY, type PublicReport } from '../domain/report.ts';

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** A report as the viewer writes it (spec 2.2). */
interface ReportAdvanced {
  readonly reportId: string;
  readonly type: string;
  readonly value: number;
  readonly description: string;
  /** ISO 8601, UTC, ending in `Z`. */
  readonly createdAt: string;
  readonly reporter: string;
}

/** The viewer's JSON (spec 2.2): `{"ReportAdvanceds":[…],"count":n}`, in the order given. */
export function formatViewer(reports: readonly PublicReport[]): string {
  return JSON.stringify({ ReportAdvanceds: reports.map(toReportAdvanced), count: reports.length });
}

/** The reports in the viewer's JSON; undefined when the text is not exactly that shape. Members beyond those of spec 2.2 are left out. */
export function parseViewer(text: string): PublicReport[] | undefined {
  const envelope = parseJson(text);
  if (!isRecord(envelope) || !Array.isArray(envelope['ReportAdvanceds'])) return undefined;
  const records: readonly unknown[] = envelope['ReportAdvanceds'];
  if (envelope['count'] !== records.length) return undefined;
  const reports: PublicReport[] = [];
  for (const record of records) {
    const report = toPublicReport(record);
    if (report === undefined) return undefined;
    reports.push(report);
  }
  return reports;
}

function toReportAdvanced(report: PublicReport): ReportAdvanced {
  return {
    reportId: report.reportId,
    type: report.type,
    value: report.severity,
    description: report.text,
    createdAt: new Date(report.createdAt).toISOString(),
    reporter: report.reporter,
  };
}

function toPublicReport(record: unknown): PublicReport | undefined {
  if (!isRecord(record)) return undefined;
  const { reportId, type, value, description, createdAt, reporter } = record;
  if (typeof reportId !== 'string' || !isCode(reportId)) return undefined;
  if (typeof type !== 'string' || typeof description !== 'string' || typeof reporter !== 'string') return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < SEVERITY.least || value > SEVERITY.most)
    return undefined;
  const time = typeof createdAt === 'string' && UTC_TIME.test(createdAt) ? Date.parse(createdAt) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  return { reportId, type, severity: value, text: description, createdAt: time, reporter };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
