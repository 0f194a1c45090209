import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Page, PagesPlace } from '../../core/http/pages.ts';
import { MAIN_ID, toPage } from '../web/document.tsx';
import { addressOfScript } from '../web/scripts.ts';
import type { PublicPlace } from '../web/part.ts';
import { Contact } from '../web/parts.tsx';
import type { HiddenProps, PanelContent, PanelPage, Said, Visitor } from './page.ts';
import { Notice } from './parts.tsx';

/** What surrounds the content of a page. */
export interface Frame {
  readonly visitor: Visitor;
  /** The pages of the navigation. */
  readonly pages: readonly PanelPage[];
  /** Path of the shown page; undefined if it is none of them. */
  readonly current: string | undefined;
  /** Address of the list of the page as a file. */
  readonly csv?: string | undefined;
  readonly to: (page: string) => string;
  /** Path before all pages of the service. */
  readonly place: PagesPlace;
  /** Hidden fields of the form that signs out. */
  readonly signOut: VNode<HiddenProps>;
  /** What became of the form that led here. */
  readonly said?: Said | undefined;
  /** What waits on the page of disputes, in few words. */
  readonly waiting: string | undefined;
  /** True if the page shows what a form made. Its heading gets the focus. */
  readonly isResult: boolean;
}

/** Returns a page of the panel for a person who is signed in. */
export function toFramedPage({ title, body, scripts = [] }: PanelContent, frame: Frame): Page {
  const { said, place, csv, isResult } = frame;
  // The form may not be on this page any more.
  const isShown = said === undefined || renderToString(<>{body}</>).includes(`id="${said.at}" class="notice`);
  const heading = isResult ? (
    <h1 tabIndex={-1} autoFocus>
      {title}
    </h1>
  ) : (
    <h1>{title}</h1>
  );
  return toPage(
    said?.isDone === false ? `Error: ${title}` : title,
    <>
      {csv === undefined ? heading : <Titled heading={heading} csv={csv} />}
      {!isShown && <Notice said={said} />}
      {body}
      <ToService place={place} isNewTab />
    </>,
    {
      forms: true,
      wide: true,
      header: <Header {...frame} />,
      // Each page has times, which are shown in the zone of the browser.
      scripts: [...scripts, 'keys'].map((name) => addressOfScript(name, place.basePath)),
    },
  );
}

/** The heading of a page with a list, and the list as a file: beside it, so that no long list is before it. */
function Titled({ heading, csv }: { readonly heading: ComponentChildren; readonly csv: string }) {
  return (
    <div class="titled">
      {heading}
      <a class="button quiet" href={csv} download>
        CSV of the list
      </a>
    </div>
  );
}

function Header({ visitor, pages, current, to, signOut, waiting }: Frame) {
  const side = visitor.reporter ?? 'operator';
  return (
    <header class="top">
      <a class="button skip" href={`#${MAIN_ID}`}>
        Skip to content
      </a>
      <p class="who">
        {visitor.name}
        {visitor.name.toLowerCase() !== side.toLowerCase() && <span class="quiet"> · {side}</span>}
      </p>
      <nav aria-label="Panel">
        <ul>
          {pages.map(({ path, title }) => (
            <li key={path}>
              <a href={to(path)} aria-current={path === current ? 'page' : undefined}>
                {title}
                {path === 'disputes' && waiting !== undefined && (
                  <>
                    {' '}
                    <span class="tag warn">{waiting}</span>
                    <span class="unseen"> waiting</span>
                  </>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form method="post" action={to('sign-out')}>
        {signOut}
        <button class="button quiet">Sign out</button>
      </form>
    </header>
  );
}

/**
 * The ways from the panel to the pages of the service that everybody can read. `isNewTab`: they have no way back to the
 * addresses of a session.
 */
function ToService({
  place: { basePath, dialect },
  isNewTab,
}: {
  readonly place: PagesPlace;
  readonly isNewTab?: true;
}) {
  const pages = [['/', 'About this service'], ...(dialect === 'classic' ? [] : [['/docs', 'Protocol and samples']])];
  return (
    <footer class="quiet">
      <ul>
        {pages.map(([page, title]) => (
          <li key={page}>
            <a href={`${basePath}${page}`} {...(isNewTab ? { target: '_blank', rel: 'noopener' } : {})}>
              {title}
              {isNewTab && ' (new tab)'}
            </a>
          </li>
        ))}
      </ul>
    </footer>
  );
}

/** Returns a page without what a session shows. */
export function toPlainPage(title: string, place: PublicPlace, body: ComponentChildren): Page {
  return toPage(
    title,
    <>
      <h1>{title}</h1>
      {body}
      <ToService place={place} />
    </>,
    { forms: true, operator: place.operator },
  );
}

/** Why a person is not signed in: never at this address, not any more, or as it wanted. */
export type SignedOut = 'not-here' | 'ended' | 'signed-out';

const SIGNED_OUT: Readonly<Record<SignedOut, { readonly title: string; readonly text: string }>> = {
  'not-here': {
    title: 'Sign in to the panel',
    text:
      'You are not signed in at this address. Are you signed in already? Go back to the tab of the panel, or to your ' +
      'bookmark of it: its address has a part that only you have.',
  },
  ended: {
    title: 'Sign in to the panel',
    text:
      'You are not signed in any more. You signed out or were signed out, you did not use the panel for days, or the ' +
      'operator has suspended your organisation.',
  },
  'signed-out': { title: 'You are signed out', text: 'To come back, you need a new sign-in link.' },
};

/** The page of a person who is not signed in: what to do. */
export function toSignedOutPage(place: PublicPlace, why: SignedOut = 'not-here'): Page {
  const { title, text } = SIGNED_OUT[why];
  return toPlainPage(
    title,
    place,
    <>
      <p>{text}</p>
      <div class="card">
        <h2>For an organisation that reports</h2>
        <p>
          <AskOperator operator={place.operator} /> It works once, and needs no password.
        </p>
        <h2>For the operator</h2>
        <p>Run this command on the machine of the service, and open the link that it prints:</p>
        <pre tabindex={0}>npx redflag panel link</pre>
      </div>
    </>,
  );
}

/** How a person at an organisation gets a link. */
function AskOperator({ operator }: Pick<PublicPlace, 'operator'>) {
  return (
    <>
      Ask {operator ? `${operator.name}, who runs this service,` : 'the operator of this service'} for a sign-in link
      {operator?.contact !== undefined && (
        <>
          : <Contact of={operator.contact} />
        </>
      )}
      .
    </>
  );
}

/**
 * The page of a sign-in link, which says whose panel it opens. Only its button uses the link up: previews of links and
 * prefetchers send no form.
 */
export function toSignInPage({ reporter, name }: Pick<Visitor, 'reporter' | 'name'>, place: PublicPlace): Page {
  return toPlainPage(
    'Sign in to the panel',
    place,
    <>
      <p>
        The panel of Shared fraud reports{place.operator && `, a service that ${place.operator.name} runs`}: shops look
        customers up here and report fraud.
      </p>
      <Whose what="This link opens" reporter={reporter} name={name} otherwise="do not sign in" />
      <p>The link works once, and for one hour after it was made.</p>
      <form method="post">
        <button class="button primary">Sign in</button>
      </form>
    </>,
  );
}

/**
 * The page if a page of another address led to a session: whose panel it is. Another program on the same host can set
 * the cookie of its own session and lead a person to its addresses.
 */
export function toLedHerePage(visitor: Visitor, home: string, place: PublicPlace): Page {
  return toPlainPage(
    'Another page led you here',
    place,
    <>
      <Whose what="This address opens" {...visitor} otherwise="go no further" />
      <p>
        <a href={home}>Open the panel</a>
      </p>
    </>,
  );
}

function Whose({
  what,
  reporter,
  name,
  otherwise,
}: Pick<Visitor, 'reporter' | 'name'> & { readonly what: string; readonly otherwise: string }) {
  return (
    <div class="card">
      <p>
        {what} the panel of {reporter === null ? 'the operator of this service' : 'the reporter '}
        {reporter !== null && <strong>{reporter}</strong>}. You act there as <strong>{name}</strong>.
      </p>
      <p>If you are not this person, {otherwise}: what you enter there goes to others.</p>
    </div>
  );
}

/** The page if a cookie of the panel was sent that this service did not set for this address. */
export function toStrangeCookiePage(place: PublicPlace): Page {
  return toPlainPage(
    'Not possible',
    place,
    <>
      <p>
        Your browser sent a session that does not belong to this address. Another program on the same host, or another
        address of the same domain, has set it. Nothing was done.
      </p>
      <p>Delete the cookies of this site in your browser. Then open a new sign-in link.</p>
    </>,
  );
}

/** The page of a sign-in link that cannot be used. */
export function toUsedLinkPage(place: PublicPlace): Page {
  return toPlainPage(
    'This link cannot be used',
    place,
    <>
      <p>The link was used before, has ended, or is not complete. Each link works once, within one hour.</p>
      <p>
        Did you sign in with it? Go back to the tab of the panel, or to your bookmark of it. Otherwise, you need a new
        link. <AskOperator operator={place.operator} />
      </p>
    </>,
  );
}
