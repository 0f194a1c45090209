import type { ComponentChildren } from 'preact';
import type { Dispute, DisputeRequest } from '../../../core/domain/dispute.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import type { CaseRecord } from '../../../operator/dispute-cases.ts';
import { Facts, Moment, ReportText } from '../../web/parts.tsx';
import { QuotedText } from '../decisions.tsx';
import { typedIn } from '../fields.ts';
import { idOf } from '../forms.ts';
import { ActionForm, Confirm, Empty, Field } from '../parts.tsx';
import { AnswerField, idOfCard, nameReport, Written, WriteToPersons, type Known } from './messages.tsx';

/** True if the person does not say the same of all reports. */
export function haveDifferentReasons(requests: readonly DisputeRequest[]): boolean {
  return requests.some(({ reason }) => reason !== requests[0]!.reason);
}

/** Reports of a case whose steps have a key: digits. */
const NUMBERED = 9;

/** Names of tick boxes begin with this. The id of the report follows. */
export const ABOUT = 'about-';

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
        {disputes.map((dispute, n) => (
          <Disputed key={dispute.reportId} dispute={dispute} known={known}>
            {!isOne && (
              // While it is open, the keys of the buttons are about this report.
              <details class="confirm" data-alone>
                <summary data-key={n < NUMBERED ? n + 1 : undefined}>
                  Decide about this report alone{n < NUMBERED && <span class="by-keyboard"> ({n + 1})</span>}
                </summary>
                <Decision
                  disputes={[dispute]}
                  next={disputes.find((other) => other !== dispute)?.reportId}
                  known={known}
                  isAlone
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
          <Written
            known={known}
            page={`disputes?case=${disputes[0]!.reportId}`}
            of={disputes.map(({ reportId }) => reportId)}
          />
          <WriteToPersons disputes={disputes} known={known} />
          <h2>{isOne ? 'Your decision' : `Your decision about all ${disputes.length} reports`}</h2>
          <Effect of={record} />
          <Decision disputes={disputes} next={next} known={known} />
          {/* Below the buttons, which have the same place then in each of many cases. */}
          <p class="quiet after">
            {isOne
              ? 'Upheld: the report does not count, and the standing of its reporter falls. Rejected: it counts in full again. You can dispute it again later.'
              : 'Upheld: the reports do not count, and the standings of their reporters fall. Rejected: they count in full again. You can dispute them again later.'}
          </p>
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
function Effect({ of: { points } }: { readonly of: CaseRecord }) {
  if (!points) return null;
  return (
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
  );
}

/** One form with the answer and the two buttons, so that neither sends less than the other. */
function Decision({
  disputes,
  next,
  known,
  isAlone = false,
}: {
  readonly disputes: readonly Dispute[];
  readonly next: string | undefined;
  readonly known: Known;
  /** True for one report of a case with several. */
  readonly isAlone?: boolean;
}) {
  const {
    request: { form, to },
    alike,
  } = known;
  const reportIds = disputes.map(({ reportId }) => reportId).join();
  // The id tells the forms about one report from that about the whole case.
  const seen = disputes.map(({ openedAt }) => openedAt).join();
  const ids = { ...(isAlone ? { reportId: reportIds } : {}), reportIds, ...(next === undefined ? {} : { next }) };
  const suffix = `${isAlone ? 'one-' : ''}${disputes[0]!.reportId}`;
  const page = to(`disputes?case=${disputes[0]!.reportId}`);
  // Disputes about reports of one reporter have the same earlier reports, as a rule.
  const most = new Map<string, number>();
  for (const { reportId, reporterId } of disputes)
    most.set(reporterId, Math.max(most.get(reporterId) ?? 0, alike?.get(reportId)?.reports ?? 0));
  const earlier = [...most.values()].reduce((sum, number) => sum + number, 0);
  const isCut = disputes.some(({ reportId }) => alike?.get(reportId)?.isCut);
  const [wrong, stands] = isAlone
    ? ['this one is wrong', 'this one stands']
    : disputes.length > 1
      ? [`all ${disputes.length} are wrong`, `all ${disputes.length} stand`]
      : ['report is wrong', 'report stands'];
  return (
    <ActionForm
      act={form('decide')}
      page={page}
      ids={{ ...ids, seen }}
      id={`form-decide-${suffix}`}
      back="case"
      button={`Reject: ${stands}`}
      keyName="r"
      inView={isAlone ? undefined : 'phone'}
      others={
        <button class="button primary" name="upheld" value="yes" data-key="u">
          Uphold: {wrong}
        </button>
      }
    >
      <AnswerField known={known} action="decide" ids={ids} />
      {(earlier > 0 || isCut) && <Alike id={`alike-${suffix}`} earlier={earlier} isCut={isCut} />}
    </ActionForm>
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
        <label for={id}>If upheld: also {number} about the same person</label>
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

/** Returns the reports of a request in words. */
function nameAll(requests: readonly DisputeRequest[], { reports }: Known): string {
  const names = requests.map(({ reportId }) => nameReport(reports.get(reportId)));
  return names.length === 1 ? `the report ${names[0]}` : `all ${names.length} reports: ${names.join('; ')}`;
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
  const seen = `${Math.max(...requests.map((one) => one.requestedAt))}`;
  const refusal = { requestId, reportIds, ...(next === undefined ? {} : { next }) };
  const typed = typedIn(request, 'open', { requestId });
  const about = typed('about');
  // Without a refused form, all are ticked.
  const isTicked = (reportId: string): boolean =>
    typed('reason').value === undefined || typed(`${ABOUT}${reportId}`).value === 'yes';
  const open = asked.length === 1 ? 'Open a dispute' : 'Open disputes';
  const { reason } = requests[0]!;
  const differ = haveDifferentReasons(requests);
  return (
    <div class="case">
      {/* On a phone, the steps are below the reports. A fragment opens the step that it leads into. */}
      <p class="actions on-phone">
        <a class="button primary" href={`#${idOf('form-open', { requestId })}`} data-opens>
          {open}
        </a>
        <a class="button" href={`#${idOf('form-refuse', { requestId })}`} data-opens>
          Refuse the request
        </a>
      </p>
      <div>
        {requests.map(({ reportId, reporterId, reason: own }) => (
          <ReportCard key={reportId} {...{ reportId, reporterId }} known={known}>
            {differ ? <Facts of={[['The person says', <QuotedText text={own} orElse="" />]]} /> : undefined}
          </ReportCard>
        ))}
      </div>
      <div class="card">
        <h2>What the person says</h2>
        <p class={differ ? undefined : 'said'}>{differ ? 'See each report.' : reason}</p>
        <p class="quiet">
          <Moment at={requestedAt} />
        </p>
        <Written
          known={known}
          page={`disputes?list=requests&case=${requestId}`}
          of={requests.map(({ reportId }) => reportId)}
        />
        <Confirm
          ask={open}
          effect={
            'Until you decide, a disputed report counts half. Its reporter sees the reason and can answer. ' +
            'The requests about it leave this list. The cases of their persons, with the messages, go on.'
          }
          act={form('open')}
          page={page}
          ids={{ requestId, ...(next === undefined ? {} : { next }) }}
          back="case"
          button={asked.length === 1 ? 'Open the dispute' : 'Open the disputes'}
          kind="primary"
          keyName="o"
          inView="screen"
          sendKey
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
            hint={`${differ ? 'Empty: each report keeps its own. ' : ''}Leave out names, addresses and numbers of the person.`}
            type="lines"
            value={differ ? '' : reason}
            maxLength={500}
            required={!differ}
            {...typed('reason')}
          />
        </Confirm>
        <Confirm
          ask="Refuse the request"
          effect={
            `The request is deleted, about ${nameAll(requests, known)}. No score changes. ` +
            'Only with an answer, the person learns that reports match.'
          }
          act={form('refuse')}
          page={page}
          ids={{ ...refusal, seen }}
          back="case"
          button="Refuse it"
          kind="danger"
          keyName="r"
          inView="screen"
          sendKey
        >
          <AnswerField known={known} action="refuse" ids={refusal} />
        </Confirm>
      </div>
    </div>
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
    <article class="card report" id={idOfCard(reportId)} tabIndex={-1}>
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
