import type { PanelPage } from '../page.ts';
import { creatingLink, SignedIn, SignInLinkForm, signingOut } from '../sign-ins.tsx';

/** The people who act for the operator: who is signed in, and a link for one more. */
export const OPERATORS: PanelPage = {
  path: 'operators',
  title: 'Operators',
  role: 'operator',
  async show(request) {
    const place = { page: request.to('operators') };
    return {
      title: 'Operators',
      body: (
        <>
          <p>Each operator signs in with a link of their own, and may do everything here.</p>
          <h2>Sign-in link for an operator</h2>
          <SignInLinkForm request={request} place={place} />
          <h2>Signed in</h2>
          <SignedIn
            sessions={await request.engine.listSessions({ reporterId: null })}
            request={request}
            place={place}
            effect="All operators are signed out, you too, and unused links end. The command npx redflag panel link makes a new one."
          />
        </>
      ),
    };
  },
  actions: {
    'sign-in-link': creatingLink(
      () => null,
      () => ({ page: 'operators', words: 'Back to the operators' }),
    ),
    'sign-out-all': signingOut(() => null),
  },
};
