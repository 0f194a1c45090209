import { CONTACT_CHARACTERS } from '../../../core/domain/contact.ts';
import { isSoundEntry } from '../../../core/domain/audit.ts';
import { accept, refuse } from '../../../core/domain/refusal.ts';
import type { KeyInfo, Reporter } from '../../../core/domain/reporter.ts';
import { count, formatWhole } from '../../../core/domain/text.ts';
import { groupBy } from '../../../core/domain/lists.ts';
import { MAX_BUDGET_IDENTIFIERS } from '../../../operator/reporters.ts';
import { findSimilarNames } from '../../../operator/similar-names.ts';
import { Day, Moment } from '../../web/parts.tsx';
import { acting, settingContact, typedIn } from '../fields.ts';
import { Entries } from './audit.tsx';
import { ReportList, readPlace } from './reports.tsx';
import { Keys, Revoke, works } from '../keys.tsx';
import { reportersAsCsv } from '../lists.ts';
import type { Action, PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Confirm, Empty, Field, Lists, pageOf, readWhole, Spot, TableCard } from '../parts.tsx';
import { creatingLink, SignedIn, SignInLinkForm, signingOut } from '../sign-ins.tsx';
import { Usage } from '../usage.tsx';

const ROWS = 100;
const REPORTS = 20;
/** Entries of the audit log in which a page searches. */
const ENTRIES_SEARCHED = 1_000;

const LISTS = {
  all: { name: 'All', has: () => true },
  unverified: { name: 'To verify', has: ({ verified, suspended }: Reporter) => !verified && !suspended },
  suspended: { name: 'Suspended', has: ({ suspended }: Reporter) => suspended },
} as const;
type List = keyof typeof LISTS;

interface Row extends Reporter {
  readonly established: boolean;
  readonly keys: readonly KeyInfo[];
}

async function showReporters(request: PanelRequest): Promise<PanelContent> {
  const { engine, fields, to, nowMs } = request;
  const [reporters, standings, keys] = await Promise.all([
    engine.listReporters(),
    engine.listStandings(),
    engine.listKeys(),
  ]);
  const list: List = Object.hasOwn(LISTS, fields.get('list') ?? '') ? (fields.get('list') as List) : 'all';
  const listed = reporters.filter(LISTS[list].has).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const page = pageOf(request, `reporters?list=${list}`, listed, ROWS);
  const established = new Set(standings.filter((one) => one.established).map(({ reporterId }) => reporterId));
  const keysOf = groupBy(keys, ({ reporterId }) => reporterId);
  const rows = page.rows.map((reporter): Row => ({
    ...reporter,
    established: established.has(reporter.reporterId),
    keys: keysOf.get(reporter.reporterId) ?? [],
  }));
  return {
    title: 'Reporters',
    body: (
      <>
        <div class="card">
          <Create request={request} isOpen={reporters.length === 0} />
        </div>
        <Lists
          label="Lists of reporters"
          lists={(Object.keys(LISTS) as List[]).map((name) => ({
            name: `${LISTS[name].name} (${reporters.filter(LISTS[name].has).length})`,
            page: to(name === 'all' ? 'reporters' : `reporters?list=${name}`),
            isCurrent: name === list,
          }))}
        />
        <TableCard
          empty={EMPTY[list]}
          caption={`Reporters: ${LISTS[list].name}`}
          rows={rows}
          keyOf={({ reporterId }) => reporterId}
          columns={[
            { title: 'Name', cell: ({ reporterId, name }) => <a href={to(`reporters?id=${reporterId}`)}>{name}</a> },
            { title: 'State', cell: (reporter) => <State {...reporter} /> },
            {
              title: 'Working keys',
              isNumber: true,
              cell: (row) => row.keys.filter((key) => works(key, nowMs)).length,
            },
            { title: 'Last used', cell: ({ keys: own }) => <LastUsed keys={own} /> },
          ]}
        />
        {page.paging}
      </>
    ),
  };
}

function Create({ request, isOpen }: { readonly request: PanelRequest; readonly isOpen: boolean }) {
  const { form, to } = request;
  const typed = typedIn(request, 'create');
  return (
    <Confirm
      ask="Create a reporter"
      effect="The reporter has no key at first. Send its staff a sign-in link: then they create keys themselves."
      isOpen={isOpen}
      act={form('create')}
      page={to('reporters')}
      button="Create the reporter"
      kind="primary"
    >
      <Field
        name="name"
        label="Name of the organisation"
        hint="Public: it is shown with each of its reports. 1 to 80 characters."
        {...typed('name')}
        maxLength={80}
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
    </Confirm>
  );
}

const EMPTY: Readonly<Record<List, string>> = {
  all: 'There is no reporter yet.',
  unverified: 'No reporter waits for verification.',
  suspended: 'No reporter is suspended.',
};

function LastUsed({ keys }: Pick<Row, 'keys'>) {
  const last = keys.reduce((latest, { lastUsedAt }) => Math.max(latest, lastUsedAt ?? -Infinity), -Infinity);
  return last === -Infinity ? <span class="quiet">never</span> : <Day at={last} />;
}

const create = acting(
  async ({ engine, visitor: { name: by } }, field) => {
    const created = await engine.createReporter({ name: field('name'), verified: field('verified') === 'yes', by });
    if (!created.ok) return created;
    const names = (await engine.listReporters()).map((one) => one.name);
    return accept({ ...created.value, similar: findSimilarNames(created.value.name, names) });
  },
  ({ reporterId, name, similar }, request) => ({
    title: 'Reporter created',
    body: (
      <>
        {similar.length > 0 && (
          <p class="notice warn">
            {count(similar.length, 'reporter')} with a name that looks like this one: {similar.slice(0, 5).join(', ')}.
            People may take one for the other.
          </p>
        )}
        <p class="notice ok" role="status">
          <a href={placeOf(request, reporterId).page}>{name}</a> is a reporter. Next, create a sign-in link for a person
          there.
        </p>
        <SignInLinkForm request={request} place={placeOf(request, reporterId)} />
      </>
    ),
  }),
  { 'invalid-name': 'name', 'name-taken': 'name' },
);

/** Whether a reporter is verified, established by its reports, and suspended. */
function State({
  verified,
  suspended,
  established = false,
}: Pick<Reporter, 'verified' | 'suspended'> & { readonly established?: boolean }) {
  return (
    <>
      {verified ? <span class="tag ok">verified</span> : <span class="tag plain">not verified</span>}{' '}
      {!verified && established && <span class="tag ok">established</span>}{' '}
      {suspended && <span class="tag">suspended</span>}
    </>
  );
}

/** Returns the page of the reporter whose id is in the field `id`. */
async function showReporter(request: PanelRequest): Promise<PanelContent> {
  const { engine, fields, form, to, nowMs, said } = request;
  const reporterId = fields.get('id') ?? '';
  const reporter = await engine.findReporter({ reporterId });
  if (!reporter)
    return {
      title: 'No such reporter',
      hasList: false,
      body: (
        <p>
          No reporter has this id. <a href={to('reporters')}>All reporters</a>
        </p>
      ),
    };
  const tab = TABS.find((one) => one === fields.get('tab')) ?? 'about';
  const address = `reporters?id=${reporterId}${tab === 'about' ? '' : `&tab=${tab}`}`;
  const shown: Shown = { request, reporter, place: { page: to(address), ids: { id: reporterId } } };
  return {
    title: reporter.name,
    hasList: false,
    body: (
      <>
        <p class="quiet">
          <State {...reporter} /> created <Moment at={reporter.createdAt} />
        </p>
        {/* First: it is needed in a hurry. */}
        <Spot id="suspension" said={said} />
        <Suspension reporter={reporter} form={form} place={shown.place} />
        <Lists
          label="Parts of this page"
          lists={TABS.map((one) => ({
            name: TAB_NAMES[one],
            page: to(`reporters?id=${reporterId}${one === 'about' ? '' : `&tab=${one}`}`),
            isCurrent: one === tab,
          }))}
        />
        {tab === 'about' && (await showAbout(shown))}
        {tab === 'reports' && (await showReports(shown))}
        {tab === 'keys' && (
          <>
            <Spot id="keys" said={said} />
            <Keys
              keys={await engine.listKeys({ reporterId })}
              nowMs={nowMs}
              empty="This reporter has no key that works. It can create one after it has signed in."
              change={(key) => <Revoke info={key} act={form('revoke-key')} {...shown.place} />}
            />
          </>
        )}
        {tab === 'standing' && (await showStanding(shown))}
        {tab === 'audit' && (await showAudit(shown))}
      </>
    ),
  };
}

const TABS = ['about', 'reports', 'keys', 'standing', 'audit'] as const;
const TAB_NAMES = {
  about: 'About',
  reports: 'Reports',
  keys: 'Keys',
  standing: 'Standing and usage',
  audit: 'Audit',
} as const;

/** What the parts of a reporter's page are made of. */
interface Shown {
  readonly request: PanelRequest;
  readonly reporter: Reporter;
  readonly place: Place;
}

async function showAbout({ request, reporter, place }: Shown) {
  const { engine, form, said } = request;
  const sessions = await engine.listSessions({ reporterId: reporter.reporterId });
  return (
    <>
      <h2>Verification</h2>
      <div class="card">
        <Spot id="verification" said={said} />
        <Verification reporter={reporter} form={form} place={place} />
      </div>
      <h2>Sign-in link</h2>
      {reporter.suspended ? (
        <p class="notice warn">The reporter is suspended: its people cannot sign in. End the suspension first.</p>
      ) : (
        <SignInLinkForm request={request} place={place} />
      )}
      <h2>Signed in</h2>
      <SignedIn
        sessions={sessions}
        request={request}
        place={place}
        effect="All persons of this reporter are signed out, and unused links end. Its keys still work."
      />
      <h2>Public contact</h2>
      <div class="card">
        <ActionForm act={form('contact')} {...place} button="Save the contact">
          <p>The contact is shown with each report.</p>
          <Field
            name="contact"
            label="Contact"
            hint="An email address, an https address or a phone number. Leave it empty for none."
            value={reporter.contact ?? ''}
            {...typedIn(request, 'contact')('contact')}
            maxLength={CONTACT_CHARACTERS}
          />
        </ActionForm>
      </div>
    </>
  );
}

async function showReports({ request, reporter: { reporterId } }: Shown) {
  const { engine, fields, to } = request;
  const before = readPlace(fields.get('before'));
  const found = await engine.searchReports({ reporterId, before, limit: REPORTS });
  if (!found.ok) return null;
  const { next } = found.value;
  const place = next && `${next.createdAt}-${next.reportId}`;
  return (
    <>
      <ReportList found={found.value} request={request} />
      {place !== undefined && (
        <p class="actions">
          <a class="button" href={to(`reporters?id=${reporterId}&tab=reports&before=${place}`)} rel="next">
            Older reports
          </a>
        </p>
      )}
    </>
  );
}

async function showStanding({ request, reporter, place }: Shown) {
  const { engine, form } = request;
  const { reporterId } = reporter;
  const usage = await engine.usageOf({ reporterId });
  const [standing] = await engine.listStandings({ reporterIds: [reporterId] });
  return (
    <>
      {standing ? (
        <div class="card">
          <ul>
            {standing.why.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      ) : (
        <Empty>This reporter has no standing.</Empty>
      )}
      <h2>Usage and limits</h2>
      {usage.ok && <Usage usage={usage.value} note="The options of the service set them, except the budget." />}
      <div class="card">
        <ActionForm act={form('budget')} {...place} button="Save the budget">
          <p>
            Over all its keys, the reporter can send so many identifiers a day, in queries and in reports. The change
            holds at once.
          </p>
          <Field
            name="budget"
            label="Own budget: identifiers a day"
            hint={`1 to ${formatWhole(MAX_BUDGET_IDENTIFIERS)}. Leave it empty for the budget that the options of the service set.`}
            type="number"
            value={reporter.identifiersPerDay?.toString() ?? ''}
            {...typedIn(request, 'budget')('budget')}
          />
        </ActionForm>
      </div>
    </>
  );
}

/** The log has no index of reporters. So a page searches a bounded number of entries. */
async function showAudit({ request: { engine, fields, to }, reporter: { reporterId, name } }: Shown) {
  const before = readWhole(fields.get('before'), 1, 1e12);
  const searched = await engine.listAudit({ before: before ?? Infinity, limit: ENTRIES_SEARCHED });
  const rows = searched.filter((entry) => isSoundEntry(entry) && entry.reporterId === reporterId);
  const last = searched.length < ENTRIES_SEARCHED ? undefined : searched.at(-1)?.seq;
  return (
    <>
      <Entries rows={rows} names={new Map([[reporterId, name]])} to={to} />
      {last !== undefined && (
        <p class="actions">
          <a class="button" href={to(`reporters?id=${reporterId}&tab=audit&before=${last}`)} rel="next">
            Search in older entries
          </a>
        </p>
      )}
    </>
  );
}

interface Place {
  readonly page: string;
  readonly ids: Readonly<Record<string, string>>;
}

const placeOf = ({ to }: PanelRequest, id: string): Place => ({ page: to(`reporters?id=${id}`), ids: { id } });

interface ChangeProps extends Pick<PanelRequest, 'form'> {
  readonly reporter: Reporter;
  readonly place: Place;
}

function Verification({ reporter, form, place }: ChangeProps) {
  if (!reporter.verified)
    return (
      <ActionForm act={form('verify')} {...place} back="verification" button="Verify this reporter">
        <p>Verify an organisation that you know. From then on, its reports count in full, and they establish others.</p>
      </ActionForm>
    );
  return (
    <>
      <p>This organisation is verified: its reports count in full.</p>
      <Confirm
        ask="Undo the verification"
        effect="All unverified reporters are bounded together, whatever their records, and its default budget is smaller."
        act={form('unverify')}
        {...place}
        back="verification"
        button="Undo the verification"
        kind="danger"
      />
    </>
  );
}

function Suspension({ reporter, form, place }: ChangeProps) {
  if (reporter.suspended)
    return (
      <ActionForm act={form('resume')} {...place} back="suspension" button="End the suspension">
        <p>
          All keys of this reporter are refused, and its people cannot sign in. When you end the suspension, its keys
          work again at once.
        </p>
      </ActionForm>
    );
  return (
    <Confirm
      ask="Suspend this reporter"
      effect="All its keys are refused at once, and its staff cannot sign in. Its reports stay, and still count."
      act={form('suspend')}
      {...place}
      back="suspension"
      button="Suspend the reporter"
      kind="danger"
    />
  );
}

/** Returns an action that changes one property of the reporter. */
function changing(message: string, change: { readonly verified: boolean } | { readonly suspended: boolean }): Action {
  return acting(({ engine, visitor: { name: by } }, field) => {
    const reporterId = field('id');
    return 'verified' in change
      ? engine.updateReporter({ reporterId, ...change, by })
      : engine.suspendReporter({ reporterId, ...change, by });
  }, message);
}

const idOf = ({ fields }: PanelRequest): string => fields.get('id') ?? '';

/** The forms of a reporter's page. Each has the field `id`. */
const REPORTER_ACTIONS: Readonly<Record<string, Action>> = {
  verify: changing('The reporter is verified.', { verified: true }),
  unverify: changing('The reporter is not verified any more.', { verified: false }),
  suspend: changing('The reporter is suspended. All its keys are refused.', { suspended: true }),
  resume: changing('The suspension has ended. The keys work again.', { suspended: false }),
  contact: settingContact(idOf),

  'revoke-key': acting(
    async ({ engine, visitor: { name: by } }, field) => {
      const keyId = field('keyId');
      // The form is of this reporter's page: it cannot revoke the key of another one.
      const [own] = await engine.listKeys({ keyId, reporterId: field('id') });
      return own ? engine.revokeKey({ keyId, by }) : refuse({ reason: 'unknown-key-id' });
    },
    (_, { fields }) => ({ message: `The key ${fields.get('keyId')} is revoked. It does not work any more.` }),
  ),

  async budget(request) {
    const { engine, fields, visitor } = request;
    const text = (fields.get('budget') ?? '').trim();
    const identifiersPerDay = text === '' ? null : readWhole(text, 1, MAX_BUDGET_IDENTIFIERS);
    if (identifiersPerDay === undefined) {
      const budget = `The budget must be a whole number from 1 to ${formatWhole(MAX_BUDGET_IDENTIFIERS)}.`;
      return { ok: false, errors: { budget } };
    }
    const set = await engine.setBudget({ reporterId: fields.get('id') ?? '', identifiersPerDay, by: visitor.name });
    return set.ok ? accept({ message: 'The budget was saved.' }) : set;
  },

  'sign-in-link': creatingLink(idOf, (request) => ({
    page: `reporters?id=${idOf(request)}`,
    words: 'Back to the reporter',
  })),
  'sign-out-all': signingOut(idOf),
};

/** The list of reporters and, with `id`, the page of one reporter. */
export const REPORTERS: PanelPage = {
  path: 'reporters',
  title: 'Reporters',
  role: 'operator',
  csv: reportersAsCsv,
  show: (request) => (request.fields.has('id') ? showReporter(request) : showReporters(request)),
  actions: { ...REPORTER_ACTIONS, create },
};
