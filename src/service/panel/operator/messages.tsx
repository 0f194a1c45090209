import { Fragment } from 'preact';
import type { Dispute } from '../../../core/domain/dispute.ts';
import type { PublicReport } from '../../../core/domain/report.ts';
import { count } from '../../../core/domain/text.ts';
import type { AlikeReports } from '../../../operator/disputes.ts';
import type { WrittenCase } from '../../../operator/person-cases.ts';
import { Day, nameOfType } from '../../web/parts.tsx';
import { ENGLISH } from '../../web/spoken.ts';
import { QuotedText } from '../decisions.tsx';
import { typedIn } from '../fields.ts';
import type { FormIds } from '../forms.ts';
import type { PanelRequest } from '../page.ts';
import { Choice, Confirm, Field, pageOf } from '../parts.tsx';

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

/** Cases whose messages are shown at once. */
const CASES = 10;
/** The newest messages of a case. Earlier ones are behind a link. */
const MESSAGES = 4;

/** Reports of a case that are named. */
const NAMED = 3;

/** Id of the card of a report. */
export function idOfCard(reportId: string): string {
  return `report-${reportId}`;
}

/** What persons and the operator have written since the requests, the newest case first. `page` leads here. */
export function Written({
  known: { request, reports, written = [] },
  page,
  of,
}: {
  readonly known: Known;
  readonly page: string;
  /** The reports that are shown. */
  readonly of: readonly string[];
}) {
  const lastOf = ({ messages }: WrittenCase): number => messages.at(-1)?.at ?? 0;
  const cases = written.filter((one) => lastOf(one) > 0).sort((a, b) => lastOf(b) - lastOf(a));
  if (cases.length === 0) return null;
  const { rows, paging } = pageOf(request, page, cases, CASES);
  const from = request.fields.get('from');
  const asked = request.fields.get('messages');
  return (
    <section id="messages" aria-label="Messages">
      <h2>Messages</h2>
      {rows.map(({ caseId, reportIds, messages }) => {
        const earlier = caseId === asked ? 0 : Math.max(0, messages.length - MESSAGES);
        const all = `${page}${from === undefined ? '' : `&from=${from}`}&messages=${caseId}#messages`;
        return (
          <div key={caseId}>
            {of.length > 1 && <About reportIds={reportIds} of={of} reports={reports} />}
            {earlier > 0 && (
              <p class="quiet">
                <a href={request.to(all)}>… {count(earlier, 'earlier message')}</a>
              </p>
            )}
            {messages.slice(earlier).map(({ fromOperator, at, text, reportId }) => (
              <p key={`${fromOperator}${at}${text}`}>
                <strong>{fromOperator ? 'You' : 'The person'}</strong>
                {reportId !== null && !(of.length === 1 && of[0] === reportId) && (
                  <>
                    , about {of.includes(reportId) ? <Named reportId={reportId} reports={reports} /> : 'another report'}
                  </>
                )}
                : <QuotedText text={text} at={at} />
              </p>
            ))}
          </div>
        );
      })}
      {cases.length > CASES && paging}
    </section>
  );
}

/** Which of the shown reports the messages of a case are about. */
function About({
  reportIds,
  of,
  reports,
}: Pick<WrittenCase, 'reportIds'> & { readonly of: readonly string[]; readonly reports: Known['reports'] }) {
  if (reportIds.length === of.length) return <p class="quiet">About all {of.length} reports</p>;
  return (
    <p class="quiet">
      About{' '}
      {reportIds.slice(0, NAMED).map((reportId, n) => (
        <Fragment key={reportId}>
          {n > 0 && '; '}
          <Named reportId={reportId} reports={reports} />
        </Fragment>
      ))}
      {reportIds.length > NAMED && `; ${count(reportIds.length - NAMED, 'other report')}`}
    </p>
  );
}

/** A report in few words, with a link to its card. */
function Named({ reportId, reports }: { readonly reportId: string; readonly reports: Known['reports'] }) {
  const report = reports.get(reportId);
  return (
    <>
      <a href={`#${idOfCard(reportId)}`}>{report ? nameOfType(report.type) : 'deleted report'}</a>
      {report && (
        <>
          , {report.reporter}, <Day at={report.createdAt} />
        </>
      )}
    </>
  );
}

/** Returns a report in few words. */
export function nameReport(report: PublicReport | undefined): string {
  if (!report) return 'deleted report';
  return `${nameOfType(report.type)}, ${report.reporter}, ${ENGLISH.day(report.createdAt)}`;
}

/** A message to the persons without a decision. */
export function WriteToPersons({ disputes, known }: { readonly disputes: readonly Dispute[]; readonly known: Known }) {
  const { request, reports, written = [] } = known;
  if (written.length === 0) return null;
  const ids = { reportIds: disputes.map(({ reportId }) => reportId).join() };
  const typed = typedIn(request, 'answer', ids);
  const names = disputes.map(({ reportId }) => [reportId, nameReport(reports.get(reportId))] as const);
  return (
    <Confirm
      ask="Write to the person"
      effect={`It is for all who asked about these reports (${count(written.length, 'case')}). Reporters do not see it.`}
      act={request.form('answer')}
      page={request.to(`disputes?case=${disputes[0]!.reportId}`)}
      ids={ids}
      back="case"
      button="Send the message"
      inView="screen"
      sendKey
    >
      {names.length > 1 && (
        <Choice
          name="about"
          label="About which report?"
          options={{ '': `All ${names.length} reports`, ...Object.fromEntries(names) }}
          {...typed('about')}
        />
      )}
      <Field
        name="message"
        label="Your message"
        hint="At most 500 characters."
        type="lines"
        maxLength={500}
        required
        {...typed('message')}
      />
    </Confirm>
  );
}

/** The optional answer of a form, if a person can read it. */
export function AnswerField({
  known: { request, written = [] },
  action,
  ids,
}: {
  readonly known: Known;
  readonly action: string;
  readonly ids: FormIds;
}) {
  if (written.length === 0) return null;
  const typed = typedIn(request, action, ids)('answer');
  return (
    <details open={action === 'refuse' || typed.error !== undefined}>
      <summary>Answer to the person (optional)</summary>
      <Field
        name="answer"
        label="Your answer, which reporters do not see"
        hint={`${
          action === 'refuse'
            ? 'Who sent this request reads it'
            : `All who asked about these reports read it (${count(written.length, 'case')})`
        } with a case number. At most 500 characters.`}
        type="lines"
        maxLength={500}
        {...typed}
      />
    </details>
  );
}
