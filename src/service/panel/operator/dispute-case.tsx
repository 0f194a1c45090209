import type { ComponentChildren } from 'preact';
import type { Dispute, DisputeRequest } from '../../../core/domain/dispute.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import type { CaseRecord } from '../../../operator/dispute-cases.ts';
import type { AlikeReports } from '../../../operator/disputes.ts';
import type { WrittenCase } from '../../../operator/person-cases.ts';
import { Facts, Moment, ReportText } from '../../web/parts.tsx';
import { QuotedText } from '../decisions.tsx';
import { typedIn } from '../fields.ts';
import type { FormIds } from '../forms.ts';
import type { PanelRequest } from '../page.ts';
import { ActionForm, Confirm, Empty, Field, pageOf } from '../parts.tsx';

/** Names of tick boxes begin with this. The id of the report follows. */
export const ABOUT = 'about-';

/** What the lists of disputes and of requests are made of. */
export interface Known {
  readonly request: PanelRequest;
  readonly names: ReadonlyMap<string, string>;
  readonly reports: ReadonlyMap<string, PublicReport>;
  /** Numbers of reports of the same reporter about the same person, by the report that is disputed or deleted. */
  readonly alike?: ReadonlyMap<string, AlikeReports>;
  /** Cases of persons who have a number: they can be answered. */
  readonly written?: readonly WrittenCase[];
}

/** One case: what the person and the reporters say, what a decision changes, and the record beside it. */
export function CaseToDecide({
  disputes,
  record,
  next,
  known,
  requests,
}: {
  /** About the reports on one person, oldest first. */
  readonly disputes: readonly Dispute[];
  readonly record: CaseRecord;
  /** The case that follows a decision; undefined after the last one. */
  readonly next: string | undefined;
  readonly known: Known;
  /** Requests about these reports that arrived since. */
  readonly requests: number;
}) {
  const { to } = known.request;
  const isOne = disputes.length === 1;
  return (
    <div class="case">
      <div>
        {disputes.map((dispute) => (
          <Disputed key={dispute.reportId} dispute={dispute} known={known}>
            {!isOne && (
              <details class="confirm">
                <summary>Decide about this report alone</summary>
                <Decision
                  disputes={[dispute]}
                  next={disputes.find((other) => other !== dispute)?.reportId}
                  known={known}
                />
              </details>
            )}
          </Disputed>
        ))}
        {requests > 0 && (
          <p class="quiet">
            {count(requests, 'request')} about this case arrived since. See{' '}
            <a href={to('disputes?list=requests')}>Requests</a>.
          </p>
        )}
      </div>
      <div>
        <div class="card">
          <Written known={known} page={`disputes?case=${disputes[0]!.reportId}`} />
          <h2>{isOne ? 'Your decision' : `Your decision about all ${disputes.length} reports`}</h2>
          <Effect record={record} isOne={isOne} />
          <Decision disputes={disputes} next={next} known={known} hasKeys />
        </div>
        <Record record={record} />
      </div>
    </div>
  );
}

function Disputed({
  dispute: { reportId, reporterId, openedAt, openedBy, reason, answer, answeredAt },
  known,
  children,
}: {
  readonly dispute: Dispute;
  readonly known: Known;
  readonly children: ComponentChildren;
}) {
  return (
    <ReportCard {...{ reportId, reporterId }} known={known}>
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
      {children}
    </ReportCard>
  );
}

/** The points of the person before and after. */
function Effect({ record: { points }, isOne }: { readonly record: CaseRecord; readonly isOne: boolean }) {
  return (
    <>
      {points && (
        <dl class="figures small">
          <div>
            <dt>Points now</dt>
            <dd>{points.now}</dd>
          </div>
          <div>
            <dt>If upheld</dt>
            <dd>{points.ifUpheld}</dd>
          </div>
          <div>
            <dt>If rejected</dt>
            <dd>{points.ifRejected}</dd>
          </div>
        </dl>
      )}
      <p class="quiet">
        {isOne
          ? 'Upheld: the report does not count, and the standing of its reporter falls. Rejected: it counts in full again. You can dispute it again later.'
          : 'Upheld: the reports do not count, and the standings of their reporters fall. Rejected: they count in full again. You can dispute them again later.'}
      </p>
    </>
  );
}

/** Cases whose messages are shown at once. */
const CASES = 10;
/** The newest messages of a case. Earlier ones are behind a link. */
const MESSAGES = 4;

/** What persons and the operator have written since the requests, the newest case first. `page` leads here. */
function Written({ known: { request, written = [] }, page }: { readonly known: Known; readonly page: string }) {
  const lastOf = ({ messages }: WrittenCase): number => messages.at(-1)?.at ?? 0;
  const cases = written.filter((one) => lastOf(one) > 0).sort((a, b) => lastOf(b) - lastOf(a));
  if (cases.length === 0) return null;
  const { rows, paging } = pageOf(request, page, cases, CASES);
  const from = request.fields.get('from');
  const asked = request.fields.get('messages');
  return (
    <section id="messages" aria-label="Messages">
      <h2>Messages</h2>
      {rows.map(({ caseId, messages }) => {
        const earlier = caseId === asked ? 0 : Math.max(0, messages.length - MESSAGES);
        const all = `${page}${from === undefined ? '' : `&from=${from}`}&messages=${caseId}#messages`;
        return (
          <div key={caseId}>
            {earlier > 0 && (
              <p class="quiet">
                <a href={request.to(all)}>… {count(earlier, 'earlier message')}</a>
              </p>
            )}
            {messages.slice(earlier).map(({ fromOperator, at, text }) => (
              <p key={`${fromOperator}${at}${text}`}>
                <strong>{fromOperator ? 'You' : 'The person'}:</strong> <QuotedText text={text} at={at} />
              </p>
            ))}
          </div>
        );
      })}
      {cases.length > CASES && paging}
    </section>
  );
}

/** The optional answer of a form, if a person can read it. */
function AnswerField({
  known: { request, written = [] },
  action,
  ids,
  id,
}: {
  readonly known: Known;
  readonly action: string;
  readonly ids: FormIds;
  readonly id: string;
}) {
  if (written.length === 0) return null;
  const typed = typedIn(request, action, ids)('answer');
  return (
    <details open={typed.error !== undefined}>
      <summary>Answer to the person (optional)</summary>
      <Field
        name="answer"
        label="Your answer, which reporters do not see"
        hint={`${
          action === 'refuse' ? 'Who sent this request reads it' : 'All who asked about these reports read it'
        } with a case number. At most 500 characters.`}
        type="lines"
        maxLength={500}
        {...typed}
        id={id}
      />
    </details>
  );
}

/** The two buttons. */
function Decision({
  disputes,
  next,
  known,
  hasKeys = false,
}: {
  readonly disputes: readonly Dispute[];
  readonly next: string | undefined;
  readonly known: Known;
  /** True for the buttons that single keys press. */
  readonly hasKeys?: boolean;
}) {
  const {
    request: { form, to },
    alike,
  } = known;
  const reportIds = disputes.map(({ reportId }) => reportId).join();
  const ids = { reportIds, ...(next === undefined ? {} : { next }) };
  const suffix = `${hasKeys ? '' : 'one-'}${disputes[0]!.reportId}`;
  const page = to(`disputes?case=${disputes[0]!.reportId}`);
  // Disputes about reports of one reporter have the same earlier reports, as a rule.
  const most = new Map<string, number>();
  for (const { reportId, reporterId } of disputes)
    most.set(reporterId, Math.max(most.get(reporterId) ?? 0, alike?.get(reportId)?.reports ?? 0));
  const earlier = [...most.values()].reduce((sum, number) => sum + number, 0);
  const isCut = disputes.some(({ reportId }) => alike?.get(reportId)?.isCut);
  const all = disputes.length > 1 ? ` all ${disputes.length}` : ' the dispute';
  return (
    <div class="actions">
      <ActionForm
        act={form('uphold')}
        page={page}
        ids={ids}
        id={`form-uphold-${suffix}`}
        back="case"
        button={`Uphold${all}`}
        kind="danger"
        keyName={hasKeys ? 'u' : undefined}
        after={<AnswerField known={known} action="uphold" ids={ids} id={`answer-uphold-${suffix}`} />}
      >
        {(earlier > 0 || isCut) && <Alike id={`alike-${suffix}`} earlier={earlier} isCut={isCut} />}
      </ActionForm>
      <ActionForm
        act={form('reject')}
        page={page}
        ids={ids}
        id={`form-reject-${suffix}`}
        back="case"
        button={`Reject${all}`}
        keyName={hasKeys ? 'r' : undefined}
        after={<AnswerField known={known} action="reject" ids={ids} id={`answer-reject-${suffix}`} />}
      />
    </div>
  );
}

/** Whether a decision is also about earlier reports of the same reporters about the same person. */
function Alike({ id, earlier, isCut }: { readonly id: string; readonly earlier: number; readonly isCut: boolean }) {
  const number =
    earlier === 0 ? 'any earlier reports' : `${isCut ? 'at least ' : ''}${count(earlier, 'earlier report')}`;
  return (
    <div class="check">
      <input type="checkbox" id={id} name="alike" value="yes" aria-describedby={`${id}-hint`} />
      <div>
        <label for={id}>Also {number} about the same person</label>
        <p class="hint" id={`${id}-hint`}>
          Without this, they go on to count. All together cost a reporter one claim.
        </p>
      </div>
    </div>
  );
}

/** The other reports about the person. */
function Record({ record: { others, otherReports, organisations } }: { readonly record: CaseRecord }) {
  return (
    <section class="after" aria-labelledby="record">
      <h2 id="record">The record of this person</h2>
      {others.length === 0 ? (
        <Empty>No other report about this person counts.</Empty>
      ) : (
        <div class="card">
          <p class="quiet">
            {count(otherReports, 'other report')}, {count(organisations, 'organisation')} in all.
          </p>
          <ul class="plain">
            {others.map((report) => (
              <li key={report.reportId} class="report">
                <ReportText report={report} />
                <p class="quiet">
                  {report.reporter}, <Moment at={report.createdAt} />
                </p>
              </li>
            ))}
          </ul>
          {otherReports > others.length && <p class="quiet">{otherReports - others.length} more are not shown.</p>}
        </div>
      )}
    </section>
  );
}

/** Characters of a report in one line. */
const EXCERPT = 60;

function excerptOf(report: PublicReport | undefined): string {
  if (!report) return 'a deleted report';
  const characters = [...report.text];
  return characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join('')}…` : report.text;
}

/** Reports that one form can name. A form has at most 32 fields. */
const MAX_ASKED = 20;

/** What one person asks about one identifier: the operator opens disputes about its reports, or refuses. */
export function CaseOfRequest({
  requests,
  next,
  known,
}: {
  /** Of one `requestId`, one for each report. */
  readonly requests: readonly DisputeRequest[];
  readonly next: string | undefined;
  readonly known: Known;
}) {
  const { request } = known;
  const { form, to } = request;
  const { requestId, requestedAt } = requests[0]!;
  const asked = requests.slice(0, MAX_ASKED);
  const page = to(`disputes?list=requests&case=${requestId}`);
  const reportIds = asked.map(({ reportId }) => reportId).join();
  const refusal = { requestId, reportIds, ...(next === undefined ? {} : { next }) };
  const typed = typedIn(request, 'open', { requestId });
  const about = typed('about');
  // Without a refused form, all are ticked.
  const isTicked = (reportId: string): boolean =>
    typed('reason').value === undefined || typed(`${ABOUT}${reportId}`).value === 'yes';
  const reasons = [...new Set(requests.map(({ reason }) => reason))];
  return (
    <>
      <div class="card">
        <h2>What the person says</h2>
        {reasons.map((reason) => (
          <p key={reason} class="said">
            {reason}
          </p>
        ))}
        <p class="quiet">
          <Moment at={requestedAt} />
        </p>
        <Written known={known} page={`disputes?list=requests&case=${requestId}`} />
        <Confirm
          ask={asked.length === 1 ? 'Open a dispute' : 'Open disputes'}
          effect={
            'Until you decide, a disputed report counts half. Its reporter sees the reason and can answer. ' +
            'The requests about it are deleted.'
          }
          act={form('open')}
          page={page}
          ids={{ requestId }}
          button={asked.length === 1 ? 'Open the dispute' : 'Open the disputes'}
          kind="primary"
          keyName="o"
        >
          {asked.length === 1 ? (
            <input type="hidden" name={`${ABOUT}${asked[0]!.reportId}`} value="yes" />
          ) : (
            <fieldset
              class="field"
              id={about.id}
              tabIndex={-1}
              aria-describedby={about.error === undefined ? undefined : `${about.id}-error`}
            >
              <legend>About which reports?</legend>
              {about.error !== undefined && (
                <p class="error" id={`${about.id}-error`}>
                  {about.error}
                </p>
              )}
              {asked.map(({ reportId, reporterId }) => (
                <div class="check" key={reportId}>
                  <input
                    type="checkbox"
                    id={`${ABOUT}${reportId}`}
                    name={`${ABOUT}${reportId}`}
                    value="yes"
                    checked={isTicked(reportId)}
                  />
                  <label for={`${ABOUT}${reportId}`}>
                    {known.names.get(reporterId) ?? 'A reporter'}: {excerptOf(known.reports.get(reportId))}
                  </label>
                </div>
              ))}
            </fieldset>
          )}
          <Field
            name="reason"
            label="Reason for the dispute"
            hint="Leave out names, addresses and numbers of the person."
            type="lines"
            value={requests[0]!.reason}
            maxLength={500}
            required
            {...typed('reason')}
          />
        </Confirm>
        <Confirm
          ask="Refuse the request"
          effect="The request is deleted. No score changes. Only with an answer, the person learns that reports match."
          act={form('refuse')}
          page={page}
          ids={refusal}
          back="case"
          button="Delete the request"
          kind="danger"
          keyName="r"
          after={<AnswerField known={known} action="refuse" ids={refusal} id="answer-refuse" />}
        />
      </div>
      {requests.map(({ reportId, reporterId }) => (
        <ReportCard key={reportId} {...{ reportId, reporterId }} known={known} />
      ))}
    </>
  );
}

/** A report with the text that its reporter wrote, and what the operator can do about it. */
function ReportCard({
  reportId,
  reporterId,
  known: { request, names, reports, alike },
  children,
}: {
  readonly reportId: string;
  readonly reporterId: string;
  readonly known: Known;
  readonly children?: ComponentChildren;
}) {
  // Undefined after the report was deleted.
  const report = reports.get(reportId);
  const again = alike?.get(reportId);
  const reporter = <a href={request.to(`reporters?id=${reporterId}`)}>{names.get(reporterId) ?? reporterId}</a>;
  return (
    <article class="card report">
      {report ? (
        <ReportText report={report} heading="h2" />
      ) : (
        <header>
          <h2>Deleted report</h2>
        </header>
      )}
      <p class="quiet">
        {reporter}
        {report && (
          <>
            , <Moment at={report.createdAt} />
          </>
        )}
        . Report <code>{reportId}</code>
      </p>
      {!report && <p>The report was deleted. A decision still counts for the standing of its reporter.</p>}
      {!report && children === undefined && again && again.reports > 0 && (
        <p>
          Its reporter has {again.isCut && 'at least '}
          {count(again.reports, 'report')} about the same person. Those since the deletion are decided with it.
        </p>
      )}
      {children}
    </article>
  );
}
