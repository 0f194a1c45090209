import type { DisputeRequest } from '../../../core/domain/dispute.ts';
import { groupBy } from '../../../core/domain/lists.ts';
import { isCode } from '../../../core/domain/identifier.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { accept, refuse, type Outcome, type Refusal } from '../../../core/domain/refusal.ts';
import { count } from '../../../core/domain/text.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import type { DisputeCase } from '../../../operator/dispute-cases.ts';
import { formatList, nameOfKind, nameOfType } from '../../web/parts.tsx';
import { DecidedDisputes, splitDisputes } from '../decisions.tsx';
import { acting } from '../fields.ts';
import { disputesAsCsv } from '../lists.ts';
import type { FormOutcome, PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { Empty, formatAge, Lists, pageOf, Spot } from '../parts.tsx';
import { ABOUT, CaseOfRequest, CaseToDecide, haveDifferentReasons } from './dispute-case.tsx';
import { Desk } from './desk.tsx';
import type { Known } from './messages.tsx';
import { groupDecisions, lastDecision, MAX_REPORTS, nameDecision, queryOf, Undo, undoable } from './undo.tsx';
import { formatKinds } from '../reporter/report.tsx';
import { findWaitingCases } from '../waiting.ts';

const ROWS = 100;
/** Cases in the list. Further ones follow when these are decided. */
const LISTED = 200;
/** Rows that a page reads to count alike reports. Very many are not worth the wait: 100 are decided like 10,000. */
const COUNTING_EFFORT = 250;

/** Refusals that are about the answer to a person. */
const ANSWER_ERRORS = { 'invalid-note': 'answer', 'personal-data': 'answer' } as const;

function wordForAnswer(refusal: Refusal): string {
  if (refusal.reason !== 'personal-data') return formatRefusal(refusal);
  return `All who asked about these reports read the answer. Remove from it: ${formatKinds(refusal.kinds)}.`;
}

const LISTS = ['open', 'requests', 'decided'] as const;

/** Disputes to decide and requests for a dispute, one case after the other, and what was decided. */
export const DISPUTES: PanelPage = {
  path: 'disputes',
  title: 'Disputes',
  role: 'operator',
  csv: disputesAsCsv,

  async show(request) {
    const list = LISTS.find((one) => one === request.fields.get('list'));
    if (list === 'decided') return showDecided(request);
    return list === 'requests' ? showRequests(request) : showOpen(request, list === undefined);
  },

  actions: {
    decide,
    answer: acting(
      ({ engine, visitor: { name: by } }, field) =>
        engine.answerPersons({ reportIds: aboutOf(field), answer: field('message'), by }),
      ({ cases }, { fields }) => ({
        message:
          cases > 0
            ? `The message was sent to ${count(cases, 'case')}.`
            : 'The message was not stored: it was already sent, or no case is left that takes messages.',
        query: `case=${(fields.get('reportIds') ?? '').slice(0, 16)}`,
      }),
      { 'invalid-note': 'message', 'personal-data': 'message' },
      wordForAnswer,
    ),
    undo: acting(
      async ({ engine, visitor: { name: by } }, field) => {
        const seen = numbersOf(field('seen'));
        let reopened = 0;
        for (const [n, reportId] of reportIdsOf(field).entries()) {
          const done = await engine.reopenDispute({ reportId, decidedAt: seen[n] ?? 0, by });
          if (!done.ok) return done;
          if (done.value.reopened) reopened++;
        }
        return accept(reopened);
      },
      (reopened, { fields }) => ({
        message:
          reopened > 0
            ? `Taken back: ${reopened === 1 ? 'the report counts' : `${reopened} reports count`} half again until you decide. What was sent stays sent: webhooks, and an answer to the person.`
            : 'Nothing was taken back: ten minutes are over, or it was decided again. Open another dispute about the report instead.',
        query:
          fields.get('list') === 'decided'
            ? 'list=decided'
            : `list=open&case=${(fields.get('reportIds') ?? '').slice(0, 16)}`,
      }),
    ),
    open: openDisputes,
    refuse: acting(
      async ({ engine, visitor: { name: by } }, field) => {
        const answer = field('answer').trim() || undefined;
        const [seenAt] = numbersOf(field('seen'));
        const requestId = field('requestId');
        const { length } = await engine.listDisputeRequests({ requestId });
        const refused = await engine.refuseDisputeRequest({ requestId, seenAt, answer, by });
        return refused.ok ? accept(length) : refused;
      },
      (deleted, request) => ({
        message: `The request about ${count(deleted, 'report')} was deleted. No score has changed.`,
        query: `list=requests&${nextOf(request)}`,
      }),
      ANSWER_ERRORS,
      wordForAnswer,
    ),
  },
};

/** Opens disputes about the reports that are ticked. The list of open ones follows. */
async function openDisputes(request: PanelRequest): Promise<FormOutcome> {
  const { fields } = request;
  const reportIds = [...fields].flatMap(([name, value]) =>
    name.startsWith(ABOUT) && value === 'yes' ? [name.slice(ABOUT.length)] : [],
  );
  if (reportIds.length === 0) return { ok: false, errors: { about: 'Choose at least one report.' } };
  return acting(
    async ({ engine, visitor: { name: by } }, field) => {
      const reason = field('reason');
      const own = reason.trim() === '' ? await differentReasons(engine, field('requestId')) : undefined;
      return forEach(reportIds, 'unknown-report', (reportId) =>
        engine.openDispute({ reportId, reason: own?.get(reportId) ?? reason, by }),
      );
    },
    ({ length }) => ({
      message: `${opened(length)} Until you decide, the ${length === 1 ? 'report counts' : 'reports count'} half.`,
      query: `list=requests&${nextOf(request)}`,
      at: 'case',
    }),
    { 'invalid-note': 'reason' },
  )(request);
}

/** Returns what the person says of each report; undefined if it is the same of all. */
async function differentReasons(engine: PanelRequest['engine'], requestId: string) {
  const requests = await engine.listDisputeRequests({ requestId });
  return haveDifferentReasons(requests)
    ? new Map(requests.map(({ reportId, reason }) => [reportId, reason]))
    : undefined;
}

const opened = (number: number): string =>
  number === 1 ? 'The dispute is open, in “To decide”.' : `${number} disputes are open, in “To decide”.`;

/** Returns the part of a query that opens the next case. */
function nextOf({ fields }: PanelRequest): string {
  const next = fields.get('next') ?? '';
  return isCode(next) ? `case=${next}` : '';
}

/** Returns the whole numbers of a hidden field, such as when what the page shows was opened. */
const numbersOf = (text: string): number[] => (/^\d{1,15}(,\d{1,15})*$/.test(text) ? text.split(',').map(Number) : []);

const reportIdsOf = (field: (name: string) => string): string[] => field('reportIds').split(',').slice(0, MAX_REPORTS);

/** The report that a message is about, or all of them. */
const aboutOf = (field: (name: string) => string): string[] => {
  const all = reportIdsOf(field);
  return all.includes(field('about')) ? [field('about')] : all;
};

/** Decides all disputes of a case: the button that upholds them has a field. The next case follows. */
async function decide(request: PanelRequest): Promise<FormOutcome> {
  const upheld = request.fields.get('upheld') === 'yes';
  const named = reportIdsOf((name) => request.fields.get(name) ?? '');
  const live = await request.engine.findReports({ reportIds: named });
  return acting(
    ({ engine, visitor: { name: by } }, field) => {
      const alike = upheld && field('alike') === 'yes';
      const decision = { upheld, alike, answer: field('answer').trim() || undefined, by };
      // Meanwhile, a dispute may have been decided, and another one opened that the page does not show.
      const seen = numbersOf(field('seen'));
      return forEach(reportIdsOf(field), 'no-open-dispute', (reportId, n) =>
        engine.decideDispute({ reportId, openedAt: seen[n], ...decision }),
      );
    },
    (decided, { fields }) => ({
      message: formatDecision(upheld, decided, live, Boolean(fields.get('answer')?.trim())),
      query: nextOf(request) + queryOf(decided),
    }),
    ANSWER_ERRORS,
    wordForAnswer,
  )(request);
}

/** Another case is below the message, and the button that takes the decision back. */
function formatDecision(
  upheld: boolean,
  decided: readonly string[],
  live: readonly PublicReport[],
  isAnswered: boolean,
): string {
  const number = decided.length;
  const isOne = number === 1;
  const found = isOne
    ? 'It was found wrong, and does not count any more'
    : 'They were found wrong, and do not count any more';
  const stands = isOne ? 'It stands, and counts as before' : 'They stand, and count as before';
  const name = nameDecision(
    upheld,
    decided,
    live.filter(({ reportId }) => decided.includes(reportId)),
  );
  return `${name}. ${upheld ? found : stands}.${isAnswered ? ' The person can read your answer.' : ''}`;
}

/** Acts on each report. Returns those on which it could act; refuses if there are none. */
async function forEach(
  reportIds: readonly string[],
  ifNone: 'unknown-report' | 'no-open-dispute',
  act: (reportId: string, n: number) => Promise<Outcome<void>>,
): Promise<Outcome<readonly string[]>> {
  const done: string[] = [];
  let refused: Outcome<never> = refuse({ reason: ifNone });
  for (const [n, reportId] of reportIds.slice(0, MAX_REPORTS).entries()) {
    if (reportIds.indexOf(reportId) < n) continue;
    const outcome = await act(reportId, n);
    if (outcome.ok) done.push(reportId);
    else refused = outcome;
  }
  return done.length === 0 ? refused : accept(done);
}

/** Returns links to the three lists, with the number of their cases, and what takes the last decision back. */
async function showLists(request: PanelRequest, current: (typeof LISTS)[number]) {
  const { engine, to } = request;
  const [disputes, waiting] = await Promise.all([engine.listDisputes(), findWaitingCases(engine)]);
  const { cases, isCut, requests } = waiting;
  const { decided } = splitDisputes(disputes);
  const lists = (
    <Lists
      label="Lists of disputes"
      lists={[
        { name: `To decide (${countCases(cases.length)}${isCut ? ' or more' : ''})`, list: 'open' },
        { name: `Requests (${countCases(requests)})`, list: 'requests' },
        // Without a number: its rows are reports, and what was decided is in no cases any more.
        { name: 'Decided', list: 'decided' },
      ].map(({ name, list }) => ({ name, page: to(`disputes?list=${list}`), isCurrent: list === current }))}
    />
  );
  const last = lastDecision(request, disputes);
  const live = await engine.findReports({ reportIds: last.map(({ reportId }) => reportId) });
  return {
    content: { title: 'Disputes', waiting },
    lists,
    cases,
    disputes,
    decided,
    requests,
    undo: <Undo disputes={last} request={request} last={live} />,
    /** Keeps the offer to take the last decision back on the pages that links lead to. */
    kept: queryOf(last.map(({ reportId }) => reportId)),
  };
}

const countCases = (cases: number): string => count(cases, 'case');

/** Returns the names of reporters, and the live ones of these reports. */
async function findKnown(
  request: PanelRequest,
  about: readonly { readonly reportId: string; readonly reporterId: string }[],
): Promise<Known> {
  const { engine } = request;
  const [reporters, reports] = await Promise.all([
    engine.listReporters({ reporterIds: [...new Set(about.map(({ reporterId }) => reporterId))] }),
    engine.findReports({ reportIds: [...new Set(about.map(({ reportId }) => reportId))].slice(0, 1_000) }),
  ]);
  return {
    request,
    names: new Map(reporters.map(({ reporterId, name }) => [reporterId, name])),
    reports: new Map(reports.map((report) => [report.reportId, report])),
  };
}

/**
 * What one line of the list says, so that no two are alike: of which type and severity the first report is, what its
 * reporter or the person wrote, who reported and by what, how many reports there are, and since when they wait.
 */
function toLine(
  { request: { nowMs }, names, reports }: Known,
  about: readonly { readonly reportId: string; readonly reporterId: string }[],
  since: number,
  { said, kinds = [] }: { readonly said?: string; readonly kinds?: readonly string[] },
) {
  const first = about[0]!;
  const report = reports.get(first.reportId);
  const others = new Set(about.map(({ reporterId }) => reporterId)).size - 1;
  const name = names.get(first.reporterId) ?? 'A reporter';
  return {
    title: report ? `${nameOfType(report.type)}, severity ${report.severity}` : 'Deleted report',
    said: said ?? report?.text ?? '',
    about: [
      `${name}${others > 0 ? ` and ${count(others, 'other')}` : ''}`,
      ...(kinds.length > 0 ? [`by ${formatList(kinds.map(nameOfKind))}`] : []),
    ].join(', '),
    more: `${count(about.length, 'report')}, waiting ${formatAge(nowMs - since)}`,
  };
}

/** What the digits do in a case of several reports. */
const ONE_ALONE = '1 to 9 that report alone, then u or r, ';

/** `orRequests`: if no dispute is open, shows the requests, if there are any. */
async function showOpen(request: PanelRequest, orRequests: boolean): Promise<PanelContent> {
  const { engine, fields, to, said } = request;
  const { content, lists, cases, requests, undo, kept } = await showLists(request, 'open');
  const asked = fields.get('case');
  const isAsked = ({ disputes }: DisputeCase): boolean => disputes.some(({ reportId }) => reportId === asked);
  const listed = cases.filter((one, n) => n < LISTED || isAsked(one));
  const at = Math.max(0, listed.findIndex(isAsked));
  const shown = listed[at];
  if (!shown && orRequests && requests > 0) return showRequests(request);
  if (!shown) return { ...content, body: [lists, undo, <Empty key="none">No dispute waits for a decision.</Empty>] };
  const reportIds = shown.disputes.map(({ reportId }) => reportId);
  const [known, record, alike, written] = await Promise.all([
    findKnown(
      request,
      listed.flatMap(({ disputes }) => disputes),
    ),
    engine.examineReports({ reportIds: reportIds.slice(0, MAX_REPORTS) }),
    engine.countAlike({ reportIds: reportIds.slice(0, MAX_REPORTS), effort: COUNTING_EFFORT }),
    engine.listPersonCases({ reportIds: reportIds.slice(0, MAX_REPORTS) }),
  ]);
  const next = (listed[at + 1] ?? listed[at - 1])?.caseId;
  return {
    ...content,
    body: (
      <>
        {lists}
        <Desk
          label="Cases to decide, the oldest first"
          said={said}
          undo={undo}
          more={cases.length - listed.length}
          lines={listed.map(({ caseId, disputes, kinds }, n) => ({
            ...toLine(known, disputes, disputes[0]!.openedAt, { kinds }),
            page: to(`disputes?case=${caseId}${kept}#case`),
            isCurrent: n === at,
          }))}
          keys={`Keys: j next, k previous, u uphold, r reject, ${reportIds.length > 1 ? ONE_ALONE : ''}z undo`}
        >
          <CaseToDecide
            disputes={shown.disputes.slice(0, MAX_REPORTS)}
            record={record}
            next={next}
            known={{ ...known, written, alike: new Map(alike.map((one) => [one.reportId, one])) }}
            requests={record.requests}
          />
        </Desk>
      </>
    ),
  };
}

async function showRequests(request: PanelRequest): Promise<PanelContent> {
  const { engine, fields, to, said } = request;
  const find = (requestId: string) => engine.listDisputeRequests({ requestId });
  const [{ content, lists, requests, undo, kept }, oldest, named] = await Promise.all([
    showLists(request, 'requests'),
    engine.listDisputeRequests(),
    find(request.refused?.fields.get('requestId') ?? fields.get('case') ?? ''),
  ]);
  // The oldest may have only a part of a case.
  const shown = named.length > 0 ? named : await find(oldest[0]?.requestId ?? '');
  if (!shown[0]) return { ...content, body: [lists, undo, <Empty key="none">No request waits.</Empty>] };
  const { requestId } = shown[0];
  const cases = [...groupBy(oldest, (one) => one.requestId).values()].slice(0, LISTED);
  const isShown = ([first]: readonly DisputeRequest[]): boolean => first!.requestId === requestId;
  const listed = cases.some(isShown) ? cases : [...cases, shown];
  const at = listed.findIndex(isShown);
  const reportIds = shown.map(({ reportId }) => reportId).slice(0, MAX_REPORTS);
  const [known, alike, numbered] = await Promise.all([
    findKnown(request, [...shown, ...listed.flat()]),
    engine.countAlike({ reportIds, effort: COUNTING_EFFORT }),
    engine.listPersonCases({ reportIds }),
  ]);
  const written = numbered.filter(({ requestIds }) => requestIds.includes(requestId));
  return {
    ...content,
    body: (
      <>
        {lists}
        <p>
          People ask for a dispute. They are not identified: judge by the reason. No score changes until you open a
          dispute.
        </p>
        <Desk
          label="Cases with a request, the oldest first"
          said={said}
          undo={undo}
          more={requests - listed.length}
          lines={listed.map((requested, n) => ({
            ...toLine(known, requested, requested[0]!.requestedAt, { said: requested[0]!.reason }),
            page: to(`disputes?list=requests&case=${requested[0]!.requestId}${kept}#case`),
            isCurrent: n === at,
          }))}
          keys="Keys: j next, k previous, o open a dispute, r refuse"
        >
          <CaseOfRequest
            requests={shown}
            next={(listed[at + 1] ?? listed[at - 1])?.[0]!.requestId}
            known={{ ...known, written, alike: new Map(alike.map((one) => [one.reportId, one])) }}
          />
        </Desk>
      </>
    ),
  };
}

async function showDecided(request: PanelRequest): Promise<PanelContent> {
  const { engine, to, said } = request;
  const { content, lists, disputes, decided } = await showLists(request, 'decided');
  const together = groupDecisions(undoable(request, disputes));
  const { rows, paging } = pageOf(request, 'disputes?list=decided', decided, ROWS);
  const reporters = await engine.listReporters({ reporterIds: rows.map(({ reporterId }) => reporterId) });
  const names = new Map(reporters.map(({ reporterId, name }) => [reporterId, name]));
  return {
    ...content,
    body: (
      <>
        {lists}
        <Spot id="case" said={said} />
        <DecidedDisputes
          disputes={rows}
          empty="No dispute was decided yet."
          extra={{
            title: 'Reporter',
            cell: ({ reporterId }) => (
              <a href={to(`reporters?id=${reporterId}`)}>{names.get(reporterId) ?? reporterId}</a>
            ),
          }}
          to={to}
          more={(dispute) => <Undo disputes={together.find(([first]) => first === dispute) ?? []} request={request} />}
        />
        {paging}
      </>
    ),
  };
}
