import type { Dispute, DisputeRequest } from '../../../core/domain/dispute.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { Facts, Moment, ReportText } from '../../web/parts.tsx';
import { DecidedDisputes, QuotedText, splitDisputes } from '../decisions.tsx';
import { acting, ownId, typedIn } from '../fields.ts';
import { disputesAsCsv } from '../lists.ts';
import type { PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Empty, Field } from '../parts.tsx';

/** Code points of an answer. */
const ANSWER_CHARACTERS = 500;
/** Disputes and requests that are shown. What waits longest comes first. */
const MAX_SHOWN = 50;
/** Decided disputes that are shown, newest decision first. */
const MAX_DECIDED = 20;

/** What people say against the reporter's reports: open disputes, which it can answer, requests, and decisions. */
export const OWN_DISPUTES: PanelPage = {
  path: 'disputes',
  title: 'Disputes',
  role: 'reporter',
  csv: disputesAsCsv,
  async show(request) {
    const { engine, visitor } = request;
    const reporterId = ownId(visitor);
    const [disputes, waiting, all] = await Promise.all([
      engine.listDisputes({ reporterId }),
      engine.listDisputeRequests({ reporterId, limit: MAX_SHOWN }),
      engine.countWaiting({ reporterId }),
    ]);
    const { open, decided } = splitDisputes(disputes);
    const shownOpen = open.slice(0, MAX_SHOWN);
    const reportIds = [...new Set([...shownOpen, ...waiting].map(({ reportId }) => reportId))];
    const reports = new Map((await engine.findReports({ reportIds })).map((report) => [report.reportId, report]));
    return {
      title: 'Disputes',
      body: (
        <>
          <p>
            The operator of the service decides. Until then, a disputed report counts half. A report that was found
            wrong does not count, and lowers your standing.
          </p>
          <h2>Open disputes</h2>
          {open.length === 0 && <Empty>No dispute about a report of yours is open.</Empty>}
          {shownOpen.map((dispute) => (
            <OpenDispute
              key={dispute.reportId}
              dispute={dispute}
              report={reports.get(dispute.reportId)}
              request={request}
            />
          ))}
          <More shown={shownOpen.length} all={open.length} />
          <h2>Requests for a dispute</h2>
          {waiting.length === 0 && <Empty>No request about your reports waits.</Empty>}
          {waiting.length > 0 && (
            <p>
              A person asks the operator to open a dispute. No score changes until the operator does. If the person is
              right, delete the report.
            </p>
          )}
          {waiting.map((one) => (
            <Waiting
              key={one.requestId + one.reportId}
              asked={one}
              report={reports.get(one.reportId)}
              to={request.to}
            />
          ))}
          <More shown={waiting.length} all={all.requests} />
          <h2>Decided</h2>
          <DecidedDisputes
            disputes={decided.slice(0, MAX_DECIDED)}
            empty="No dispute about a report of yours was decided yet."
            extra={{
              title: 'Meaning',
              isBlock: true,
              cell: ({ upheld }) =>
                upheld === true
                  ? 'The report was wrong: it does not count, and your standing falls.'
                  : 'The report was right: the dispute changes no score any more.',
            }}
          />
          <More shown={Math.min(decided.length, MAX_DECIDED)} all={decided.length} />
        </>
      ),
    };
  },
  actions: {
    'answer-dispute': acting(
      ({ engine, visitor }, field) =>
        engine.answerDispute({
          reportId: field('reportId'),
          reporterId: ownId(visitor),
          answer: field('answer'),
          by: visitor.name,
        }),
      'The operator sees your answer with the dispute.',
      { 'invalid-note': 'answer', limited: 'answer' },
    ),
  },
};

function OpenDispute({
  dispute: { reportId, openedAt, reason, answer, answeredAt },
  report,
  request,
}: {
  readonly dispute: Dispute;
  readonly report: PublicReport | undefined;
  readonly request: PanelRequest;
}) {
  const { form, to } = request;
  return (
    <article class="card report">
      <Disputed reportId={reportId} report={report} />
      <Facts
        of={[
          ['Disputed', <Moment at={openedAt} />],
          ['Reason', <QuotedText text={reason} orElse="deleted with the report" />],
          [
            'Your answer',
            answer === null || answeredAt === null ? undefined : <QuotedText text={answer} at={answeredAt} />,
          ],
        ]}
      />
      {report && (
        <ActionForm act={form('answer-dispute')} page={to('disputes')} ids={{ reportId }} button="Send the answer">
          <Field
            name="answer"
            label={answer === null ? 'Your answer' : 'A new answer in place of the first'}
            hint={`Why the report is right, or what was wrong. At most ${ANSWER_CHARACTERS} characters. Only the operator sees it.`}
            type="lines"
            maxLength={ANSWER_CHARACTERS}
            required
            {...typedIn(request, 'answer-dispute', { reportId })('answer')}
          />
        </ActionForm>
      )}
    </article>
  );
}

function Waiting({
  asked: { reportId, requestedAt, reason },
  report,
  to,
}: {
  readonly asked: DisputeRequest;
  readonly report: PublicReport | undefined;
  readonly to: PanelRequest['to'];
}) {
  return (
    <article class="card report">
      <Disputed reportId={reportId} report={report} />
      <Facts
        of={[
          ['Asked', <Moment at={requestedAt} />],
          ['Reason', <QuotedText text={reason} />],
        ]}
      />
      {report && (
        <p class="actions">
          <a class="button" href={to(`reports?id=${reportId}`)} aria-label={`Delete the report ${reportId}`}>
            Delete the report
          </a>
        </p>
      )}
    </article>
  );
}

function Disputed({ reportId, report }: { readonly reportId: string; readonly report: PublicReport | undefined }) {
  return (
    <>
      {report ? (
        <ReportText report={report} />
      ) : (
        <header>
          <h3>Deleted report</h3>
        </header>
      )}
      <p class="quiet">
        Report <code>{reportId}</code>
      </p>
    </>
  );
}

function More({ shown, all }: { readonly shown: number; readonly all: number }) {
  if (shown === all) return null;
  return (
    <p class="quiet">
      The first {shown} of {all} are shown.
    </p>
  );
}
