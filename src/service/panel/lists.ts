import { isSoundEntry } from '../../core/domain/audit.ts';
import { ownId } from './fields.ts';
import type { CsvFile, PanelEngine, PanelRequest } from './page.ts';

// The lists of the panel as files for spreadsheets: the same rows for the same visitor, without their pages.

/** Rows of one file. The newest are in it. */
const MAX_ROWS = 10_000;
/** Reports of one read. */
const REPORTS_AT_ONCE = 100;

/** The reports of the visitor's reporter, newest first, with their deletion codes. */
export async function reportsAsCsv({ engine, visitor }: PanelRequest): Promise<CsvFile> {
  const reporterId = ownId(visitor);
  const rows: CsvFile['rows'][number][] = [];
  let before: Parameters<PanelEngine['listReports']>[0]['before'];
  do {
    const listed = await engine.listReports({ reporterId, before, limit: REPORTS_AT_ONCE });
    if (!listed.ok) break;
    for (const report of listed.value.reports) {
      const { createdAt, reportId, type, severity, text, kinds, dispute, requests, deletionCode } = report;
      rows.push([
        toMoment(createdAt),
        reportId,
        type,
        severity,
        text,
        kinds.join(' '),
        dispute,
        requests,
        deletionCode,
      ]);
    }
    before = listed.value.next;
  } while (before !== undefined && rows.length < MAX_ROWS);
  const names = ['time', 'report', 'type', 'severity', 'text', 'kinds', 'dispute', 'requests', 'deletion code'];
  return { header: names, rows };
}

/** Disputes, newest first: those about reports of the visitor's reporter, or all of them for the operator. */
export async function disputesAsCsv({ engine, visitor: { reporterId } }: PanelRequest): Promise<CsvFile> {
  const disputes = await engine.listDisputes(reporterId === null ? {} : { reporterId });
  const names = reporterId === null ? await namesOf(engine) : undefined;
  return {
    header: ['opened', 'report', ...(names ? ['reporter'] : []), 'reason', 'answer', 'decided', 'decision'],
    rows: disputes
      .slice(0, MAX_ROWS)
      .map(({ openedAt, reportId, reporterId: of, reason, answer, decidedAt, upheld }) => [
        toMoment(openedAt),
        reportId,
        ...(names ? [names.get(of) ?? of] : []),
        reason,
        answer,
        toMoment(decidedAt),
        decidedAt === null ? 'open' : upheld === true ? 'upheld' : 'rejected',
      ]),
  };
}

/** The keys of the visitor's reporter, newest first, without their values. */
export async function keysAsCsv({ engine, visitor }: PanelRequest): Promise<CsvFile> {
  const keys = await engine.listKeys({ reporterId: ownId(visitor) });
  return {
    header: ['key id', 'may do', 'created', 'last used', 'ends', 'name'],
    rows: [...keys]
      .reverse()
      .slice(0, MAX_ROWS)
      .map(({ keyId, scope, createdAt, lastUsedAt, endsAt, keyName }) => [
        keyId,
        scope ?? 'all',
        toMoment(createdAt),
        toMoment(lastUsedAt),
        endsAt === 0 ? 'revoked' : toMoment(endsAt),
        keyName,
      ]),
  };
}

/** All reporters, by name. */
export async function reportersAsCsv({ engine }: PanelRequest): Promise<CsvFile> {
  const [reporters, standings] = await Promise.all([engine.listReporters(), engine.listStandings()]);
  const standingOf = new Map(standings.map((standing) => [standing.reporterId, standing]));
  return {
    header: ['name', 'reporter id', 'verified', 'suspended', 'established', 'since', 'budget', 'contact'],
    rows: [...reporters]
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))
      .slice(0, MAX_ROWS)
      .map(({ name, reporterId, verified, suspended, createdAt, identifiersPerDay, contact }) => [
        name,
        reporterId,
        yesOrNo(verified),
        yesOrNo(suspended),
        yesOrNo(standingOf.get(reporterId)?.established ?? false),
        toMoment(createdAt),
        identifiersPerDay,
        contact,
      ]),
  };
}

/** All entries of the allow-list, newest first, also those that ended. */
export async function allowListAsCsv({ engine }: PanelRequest): Promise<CsvFile> {
  const entries = [...(await engine.listProtected())].sort((a, b) => b.addedAt - a.addedAt);
  return {
    header: ['stored hash', 'reason', 'added', 'added by', 'ends', 'removed by'],
    rows: entries
      .slice(0, MAX_ROWS)
      .map(({ hash, reason, addedAt, addedBy, endsAt, endedBy }) => [
        hash,
        reason,
        toMoment(addedAt),
        addedBy,
        toMoment(endsAt),
        endedBy,
      ]),
  };
}

/** The entries of the audit log, newest first. */
export async function auditAsCsv({ engine }: PanelRequest): Promise<CsvFile> {
  const entries = await engine.listAudit({ before: Infinity, limit: MAX_ROWS });
  const names = await namesOf(engine);
  return {
    header: ['entry', 'time', 'action', 'who', 'reporter', 'subject', 'amount'],
    rows: entries.map((entry) => {
      if (!isSoundEntry(entry)) return [entry.seq, null, 'damaged', null, null, null, null];
      const { seq, atMs, action, actor, reporterId, subject, amount } = entry;
      const reporter = reporterId === null ? null : (names.get(reporterId) ?? reporterId);
      return [seq, toMoment(atMs), action, actor, reporter, subject, amount];
    }),
  };
}

async function namesOf(engine: PanelEngine): Promise<ReadonlyMap<string, string>> {
  return new Map((await engine.listReporters()).map(({ reporterId, name }) => [reporterId, name]));
}

/** Returns a moment (ms, UTC) as spreadsheets read it. */
function toMoment(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no';
}
