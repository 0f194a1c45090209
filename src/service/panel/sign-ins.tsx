import { signInPath, type SignIn } from '../../core/domain/reporter.ts';
import { withoutTrailing } from '../../core/domain/text.ts';
import { Moment } from '../web/parts.tsx';
import { acting, typedIn } from './fields.ts';
import type { FormIds } from './forms.ts';
import type { Action, PanelRequest } from './page.ts';
import { ActionForm, Confirm, Field, ShownOnce, Spot, TableCard } from './parts.tsx';

/** Where the forms of a page are sent. */
interface Place {
  readonly page: string;
  readonly ids?: FormIds;
}

/** The form that creates a sign-in link. Its page has the action of {@link creatingLink}. */
export function SignInLinkForm({ request, place }: { readonly request: PanelRequest; readonly place: Place }) {
  return (
    <div class="card">
      <ActionForm act={request.form('sign-in-link')} {...place} button="Create the link" kind="primary">
        <p>One person can sign in with the link once, within an hour. It is shown to you once.</p>
        <Field
          name="person"
          label="Name of the person"
          hint="The audit log shows it with what this person does."
          {...typedIn(request, 'sign-in-link')('person')}
          maxLength={80}
          required
        />
      </ActionForm>
    </div>
  );
}

/** Returns the action that creates a sign-in link. `back` is the page to which its reply leads. */
export function creatingLink(
  reporterIdOf: (request: PanelRequest) => string | null,
  back: (request: PanelRequest) => { readonly page: string; readonly words: string },
): Action {
  return acting(
    async (request, field) => {
      const { engine, visitor } = request;
      const described = await engine.describe();
      if (!described.ok) return described;
      const person = { reporterId: reporterIdOf(request), name: field('person'), by: visitor.name };
      const link = await engine.createSignInLink(person);
      return link.ok ? { ok: true, value: { ...link.value, publicUrl: described.value.publicUrl } } : link;
    },
    ({ token, endsAt, publicUrl }, request) => ({
      title: 'Sign-in link',
      body: (
        <>
          <p class="notice warn">Copy this link now. It is not shown again.</p>
          <ShownOnce id="new-link" label="Sign-in link" copy="Copy the link">
            {withoutTrailing(publicUrl, '/') + signInPath(token)}
          </ShownOnce>
          <p>
            Send it to this person only. It works once, until <Moment at={endsAt} />.
          </p>
          <p>
            <a href={request.to(back(request).page)}>{back(request).words}</a>
          </p>
        </>
      ),
    }),
    { 'invalid-name': 'person' },
  );
}

/** Who is signed in, and the step that signs all of them out. Its page has the action of {@link signingOut}. */
export function SignedIn({
  sessions,
  request: { form, said },
  place,
  effect,
}: {
  readonly sessions: readonly SignIn[];
  readonly request: PanelRequest;
  readonly place: Place;
  /** Who is signed out, and how they come back. */
  readonly effect: string;
}) {
  return (
    <>
      <Spot id="signed-in" said={said} />
      <TableCard
        empty="No person is signed in."
        caption="Who is signed in, the newest first"
        rows={sessions}
        keyOf={({ createdAt, name, endsAt }) => `${createdAt} ${endsAt} ${name}`}
        columns={[
          { title: 'Person', cell: ({ name }) => name },
          { title: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: 'Ends, if unused', cell: ({ endsAt }) => <Moment at={endsAt} /> },
        ]}
      >
        <Confirm
          ask="Sign out everywhere"
          effect={effect}
          act={form('sign-out-all')}
          {...place}
          back="signed-in"
          button="Sign out everywhere"
          kind="danger"
        />
      </TableCard>
    </>
  );
}

/** Returns the action that ends all sessions and links. */
export function signingOut(reporterIdOf: (request: PanelRequest) => string | null): Action {
  return acting(
    (request) => request.engine.endSessions({ reporterId: reporterIdOf(request), by: request.visitor.name }),
    'All sessions and sign-in links have ended.',
  );
}
