import { BUDGET_MOST } from '../../../operator/reporters.ts';
import { CONTACT_CHARACTERS } from '../../../core/domain/contact.ts';
import { accept, refuse, type Outcome } from '../../../core/domain/refusal.ts';
import { type Reporter, signInPath } from '../../../core/domain/reporter.ts';
import { wordRefusal } from '../../../core/protocol/wording.ts';
import { Moment } from '../../web/parts.tsx';
import { typedIn } from '../fields.ts';
import { Keys, Revoke } from '../keys.tsx';
import { readWhole } from '../lists.tsx';
import type { FormOutcome, PanelContent, PanelRequest } from '../page.ts';
import { ActionForm, Confirm, Empty, Field } from '../parts.tsx';
import { Usage } from '../usage.tsx';
import { State } from './state.tsx';
import { formatWhole, withoutTrailing } from '../../../core/domain/text.ts';

/** Returns the page of the reporter whose id is in the field `id`. */
export async function showReporter(request: PanelRequest): Promise<PanelContent> {
  const { engine, fields, form, to, nowMs } = request;
  const reporterId = fields.get('id') ?? '';
  const reporter = await engine.findReporter({ reporterId });
  if (!reporter)
    return {
      title: 'No such reporter',
      body: (
        <>
          <p>No reporter has this id.</p>
          <p>
            <a href={to('reporters')}>All reporters</a>
          </p>
        </>
      ),
    };
  const usage = await engine.usageOf({ reporterId });
  const [standing] = await engine.listStandings({ reporterIds: [reporterId] });
  const place = { page: to(`reporters?id=${reporterId}`), ids: { id: reporterId } };
  return {
    title: reporter.name,
    body: (
      <>
        <p>
          <State {...reporter} /> <span class="quiet">created</span> <Moment at={reporter.createdAt} />
        </p>
        <h2>Standing</h2>
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
        <h2>Verification</h2>
        <div class="card">
          <Verification reporter={reporter} form={form} place={place} />
        </div>
        <h2>Keys</h2>
        <Keys
          keys={await engine.listKeys({ reporterId })}
          nowMs={nowMs}
          empty="This reporter has no key that works. It can create one after it has signed in."
          change={({ keyId }) => <Revoke keyId={keyId} act={form('revoke-key')} {...place} />}
        />
        <h2>Sign-in link</h2>
        <div class="card">
          <ActionForm act={form('sign-in-link')} {...place} button="Create the link" kind="primary">
            <p>One person can sign in with the link once, within an hour. It is shown to you once.</p>
            <Field
              name="person"
              label="Name of the person"
              hint="The audit log shows it with what this person does."
              {...typedIn(request, 'sign-in-link')('person')}
              most={80}
              required
            />
          </ActionForm>
        </div>
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
              most={CONTACT_CHARACTERS}
            />
          </ActionForm>
        </div>
        <h2>Usage and limits</h2>
        {usage.ok && <Usage usage={usage.value} note="The options of the service set them, except the budget." />}
        <div class="card">
          <ActionForm act={form('budget')} {...place} button="Save the budget">
            <p>Over all its keys, the reporter can query so many identifiers a day. The change holds at once.</p>
            <Field
              name="budget"
              label="Own budget: identifiers a day"
              hint={`1 to ${formatWhole(BUDGET_MOST)}. Leave it empty for the budget that the options of the service set.`}
              type="number"
              value={reporter.identifiersPerDay?.toString() ?? ''}
              {...typedIn(request, 'budget')('budget')}
            />
          </ActionForm>
        </div>
        <h2>Suspension</h2>
        <div class="card">
          <Suspension reporter={reporter} form={form} place={place} />
        </div>
      </>
    ),
  };
}

interface Place {
  readonly page: string;
  readonly ids: Readonly<Record<string, string>>;
}

interface ChangeProps extends Pick<PanelRequest, 'form'> {
  readonly reporter: Reporter;
  readonly place: Place;
}

function Verification({ reporter, form, place }: ChangeProps) {
  if (!reporter.verified)
    return (
      <ActionForm act={form('verify')} {...place} button="Verify this reporter">
        <p>Verify an organisation that you know. From then on, its reports count in full, and they establish others.</p>
      </ActionForm>
    );
  return (
    <>
      <p>This organisation is verified: its reports count in full.</p>
      <Confirm
        ask="Undo the verification"
        effect="All unverified reporters are bounded together, whatever their records, and its default budget is smaller."
      >
        <ActionForm act={form('unverify')} {...place} button="Undo the verification" kind="danger" />
      </Confirm>
    </>
  );
}

function Suspension({ reporter, form, place }: ChangeProps) {
  if (reporter.suspended)
    return (
      <ActionForm act={form('resume')} {...place} button="End the suspension">
        <p>All keys of this reporter are refused now. After the suspension, its keys work again at once.</p>
      </ActionForm>
    );
  return (
    <Confirm
      ask="Suspend this reporter"
      effect="All its keys are refused at once, and its staff cannot sign in. Its reports stay, and still count."
    >
      <ActionForm act={form('suspend')} {...place} button="Suspend the reporter" kind="danger" />
    </Confirm>
  );
}

type Action = (request: PanelRequest) => Promise<FormOutcome>;

/** Returns an action that changes the reporter and answers with a message. */
function changing(
  message: string,
  change: (request: PanelRequest, reporterId: string) => Promise<Outcome<unknown>>,
): Action {
  return async (request) => {
    const changed = await change(request, request.fields.get('id') ?? '');
    return changed.ok ? accept({ message }) : changed;
  };
}

/** The forms of a reporter's page. Each has the field `id`. */
export const REPORTER_ACTIONS: Readonly<Record<string, Action>> = {
  verify: changing('The reporter is verified.', ({ engine, visitor }, reporterId) =>
    engine.updateReporter({ reporterId, verified: true, by: visitor.name }),
  ),
  unverify: changing('The reporter is not verified any more.', ({ engine, visitor }, reporterId) =>
    engine.updateReporter({ reporterId, verified: false, by: visitor.name }),
  ),
  suspend: changing('The reporter is suspended. All its keys are refused.', ({ engine, visitor }, reporterId) =>
    engine.suspendReporter({ reporterId, suspended: true, by: visitor.name }),
  ),
  resume: changing('The suspension has ended. The keys work again.', ({ engine, visitor }, reporterId) =>
    engine.suspendReporter({ reporterId, suspended: false, by: visitor.name }),
  ),
  'revoke-key': changing('The key was revoked. It is refused from now on.', async ({ engine, fields, visitor }, id) => {
    const keyId = fields.get('keyId') ?? '';
    // The form is of this reporter's page: it cannot revoke the key of another one.
    const [own] = await engine.listKeys({ keyId, reporterId: id });
    return own ? engine.revokeKey({ keyId, by: visitor.name }) : refuse({ reason: 'unknown-key-id' });
  }),

  async budget(request) {
    const { engine, fields, visitor } = request;
    const text = (fields.get('budget') ?? '').trim();
    const identifiersPerDay = text === '' ? null : readWhole(text, 1, BUDGET_MOST);
    if (identifiersPerDay === undefined) {
      const budget = `The budget must be a whole number from 1 to ${formatWhole(BUDGET_MOST)}.`;
      return { ok: false, errors: { budget } };
    }
    const set = await engine.setBudget({ reporterId: fields.get('id') ?? '', identifiersPerDay, by: visitor.name });
    return set.ok ? accept({ message: 'The budget was saved.' }) : set;
  },

  async contact(request) {
    const { engine, fields, visitor } = request;
    const text = (fields.get('contact') ?? '').trim();
    const contact = text === '' ? null : text;
    const set = await engine.updateReporter({ reporterId: fields.get('id') ?? '', contact, by: visitor.name });
    if (set.ok) return accept({ message: contact === null ? 'The contact was removed.' : 'The contact was saved.' });
    if (set.refusal.reason !== 'invalid-contact') return set;
    return { ok: false, errors: { contact: wordRefusal(set.refusal) } };
  },

  async 'sign-in-link'(request) {
    const { engine, fields, visitor, to } = request;
    const reporterId = fields.get('id') ?? '';
    const name = fields.get('person') ?? '';
    const described = await engine.describe();
    if (!described.ok) return described;
    const link = await engine.createSignInLink({ reporterId, name, by: visitor.name });
    if (!link.ok) {
      if (link.refusal.reason !== 'invalid-name') return link;
      return { ok: false, errors: { person: wordRefusal(link.refusal) } };
    }
    const { token, endsAt } = link.value;
    const publicUrl = withoutTrailing(described.value.publicUrl, '/');
    return accept({
      title: 'Sign-in link',
      body: (
        <>
          <p class="notice warn">Copy this link now. It is not shown again.</p>
          <code class="key">{publicUrl + signInPath(token)}</code>
          <p>
            Send it to this person only. It works once, until <Moment at={endsAt} />.
          </p>
          <p>
            <a href={to(`reporters?id=${reporterId}`)}>Back to the reporter</a>
          </p>
        </>
      ),
    });
  },
};
