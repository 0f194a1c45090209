import { linkOfContact, textOfContact } from '../../core/domain/contact.ts';
import type { PublicReport } from '../../core/domain/report.ts';
import { count } from '../../core/domain/text.ts';
import type { PublicRecord } from '../../core/domain/public-record.ts';
import type { Page } from '../../core/http/pages.ts';
import { toPage } from './document.tsx';
import { Figures, formatList, nameOfKind, ReportText, Time } from './parts.tsx';
import { History, Voices } from './pictures.tsx';

/** Where the page is that asks for a dispute. */
export interface DisputeAddress {
  /** What the link of the record has. */
  readonly path: string;
  /** The whole public address, which is printed on paper. */
  readonly printed: string;
  /** True if the id of a report can follow the path. */
  readonly ofReports: boolean;
}

/** Organisations that are named beside the number of their reports that are not shown. */
const MAX_NAMED = 20;

/**
 * Returns the page of a record: the score, the reports, and what a person can do about them, such as to ask for a
 * `dispute`.
 */
export function toRecordPage(record: PublicRecord, dispute?: DisputeAddress): Page {
  const { points, reported, sentences, disputed, reports, shown, leftOut } = record;
  const { voices, history } = record;
  return toPage(
    'Public record of reports',
    <>
      <h1>Public record of reports</h1>
      <p class="quiet">
        As of <Time at={record.asOf} />. Last changed <Time at={record.changedAt} />.
      </p>
      <Score record={record} />
      {voices.length > 0 && (
        <>
          <h2>How {count(points, 'point')} came about</h2>
          <Voices record={record} />
        </>
      )}
      {sentences.length > 0 ? (
        <details class="sentences">
          <summary>The whole calculation in words</summary>
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      ) : (
        <p class="quiet after">So many reports match that this page does not explain the score.</p>
      )}
      {history.length > 0 && (
        <>
          <h2>Over time</h2>
          <History record={record} />
        </>
      )}
      <h2>{reports.length === 1 ? 'The report' : 'The reports'}</h2>
      {shown.map((report) => (
        <Report
          key={report.reportId}
          report={report}
          isDisputed={disputed.includes(report.reportId)}
          dispute={dispute}
        />
      ))}
      {leftOut.length > 0 && (
        <p class="quiet after">
          {shown.length} of {reported} reports are shown, the newest of each organisation first. Not shown:{' '}
          {formatLeftOut(leftOut)}.
          {shown.length < reports.length && (
            <>
              {' '}
              <a href={`../api/?showreport=${record.link.split('/').at(-1)}`} rel="nofollow">
                {reports.length < reported ? reports.length : 'All'} reports as JSON
              </a>
            </>
          )}
        </p>
      )}
      <h2>If this is about you</h2>
      <div class="card">
        <ul>
          <li>
            The organisation that made a report can delete it at any time. If it gave you a deletion code, send it that
            code and ask for the deletion.
          </li>
          <li>
            {dispute === undefined ? (
              'If a report is wrong, tell the organisation or the operator of this service.'
            ) : (
              <>
                If a report is wrong,{' '}
                <a href={dispute.path} data-printed={dispute.printed}>
                  ask the operator to examine it
                </a>
                .
              </>
            )}{' '}
            While the operator examines a report, it counts half. A report that was found wrong does not count, and is
            not shown.
          </li>
          <li>The score fades with time. Each shop decides for itself what it does with an order.</li>
        </ul>
        <Contacts contacts={record.contacts} />
      </div>
      <footer class="quiet">
        <p>
          This page shows no email, phone number or other identifier of the person who is reported, because the service
          stores only hashes of them. Anyone with the address can read this page.
        </p>
      </footer>
    </>,
  );
}

function Score({ record }: { readonly record: PublicRecord }) {
  const { points, reported, reliability, kinds, reporters, upheldDisputes } = record;
  const found = `${count(reported, 'report')} that ${reported === 1 ? 'matches' : 'match'}`;
  const summary = `${count(reporters, 'organisation')} made ${found} the ${formatList(kinds.map(nameOfKind))}`;
  return (
    <div class="card">
      <Figures {...{ points, reliability, reported }} organisations={reporters} />
      <p>
        {summary} of a query. More points mean a higher risk. Reliability says how likely it is that the reports are
        right and about the same person.
      </p>
      {upheldDisputes > 0 && (
        <p class="quiet">
          {count(upheldDisputes, 'report')} {upheldDisputes === 1 ? 'was' : 'were'} found wrong and{' '}
          {upheldDisputes === 1 ? 'does' : 'do'} not count.
        </p>
      )}
    </div>
  );
}

/** Returns the numbers of reports with the names of their organisations, as a list in a sentence. */
function formatLeftOut(leftOut: PublicRecord['leftOut']): string {
  const parts = leftOut.slice(0, MAX_NAMED).map(({ reporter, reports }) => `${reports} of ${reporter}`);
  const others = leftOut.slice(MAX_NAMED);
  const rest = others.reduce((sum, { reports }) => sum + reports, 0);
  return formatList(
    others.length === 0 ? parts : [...parts, `${rest} of ${count(others.length, 'other organisation')}`],
  );
}

function Contacts({ contacts }: Pick<PublicRecord, 'contacts'>) {
  if (contacts.length === 0) return null;
  return (
    <>
      <h3>How to reach {contacts.length === 1 ? 'the organisation' : 'the organisations'}</h3>
      <ul>
        {contacts.map(({ reporter, contact }) => {
          const address = linkOfContact(contact);
          return (
            <li key={reporter}>
              {reporter}:{' '}
              {address === undefined ? (
                textOfContact(contact)
              ) : (
                <a href={address} rel="nofollow noreferrer">
                  {textOfContact(contact)}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Report({
  report,
  isDisputed,
  dispute,
}: {
  readonly report: PublicReport;
  readonly isDisputed: boolean;
  readonly dispute: DisputeAddress | undefined;
}) {
  return (
    <article class="card report">
      <ReportText report={report}>{isDisputed && <span class="tag warn">disputed, counts half</span>}</ReportText>
      <p class="quiet">
        {report.reporter}, <Time at={report.createdAt} />. Report{' '}
        {dispute?.ofReports ? (
          <a href={`${dispute.path}/${report.reportId}`} rel="nofollow" title="Dispute this report">
            {report.reportId}
          </a>
        ) : (
          report.reportId
        )}
      </p>
    </article>
  );
}
