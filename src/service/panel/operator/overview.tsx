import { isSoundEntry, type AuditAction, type AuditEntry } from '../../../core/domain/audit.ts';
import { DAY_MS, startOfDay } from '../../../core/domain/day.ts';
import type { Reporter } from '../../../core/domain/reporter.ts';
import { count, formatWhole } from '../../../core/domain/text.ts';
import { isFailure, type AnswerEvent } from '../../../core/http/exchange.ts';
import { columnChart } from '../../../lab/page/chart.ts';
import type { ActivityMonth } from '../../../operator/activity.ts';
import { Day, Drawn, Facts, Moment, Time, Table } from '../../web/parts.tsx';
import { FirstSteps, type FirstStep } from '../first-steps.tsx';
import { findWaitingCases } from '../waiting.ts';
import type { HealthFigures, HealthHour, PanelHealth } from '../health.ts';
import type { PanelEngine, PanelPage, PanelRequest, WaitingCases } from '../page.ts';
import { Empty, formatAge, Numbers } from '../parts.tsx';
import { Months } from '../usage.tsx';
import { ACTIONS } from './audit.tsx';

/** The operator's first page: first steps, what waits for a decision, notices, and how the service is used. */
export function createOverview(health: PanelHealth | undefined): PanelPage {
  return {
    path: '',
    title: 'Overview',
    role: 'operator',
    async show(request) {
      const { engine } = request;
      const reporters = await engine.listReporters();
      const [waiting, notices, standings, figures, months] = await Promise.all([
        findWaitingCases(engine),
        findNotices(engine),
        engine.listStandings(),
        health?.figures(),
        engine.activityOf({ reporterId: null }),
      ]);
      const steps = await findSteps(request, reporters, months);
      const numbers = toNumbers(request, waiting, reporters);
      return {
        title: 'Overview',
        waiting,
        body: (
          <>
            <FirstSteps steps={steps} />
            <h2>What waits for you</h2>
            <div class="card">
              <Numbers of={numbers} />
              {numbers.every(({ number }) => number === 0) && <p class="quiet">Nothing waits for a decision.</p>}
            </div>
            <h2>Notices</h2>
            <Notices {...notices} to={request.to} />
            <h2>The last 12 months</h2>
            <Months months={months} />
            <h2>Standings</h2>
            <Standings request={request} standings={standings} />
            <h2>Service</h2>
            <Service request={request} figures={figures} />
            <h2>Requests of programs in the last 24 hours</h2>
            {figures === undefined ? (
              <Empty>This service does not count its requests for the panel.</Empty>
            ) : (
              <Traffic figures={figures} />
            )}
          </>
        ),
      };
    },
  };
}

function toNumbers({ to }: PanelRequest, { cases, requests }: WaitingCases, reporters: readonly Reporter[]) {
  const toVerify = reporters.filter(({ verified, suspended }) => !verified && !suspended).length;
  return [
    { name: 'Reporters to verify', number: toVerify, page: to('reporters?list=unverified') },
    { name: 'Cases to decide', number: cases.length, page: to('disputes') },
    { name: 'Cases with a request', number: requests, page: to('disputes?list=requests') },
  ];
}

/** Advice is not given for ever: one need not follow it. */
const ADVICE_MS = 30 * DAY_MS;
const SIGN_INS_SEARCHED = 1_000;

/** Returns what a new service needs, by what the store and the settings show. */
async function findSteps(
  { engine, visitor, to, place, nowMs }: PanelRequest,
  reporters: readonly Reporter[],
  months: readonly ActivityMonth[],
): Promise<FirstStep[]> {
  const described = await engine.describe();
  const [first] = reporters;
  const steps: FirstStep[] = [
    { isDone: first !== undefined, what: <a href={to('reporters')}>Create the first reporter</a> },
    {
      isDone: reporters.some(({ contact }) => contact !== null),
      what: (
        <>
          <a href={to(first ? `reporters?id=${first.reporterId}#contact` : 'reporters')}>
            Set the public contact of a reporter
          </a>
          , so that a person who is reported can ask
        </>
      ),
    },
    {
      isDone: months.some(({ identifiers }) => identifiers > 0),
      what: (
        <>
          <a href={first ? to(`reporters?id=${first.reporterId}&tab=keys`) : to('reporters')}>Give a reporter a key</a>,
          and send a first query with it
        </>
      ),
    },
    {
      isDone: described.ok && described.value.publicUrl.startsWith('https:'),
      what: (
        <>
          Serve by https, and name the address when the service starts:{' '}
          <code class="whole">--public-url https://…</code>
        </>
      ),
    },
    {
      isDone: place.operator !== undefined,
      what: (
        <>
          Say who runs the service, for its public pages: <code class="whole">--operator NAME</code> and{' '}
          <code class="whole">--operator-contact ADDRESS</code>
        </>
      ),
    },
  ];
  if (first !== undefined && nowMs - first.createdAt >= ADVICE_MS) return steps;
  const [{ hasWebhook, hasBackup }, signIns] = await Promise.all([
    engine.setUp(),
    engine.listAudit({ before: Infinity, action: 'signed-in', limit: SIGN_INS_SEARCHED }),
  ]);
  return [
    ...steps,
    {
      isDone: hasBackup,
      what: (
        <>
          Make a first backup: <code class="whole">npx redflag backup DIR</code>
        </>
      ),
    },
    {
      isDone: hasWebhook,
      what: (
        <>
          Get news of disputes and notices in another program: <code class="whole">npx redflag webhooks add URL</code>
        </>
      ),
    },
    {
      isDone: signIns.some((entry) => isSoundEntry(entry) && entry.actor !== visitor.name),
      what: (
        <>
          <a href={to('operators')}>Invite a second operator</a>, or a person at a reporter
        </>
      ),
    },
  ];
}

function Standings({
  request: { engine },
  standings,
}: {
  readonly request: PanelRequest;
  readonly standings: readonly { readonly established: boolean }[];
}) {
  const { standingsEpochAt } = engine.load();
  if (standingsEpochAt === undefined) return <Empty>The scoring of this service has no standings.</Empty>;
  const established = standings.filter((standing) => standing.established).length;
  return (
    <div class="card">
      <p>
        {established} of {count(standings.length, 'reporter')} {established === 1 ? 'is' : 'are'} established. The
        standings cover all reports before <Day at={standingsEpochAt} />, and are updated after each report, deletion
        and dispute.
      </p>
    </div>
  );
}

function Service({
  request: { nowMs },
  figures,
}: {
  readonly request: PanelRequest;
  readonly figures: HealthFigures | undefined;
}) {
  const rows = figures?.rows;
  return (
    <div class="card">
      {rows && (
        <Numbers
          of={[
            { name: 'Reports', number: rows.reports },
            { name: 'Identifiers', number: rows.identifiers },
            { name: 'Reporters', number: rows.reporters },
            { name: 'Links', number: rows.links },
            { name: 'Deleted reports', number: rows.removed },
          ]}
        />
      )}
      <Facts
        of={[
          ['Version', figures?.version],
          [
            'Running since',
            figures && (
              <>
                <Time at={figures.startedAt} /> ({formatAge(nowMs - figures.startedAt)})
              </>
            ),
          ],
        ]}
      />
    </div>
  );
}

/** Actions that an operator should look at. With the words for what the amount counts. */
const NOTICES: Partial<Readonly<Record<AuditAction, string>>> = {
  'silent-together': 'reports',
  'always-together': 'reports',
  'accusation-burst': 'reports',
  'unusual-accusations': 'reports',
  'unusual-usage': 'identifiers',
  'ended-key-used': '',
  // Also by a reporter itself: everybody who finds a report of it sees the contact.
  'contact-set': '',
};

/** The newest notices that are read. Those about accusations have an entry for each reporter. */
const NOTICES_READ = 1_000;
const NOTICES_SHOWN = 10;

/** A notice. Those about accusations have one entry for each reporter. */
interface Notice {
  readonly entry: AuditEntry;
  readonly reporterIds: string[];
}

/** What the notices list shows. */
interface NoticeList {
  /** Newest first. */
  readonly notices: readonly Notice[];
  readonly names: ReadonlyMap<string, string>;
}

/** Returns the last notices, and the names of their reporters. */
async function findNotices(engine: PanelEngine): Promise<NoticeList> {
  const found = new Map<string, Notice>();
  const action = Object.keys(NOTICES) as AuditAction[];
  for (const entry of await engine.listAudit({ before: Infinity, action, limit: NOTICES_READ })) {
    if (!isSoundEntry(entry)) continue;
    const { action, seq, subject, atMs, reporterId } = entry;
    const isGrouped = NOTICES[action] === 'reports' && subject !== null;
    // A reporter causes the others itself: many of a day must not hide those about it.
    const about = isGrouped ? subject : (reporterId ?? seq);
    const key = `${action} ${about} ${startOfDay(atMs)}`;
    const notice = found.get(key);
    if (notice === undefined && found.size === NOTICES_SHOWN) continue;
    if (notice === undefined) found.set(key, { entry, reporterIds: reporterId === null ? [] : [reporterId] });
    // Entries of one notice were recorded in the order of their reporters, and are read backwards.
    else if (isGrouped && reporterId !== null) notice.reporterIds.unshift(reporterId);
  }
  const notices = [...found.values()];
  const reporterIds = [...new Set(notices.flatMap((notice) => notice.reporterIds))];
  const reporters = reporterIds.length === 0 ? [] : await engine.listReporters({ reporterIds });
  return { notices, names: new Map(reporters.map(({ reporterId, name }) => [reporterId, name])) };
}

function Notices({ notices, names, to }: NoticeList & Pick<PanelRequest, 'to'>) {
  if (notices.length === 0) return <Empty>No notices.</Empty>;
  return (
    <div class="card">
      <p>
        A notice is a suspicion, not a proof, and changes no score. Ask the reporters before you act. A contact that a
        reporter has set is public at once: look at it.
      </p>
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
          { title: 'How many', cell: ({ entry }) => formatAmount(entry) },
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

function formatAmount({ action, amount }: AuditEntry): string {
  return amount === null ? '' : `${formatWhole(amount)} ${NOTICES[action] ?? ''}`;
}

function linkTo(names: NoticeList['names'], to: PanelRequest['to']) {
  return (reporterId: string, n: number) => (
    <span key={reporterId}>
      {n > 0 && ', '}
      <a href={to(`reporters?id=${reporterId}`)}>{names.get(reporterId) ?? reporterId}</a>
    </span>
  );
}

/** What became of a request: answered, refused because of the request, or failed because of the service. */
type Fate = 'answered' | 'refused' | 'failed';

const FATES = [
  { fate: 'answered', name: 'Answered', style: 'one' },
  { fate: 'refused', name: 'Refused', style: 'two' },
  { fate: 'failed', name: 'Failed', style: 'three' },
] as const;

/** What programs of reporters ask for, in the words of the operator. Pages and views of a link are not counted here. */
const REQUEST_NAMES = { query: 'Queries', report: 'Reports', delete: 'Deletions' };
const REASONS_SHOWN = 12;

function fateOf(outcome: AnswerEvent['outcome']): Fate {
  if (outcome === 'ok') return 'answered';
  return isFailure(outcome) ? 'failed' : 'refused';
}

function sumOf(counts: HealthHour['counts'], fate: Fate): number {
  return counts.reduce((sum, { outcome, requests }) => sum + (fateOf(outcome) === fate ? requests : 0), 0);
}

/** The requests of the last day: per hour, by what they ask for, and why some were refused. */
function Traffic({ figures: { hours, startedAt } }: { readonly figures: HealthFigures }) {
  const ofPrograms = hours.map(({ counts }) => counts.filter(({ action }) => Object.hasOwn(REQUEST_NAMES, action)));
  const all = ofPrograms.flat();
  const [answered, refused, failed] = FATES.map(({ fate }) => formatWhole(sumOf(all, fate)));
  const actions = Object.entries(REQUEST_NAMES).map(([action, name]) => ({
    name,
    counts: all.filter((one) => one.action === action),
  }));
  const reasons = new Map<string, number>();
  for (const { outcome, requests } of all)
    if (outcome !== 'ok') reasons.set(outcome, (reasons.get(outcome) ?? 0) + requests);
  const often = [...reasons].sort(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN);
  return (
    <div class="card">
      <Drawn
        of={columnChart(
          `Requests per hour: ${answered} answered, ${refused} refused and ${failed} failed in 24 hours`,
          {
            of: 'Hour',
            labels: hours.map((_, at) => (at === hours.length - 1 ? 'this hour' : `${hours.length - 1 - at} h ago`)),
            series: FATES.map(({ fate, name, style }) => ({
              name,
              style,
              values: ofPrograms.map((counts) => sumOf(counts, fate)),
            })),
            none: 'No requests in the last 24 hours.',
          },
        )}
      />
      {all.length > 0 && (
        <div class="after">
          <Table
            isCompact
            caption="Requests by what they ask for"
            rows={actions}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Request', cell: ({ name }) => name },
              ...FATES.map(({ fate, name }) => ({
                title: name,
                isNumber: true,
                cell: ({ counts }: (typeof actions)[number]) => formatWhole(sumOf(counts, fate)),
              })),
            ]}
          />
        </div>
      )}
      {often.length > 0 && (
        <>
          <h3>Why requests were refused or failed</h3>
          <Table
            isCompact
            caption="Refused and failed requests by reason"
            rows={often}
            keyOf={([reason]) => reason}
            columns={[
              { title: 'Reason', cell: ([reason]) => <code>{reason}</code> },
              { title: 'Requests', isNumber: true, cell: ([, requests]) => formatWhole(requests) },
            ]}
          />
        </>
      )}
      <p class="quiet">
        Requests with a key, counted by this process since <Time at={startedAt} />. Look-ups and reports in the panel
        are not among them. Refused: the request was wrong or over a limit. Failed: the service could not answer.
      </p>
    </div>
  );
}
