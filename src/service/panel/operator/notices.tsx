import { formatWhole } from '../../../core/domain/text.ts';
import { isSoundEntry, type AuditAction, type AuditEntry } from '../../../core/domain/audit.ts';
import { startOfDay } from '../../../core/domain/day.ts';
import { Moment } from '../../web/parts.tsx';
import type { PanelEngine, PanelRequest } from '../page.ts';
import { Empty, Table } from '../parts.tsx';
import { ACTIONS } from './audit.tsx';

/** Actions that an operator should look at. With the words for what the amount counts. */
const NOTICES: Partial<Readonly<Record<AuditAction, string>>> = {
  'silent-together': 'reports',
  'always-together': 'reports',
  'accusation-burst': 'reports',
  'unusual-accusations': 'reports',
  'unusual-usage': 'identifiers',
  'ended-key-used': '',
};

/** The newest entries of the audit log that are searched: one page of it, whatever its length. */
const ENTRIES = 1_000;
const ROWS = 10;

/** A notice. Those about accusations have one entry for each reporter. */
interface Notice {
  readonly entry: AuditEntry;
  readonly reporterIds: string[];
}

/** What the notices list shows. */
export interface FoundNotices {
  /** Newest first. */
  readonly notices: readonly Notice[];
  readonly names: ReadonlyMap<string, string>;
}

/** Returns the last notices among the newest entries of the audit log, and the names of their reporters. */
export async function findNotices(engine: PanelEngine): Promise<FoundNotices> {
  const found = new Map<string, Notice>();
  for (const entry of await engine.listAudit({ before: Infinity, limit: ENTRIES })) {
    if (!isSoundEntry(entry) || NOTICES[entry.action] === undefined) continue;
    const { action, seq, subject, atMs, reporterId } = entry;
    const isGrouped = NOTICES[action] === 'reports' && subject !== null;
    const key = isGrouped ? `${action} ${subject} ${startOfDay(atMs)}` : `${seq}`;
    const notice = found.get(key);
    if (notice === undefined && found.size === ROWS) continue;
    if (notice === undefined) found.set(key, { entry, reporterIds: reporterId === null ? [] : [reporterId] });
    // Entries of one notice were recorded in the order of their reporters, and are read backwards.
    else if (reporterId !== null) notice.reporterIds.unshift(reporterId);
  }
  const notices = [...found.values()];
  const reporterIds = [...new Set(notices.flatMap((notice) => notice.reporterIds))];
  const reporters = reporterIds.length === 0 ? [] : await engine.listReporters({ reporterIds });
  return { notices, names: new Map(reporters.map(({ reporterId, name }) => [reporterId, name])) };
}

export function Notices({ notices, names, to }: FoundNotices & Pick<PanelRequest, 'to'>) {
  if (notices.length === 0) return <Empty>No notices among the last {formatWhole(ENTRIES)} entries of the log.</Empty>;
  return (
    <div class="card">
      <p>A notice is a suspicion, not a proof, and changes no score. Ask the reporters before you act.</p>
      <Table
        caption="The last notices, newest first"
        rows={notices}
        keyOf={({ entry }) => entry.seq}
        columns={[
          {
            title: 'What',
            cell: ({ entry: { action } }) => <a href={to(`audit?action=${action}`)}>{ACTIONS[action]}</a>,
          },
          { title: 'Found', cell: ({ entry }) => <Moment at={entry.atMs} /> },
          { title: 'How many', cell: ({ entry }) => wordAmount(entry) },
          { title: 'Reporters', cell: ({ reporterIds }) => reporterIds.map(linkTo(names, to)) },
          {
            title: 'Report',
            cell: ({ entry: { action, subject } }) => NOTICES[action] === 'reports' && <code>{subject}</code>,
          },
        ]}
      />
    </div>
  );
}

function wordAmount({ action, amount }: AuditEntry): string {
  return amount === null ? '' : `${formatWhole(amount)} ${NOTICES[action] ?? ''}`;
}

function linkTo(names: FoundNotices['names'], to: PanelRequest['to']) {
  return (reporterId: string, n: number) => (
    <span key={reporterId}>
      {n > 0 && ', '}
      <a href={to(`reporters?id=${reporterId}`)}>{names.get(reporterId) ?? reporterId}</a>
    </span>
  );
}
