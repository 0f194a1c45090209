import { isSoundEntry } from '../../core/domain/audit.ts';
import { csvLine, type CsvRow } from '../web/csv.ts';
import { ownId } from './fields.ts';
import type { CsvFile, PanelEngine, PanelRequest } from './page.ts';

// The lists of the panel as files for spreadsheets: the same rows for the same visitor, without their pages. What is
// read for each row is read page by page, because other work runs between the rows.

/** Rows of one file. The newest are in it. */
const MAX_ROWS = 10_000;
/** Rows of one read. */
const READ_AT_ONCE = 100;
/** Rows between two turns of other work. A row may have thousands of characters. */
const WRITTEN_AT_ONCE = 100;

/** Returns a list as a CSV file. `giveTurn` lets other work run. */
export async function writeCsv({ header, rows }: CsvFile, giveTurn: () => Promise<void>): Promise<string> {
  const lines = [csvLine(header)];
  for await (const row of rows) {
    lines.push(csvLine(row));
    if (lines.length % WRITTEN_AT_ONCE === 0) await giveTurn();
  }
  return lines.join('');
}

/**
 * The reports of the visitor's reporter, newest first. Without deletion codes: files are copied and sent on. The page
 * has them, and deletes without them.
 */
export async function reportsAsCsv(request: PanelRequest): Promise<CsvFile> {
  const names = ['time', 'report', 'type', 'severity', 'text', 'kinds', 'dispute', 'requests'];
  return { header: names, rows: readReports(request) };
}

async function* readReports({ engine, visitor }: PanelRequest): AsyncGenerator<CsvRow> {
  const reporterId = ownId(visitor);
  let before: Parameters<PanelEngine['listReports']>[0]['before'];
  for (let rows = 0; rows < MAX_ROWS; rows += READ_AT_ONCE) {
    const listed = await engine.listReports({ reporterId, before, limit: READ_AT_ONCE });
    if (!listed.ok) return;
    for (const { createdAt, reportId, type, severity, text, kinds, dispute, requests } of listed.value.reports)
      yield [toMoment(createdAt), reportId, type, severity, text, kinds.join(' '), dispute, requests];
    before = listed.value.next;
    if (before === undefined) return;
  }
}

/** Disputes, newest first: those about reports of the visitor's reporter, or all of them for the operator. */
export async function disputesAsCsv({ engine, visitor: { reporterId } }: PanelRequest): Promise<CsvFile> {
  const disputes = await engine.listDisputes(reporterId === null ? {} : { reporterId });
  const names = reporterId === null ? await namesOf(engine) : undefined;
  return {
    header: ['opened', 'report', ...(names ? ['reporter'] : []), 'reason', 'answer', 'decided', 'decision'],
    rows: toRows(disputes, ({ openedAt, reportId, reporterId: of, reason, answer, decidedAt, upheld }) => [
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
    rows: toRows([...keys].reverse(), ({ keyId, scope, createdAt, lastUsedAt, endsAt, keyName }) => [
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
    rows: toRows(
      [...reporters].sort((a, b) => a.name.localeCompare(b.name, 'en')),
      ({ name, reporterId, verified, suspended, createdAt, identifiersPerDay, contact }) => [
        name,
        reporterId,
        yesOrNo(verified),
        yesOrNo(suspended),
        yesOrNo(standingOf.get(reporterId)?.established ?? false),
        toMoment(createdAt),
        identifiersPerDay,
        contact,
      ],
    ),
  };
}

/** All entries of the allow-list, newest first, also those that ended. */
export async function allowListAsCsv({ engine }: PanelRequest): Promise<CsvFile> {
  const entries = [...(await engine.listProtected())].sort((a, b) => b.addedAt - a.addedAt);
  return {
    header: ['stored hash', 'reason', 'added', 'added by', 'ends', 'removed by'],
    rows: toRows(entries, ({ hash, reason, addedAt, addedBy, endsAt, endedBy }) => [
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
  const names = await namesOf(engine);
  return {
    header: ['entry', 'time', 'action', 'who', 'reporter', 'subject', 'amount'],
    rows: readEntries(engine, names),
  };
}

async function* readEntries(engine: PanelEngine, names: ReadonlyMap<string, string>): AsyncGenerator<CsvRow> {
  let before = Infinity;
  for (let rows = 0; rows < MAX_ROWS; rows += READ_AT_ONCE) {
    const entries = await engine.listAudit({ before, limit: READ_AT_ONCE });
    for (const entry of entries) {
      before = entry.seq;
      if (!isSoundEntry(entry)) {
        yield [entry.seq, null, 'damaged', null, null, null, null];
        continue;
      }
      const { seq, atMs, action, actor, reporterId, subject, amount } = entry;
      const reporter = reporterId === null ? null : (names.get(reporterId) ?? reporterId);
      yield [seq, toMoment(atMs), action, actor, reporter, subject, amount];
    }
    // The first entry has the number 1.
    if (entries.length < READ_AT_ONCE || before <= 1) return;
  }
}

function* toRows<Item>(items: readonly Item[], toRow: (item: Item) => CsvRow): Generator<CsvRow> {
  for (const item of items.slice(0, MAX_ROWS)) yield toRow(item);
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
