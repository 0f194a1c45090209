import type { DisputeState } from '../../../core/domain/dispute.ts';
import { isCode } from '../../../core/domain/identifier.ts';
import type { Refusal } from '../../../core/domain/refusal.ts';
import { count } from '../../../core/domain/text.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import type { FoundReport, FoundReports, ReportSearch } from '../../../operator/find-reports.ts';
import { formatList, Moment, nameOfKind, nameOfType, ReportText } from '../../web/parts.tsx';
import { acting, endOfDay, typedIn } from '../fields.ts';
import {
  hashedForm,
  IDENTIFIERS,
  MAX_SEARCH_CHARACTERS,
  readHashedSearch,
  readHashes,
  SearchedIdentifier,
} from '../hashed.tsx';
import type { PanelContent, PanelPage, PanelRequest, WrongFields } from '../page.ts';
import { ActionForm, Choice, Confirm, Empty, Field } from '../parts.tsx';
import { DAY_MS } from '../../../core/domain/day.ts';

const SHOWN = 20;
const MAX_TEXT = 200;
/** Fields that are shown on request. */
const MORE = ['reporter', 'type', 'since', 'until'];
/** Names that the field of the reporter offers. More would be a page of megabytes. */
const NAMES_OFFERED = 500;

/**
 * All reports, newest first: search, and open a dispute. A search is a form, not an address: a text or a hash must not
 * be in histories and logs. Public ids may be in the address: `id` of a report, `reporter`.
 */
export const ALL_REPORTS: PanelPage = {
  path: 'reports',
  title: 'Reports',
  role: 'operator',
  async show(request) {
    const { fields } = request;
    const [id = '', reporterId] = [fields.get('id'), fields.get('reporter')];
    const search = isCode(id) ? { text: id } : { reporterId, before: readPlace(fields.get('before')) };
    return showReports(request, search, request.refused?.fields ?? new Map());
  },
  searches: {
    async find(request) {
      const read = await readSearch(request);
      return 'errors' in read ? read : showReports(request, read, request.fields);
    },
  },
  actions: {
    'open-dispute': acting(
      ({ engine, visitor: { name: by } }, field) =>
        engine.openDispute({ reportId: field('reportId'), reason: field('reason'), by }),
      (_, { fields }) => ({
        message: 'The dispute is open. Until you decide it, the report counts half. One that was found wrong stays so.',
        query: `id=${fields.get('reportId')}`,
      }),
      { 'invalid-note': 'reason' },
    ),
  },
};

/** Returns what a form searches for, or what is wrong with its fields. */
async function readSearch({ engine, fields }: PanelRequest): Promise<ReportSearch | WrongFields> {
  const valueOf = (name: string): string | undefined => (fields.get(name) ?? '').trim() || undefined;
  const errors: Record<string, string> = {};
  const wrong = (name: string, refusal: Refusal): void => void (errors[name] = formatRefusal(refusal));
  const [name, first, last] = [valueOf('reporter'), valueOf('since'), valueOf('until')];
  const reporter = name === undefined ? undefined : await findReporter(engine, name);
  if (name !== undefined && !reporter) wrong('reporter', { reason: 'unknown-reporter' });
  const [endOfFirst, until] = [first, last].map((day) => (day === undefined ? undefined : endOfDay(day)));
  if (first !== undefined && endOfFirst === undefined) errors['since'] = 'Expected a day, as in 2030-01-31.';
  if (last !== undefined && until === undefined) errors['until'] = 'Expected a day, as in 2030-01-31.';
  const { text, hashes } = readHashedSearch(fields);
  if (readHashes(text).every((part) => /^[0-9a-f]{24,}$/.test(part)))
    errors['text'] = 'A hash has 40 hex characters. Put spaces between hashes.';
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return {
    reporterId: reporter?.reporterId,
    type: valueOf('type'),
    since: endOfFirst === undefined ? undefined : Math.max(0, endOfFirst - DAY_MS),
    until: until === undefined ? undefined : Math.max(0, until),
    text: text.slice(0, MAX_TEXT) || undefined,
    hashes,
    before: readPlace(fields.get('before')),
  };
}

async function findReporter(engine: PanelRequest['engine'], name: string) {
  const named = await engine.findReporter({ name });
  return named ?? (isCode(name) ? engine.findReporter({ reporterId: name }) : undefined);
}

/** `typed` is what the form of the search shows. */
async function showReports(
  request: PanelRequest,
  search: ReportSearch,
  typed: ReadonlyMap<string, string>,
): Promise<PanelContent> {
  const { engine, form, to, said } = request;
  const [found, described, reporters] = await Promise.all([
    engine.searchReports({ ...search, limit: SHOWN }),
    engine.describe(),
    engine.listReporters(),
  ]);
  const types = described.ok ? described.value.offenceTypes : [];
  const names = reporters.slice(0, NAMES_OFFERED).map(({ name }) => name);
  const isSearch = typed.size > 0 && request.refused === undefined;
  const { text, hashes } = readHashedSearch(typed);
  const field = (name: string) => ({ value: typed.get(name), ...typedIn(request, 'find')(name) });
  return {
    title: 'Reports',
    scripts: ['panel'],
    body: (
      <>
        <div class="card" role="search">
          <ActionForm
            act={form('find')}
            page={to('reports')}
            button="Search"
            kind="primary"
            hasId={!isSearch}
            attributes={hashedForm(request)}
          >
            <Field
              name="text"
              label="Search in all reports"
              hint="A part of the text, a report id, or hashes of identifiers from npx redflag hash"
              {...field('text')}
              value={text}
              maxLength={MAX_SEARCH_CHARACTERS}
              keyName="/"
              hashed={{ kind: 'or-text', hint: `A part of the text, a report id, or ${IDENTIFIERS}` }}
            />
            <SearchedIdentifier hashes={hashes} />
            <details class="more" open={MORE.some((name) => (typed.get(name) ?? '') !== '')}>
              <summary>Reporter, type and days</summary>
              <div class="fields">
                <Field name="reporter" label="Reporter" {...field('reporter')} offers={names} maxLength={80} />
                <Choice
                  name="type"
                  label="Type"
                  {...field('type')}
                  options={{ '': 'all types', ...Object.fromEntries(types.map((one) => [one, nameOfType(one)])) }}
                />
                <Field name="since" label="First day (UTC)" type="date" {...field('since')} />
                <Field name="until" label="Last day (UTC)" type="date" {...field('until')} />
              </div>
            </details>
          </ActionForm>
        </div>
        <h2 id={isSearch && said === undefined ? 'form-find' : undefined} tabIndex={-1}>
          {titleOfList(found.ok ? found.value.reports : [], isSearch)}
        </h2>
        {found.ok ? (
          <ReportList found={found.value} request={request} canOpen />
        ) : (
          <Empty>{formatRefusal(found.refusal)}</Empty>
        )}
        <More found={found} search={search} typed={typed} request={request} />
      </>
    ),
  };
}

function titleOfList(reports: FoundReports['reports'], isSearch: boolean): string {
  if (!isSearch) return 'All reports, newest first';
  return reports.length === 0 ? 'No reports were found' : 'Reports that were found, newest first';
}

/** The way to older reports. */
function More({
  found,
  search,
  typed,
  request: { form, to },
}: {
  readonly found: Awaited<ReturnType<PanelRequest['engine']['searchReports']>>;
  readonly search: ReportSearch;
  readonly typed: ReadonlyMap<string, string>;
  readonly request: PanelRequest;
}) {
  const next = found.ok ? found.value.next : undefined;
  if (next === undefined) return null;
  const place = `${next.createdAt}-${next.reportId}`;
  if (typed.size === 0) {
    const of = search.reporterId === undefined ? '' : `reporter=${search.reporterId}&`;
    return (
      <p class="actions">
        <a class="button" href={to(`reports?${of}before=${place}`)} rel="next">
          Older reports
        </a>
      </p>
    );
  }
  const kept = ['text', 'searched', ...MORE].flatMap((name) => {
    const value = typed.get(name) ?? '';
    return value === '' ? [] : [<input key={name} type="hidden" name={name} value={value} />];
  });
  return (
    <form method="post" action={`${to('reports')}#form-find`}>
      {form('find')}
      {kept}
      <input type="hidden" name="before" value={place} />
      <button class="button">Search in older reports</button>
    </form>
  );
}

const STATES: Readonly<Record<DisputeState, { readonly text: string; readonly kind: string } | undefined>> = {
  none: undefined,
  open: { text: 'disputed, counts half', kind: 'tag warn' },
  upheld: { text: 'found wrong, does not count', kind: 'tag' },
  rejected: { text: 'dispute rejected', kind: 'tag plain' },
};

/** Reports as cards. With `canOpen`, each has the step that opens a dispute about it. Otherwise, it leads there. */
export function ReportList({
  found: { reports, next },
  request,
  canOpen = false,
}: {
  readonly found: FoundReports;
  readonly request: PanelRequest;
  /** True on the page of reports: its forms are for this page only. */
  readonly canOpen?: boolean;
}) {
  if (reports.length === 0)
    return (
      <Empty>
        {next === undefined ? 'There is no such report.' : 'None of the newer reports. Search in older ones.'}
      </Empty>
    );
  return (
    <>
      {reports.map((report) => (
        <FoundCard key={report.reportId} report={report} request={request} canOpen={canOpen} />
      ))}
    </>
  );
}

function FoundCard({
  report,
  request,
  canOpen,
}: {
  readonly report: FoundReport;
  readonly request: PanelRequest;
  readonly canOpen: boolean;
}) {
  const { form, to } = request;
  const { reportId, reporterId, reporter, createdAt, kinds, dispute, isDisputed, requests } = report;
  const state = STATES[dispute];
  return (
    <article class="card report">
      <ReportText report={report}>
        {state && <span class={state.kind}>{state.text}</span>}
        {requests > 0 && <a href={to('disputes?list=requests')}>{count(requests, 'request')} for a dispute</a>}
      </ReportText>
      <p class="quiet">
        <a href={to(`reporters?id=${reporterId}`)}>{reporter}</a>, <Moment at={createdAt} />, by{' '}
        {formatList(kinds.map(nameOfKind))}. Report <code>{reportId}</code>
      </p>
      {isDisputed ? (
        <p>
          <a href={to(`disputes?case=${reportId}`)} aria-label={`Decide the dispute about the report ${reportId}`}>
            Decide the dispute
          </a>
        </p>
      ) : !canOpen ? (
        <p>
          <a href={to(`reports?id=${reportId}`)} aria-label={`Open a dispute about the report ${reportId}`}>
            Open a dispute
          </a>
        </p>
      ) : (
        <Confirm
          ask="Open a dispute"
          about={`report ${reportId}`}
          effect="Until you decide, the report counts half. The reporter sees the reason and can answer."
          act={form('open-dispute')}
          page={to(`reports?id=${reportId}`)}
          ids={{ reportId }}
          button="Open the dispute"
          kind="primary"
          label={`Open the dispute about the report ${reportId}`}
        >
          <Field
            name="reason"
            label="Reason for the dispute"
            hint="Leave out names, addresses and numbers of the person."
            type="lines"
            maxLength={500}
            required
            {...typedIn(request, 'open-dispute', { reportId })('reason')}
          />
        </Confirm>
      )}
    </article>
  );
}

/** Reads the place of a query where a list continues; undefined for another text. */
export function readPlace(text: string | undefined): ReportSearch['before'] {
  const [, createdAt, reportId] = /^(\d{1,15})-([0-9a-f]{16})$/.exec(text ?? '') ?? [];
  return reportId === undefined ? undefined : { createdAt: Number(createdAt), reportId };
}
