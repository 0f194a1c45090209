import type { Dispute } from '../../../core/domain/dispute.ts';
import { accept } from '../../../core/domain/refusal.ts';
import { count } from '../../../core/domain/text.ts';
import { Moment } from '../../web/parts.tsx';
import { DecidedDisputes, splitDisputes } from '../decisions.tsx';
import { Lists, ListPaging, readWhole } from '../lists.tsx';
import type { PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Confirm, Empty } from '../parts.tsx';
import { findRequests } from '../requests.ts';
import { groupByReport, refuseShown, Requested, type Asked, type Known } from './dispute-requests.tsx';
import { ReportCard, Said } from './report-card.tsx';

/** Disputes and requests are cards with forms. Decided disputes are rows. */
const CARDS = 20;
const ROWS = 100;

const LISTS = ['open', 'requests', 'decided'] as const;

/** Disputes to decide, requests for a dispute, and what was decided. */
export const DISPUTES: PanelPage = {
  path: 'disputes',
  title: 'Disputes',
  role: 'operator',

  async show(request) {
    const { engine, fields, to } = request;
    const [disputes, requests] = await Promise.all([engine.listDisputes(), findRequests(engine)]);
    const { open, decided } = splitDisputes(disputes);
    const asked = groupByReport(requests);
    const list = LISTS.find((one) => one === fields.get('list')) ?? 'open';
    const from = readWhole(fields.get('from'), 0, 1e9) ?? 0;
    const { all, most }: { all: readonly Pick<Dispute, 'reportId' | 'reporterId'>[]; most: number } = {
      open: { all: open, most: CARDS },
      requests: { all: asked, most: CARDS },
      decided: { all: decided, most: ROWS },
    }[list];
    const shown = all.slice(from, from + most);
    const [reporters, reports] = await Promise.all([
      engine.listReporters({ reporterIds: shown.map(({ reporterId }) => reporterId) }),
      list === 'decided' ? [] : engine.findReports({ reportIds: [...new Set(shown.map(({ reportId }) => reportId))] }),
    ]);
    const known: Known = {
      request,
      names: new Map(reporters.map(({ reporterId, name }) => [reporterId, name])),
      reports: new Map(reports.map((report) => [report.reportId, report])),
    };
    const pageAt = (at: number): string => to(`disputes?list=${list}&from=${at}`);
    return {
      title: 'Disputes',
      body: (
        <>
          <Lists
            label="Lists of disputes"
            lists={[
              { name: `To decide (${open.length})`, page: to('disputes'), isCurrent: list === 'open' },
              {
                name: `Requests (${requests.length})`,
                page: to('disputes?list=requests'),
                isCurrent: list === 'requests',
              },
              { name: `Decided (${decided.length})`, page: to('disputes?list=decided'), isCurrent: list === 'decided' },
            ]}
          />
          {list === 'open' && <Open disputes={open.slice(from, from + most)} asked={asked} known={known} />}
          {list === 'requests' && <Requested asked={asked.slice(from, from + most)} known={known} />}
          {list === 'decided' && (
            <DecidedDisputes
              disputes={decided.slice(from, from + most)}
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
          <ListPaging from={from} most={most} all={all.length} pageAt={pageAt} />
        </>
      ),
    };
  },

  actions: {
    uphold: (request) => decide(request, true),
    reject: (request) => decide(request, false),

    async open({ engine, fields, visitor }) {
      const opened = await engine.openDispute({
        reportId: fields.get('reportId') ?? '',
        reason: fields.get('reason') ?? '',
        by: visitor.name,
      });
      // The list of open disputes follows.
      return opened.ok
        ? accept({ message: 'The dispute is open. Until you decide it, the report counts half.', query: '' })
        : opened;
    },

    async refuse({ engine, fields, visitor }) {
      const refused = await engine.refuseDisputeRequest({
        requestId: fields.get('requestId') ?? '',
        reportId: fields.get('reportId') ?? '',
        by: visitor.name,
      });
      return refused.ok ? accept({ message: 'The request was deleted. No score has changed.' }) : refused;
    },

    'refuse-all': refuseShown,
  },
};

async function decide({ engine, fields, visitor }: PanelRequest, upheld: boolean) {
  const decided = await engine.decideDispute({ reportId: fields.get('reportId') ?? '', upheld, by: visitor.name });
  if (!decided.ok) return decided;
  return accept({
    message: upheld
      ? 'The dispute was upheld. The report does not count any more, and is not shown.'
      : 'The dispute was rejected. The report counts as before.',
  });
}

function Open({
  disputes,
  asked,
  known,
}: {
  readonly disputes: readonly Dispute[];
  readonly asked: readonly Asked[];
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
            <dl class="facts">
              <dt>Disputed</dt>
              <dd>
                <Moment at={openedAt} /> by {openedBy}
              </dd>
              <dt>Reason</dt>
              <dd>{reason === '' ? <span class="quiet">deleted with the report</span> : <Said text={reason} />}</dd>
              <dt>Answer of the reporter</dt>
              <dd>
                {answer === null ? <span class="quiet">none yet</span> : <Said text={answer} />}
                {answeredAt !== null && (
                  <span class="quiet">
                    {' '}
                    (<Moment at={answeredAt} />)
                  </span>
                )}
              </dd>
            </dl>
            {more && (
              <p class="quiet">
                {count(more.requests.length, 'request')} about this report arrived since. See{' '}
                <a href={to('disputes?list=requests')}>Requests</a>.
              </p>
            )}
            <Confirm
              ask="Uphold: the report is wrong"
              effect={`The report will not count or be shown any more, and the standing of ${name} falls.`}
            >
              <ActionForm
                act={form('uphold')}
                page={to('disputes')}
                ids={{ reportId }}
                button="Uphold the dispute"
                kind="danger"
              />
            </Confirm>
            <Confirm
              ask="Reject: the report is right"
              effect="The report will count in full again, as before the dispute. You can open another dispute later."
            >
              <ActionForm act={form('reject')} page={to('disputes')} ids={{ reportId }} button="Reject the dispute" />
            </Confirm>
          </ReportCard>
        );
      })}
    </>
  );
}
