import { isHash } from '../../../core/domain/identifier.ts';
import { protectsNow, type Protection } from '../../../core/domain/protection.ts';
import { accept, type Outcome, type Refusal } from '../../../core/domain/refusal.ts';
import { count } from '../../../core/domain/text.ts';
import { Day, Moment, type Column } from '../../web/parts.tsx';
import { acting, endOfDay, typedIn } from '../fields.ts';
import { placeOf } from '../forms.ts';
import {
  hashedForm,
  IDENTIFIERS,
  IDENTIFIERS_ALONE,
  MAX_SEARCH_CHARACTERS,
  readHashedSearch,
  readHashes,
  SearchedIdentifier,
  type HashedSearch,
} from '../hashed.tsx';
import { allowListAsCsv } from '../lists.ts';
import type { PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { Confirm, Field, Lists, pageOf, Spot, TableCard } from '../parts.tsx';

const ROWS = 100;

/** The fields that a refusal is about. */
const FIELD_OF: Partial<Record<Refusal['reason'], string>> = {
  'invalid-hash': 'hash',
  'already-protected': 'hash',
  'invalid-note': 'reason',
};

/** The allow-list: identifiers that match no report. */
export const ALLOW_LIST: PanelPage = {
  path: 'allow-list',
  title: 'Allow-list',
  role: 'operator',
  csv: allowListAsCsv,
  show: (request) => showAllowList(request),
  searches: {
    // A hash must not be in an address, which is in histories and logs.
    'find-entry': (request) => showAllowList(request, readHashedSearch(request.fields)),
  },
  actions: {
    async protect(request) {
      const day = request.fields.get('endsAt') ?? '';
      // The entry protects on its last day, too.
      const endsAt = day === '' ? undefined : endOfDay(day);
      if (day !== '' && (endsAt === undefined || endsAt <= request.nowMs))
        return { ok: false, errors: { endsAt: 'The last day must be today or later.' } };
      return acting(
        ({ engine, visitor: { name: by } }, field) => {
          const hashes = readHashes(field('hash'));
          // Nothing is added if one is wrong: it comes first, and the engine refuses it.
          const wrong = hashes.find((hash) => !isHash(hash));
          const entry = { reason: field('reason'), by, ...(endsAt === undefined ? {} : { endsAt }) };
          return protectAll(engine, wrong === undefined ? hashes : [wrong], entry);
        },
        'The identifier is on the allow-list. It matches no report from now on.',
        FIELD_OF,
      )(request);
    },

    async unprotect(request) {
      const { engine, fields, visitor } = request;
      const removed = await engine.unprotect({ hash: fields.get('hash') ?? '', by: visitor.name });
      if (!removed.ok) return removed;
      const message = 'The identifier is not on the allow-list any more.';
      const search = readHashedSearch(fields);
      if (!isSearchOf(search)) return accept({ message });
      const said = { at: placeOf(fields, true), isDone: true, text: message };
      return accept({ ...(await showAllowList({ ...request, said }, search)), hasFocus: true });
    },
  },
};

/** Protects the spellings of one identifier. Some may be on the list already. */
async function protectAll(
  engine: PanelRequest['engine'],
  hashes: readonly string[],
  entry: Omit<Parameters<PanelRequest['engine']['protect']>[0], 'hash'>,
): Promise<Outcome<unknown>> {
  let isAdded = false;
  for (const [at, hash] of hashes.entries()) {
    const added = await engine.protect({ ...entry, hash });
    isAdded ||= added.ok;
    const isLast = at === hashes.length - 1;
    if (!added.ok && (added.refusal.reason !== 'already-protected' || (isLast && !isAdded))) return added;
  }
  return accept(undefined);
}

/** Upper and lower case are alike. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const ALL: HashedSearch = { text: '', hashes: undefined };

function isSearchOf({ text, hashes }: HashedSearch): boolean {
  return text !== '' || hashes !== undefined;
}

async function showAllowList(request: PanelRequest, search = ALL): Promise<PanelContent> {
  const { engine, fields, to, nowMs, said } = request;
  const { text, hashes } = search;
  const listed = await engine.listProtected(hashes ? { hashes } : {});
  const all = listed.filter(({ reason }) => fold(reason).includes(fold(text)));
  const sorted = [...all].sort((a, b) => b.addedAt - a.addedAt);
  const current = sorted.filter((protection) => protectsNow(protection, nowMs));
  const past = sorted.filter((protection) => !protectsNow(protection, nowMs));
  const isPast = fields.get('list') === 'past';
  const list = isPast ? past : current;
  const isSearch = isSearchOf(search);
  const { rows, paging } = pageOf(request, `allow-list?list=${isPast ? 'past' : 'current'}`, list, ROWS);
  return {
    title: 'Allow-list',
    scripts: ['panel'],
    body: (
      <>
        <p>
          An identifier on the allow-list matches no report. Use it for identifiers that belong to no single person,
          such as the address of a payment provider.
        </p>
        <div class="card">
          <Add request={request} isOpen={all.length === 0 && !isSearch} />
        </div>
        <Search request={request} search={search} />
        {isSearch ? (
          <h2 id="found" tabIndex={-1}>
            {titleOfFound(search, all.length, current.length)}
          </h2>
        ) : (
          <Lists
            label="Lists of entries"
            lists={[
              { name: `Current (${current.length})`, page: to('allow-list'), isCurrent: !isPast },
              { name: `Past (${past.length})`, page: to('allow-list?list=past'), isCurrent: isPast },
            ]}
          />
        )}
        {hashes && all.length > 0 && (
          <p>
            {all.length === 1 ? 'This entry is' : 'These entries are'} about it. The service stores a hash under a
            secret, so the stored hash differs from the one that your browser sent.
          </p>
        )}
        <Spot id="entries" said={said} />
        {isSearch ? (
          sorted.length > 0 && <Entries entries={sorted.slice(0, ROWS)} request={request} search={search} empty="" />
        ) : (
          <Entries
            entries={rows}
            request={request}
            empty={isPast ? 'No entry has ended yet.' : 'No identifier is on the allow-list.'}
          />
        )}
        {!isSearch && paging}
      </>
    ),
  };
}

/** Returns what a search found. A search for an identifier alone says whether the identifier is on the list. */
function titleOfFound({ text, hashes }: HashedSearch, found: number, current: number): string {
  if (hashes && text === '') {
    if (current > 0) return 'The identifier is on the allow-list';
    return found > 0 ? 'The identifier is not on the allow-list any more' : 'The identifier is not on the allow-list';
  }
  return found === 0 ? 'No entry was found' : `${count(found, 'entry was', 'entries were')} found`;
}

function Search({ request, search }: { readonly request: PanelRequest; readonly search: HashedSearch }) {
  const { form, to } = request;
  return (
    <form method="post" action={`${to('allow-list')}#found`} role="search" class="card inline" {...hashedForm(request)}>
      {form('find-entry')}
      <Field
        name="text"
        label="Search in the allow-list"
        hint="A part of the reason, or hashes of identifiers"
        value={search.text}
        maxLength={MAX_SEARCH_CHARACTERS}
        keyName="/"
        hashed={{ kind: 'or-text', hint: `A part of the reason, or ${IDENTIFIERS}` }}
      />
      <SearchedIdentifier hashes={search.hashes} />
      <button class="button">Search</button>
      {isSearchOf(search) && (
        <a class="button quiet" href={to('allow-list')}>
          Show all
        </a>
      )}
    </form>
  );
}

function Add({ request, isOpen }: { readonly request: PanelRequest; readonly isOpen: boolean }) {
  const { form, to } = request;
  const typed = typedIn(request, 'protect');
  // A hash that is wrong may be an email address by mistake: it is not shown again.
  const hashes = readHashes(typed('hash').value ?? '');
  return (
    <Confirm
      ask="Add an identifier"
      effect="Reports with this identifier stop counting at once. They stay stored."
      isOpen={isOpen}
      act={form('protect')}
      page={to('allow-list')}
      button="Add to the allow-list"
      kind="primary"
      attributes={hashedForm(request)}
    >
      <Field
        name="hash"
        label="Identifier"
        hint="Its hash of 40 hex characters, from npx redflag hash. Without JavaScript, never paste the identifier itself."
        {...typed('hash')}
        value={hashes.every(isHash) ? hashes.join(' ') : undefined}
        hashed={{ kind: 'only', hint: IDENTIFIERS_ALONE }}
        required
      />
      <Field name="reason" label="Reason" hint="Only operators see it." {...typed('reason')} required maxLength={500} />
      <Field
        name="endsAt"
        label="Last day (UTC)"
        hint="Leave it empty if the entry has no end."
        type="date"
        {...typed('endsAt')}
      />
    </Confirm>
  );
}

function Entries({
  entries,
  request: { form, to, nowMs },
  search: { text, hashes } = ALL,
  empty,
}: {
  readonly entries: readonly Protection[];
  readonly request: PanelRequest;
  /** What was searched for. A change shows the search again. */
  readonly search?: HashedSearch;
  readonly empty: string;
}) {
  // Several entries may be of one millisecond. A hash must not be in an address.
  const idOf = (entry: Protection): string =>
    `remove-${entry.addedAt}-${entries.filter(({ addedAt }) => addedAt === entry.addedAt).indexOf(entry)}`;
  const change: Column<Protection> = {
    title: 'Change',
    isAction: true,
    cell: (entry) =>
      protectsNow(entry, nowMs) && (
        <Confirm
          ask="Remove"
          about={entry.reason}
          effect="Reports with this identifier count again at once."
          act={form('unprotect')}
          page={to('allow-list')}
          ids={{ hash: entry.hash, ...(text && { text }), ...(hashes && { searched: hashes.join(' ') }) }}
          id={idOf(entry)}
          back="entries"
          button="Remove it"
          kind="danger"
          label={`Remove it: ${entry.reason}`}
        />
      ),
  };
  return (
    <TableCard
      empty={empty}
      caption="Entries of the allow-list"
      rows={entries}
      keyOf={({ hash, addedAt }) => `${hash} ${addedAt}`}
      columns={[
        { title: 'Reason', cell: ({ reason }) => <span class="said">{reason}</span> },
        {
          title: 'Stored hash',
          isBlock: true,
          cell: ({ hash }) => (
            <p class="scroll" tabindex={0}>
              <code>{hash}</code>
            </p>
          ),
        },
        { title: 'Added', cell: Added },
        { title: 'Ends', cell: (entry) => <Ends {...entry} /> },
        ...(entries.some((entry) => protectsNow(entry, nowMs)) ? [change] : []),
      ]}
    />
  );
}

function Added({ addedAt, addedBy }: Protection) {
  return (
    <>
      <Moment at={addedAt} /> by {addedBy}
    </>
  );
}

function Ends({ endsAt, endedBy }: Protection) {
  if (endsAt === null) return <>never</>;
  if (endedBy === null) return <Day at={endsAt - 1} />;
  return (
    <>
      <Moment at={endsAt} />, removed by {endedBy}
    </>
  );
}
