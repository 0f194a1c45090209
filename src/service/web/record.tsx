import type { PublicReport } from '../../core/domain/report.ts';
import type { PublicRecord } from '../../core/domain/public-record.ts';
import type { Page } from '../../core/http/pages.ts';
import { toPage } from './document.tsx';
import { LanguageMenu, wordsOf } from './languages.tsx';
import type { PublicPlace } from './part.ts';
import { CaseLink, Contact, Figures, ReportText, Time } from './parts.tsx';
import { History, Voices } from './pictures.tsx';
import { POINTS_PATH } from './points-part.tsx';
import { useWords } from './spoken.ts';
import type { Words } from './words.ts';

/** Where the page is that asks for a dispute. */
export interface DisputeAddress {
  /** What the link of the record has. */
  readonly path: string;
  /** The whole public address, which is printed on paper. */
  readonly printed: string;
  /** Returns the address for one report. Undefined: there is none. */
  readonly ofReport?: ((reportId: string) => string) | undefined;
}

/** Organisations that are named beside the number of their reports that are not shown. */
const MAX_NAMED = 20;

/**
 * Returns the page of a record: the score, the reports, and what a person can do about them, such as to ask for a
 * `dispute`.
 */
export function toRecordPage(
  record: PublicRecord,
  { operator, language, basePath, hasCases }: PublicPlace,
  dispute?: DisputeAddress,
): Page {
  const words = wordsOf(language);
  const { points, reported, reporters, calculation, disputed, reports, shown, leftOut } = record;
  const { voices, history } = record;
  return toPage(
    words.say('record.title'),
    <>
      <LanguageMenu />
      <h1>{words.say('record.title')}</h1>
      <p class="quiet">
        {words.show('record.times', { now: <Time at={record.asOf} />, changed: <Time at={record.changedAt} /> })}{' '}
        {words.say('utc')}
      </p>
      <p class="actions">
        <a class="button" href="#about">
          {words.say('record.aboutMe')}
        </a>
        {hasCases && <CaseLink {...{ basePath, language }} />}
      </p>
      <Score record={record} />
      {voices.length > 0 && (
        <>
          <h2>{words.say('record.points', { points: words.count('points', points) })}</h2>
          <Voices record={record} />
        </>
      )}
      {calculation.length > 0 ? (
        <details class="sentences">
          <summary>{words.say('record.calculation')}</summary>
          <ul>
            {calculation.map((sentence, at) => (
              <li key={at}>{words.tell(sentence)}</li>
            ))}
          </ul>
        </details>
      ) : (
        <p class="quiet after">{words.say('record.unexplained')}</p>
      )}
      <p>
        <a href={`${basePath}${POINTS_PATH}`} hreflang="en">
          {words.say('record.guide')}
        </a>
      </p>
      {history.length > 0 && (
        <>
          <h2>{words.say('record.history')}</h2>
          <History record={record} />
        </>
      )}
      <h2>{words.say('record.reports', { n: reports.length })}</h2>
      <p class="quiet">
        {words.say('record.original')} {reports.length > 1 && voices.length > 0 && words.say('record.order')}{' '}
        {shown.length > reporters && voices.length > 0 && words.say('record.orderOthers')}
      </p>
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
          {words.say('record.leftOut', { shown: shown.length, all: reported, list: formatLeftOut(leftOut, words) })}
          {shown.length < reports.length && (
            <>
              {' '}
              <a href={`../api/?showreport=${record.link.split('/').at(-1)}`} rel="nofollow">
                {reports.length < reported
                  ? words.say('record.someAsJson', { number: reports.length })
                  : words.say('record.allAsJson')}
              </a>
            </>
          )}
        </p>
      )}
      <h2 id="about">{words.say('record.about')}</h2>
      <div class="card">
        {dispute !== undefined && (
          <p class="actions">
            <a class="button primary" href={dispute.path} rel="nofollow">
              {words.say('dispute.title')}
            </a>
          </p>
        )}
        <ul>
          <li>
            {dispute === undefined
              ? words.say('record.tell')
              : words.show('record.wrong', {
                  ask: (
                    <a href={dispute.path} data-printed={dispute.printed}>
                      {words.say('record.ask')}
                    </a>
                  ),
                })}{' '}
            {words.say('record.open')}
          </li>
          <li>{words.say('record.deletion')}</li>
          <li>{words.say('record.fades')}</li>
        </ul>
        <Contacts contacts={record.contacts} reporters={record.reporters} />
      </div>
      <footer class="quiet">
        <p>{words.say('record.hashes')}</p>
      </footer>
    </>,
    { words, operator },
  );
}

function Score({ record }: { readonly record: PublicRecord }) {
  const { points, reported, reliability, kinds, reporters, upheldDisputes } = record;
  const words = useWords();
  const names = kinds.map((kind) => words.nameOf('kind', kind));
  return (
    <div class="card">
      <Figures {...{ points, reliability, reported }} organisations={reporters} />
      <p>
        {words.say('record.summary', {
          n: reported,
          organisations: words.count('organisations', reporters),
          kinds: words.list(names),
        })}{' '}
        {words.say('record.meaning', { n: reported })}
      </p>
      {upheldDisputes > 0 && <p class="quiet">{words.say('record.foundWrong', { n: upheldDisputes })}</p>}
    </div>
  );
}

/** Returns the numbers of reports with the names of their organisations, as a list in a sentence. */
function formatLeftOut(leftOut: PublicRecord['leftOut'], words: Words): string {
  const say = (number: number, reporter: string): string => words.say('record.leftOutOf', { number, reporter });
  const parts = leftOut.slice(0, MAX_NAMED).map(({ reporter, reports }) => say(reports, reporter));
  const others = leftOut.slice(MAX_NAMED);
  const rest = others.reduce((sum, { reports }) => sum + reports, 0);
  return words.list(
    others.length === 0 ? parts : [...parts, say(rest, words.count('otherOrganisations', others.length))],
  );
}

function Contacts({ contacts, reporters }: Pick<PublicRecord, 'contacts' | 'reporters'>) {
  const words = useWords();
  if (contacts.length === 0) return null;
  return (
    <>
      <h3>{words.say('record.contacts', { n: contacts.length })}</h3>
      <ul>
        {contacts.map(({ reporter, contact }) => (
          <li key={reporter}>
            {reporter}: <Contact of={contact} />
          </li>
        ))}
      </ul>
      {contacts.length < reporters && <p>{words.say('record.noContact')}</p>}
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
  const words = useWords();
  const { reportId, reporter } = report;
  const address = dispute?.ofReport?.(reportId);
  return (
    <article class="card report">
      <ReportText report={report}>
        {isDisputed && <span class="tag warn">{words.say('record.disputed')}</span>}
      </ReportText>
      <p class="quiet">{words.show('record.by', { reporter, time: <Time at={report.createdAt} />, id: reportId })}</p>
      {address !== undefined && (
        <p>
          <a class="button" href={address} rel="nofollow">
            {words.say('record.disputeReport')}
          </a>
        </p>
      )}
    </article>
  );
}
