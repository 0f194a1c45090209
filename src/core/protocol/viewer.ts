import { isCode } from '../domain/identifier.ts';
import { SEVERITY, type PublicReport } from '../domain/report.ts';

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Returns the viewer's JSON (protocol 2.2): `{"ReportAdvanceds":[…],"count":n}`, in the given order. */
export function formatViewer(reports: readonly PublicReport[]): string {
  const ReportAdvanceds = reports.map(({ reportId, type, severity, text, createdAt, reporter }) => ({
    reportId,
    type,
    value: severity,
    description: text,
    createdAt: new Date(createdAt).toISOString(),
    reporter,
  }));
  return JSON.stringify({ ReportAdvanceds, count: reports.length });
}

/**
 * Returns the reports in the viewer's JSON; undefined if its shape is wrong. Ignores members that are not in protocol
 * 2.2.
 */
export function parseViewer(text: string): PublicReport[] | undefined {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    return undefined;
  }
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

function toPublicReport(record: unknown): PublicReport | undefined {
  if (!isRecord(record)) return undefined;
  const { reportId, type, value, description, createdAt, reporter } = record;
  if (!isCode(reportId)) return undefined;
  if (typeof type !== 'string' || typeof description !== 'string' || typeof reporter !== 'string') return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < SEVERITY.min || value > SEVERITY.max)
    return undefined;
  const time = typeof createdAt === 'string' && UTC_TIME.test(createdAt) ? Date.parse(createdAt) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  return { reportId, type, severity: value, text: description, createdAt: time, reporter };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
