import type { ReporterStanding } from '../../../operator/standings.ts';
import { accept } from '../../../core/domain/refusal.ts';
import type { KeyInfo, Reporter } from '../../../core/domain/reporter.ts';
import { wordRefusal } from '../../../core/protocol/wording.ts';
import { Day } from '../../web/parts.tsx';
import { typedIn } from '../fields.ts';
import { Lists, ListPaging, readWhole } from '../lists.tsx';
import type { FormOutcome, PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Empty, Field, Table } from '../parts.tsx';
import { REPORTER_ACTIONS, showReporter } from './reporter.tsx';
import { State } from './state.tsx';

const ROWS = 100;

const LISTS = {
  all: { name: 'All', has: () => true },
  unverified: { name: 'To verify', has: ({ verified, suspended }: Reporter) => !verified && !suspended },
  suspended: { name: 'Suspended', has: ({ suspended }: Reporter) => suspended },
} as const;
type List = keyof typeof LISTS;

/** The list of reporters and, with `id`, the page of one reporter. */
export const REPORTERS: PanelPage = {
  path: 'reporters',
  title: 'Reporters',
  role: 'operator',
  show: (request) => (request.fields.has('id') ? showReporter(request) : showReporters(request)),
  actions: { ...REPORTER_ACTIONS, create },
};

interface Row extends Reporter {
  readonly standing: ReporterStanding | undefined;
  readonly keys: readonly KeyInfo[];
}

async function showReporters(request: PanelRequest): Promise<PanelContent> {
  const typed = typedIn(request, 'create');
  const { engine, fields, form, to, nowMs } = request;
  const [reporters, standings, keys] = await Promise.all([
    engine.listReporters(),
    engine.listStandings(),
    engine.listKeys(),
  ]);
  const list: List = Object.hasOwn(LISTS, fields.get('list') ?? '') ? (fields.get('list') as List) : 'all';
  const from = readWhole(fields.get('from'), 0, 1e9) ?? 0;
  const listed = reporters.filter(LISTS[list].has).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const standingOf = new Map(standings.map((standing) => [standing.reporterId, standing]));
  const keysOf = new Map<string, KeyInfo[]>();
  for (const key of keys) {
    const own = keysOf.get(key.reporterId);
    if (own) own.push(key);
    else keysOf.set(key.reporterId, [key]);
  }
  const rows = listed
    .slice(from, from + ROWS)
    .map((reporter): Row => ({
      ...reporter,
      standing: standingOf.get(reporter.reporterId),
      keys: keysOf.get(reporter.reporterId) ?? [],
    }));
  const pageAt = (at: number): string => to(`reporters?list=${list}&from=${at}`);
  return {
    title: 'Reporters',
    body: (
      <>
        <Lists
          label="Lists of reporters"
          lists={(Object.keys(LISTS) as List[]).map((name) => ({
            name: `${LISTS[name].name} (${reporters.filter(LISTS[name].has).length})`,
            page: to(name === 'all' ? 'reporters' : `reporters?list=${name}`),
            isCurrent: name === list,
          }))}
        />
        {rows.length === 0 ? (
          <Empty>{EMPTY[list]}</Empty>
        ) : (
          <div class="card">
            <Table
              caption={`Reporters: ${LISTS[list].name}`}
              rows={rows}
              keyOf={({ reporterId }) => reporterId}
              columns={[
                {
                  title: 'Name',
                  cell: ({ reporterId, name }) => <a href={to(`reporters?id=${reporterId}`)}>{name}</a>,
                },
                { title: 'State', cell: (reporter) => <State {...reporter} /> },
                { title: 'Standing', cell: ({ standing }) => wordStanding(standing) },
                {
                  title: 'Working keys',
                  isNumber: true,
                  cell: (row) => row.keys.filter(({ endsAt }) => endsAt === null || endsAt > nowMs).length,
                },
                { title: 'Last used', cell: ({ keys: own }) => <LastUsed keys={own} /> },
              ]}
            />
          </div>
        )}
        <ListPaging from={from} most={ROWS} all={listed.length} pageAt={pageAt} />
        <h2>Create a reporter</h2>
        <div class="card">
          <ActionForm act={form('create')} page={to('reporters')} button="Create the reporter" kind="primary">
            <p>The reporter has no key at first. Send its staff a sign-in link: then they create keys themselves.</p>
            <Field
              name="name"
              label="Name of the organisation"
              hint="Public: it is shown with each of its reports. 1 to 80 characters."
              {...typed('name')}
              most={80}
              required
            />
            <div class="check">
              <input
                type="checkbox"
                id="verified"
                name="verified"
                value="yes"
                checked={typed('verified').value === 'yes'}
                aria-describedby="verified-hint"
              />
              <div>
                <label for="verified">I know this organisation: it is verified</label>
                <p class="hint" id="verified-hint">
                  The reports of a verified reporter count in full from the first day.
                </p>
              </div>
            </div>
          </ActionForm>
        </div>
      </>
    ),
  };
}

const EMPTY: Readonly<Record<List, string>> = {
  all: 'There is no reporter yet. Create one below.',
  unverified: 'No reporter waits for verification.',
  suspended: 'No reporter is suspended.',
};

function wordStanding(standing: ReporterStanding | undefined): string {
  if (!standing) return 'none';
  if (standing.verified) return 'verified';
  return standing.established ? 'established' : 'not established';
}

function LastUsed({ keys }: Pick<Row, 'keys'>) {
  const last = keys.reduce((latest, { lastUsedAt }) => Math.max(latest, lastUsedAt ?? -Infinity), -Infinity);
  return last === -Infinity ? <span class="quiet">never</span> : <Day at={last} />;
}

async function create(request: PanelRequest): Promise<FormOutcome> {
  const { engine, fields, visitor } = request;
  const verified = fields.get('verified') === 'yes';
  const created = await engine.createReporter({ name: fields.get('name') ?? '', verified, by: visitor.name });
  if (created.ok) {
    const { reporterId, name } = created.value;
    return accept({
      title: 'Reporter created',
      body: (
        <p>
          Next, create a sign-in link for its staff: <a href={request.to(`reporters?id=${reporterId}`)}>{name}</a>
        </p>
      ),
    });
  }
  const { reason } = created.refusal;
  if (reason !== 'invalid-name' && reason !== 'name-taken') return created;
  return { ok: false, errors: { name: wordRefusal(created.refusal) } };
}
