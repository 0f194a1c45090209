import type { ComponentChildren } from 'preact';
import type { Dispute, DisputeRequest } from '../../../core/domain/dispute.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import { groupBy } from '../../../core/domain/group-by.ts';
import { Facts, Moment, ReportText } from '../../web/parts.tsx';
import { DecidedDisputes, findRequests, QuotedText, splitDisputes } from '../decisions.tsx';
import { acting, typedIn } from '../fields.ts';
import { disputesAsCsv } from '../lists.ts';
import type { PanelPage, PanelRequest } from '../page.ts';
import { Confirm, Empty, Field, Lists, pageOf } from '../parts.tsx';

/** Disputes and requests are cards with forms. Decided disputes are rows. */
const CARDS = 20;
const ROWS = 100;

const LISTS = ['open', 'requests', 'decided'] as const;

/** Disputes to decide, requests for a dispute, and what was decided. */
export const DISPUTES: PanelPage = {
  path: 'disputes',
  title: 'Disputes',
  role: 'operator',
  csv: disputesAsCsv,

  async show(request) {
    const { engine, fields, to } = request;
    const [disputes, requests] = await Promise.all([engine.listDisputes(), findRequests(engine)]);
    const { open, decided } = splitDisputes(disputes);
    const asked = groupByReport(requests);
    const list = LISTS.find((one) => one === fields.get('list')) ?? 'open';
    const page = `disputes?list=${list}`;
    const pages = {
      open: pageOf(request, page, open, CARDS),
      requests: pageOf(request, page, asked, CARDS),
      decided: pageOf(request, page, decided, ROWS),
    };
    const shown: readonly Pick<Dispute, 'reportId' | 'reporterId'>[] = pages[list].rows;
    const [reporters, reports] = await Promise.all([
      engine.listReporters({ reporterIds: shown.map(({ reporterId }) => reporterId) }),
      list === 'decided' ? [] : engine.findReports({ reportIds: [...new Set(shown.map(({ reportId }) => reportId))] }),
    ]);
    const known: Known = {
      request,
      names: new Map(reporters.map(({ reporterId, name }) => [reporterId, name])),
      reports: new Map(reports.map((report) => [report.reportId, report])),
    };
    return {
      title: 'Disputes',
      body: (
        <>
          <Lists
            label="Lists of disputes"
            lists={[
              { name: `To decide (${open.length})`, list: 'open', page: to('disputes') },
              { name: `Requests (${requests.length})`, list: 'requests', page: to('disputes?list=requests') },
              { name: `Decided (${decided.length})`, list: 'decided', page: to('disputes?list=decided') },
            ].map((one) => ({ ...one, isCurrent: one.list === list }))}
          />
          {list === 'open' && <Open disputes={pages.open.rows} asked={asked} known={known} />}
          {list === 'requests' && <Requested asked={pages.requests.rows} known={known} />}
          {list === 'decided' && (
            <DecidedDisputes
              disputes={pages.decided.rows}
              empty="No dispute was decided yet."
              extra={{
                title: 'Reporter',
                cell: ({ reporterId }) => (
                  <a href={to(`reporters?id=${reporterId}`)}>{known.names.get(reporterId) ?? reporterId}</a>
                ),
              }}
              showsOperator
            />
          )}
          {pages[list].paging}
        </>
      ),
    };
  },

  actions: {
    uphold: acting(
      ({ engine, visitor: { name: by } }, field) =>
        engine.decideDispute({ reportId: field('reportId'), upheld: true, by }),
      'The dispute was upheld. The report does not count any more, and is not shown.',
    ),
    reject: acting(
      ({ engine, visitor: { name: by } }, field) =>
        engine.decideDispute({ reportId: field('reportId'), upheld: false, by }),
      'The dispute was rejected. The report counts as before.',
    ),
    open: acting(
      ({ engine, visitor: { name: by } }, field) =>
        engine.openDispute({ reportId: field('reportId'), reason: field('reason'), by }),
      // The list of open disputes follows.
      () => ({ message: 'The dispute is open. Until you decide it, the report counts half.', query: '' }),
    ),
    refuse: acting(
      ({ engine, visitor: { name: by } }, field) =>
        engine.refuseDisputeRequest({ requestId: field('requestId'), reportId: field('reportId'), by }),
      'The request was deleted. No score has changed.',
    ),
    // Only those that the page has shown. Others stay: the operator has not seen them.
    'refuse-all': acting(
      ({ engine, visitor: { name: by } }, field) =>
        engine.refuseDisputeRequests({ reportId: field('reportId'), requestIds: field('requestIds').split(','), by }),
      ({ refused }) => ({
        message: `${count(refused, 'request was', 'requests were')} deleted. No score has changed.`,
      }),
    ),
  },
};

function Open({
  disputes,
  asked,
  known,
}: {
  readonly disputes: readonly Dispute[];
  readonly asked: readonly RequestedReport[];
  readonly known: Known;
}) {
  const { request, names, reports } = known;
  const { form, to } = request;
  if (disputes.length === 0) return <Empty>No dispute waits for a decision.</Empty>;
  return (
    <>
      {disputes.map(({ reportId, reporterId, openedAt, openedBy, reason, answer, answeredAt }) => {
        const name = names.get(reporterId) ?? reporterId;
        const more = asked.find((one) => one.reportId === reportId);
        return (
          <ReportCard key={reportId} report={reports.get(reportId)} {...{ reportId, reporterId, name, to }}>
            <Facts
              of={[
                [
                  'Disputed',
                  <>
                    <Moment at={openedAt} /> by {openedBy}
                  </>,
                ],
                ['Reason', <QuotedText text={reason} orElse="deleted with the report" />],
                ['Answer of the reporter', <QuotedText text={answer ?? ''} orElse="none yet" at={answeredAt} />],
              ]}
            />
            {more && (
              <p class="quiet">
                {count(more.requests.length, 'request')} about this report arrived since. See{' '}
                <a href={to('disputes?list=requests')}>Requests</a>.
              </p>
            )}
            <Confirm
              ask="Uphold: the report is wrong"
              effect={`The report will not count or be shown any more, and the standing of ${name} falls.`}
              act={form('uphold')}
              page={to('disputes')}
              ids={{ reportId }}
              button="Uphold the dispute"
              kind="danger"
            />
            <Confirm
              ask="Reject: the report is right"
              effect="The report will count in full again, as before the dispute. You can open another dispute later."
              act={form('reject')}
              page={to('disputes')}
              ids={{ reportId }}
              button="Reject the dispute"
            />
          </ReportCard>
        );
      })}
    </>
  );
}

/** What the lists of disputes and of requests are made of. */
interface Known {
  readonly request: PanelRequest;
  readonly names: ReadonlyMap<string, string>;
  readonly reports: ReadonlyMap<string, PublicReport>;
}

/** The requests about one report. */
interface RequestedReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly requests: readonly DisputeRequest[];
}

/** Groups requests, oldest first, by their report. The report whose first request is the oldest comes first. */
function groupByReport(requests: readonly DisputeRequest[]): RequestedReport[] {
  return [...groupBy(requests, ({ reportId }) => reportId)].map(([reportId, of]) => ({
    reportId,
    reporterId: of[0]!.reporterId,
    requests: of,
  }));
}

/** The requests of persons, by report: the operator opens a dispute, or refuses a request. */
function Requested({ asked, known }: { readonly asked: readonly RequestedReport[]; readonly known: Known }) {
  const { request, names, reports } = known;
  const { form, to } = request;
  const page = to('disputes?list=requests');
  if (asked.length === 0) return <Empty>No request waits.</Empty>;
  return (
    <>
      <p>
        People ask for a dispute about a report. They are not identified: judge by the reason. No score changes until
        you open a dispute.
      </p>
      {asked.map(({ reportId, reporterId, requests }) => (
        <ReportCard
          key={reportId}
          report={reports.get(reportId)}
          name={names.get(reporterId) ?? reporterId}
          {...{ reportId, reporterId, to }}
        >
          <h3>{count(requests.length, 'request')}</h3>
          <ul class="plain">
            {requests.map(({ requestId, requestedAt, reason }) => (
              <li key={requestId}>
                <p class="said">{reason}</p>
                <p class="quiet">
                  <Moment at={requestedAt} />
                </p>
                <Confirm
                  ask="Refuse this request"
                  effect="The request is deleted. No score changes, and the person gets no message."
                  act={form('refuse')}
                  page={page}
                  ids={{ requestId, reportId }}
                  button="Delete the request"
                  kind="danger"
                />
              </li>
            ))}
          </ul>
          {requests.length > 1 && (
            <Confirm
              ask={`Refuse all ${requests.length} requests`}
              effect="The requests that this page shows about the report are deleted. No score changes, and no person gets a message."
              act={form('refuse-all')}
              page={page}
              ids={{ reportId, requestIds: requests.map(({ requestId }) => requestId).join() }}
              button="Delete all requests"
              label={`Delete all requests about the report ${reportId}`}
              kind="danger"
            />
          )}
          <Confirm
            ask="Open a dispute"
            isOpen={typedIn(request, 'open', { reportId })('reason').value !== undefined}
            effect={
              'Until you decide, the report counts half. The reporter sees the reason and can answer. ' +
              'The requests about this report are deleted.'
            }
            act={form('open')}
            page={page}
            ids={{ reportId }}
            button="Open the dispute"
            kind="primary"
          >
            <Field
              name="reason"
              id={`reason-${reportId}`}
              label="Reason for the dispute"
              hint="Leave out names, addresses and numbers of the person."
              type="lines"
              value={requests[0]!.reason}
              maxLength={500}
              required
              {...typedIn(request, 'open', { reportId })('reason')}
            />
          </Confirm>
        </ReportCard>
      ))}
    </>
  );
}

/** A report with the text that its reporter wrote, and what the operator can do about it. */
function ReportCard({
  report,
  reportId,
  reporterId,
  name,
  to,
  children,
}: {
  /** Undefined after the report was deleted. */
  readonly report: PublicReport | undefined;
  readonly reportId: string;
  readonly reporterId: string;
  readonly name: string;
  readonly to: PanelRequest['to'];
  readonly children: ComponentChildren;
}) {
  const reporter = <a href={to(`reporters?id=${reporterId}`)}>{name}</a>;
  const id = <code class="quiet">{reportId}</code>;
  return (
    <article class="card report">
      {report ? (
        <>
          <ReportText report={report} heading="h2">
            {id}
          </ReportText>
          <p class="quiet">
            {reporter}, <Moment at={report.createdAt} />
          </p>
        </>
      ) : (
        <>
          <header>
            <h2>Deleted report</h2>
            {id}
          </header>
          <p>{reporter} has deleted this report. A decision still counts for its standing.</p>
        </>
      )}
      {children}
    </article>
  );
}
