import { isHash } from '../../../core/domain/identifier.ts';
import { protectsNow, type Protection } from '../../../core/domain/protection.ts';
import type { Refusal } from '../../../core/domain/refusal.ts';
import { Day, Moment } from '../../web/parts.tsx';
import { acting, endOfDay, typedIn } from '../fields.ts';
import { allowListAsCsv } from '../lists.ts';
import type { PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { ActionForm, Confirm, Field, Lists, pageOf, TableCard } from '../parts.tsx';

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
  show: showAllowList,
  actions: {
    async protect(request) {
      const day = request.fields.get('endsAt') ?? '';
      // The entry protects on its last day, too.
      const endsAt = day === '' ? undefined : endOfDay(day);
      if (day !== '' && (endsAt === undefined || endsAt <= request.nowMs))
        return { ok: false, errors: { endsAt: 'The last day must be today or later.' } };
      return acting(
        ({ engine, visitor: { name: by } }, field) => {
          const entry = { hash: field('hash').trim().toLowerCase(), reason: field('reason'), by };
          return engine.protect(endsAt === undefined ? entry : { ...entry, endsAt });
        },
        'The hash is on the allow-list. It matches no report from now on.',
        FIELD_OF,
      )(request);
    },

    unprotect: acting(
      ({ engine, visitor: { name: by } }, field) => engine.unprotect({ hash: field('hash'), by }),
      'The hash is not on the allow-list any more.',
    ),
  },
};

async function showAllowList(request: PanelRequest): Promise<PanelContent> {
  const { engine, fields, form, to, nowMs } = request;
  const all = await engine.listProtected();
  const sorted = [...all].sort((a, b) => b.addedAt - a.addedAt);
  const current = sorted.filter((protection) => protectsNow(protection, nowMs));
  const past = sorted.filter((protection) => !protectsNow(protection, nowMs));
  const isPast = fields.get('list') === 'past';
  const { rows, paging } = pageOf(
    request,
    `allow-list?list=${isPast ? 'past' : 'current'}`,
    isPast ? past : current,
    ROWS,
  );
  const typed = typedIn(request, 'protect');
  // A hash that is wrong may be an email address by mistake: it is not shown again.
  const hash = typed('hash').value?.trim().toLowerCase();
  return {
    title: 'Allow-list',
    body: (
      <>
        <p>
          An identifier on the allow-list matches no report. Use it for identifiers that belong to no single person,
          such as the address of a payment provider.
        </p>
        <Lists
          label="Lists of entries"
          lists={[
            { name: `Current (${current.length})`, page: to('allow-list'), isCurrent: !isPast },
            { name: `Past (${past.length})`, page: to('allow-list?list=past'), isCurrent: isPast },
          ]}
        />
        <TableCard
          empty={isPast ? 'No entry has ended yet.' : 'No identifier is on the allow-list.'}
          caption={isPast ? 'Past entries of the allow-list' : 'Entries of the allow-list'}
          rows={rows}
          keyOf={({ hash: stored, addedAt }) => `${stored} ${addedAt}`}
          columns={[
            { title: 'Reason', cell: ({ reason }) => <span class="said">{reason}</span> },
            {
              title: 'Stored hash',
              isBlock: true,
              cell: ({ hash: stored }) => (
                <p class="scroll" tabindex={0}>
                  <code>{stored}</code>
                </p>
              ),
            },
            { title: 'Added', cell: Added },
            { title: 'Ends', cell: (entry) => <Ends {...entry} /> },
            ...(isPast
              ? []
              : [
                  {
                    title: 'Change',
                    isAction: true,
                    cell: ({ hash: stored }: Protection) => (
                      <Confirm
                        ask="Remove"
                        effect="Reports with this identifier count again at once."
                        act={form('unprotect')}
                        page={to('allow-list')}
                        ids={{ hash: stored }}
                        button="Remove it"
                        kind="danger"
                      />
                    ),
                  },
                ]),
          ]}
        />
        {paging}
        <h2>Add an identifier</h2>
        <div class="card">
          <ActionForm act={form('protect')} page={to('allow-list')} button="Add to the allow-list" kind="primary">
            <p>Reports with this identifier stop counting at once. They stay stored.</p>
            <Field
              name="hash"
              label="Hash of the identifier"
              hint="40 hex characters, from npx redflag hash. The service does not hash: never paste the identifier itself."
              error={typed('hash').error}
              value={isHash(hash) ? hash : undefined}
              required
            />
            <Field
              name="reason"
              label="Reason"
              hint="Only operators see it."
              {...typed('reason')}
              required
              maxLength={500}
            />
            <Field
              name="endsAt"
              label="Last day (UTC)"
              hint="Leave it empty if the entry has no end."
              type="date"
              {...typed('endsAt')}
            />
          </ActionForm>
        </div>
      </>
    ),
  };
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
