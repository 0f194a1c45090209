import { createRandom } from '../../core/crypto/random.ts';
import { refuseUnknown } from '../../core/domain/options.ts';
import type { Refusal } from '../../core/domain/refusal.ts';
import { freshCode } from '../../core/engine/secrets.ts';
import { fromQueryText } from '../../core/http/body.ts';
import { withHeaders, type HttpReply, type HttpRequest } from '../../core/http/exchange.ts';
import { replyWithPage, type Page, type PagesPlace } from '../../core/http/pages.ts';
import { senderOf } from '../web/sender.ts';
import { retryHeaders, statusOf } from '../../core/http/status.ts';
import { wordRefusal } from '../../core/protocol/wording.ts';
import type { Part } from '../web/part.ts';
import { wordForPerson } from '../web/refused.tsx';
import { readSession, sessionCookie, type CookiePlace } from './cookies.ts';
import { readPanelForm } from './fields.ts';
import { createFormToken, isFormToken, readMessage, sealMessage } from './forms.ts';
import { toFramedPage, toPlainPage, toSignedOutPage, toSignInPage, toUsedLinkPage } from './frame.tsx';
import type { PanelHealth } from './health.ts';
import type { Done, PanelContent, PanelEngine, PanelPage, PanelRequest, RefusedForm, Visitor } from './page.ts';
import { createPanelPages } from './pages.ts';

/** Options of {@link createPanel}. */
export interface PanelOptions {
  /** True if people reach the service by https. Default: the scheme of the engine's public address. */
  readonly secure?: boolean | undefined;
  /** Returns milliseconds since 1970 (UTC); default: the machine's clock. */
  readonly clock?: (() => number) | undefined;
  /** Counts requests for the operator's first page. Pass its `answered` to the option `onAnswer` of the listener. */
  readonly health?: PanelHealth | undefined;
}

/** One request of a person who is signed in. */
interface Visit {
  readonly request: HttpRequest;
  readonly session: string;
  readonly visitor: Visitor;
  readonly pages: readonly PanelPage[];
  readonly to: (page: string) => string;
  readonly place: PagesPlace;
}

const ROOT = '/panel';
const SIGN_OUT = 'sign-out';
/**
 * Not `no-referrer`: with it, browsers hide the origin of a form, and over plain http no other header has it. No other
 * site gets an address of the panel either way.
 */
const OWN_HEADERS = { 'Referrer-Policy': 'same-origin', Vary: 'Cookie' };

/**
 * Returns the panel: the pages of reporters and of the operator under `/panel`. People sign in with a link that works
 * once. A session is in a cookie; each form has a token of its session and page, takes effect once, and must come
 * from a page of the service.
 */
export function createPanel(engine: PanelEngine, options: PanelOptions = {}): Part {
  refuseUnknown(options, ['secure', 'clock', 'health']);
  const { clock = Date.now } = options;
  const pages = createPanelPages(options.health);
  const random = createRandom();

  const answer = async (request: HttpRequest, path: string, place: PagesPlace): Promise<HttpReply> => {
    const { method } = request;
    const { basePath } = place;
    const isPost = method === 'POST';
    if (!isPost && method !== 'GET' && method !== 'HEAD')
      return reply(toRefusedPage({ reason: 'method-not-allowed' }, place), 405, { Allow: 'GET, HEAD, POST' });
    const described = await engine.describe();
    if (!described.ok) return refuse(described.refusal, place);
    const { publicUrl } = described.value;
    const cookie: CookiePlace = { path: basePath + ROOT, secure: options.secure ?? publicUrl.startsWith('https:') };
    if (isPost && senderOf(request, publicUrl) !== 'here') return reply(toForeignFormPage(place), 403);
    const to = (page: string): string => `${basePath}${ROOT}${page === '' || page.startsWith('?') ? '' : '/'}${page}`;
    const client = request.client ?? 'unknown';
    const session = readSession(request, cookie.secure);

    const [first, token, ...more] = path.split('/');
    if (first === 'sign-in' && token !== undefined && more.length === 0) {
      if (!isPost) return reply(toSignInPage(place));
      const started = await engine.startSession({ token, client });
      if (!started.ok)
        return started.refusal.reason === 'unknown-sign-in'
          ? reply(toUsedLinkPage(to(''), place), 403)
          : refuse(started.refusal, place);
      if (session !== undefined) await engine.endSession({ session });
      const { endsAt, createdAt } = started.value.signIn;
      const seconds = Math.floor((endsAt - createdAt) / 1000);
      return redirect(to(''), sessionCookie(started.value.session, seconds, cookie));
    }

    // Before the store is asked, so that the page of visitors without a session costs nothing.
    if (session === undefined) return reply(toSignedOutPage(place), path === '' ? 200 : 403);
    const found = await engine.findSession({ session, client });
    if (!found.ok) {
      if (found.refusal.reason !== 'unknown-sign-in') return refuse(found.refusal, place);
      const headers = { 'Set-Cookie': sessionCookie('', 0, cookie) };
      return reply(toSignedOutPage(place), path === '' ? 200 : 403, headers);
    }
    const { reporterId, reporter, name } = found.value;
    const role = reporterId === null ? 'operator' : 'reporter';
    const visit: Visit = {
      request,
      session,
      visitor: { reporterId, reporter, name },
      pages: pages.filter((page) => page.role === role),
      to,
      place,
    };
    if (path === SIGN_OUT && isPost) {
      const fields = await readPanelForm(request);
      if (!fields.ok) return refuse(fields.refusal, place);
      if (!isFormToken(session, SIGN_OUT, clock(), fields.value.get('token')))
        return show(visit, undefined, OLD_FORM, 403);
      await engine.endSession({ session });
      return redirect(to(''), sessionCookie('', 0, cookie));
    }
    const page = visit.pages.find((one) => one.path === path);
    if (!page) return show(visit, undefined, NO_PAGE, 404);
    return isPost ? act(visit, page) : show(visit, page);
  };

  /** Returns a page, or in place of an unknown page only the frame with what is wrong. */
  const show = async (
    visit: Visit,
    page: PanelPage | undefined,
    error?: string,
    status = 200,
    refused?: RefusedForm,
  ): Promise<HttpReply> => {
    const fields = firstOfEach(fromQueryText(visit.request.query));
    const message = error === undefined && !refused ? readMessage(visit.session, fields) : undefined;
    fields.delete('done');
    fields.delete('seal');
    const content = page
      ? await page.show({ ...requestOf(visit, fields, page.path), refused })
      : { title: 'Not possible', body: null };
    return frame(visit, page?.path, content, { message, error }, status);
  };

  const act = async (visit: Visit, page: PanelPage): Promise<HttpReply> => {
    const read = await readPanelForm(visit.request);
    if (!read.ok) return show(visit, page, wordRefusal(read.refusal), statusOf(read.refusal));
    const fields = read.value;
    const again = { fields, errors: {} };
    if (!isFormToken(visit.session, page.path, clock(), fields.get('token')))
      return show(visit, page, OLD_FORM, 403, again);
    const name = fields.get('do') ?? '';
    const request = requestOf(visit, fields, page.path);
    const search = page.searches && Object.hasOwn(page.searches, name) ? page.searches[name] : undefined;
    if (search) return frame(visit, page.path, await search(request), {}, 200);
    const action = page.actions && Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
    if (!action) return show(visit, page, NO_PAGE, 404);
    const sent = { session: visit.session, form: JSON.stringify([page.path, [...fields]]) };
    // A browser sends a form again when its result is reloaded, and at a double click.
    if (!(await engine.noteForm(sent)))
      return said(visit, page, { message: `${SENT_BEFORE} ${page.ifLost ?? ''}`.trim() });
    const outcome = await action(request).catch(async (error: unknown) => {
      // If the note cannot be removed either, report the first failure.
      await engine.forgetForm(sent).catch(() => undefined);
      throw error;
    });
    if (!outcome.ok) {
      await engine.forgetForm(sent);
      if ('errors' in outcome) return show(visit, page, undefined, 200, { fields, errors: outcome.errors });
      return show(visit, page, wordRefusal(outcome.refusal), statusOf(outcome.refusal), again);
    }
    const done = outcome.value;
    return 'message' in done ? said(visit, page, done) : frame(visit, page.path, done, {}, 200);
  };

  /** Redirects to the page whose form it was, so that a reload of what follows sends no form. */
  const said = (
    { request, to, session }: Visit,
    { path }: PanelPage,
    { message, query = request.query }: Extract<Done, { readonly message: string }>,
  ): HttpReply => {
    const fields = firstOfEach(fromQueryText(query));
    fields.delete('done');
    fields.delete('seal');
    const kept = fields.size === 0 ? '' : `&${new URLSearchParams([...fields]).toString()}`;
    return redirect(to(path) + sealMessage(session, message) + kept);
  };

  const frame = (
    visit: Visit,
    current: string | undefined,
    content: PanelContent,
    said: { readonly message?: string | undefined; readonly error?: string | undefined },
    status: number,
  ): HttpReply => {
    const { visitor, pages: own, to, place } = visit;
    const signOut = requestOf(visit, new Map(), SIGN_OUT).form(SIGN_OUT);
    return reply(toFramedPage(content, { visitor, pages: own, current, to, place, signOut, ...said }), status);
  };

  /** `path` is where the forms of the page are sent. */
  const requestOf = (
    { session, visitor, to, place }: Visit,
    fields: ReadonlyMap<string, string>,
    path: string,
  ): PanelRequest => {
    const nowMs = clock();
    const token = createFormToken(session, path, nowMs, freshCode(random));
    return {
      engine,
      visitor,
      fields,
      to,
      place,
      nowMs,
      form: (action) => (
        <>
          <input type="hidden" name="do" value={action} />
          <input type="hidden" name="token" value={token} />
        </>
      ),
    };
  };

  return (request, { path, ...place }) => {
    // The hyphen of an address may be escaped, as in links.
    const asked = path.replaceAll(/%2d/gi, '-');
    if (asked !== ROOT && !asked.startsWith(`${ROOT}/`)) return undefined;
    return answer(request, asked.slice(ROOT.length + 1), place);
  };
}

const NO_PAGE = 'There is no such page.';
const OLD_FORM = 'The form did nothing, because it was of another session or page, or too old. Please send it again.';
const SENT_BEFORE = 'This form was already sent. It does not take effect twice.';

function toForeignFormPage(place: PagesPlace): Page {
  const text = 'The form did nothing, because your browser did not say that it is from a page of this service.';
  return toPlainPage('Not possible', place, <p>{text}</p>);
}

function toRefusedPage(refusal: Refusal, place: PagesPlace): Page {
  const text =
    refusal.reason === 'suspended-key' ? 'The operator has suspended your organisation.' : wordForPerson(refusal);
  return toPlainPage('Not possible', place, <p>{text}</p>);
}

function refuse(refusal: Refusal, place: PagesPlace): HttpReply {
  return reply(toRefusedPage(refusal, place), statusOf(refusal), retryHeaders(refusal));
}

function reply(page: Page, status = 200, more: Readonly<Record<string, string>> = {}): HttpReply {
  const made = replyWithPage(page);
  return { ...made, status, headers: withHeaders(made.headers, { ...OWN_HEADERS, ...more }) };
}

function redirect(to: string, cookie?: string): HttpReply {
  const headers = { Location: to, 'Cache-Control': 'no-store', ...OWN_HEADERS };
  return { status: 303, headers: cookie === undefined ? headers : { ...headers, 'Set-Cookie': cookie }, body: '' };
}

/** Returns the first value of each name of a query. */
function firstOfEach(pairs: Iterable<readonly [string, string]>): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of pairs) if (!fields.has(name)) fields.set(name, value);
  return fields;
}
