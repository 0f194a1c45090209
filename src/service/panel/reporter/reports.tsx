import type { OwnReport } from '../../../operator/own-reports.ts';
import { accept } from '../../../core/domain/refusal.ts';
import type { DisputeState } from '../../../core/domain/dispute.ts';
import { count } from '../../../core/domain/text.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import { formatList, Moment, nameOfKind, ReportText } from '../../web/parts.tsx';
import { ownId } from '../fields.ts';
import { placeOf, type FormIds } from '../forms.ts';
import { reportsAsCsv } from '../lists.ts';
import type { FormOutcome, PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { Confirm, Empty, Field, Spot } from '../parts.tsx';

const SHOWN = 20;
/** Characters of a search. */
const MAX_SEARCH_CHARACTERS = 200;

/**
 * The reporter's own reports, newest first: search, deletion codes, delete. A search is a form, not an address: a
 * person may type a deletion code or an identifier, and addresses are in histories and logs. Only the id of a report,
 * which is public, may be in the address: the page then shows this report with its deletion step open.
 */
export const REPORTS: PanelPage = {
  path: 'reports',
  title: 'Your reports',
  role: 'reporter',
  csv: reportsAsCsv,
  show: (request) => showReports(request, readId(request.fields) ?? readSearch(request.refused?.fields)),
  searches: { search: (request) => showReports(request, readSearch(request.fields)) },
  actions: { 'delete-report': deleteReport },
};

function readSearch(fields: PanelRequest['fields'] | undefined): string {
  return (fields?.get('text') ?? '').trim().slice(0, MAX_SEARCH_CHARACTERS);
}

/** Deletes by the code, as the reporter's programs do. A code of another reporter is unknown. */
async function deleteReport(request: PanelRequest): Promise<FormOutcome> {
  const { engine, visitor, fields } = request;
  const [reporterId, deletionCode] = [ownId(visitor), fields.get('deletionCode') ?? ''];
  const deleted = await engine.deleteReport({ reporterId, deletionCode });
  if (!deleted.ok) return deleted;
  const message = 'The report was deleted. It does not count any more.';
  const text = readSearch(fields);
  if (text === '') return accept({ message });
  // A search must not be in an address, so its list is the reply.
  const said = { at: placeOf(fields, true), isDone: true, text: message };
  return accept({ ...(await showReports({ ...request, said }, text)), hasFocus: true });
}

/** Returns the id of the report that the address names; undefined without one. */
function readId(fields: PanelRequest['fields']): string | undefined {
  const id = fields.get('id') ?? '';
  return /^[0-9a-f]{16}$/.test(id) ? id : undefined;
}

/** `text` is what is searched for; empty for all reports. */
async function showReports(request: PanelRequest, text: string): Promise<PanelContent> {
  const { engine, visitor, fields, form, to } = request;
  const before = readPlace(fields.get('before'));
  const listed = await engine.listReports({
    reporterId: ownId(visitor),
    limit: SHOWN,
    before,
    text: text === '' ? undefined : text,
  });
  const { reports, next } = listed.ok ? listed.value : { reports: [], next: undefined };
  const isSearch = text !== '' && readId(fields) === undefined;
  const isPart = text !== '' || before !== undefined;
  const page = to(before && !isSearch ? `reports?before=${fields.get('before')}` : 'reports');
  const kept = isSearch ? { text, ...(before && { before: fields.get('before') ?? '' }) } : {};
  const place = next && `${next.createdAt}-${next.reportId}`;
  return {
    title: 'Your reports',
    body: (
      <>
        <form method="post" action={`${to('reports')}#found`} role="search" class="card inline">
          {form('search')}
          <Field
            name="text"
            label="Search in your reports"
            hint="A text, a report id or a deletion code"
            value={isSearch ? text : ''}
            maxLength={MAX_SEARCH_CHARACTERS}
            keyName="/"
          />
          <button class="button">Search</button>
          {isPart && (
            <a class="button quiet" href={to('reports')}>
              Show all, newest first
            </a>
          )}
        </form>
        <h2 id={isSearch ? 'found' : undefined} tabIndex={isSearch ? -1 : undefined}>
          {text === '' ? 'Your reports, newest first' : reports.length === 0 ? 'No reports were found' : FOUND}
        </h2>
        {!listed.ok && <Empty>{formatRefusal(listed.refusal)}</Empty>}
        {listed.ok && reports.length === 0 && <None isPart={isPart} hasMore={next !== undefined} />}
        {reports.map((report, at) => (
          <Report key={report.reportId} {...{ report, kept, page, request }} next={reports[at + 1]?.reportId} />
        ))}
        <Spot id="reports-end" said={request.said} />
        {place !== undefined && text === '' && (
          <p class="actions">
            <a class="button" href={to(`reports?before=${place}`)} rel="next">
              Older reports
            </a>
          </p>
        )}
        {place !== undefined && text !== '' && (
          <form method="post" action={`${to('reports')}#found`}>
            {form('search')}
            <input type="hidden" name="text" value={text} />
            <input type="hidden" name="before" value={place} />
            <button class="button">Search in older reports</button>
          </form>
        )}
      </>
    ),
  };
}

const FOUND = 'Reports that were found, newest first';

const STATES: Readonly<Record<DisputeState, { readonly text: string; readonly kind: string } | undefined>> = {
  none: undefined,
  open: { text: 'disputed, counts half', kind: 'tag warn' },
  upheld: { text: 'found wrong, does not count', kind: 'tag' },
  rejected: { text: 'dispute rejected', kind: 'tag plain' },
};

function Report({
  report,
  kept,
  page,
  next,
  request: { fields, form, to, said },
}: {
  readonly report: OwnReport;
  /** Fields of the search that found it. */
  readonly kept: FormIds;
  /** Address of the list that shows it. */
  readonly page: string;
  /** The report below it. */
  readonly next: string | undefined;
  readonly request: PanelRequest;
}) {
  const { reportId, deletionCode, createdAt, kinds, dispute, requests } = report;
  const state = STATES[dispute];
  return (
    <article class="card report">
      <Spot id={`report-${reportId}`} said={said} />
      <ReportText report={report}>
        {state && <span class={state.kind}>{state.text}</span>}
        {requests > 0 && <a href={to('disputes')}>{count(requests, 'request')} for a dispute</a>}
      </ReportText>
      <p class="quiet">
        <Moment at={createdAt} />, by {formatList(kinds.map(nameOfKind))}. Report id <code>{reportId}</code>
      </p>
      <details>
        <summary aria-label={`Deletion code: report ${reportId}`}>Deletion code</summary>
        <p class="quiet">
          Give it to the person whom the report is about, if you want that person to ask for deletion.
        </p>
        <p class="key">{deletionCode}</p>
      </details>
      <Confirm
        ask="Delete"
        about={`report ${reportId}`}
        effect={`The report is erased and does not count any more. This cannot be undone.${
          dispute === 'open' || dispute === 'upheld' ? KEPT : ''
        }`}
        isOpen={readId(fields) === reportId}
        act={form('delete-report')}
        page={page}
        ids={{ deletionCode, ...kept }}
        id={`delete-${reportId}`}
        back={next === undefined ? 'reports-end' : `report-${next}`}
        button="Delete the report"
        kind="danger"
        label={`Delete the report ${reportId}`}
      />
    </article>
  );
}

const KEPT = ' Because of the dispute, its hashed identifiers may be kept, only to recognise the same accusation.';

function None({ isPart, hasMore }: { readonly isPart: boolean; readonly hasMore: boolean }) {
  if (hasMore) return <Empty>The search found none of the newer reports. Search in older ones.</Empty>;
  if (isPart) return null;
  return (
    <Empty>You have no reports. Report a customer by hand, or let your programs report with one of your keys.</Empty>
  );
}

interface Place {
  readonly createdAt: number;
  readonly reportId: string;
}

/** Reads the place of a query where a list continues; undefined for another text. */
function readPlace(text: string | undefined): Place | undefined {
  const [, createdAt, reportId] = /^(\d{1,15})-([0-9a-f]{16})$/.exec(text ?? '') ?? [];
  return reportId === undefined ? undefined : { createdAt: Number(createdAt), reportId };
}
