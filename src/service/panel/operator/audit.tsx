import { formatWhole } from '../../../core/domain/text.ts';
import { isSoundEntry, type AuditAction, type AuditEntry, type DamagedEntry } from '../../../core/domain/audit.ts';
import { accept } from '../../../core/domain/refusal.ts';
import { Moment } from '../../web/parts.tsx';
import { typedIn } from '../fields.ts';
import { auditAsCsv } from '../lists.ts';
import type { PanelEngine, PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Choice, Field, Paging, readWhole, ShownOnce, TableCard } from '../parts.tsx';

const ROWS = 50;
const MAX_SEQ = 1e12;

/** What was done, in the words of the filter and the table. */
export const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'reporter-created': 'Reporter created',
  'reporter-suspended': 'Reporter suspended',
  'reporter-unsuspended': 'Suspension ended',
  'reporter-verified': 'Reporter verified',
  'reporter-unverified': 'Verification withdrawn',
  'budget-set': 'Budget set',
  'contact-set': 'Contact set',
  'key-issued': 'Key created',
  'key-rotated': 'Key replaced',
  'key-revoked': 'Key revoked',
  'ended-key-used': 'Ended key used',
  'unusual-usage': 'Unusual usage',
  'silent-together': 'Silent reporters accuse together',
  'always-together': 'Reporters always accuse together',
  'accusation-burst': 'Many accuse one person',
  'unusual-accusations': 'Unusually many accusations',
  'dispute-requested': 'Dispute requested',
  'dispute-request-refused': 'Request for a dispute refused',
  'dispute-opened': 'Dispute opened',
  'dispute-answered': 'Dispute answered',
  'person-answered': 'Person answered',
  'dispute-upheld': 'Dispute upheld',
  'dispute-rejected': 'Dispute rejected',
  'dispute-reopened': 'Decision taken back',
  'allow-list-added': 'Added to the allow-list',
  'allow-list-removed': 'Removed from the allow-list',
  'sign-in-link-created': 'Sign-in link created',
  'signed-in': 'Signed in',
  'signed-out': 'All sessions ended',
  'webhook-added': 'Webhook added',
  'webhook-removed': 'Webhook removed',
  'webhook-resumed': 'Webhook resumed',
  'pepper-added': 'Pepper added',
  'pepper-rotated': 'Pepper rotated',
  'sealed-keys-created': 'Sealed keys created',
  'sealed-epoch-added': 'Sealed epoch added',
  'sealed-epoch-destroyed': 'Sealed epoch destroyed',
  erased: 'Identifiers erased',
  exported: 'Data exported',
  imported: 'Data imported',
  migrated: 'Data moved to another store',
  'backed-up': 'Backup made',
};

type Entry = AuditEntry | DamagedEntry;

/** The audit log, newest entry first. */
export const AUDIT: PanelPage = {
  path: 'audit',
  title: 'Audit log',
  role: 'operator',
  csv: auditAsCsv,

  async show(request) {
    const { engine, fields, to } = request;
    const action = readAction(fields.get('action'));
    const before = readWhole(fields.get('before'), 1, MAX_SEQ);
    const after = readWhole(fields.get('after'), 0, MAX_SEQ);
    const { rows, newer, older } = await findPage(engine, { before, after, action });
    const reporterIds = rows.flatMap((entry) => (isSoundEntry(entry) && entry.reporterId ? [entry.reporterId] : []));
    const reporters = await engine.listReporters({ reporterIds });
    const names = new Map(reporters.map(({ reporterId, name }) => [reporterId, name]));
    const filter = action === undefined ? '' : `action=${action}&`;
    return {
      title: 'Audit log',
      body: (
        <>
          <p>Who did what, newest first. Nothing deletes entries, and each contains the digest of the previous one.</p>
          <Filter action={action} page={to('audit')} />
          {action !== undefined && (
            <p class="quiet">
              An entry may be missing here if it is damaged. <a href="#verify">Verify the log</a> to find damaged
              entries.
            </p>
          )}
          <Entries rows={rows} names={names} entries={await findListed(engine, rows)} to={to} />
          <Paging
            shown={rows.length === 0 ? '' : `Entries ${rows.at(-1)!.seq} to ${rows[0]!.seq}`}
            words={['Newer', 'Older']}
            newer={newer === undefined ? undefined : to(`audit?${filter}after=${newer}`)}
            older={older === undefined ? undefined : to(`audit?${filter}before=${older}`)}
          />
          <h2 id="verify">Verify the log</h2>
          <Verify request={request} />
        </>
      ),
    };
  },

  actions: {
    async verify(request) {
      const { engine, fields, to } = request;
      const head = (fields.get('head') ?? '').trim().toLowerCase();
      if (head !== '' && !/^[0-9a-f]{64}$/.test(head))
        return { ok: false, errors: { head: 'A head has 64 hex characters.' } };
      const { entries, head: last, firstBad, hasHead } = await engine.verifyAudit(head === '' ? {} : { head });
      const isSound = firstBad === null && hasHead !== false;
      return accept({
        title: 'Audit log: verification',
        body: (
          <>
            <p id="form-verify" class={isSound ? 'notice ok' : 'notice bad'} tabIndex={-1} role="status">
              {firstBad === null
                ? `The chain of all ${formatWhole(entries)} entries is sound.`
                : `Entry ${firstBad} is damaged, missing or out of place.`}{' '}
              {hasHead === true && 'It contains the head that you noted.'}
              {hasHead === false && 'It does not contain the head that you noted: entries were cut off or rewritten.'}
            </p>
            <h2>Note the head</h2>
            <p>
              Keep this digest outside this service. With it, a later verification also detects a log that was cut off
              or rewritten as a whole.
            </p>
            <ShownOnce id="last-head" label="Head" copy="Copy the head">
              {last}
            </ShownOnce>
            <h2>Verify again</h2>
            <Verify request={request} hasId={false} />
            <p>
              <a href={to('audit')}>Back to the log</a>
            </p>
          </>
        ),
      });
    },
  },
};

/** What each entry of the allow-list says, by who changed it when. */
type Listed = ReadonlyMap<string, string>;

/** Entries of the audit log as a table. `entries` are those of the allow-list. */
export function Entries({
  rows,
  names,
  entries,
  to,
}: {
  readonly rows: readonly Entry[];
  readonly names: ReadonlyMap<string, string>;
  readonly entries?: Listed;
  readonly to: PanelRequest['to'];
}) {
  return (
    <TableCard
      empty="No such entry."
      caption="Entries of the audit log, newest first"
      rows={rows}
      keyOf={({ seq }) => seq}
      columns={[
        { title: 'Entry', cell: ({ seq }) => `${seq}` },
        { title: 'When', cell: (entry) => isSoundEntry(entry) && <Moment at={entry.atMs} /> },
        { title: 'What', cell: (entry) => (isSoundEntry(entry) ? toWords(entry) : <Damaged />) },
        { title: 'Who', cell: (entry) => isSoundEntry(entry) && entry.actor },
        {
          title: 'About',
          cell: (entry) => {
            if (!isSoundEntry(entry)) return false;
            const reason = entries?.get(listedKey(entry.action, entry.atMs, entry.actor));
            if (reason !== undefined) return <span class="said">{reason}</span>;
            return (entry.reporterId ?? entry.subject) !== null && <About entry={entry} names={names} to={to} />;
          },
        },
      ]}
    />
  );
}

const listedKey = (action: string, atMs: number, by: string): string => `${action} ${atMs} ${by}`;

/** Returns the reasons of the entries of the allow-list to which these entries of the log belong. */
async function findListed(engine: PanelEngine, rows: readonly Entry[]): Promise<Listed> {
  const listed = new Map<string, string>();
  if (!rows.some((entry) => isSoundEntry(entry) && entry.action.startsWith('allow-list-'))) return listed;
  // The log holds no hash, which an erasure could not remove. Who changed an entry when tells which one it was.
  const note = (key: string, reason: string): void => {
    const others = listed.get(key);
    listed.set(key, others === undefined || others === reason ? reason : `${others}\n${reason}`);
  };
  for (const { addedAt, addedBy, endsAt, endedBy, reason } of await engine.listProtected()) {
    note(listedKey('allow-list-added', addedAt, addedBy), reason);
    if (endsAt !== null && endedBy !== null) note(listedKey('allow-list-removed', endsAt, endedBy), reason);
  }
  return listed;
}

function readAction(text: string | undefined): AuditAction | undefined {
  return text !== undefined && Object.hasOwn(ACTIONS, text) ? (text as AuditAction) : undefined;
}

function toWords({ action, amount }: AuditEntry): string {
  const words = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : action;
  if (action === 'budget-set') return `${words}: ${amount === null ? 'the default' : formatWhole(amount)}`;
  return amount === null ? words : `${words}: ${formatWhole(amount)}`;
}

function Damaged() {
  return <span class="tag">damaged</span>;
}

function About({
  entry: { reporterId, subject },
  names,
  to,
}: {
  readonly entry: AuditEntry;
  readonly names: ReadonlyMap<string, string>;
  readonly to: PanelRequest['to'];
}) {
  return (
    <>
      {reporterId !== null && <a href={to(`reporters?id=${reporterId}`)}>{names.get(reporterId) ?? reporterId}</a>}
      {reporterId !== null && subject !== null && ', '}
      {subject !== null && <code>{subject}</code>}
    </>
  );
}

function Filter({ action, page }: { readonly action: AuditAction | undefined; readonly page: string }) {
  return (
    <form method="get" action={page} class="card inline">
      <Choice name="action" label="Show only" value={action} options={{ '': 'all actions', ...ACTIONS }} />
      <button class="button">Show</button>
    </form>
  );
}

function Verify({ request, hasId = true }: { readonly request: PanelRequest; readonly hasId?: boolean }) {
  const { form, to } = request;
  return (
    <div class="card">
      <ActionForm act={form('verify')} page={to('audit')} hasId={hasId} button="Verify the log">
        <p>Recomputes the digests of all entries. Changes nothing; a long log takes seconds.</p>
        <Field
          name="head"
          label="Head that you noted (optional)"
          hint="64 hex characters: the digest of the last entry at that time."
          {...typedIn(request, 'verify')('head')}
        />
      </ActionForm>
    </div>
  );
}

interface Place {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly action?: AuditAction | undefined;
}

/** Entries, newest first. `newer` and `older` are where the next pages begin; undefined at the ends of the log. */
interface Page {
  readonly rows: readonly Entry[];
  readonly newer?: number | undefined;
  readonly older?: number | undefined;
}

/** Returns the entries before or after a place. If too few follow `after`, returns the newest ones. */
async function findPage(engine: PanelEngine, { before, after, action }: Place): Promise<Page> {
  if (after !== undefined) {
    const found = await engine.listAudit({ after, action, limit: ROWS + 1 });
    const rows = found.slice(0, ROWS).reverse();
    if (found.length > ROWS) return { rows, newer: rows[0]!.seq, older: rows.at(-1)!.seq };
  }
  const found = await engine.listAudit({ before: before ?? Infinity, action, limit: ROWS + 1 });
  const rows = found.slice(0, ROWS);
  return {
    rows,
    newer: before === undefined ? undefined : (rows[0]?.seq ?? before - 1),
    older: found.length > ROWS ? rows.at(-1)!.seq : undefined,
  };
}
