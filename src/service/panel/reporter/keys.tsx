import { accept, refuse, type Outcome } from '../../../core/domain/refusal.ts';
import { KEY_NAME_CHARACTERS } from '../../../core/engine/reporters.ts';
import type { IssuedKey, KeyInfo, KeyScope } from '../../../core/domain/reporter.ts';
import { acting, endOfDay, ownId, typedIn } from '../fields.ts';
import { Keys, Revoke, SCOPE_NAMES, titleOf } from '../keys.tsx';
import { keysAsCsv } from '../lists.ts';
import type { FormOutcome, PanelContent, PanelPage, PanelRequest } from '../page.ts';
import { Choice, Confirm, Field, ShownOnce, Spot } from '../parts.tsx';

/** Working keys of one reporter. More are a mistake, and each has to be kept. While all are replaced, twice as many. */
const MAX_KEYS = 50;

const SCOPES: Readonly<Record<string, KeyScope | null>> = { all: null, query: 'query', report: 'report' };

/** The keys of a reporter: create, rotate and revoke. */
export const KEYS: PanelPage = {
  path: 'keys',
  title: 'Keys',
  role: 'reporter',
  csv: keysAsCsv,
  show: showKeys,
  ifLost: 'If you have not copied a new key, replace it.',
  actions: {
    'create-key': createKey,
    'rotate-key': acting(
      async (request) => {
        const key = await findOwnKey(request);
        const [by, most] = [request.visitor.name, 2 * MAX_KEYS];
        return key.ok ? request.engine.rotateKey({ keyId: key.value.keyId, by, most }) : key;
      },
      (key, request) => showNewKey(request, key, 'The key that it replaces works for one more day.'),
    ),
    'revoke-key': acting(
      async (request) => {
        const key = await findOwnKey(request);
        return key.ok ? request.engine.revokeKey({ keyId: key.value.keyId, by: request.visitor.name }) : key;
      },
      // A message is in an address: it has the id, not the name.
      (_, { fields }) => ({ message: `The key ${fields.get('keyId')} is revoked. It does not work any more.` }),
    ),
  },
};

async function createKey(request: PanelRequest): Promise<FormOutcome> {
  const { engine, visitor, fields, nowMs } = request;
  const scope = fields.get('scope') ?? 'all';
  const lastDay = fields.get('lastDay') ?? '';
  const endsAt = lastDay === '' ? null : endOfDay(lastDay);
  if (!Object.hasOwn(SCOPES, scope)) return { ok: false, errors: { scope: 'Choose what the key may do.' } };
  if (endsAt === undefined || (endsAt !== null && endsAt <= nowMs))
    return { ok: false, errors: { lastDay: 'Expected a day from today on, as in 2030-01-31.' } };
  // A field of white space is an empty one.
  const keyName = (fields.get('keyName') ?? '').trim() || null;
  const asked = { reporterId: ownId(visitor), scope: SCOPES[scope] ?? null, endsAt, keyName, most: MAX_KEYS };
  return acting(
    ({ visitor: { name: by } }) => engine.issueKey({ ...asked, by }),
    (key) => showNewKey(request, key),
    { 'too-many-keys': 'scope', 'invalid-name': 'keyName' },
  )(request);
}

/** Finds the key that a form names. A key of another reporter is as unknown as one that does not exist. */
async function findOwnKey({ engine, visitor, fields }: PanelRequest): Promise<Outcome<KeyInfo>> {
  const reporterId = ownId(visitor);
  const [found] = await engine.listKeys({ reporterId, keyId: fields.get('keyId') ?? '' });
  return found ? accept(found) : refuse({ reason: 'unknown-key-id' });
}

/** The only page that has the key's value. It is the reply to the form, so no address leads to it. */
function showNewKey(
  { to, place: { basePath, dialect } }: PanelRequest,
  { apiKey, keyId, keyName }: IssuedKey,
  more?: string,
): PanelContent {
  return {
    title: 'Your new key',
    body: (
      <>
        <div class="notice ok" role="status">
          <p>The key was created. It is shown only now: copy it to a safe place. {more}</p>
        </div>
        <ShownOnce id="new-key" label="API key" copy="Copy the key">
          {apiKey}
        </ShownOnce>
        <p class="quiet">
          {keyName !== null && <>Its name is {keyName}. </>}Its id is {keyId}. The service keeps only a digest of the
          key. A reload of this page creates no second key.
        </p>
        {dialect !== 'classic' && (
          <p>
            Next,{' '}
            <a href={`${basePath}/docs#samples`} target="_blank" rel="noopener">
              copy a sample
            </a>{' '}
            for curl, PHP, Python or TypeScript, and put the key into it. It opens in a new tab.
          </p>
        )}
        <p>
          <a class="button" href={to('keys')}>
            All keys
          </a>
        </p>
      </>
    ),
  };
}

async function showKeys(request: PanelRequest): Promise<PanelContent> {
  const { engine, visitor, form, to, nowMs, said } = request;
  const typed = typedIn(request, 'create-key');
  const keys = await engine.listKeys({ reporterId: ownId(visitor) });
  return {
    title: 'Keys',
    body: (
      <>
        <p>A shop sends its key with each request. Give each system its own key, so that you can revoke one alone.</p>
        <div class="card">
          <Confirm
            ask="Create a key"
            effect="The key is shown once."
            isOpen={keys.length === 0}
            act={form('create-key')}
            page={to('keys')}
            button="Create the key"
            kind="primary"
          >
            <div class="fields">
              <Field
                name="keyName"
                label="Name (optional)"
                hint="Such as the system that uses it. It cannot be changed later."
                maxLength={KEY_NAME_CHARACTERS}
                {...typed('keyName')}
              />
              <Choice
                name="scope"
                label="What the key may do"
                hint="A system that only queries needs no more."
                options={SCOPE_NAMES}
                {...typed('scope')}
              />
              <Field
                name="lastDay"
                label="Last day (optional)"
                hint="In UTC. Without it, the key has no end."
                type="date"
                {...typed('lastDay')}
              />
            </div>
          </Confirm>
        </div>
        <h2>Keys that work</h2>
        <Spot id="keys" said={said} />
        <Keys
          keys={keys}
          nowMs={nowMs}
          empty="No key works."
          change={(key) => <Change key={key.keyId} info={key} request={request} />}
        />
      </>
    ),
  };
}

/** What can be done with a key that works. A key that was replaced has an end already, and no second successor. */
function Change({ info, request: { form, to } }: { readonly info: KeyInfo; readonly request: PanelRequest }) {
  const { keyId, endsAt, issuedUntil } = info;
  return (
    <>
      {endsAt === issuedUntil && (
        <Confirm
          ask="Replace"
          about={`key ${titleOf(info)}`}
          effect="You get a new key that may do the same. This one ends in one day."
          act={form('rotate-key')}
          page={to('keys')}
          ids={{ keyId }}
          button="Create the new key"
          label={`Create the new key in place of ${titleOf(info)}`}
        />
      )}
      <Revoke info={info} act={form('revoke-key')} page={to('keys')} />
    </>
  );
}
