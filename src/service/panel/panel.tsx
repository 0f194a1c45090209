import { createRandom } from '../../core/crypto/crypto.ts';
import { refuseUnknown } from '../../core/domain/options.ts';
import { accept, type Refusal } from '../../core/domain/refusal.ts';
import { freshCode } from '../../core/engine/secrets.ts';
import { createTurns } from '../../core/engine/turns.ts';
import { fromQueryText } from '../../core/http/body.ts';
import { withHeaders, type HttpReply, type HttpRequest } from '../../core/http/exchange.ts';
import { toBody } from '../../core/http/long-bodies.ts';
import { ISOLATED, replyWithPage, type Page, type PagesPlace } from '../../core/http/pages.ts';
import { senderOf } from '../web/sender.ts';
import { retryHeaders, statusOf } from '../../core/http/status.ts';
import { formatRefusal } from '../../core/protocol/wording.ts';
import type { Part, Place } from '../web/part.ts';
import { formatRefusalForPerson } from '../web/refused.tsx';
import { isPlace, joinSession, readCookies, sessionCookie, splitSession } from './cookies.ts';
import { readPanelForm, withBody } from './fields.ts';
import { createFormToken, isFormToken, MESSAGE_FIELDS, placeOf, readMessage, sealMessage } from './forms.ts';
import {
  toFramedPage,
  toLedHerePage,
  toPlainPage,
  toSignedOutPage,
  toSignInPage,
  toStrangeCookiePage,
  toUsedLinkPage,
} from './frame.tsx';
import type { PanelHealth } from './health.ts';
import { writeCsv } from './lists.ts';
import {
  giveTurn,
  type DataReply,
  type FormResult,
  type PanelContent,
  type PanelEngine,
  type PanelPage,
  type PanelRequest,
  type RefusedForm,
  type Said,
  type Visitor,
} from './page.ts';
import { createPanelPages } from './pages.ts';
import { Hidden } from './parts.tsx';
import { formatWaiting } from './waiting.ts';

/** Options of {@link createPanel}. */
export interface PanelOptions {
  /** True if people reach the service by https. Default: the scheme of the engine's public address. */
  readonly secure?: boolean | undefined;
  /** Returns milliseconds since 1970 (UTC); default: the machine's clock. */
  readonly clock?: (() => number) | undefined;
  /** Counts requests for the operator's first page. Pass its `answered` to the option `onAnswer` of the listener. */
  readonly health?: PanelHealth | undefined;
}

interface Asked {
  readonly request: HttpRequest;
  readonly client: string;
  /** True if people reach the service by https. */
  readonly secure: boolean;
  /** Address of the panel without a session, with base path. */
  readonly root: string;
  readonly place: Place;
}

/** One request of a person who is signed in. */
interface Visit extends Asked {
  readonly session: string;
  /** Returns the address of a page of this session. */
  readonly to: (page: string) => string;
  readonly visitor: Visitor;
  readonly pages: readonly PanelPage[];
}

const ROOT = '/panel';
const SIGN_OUT = 'sign-out';
/** A file has up to 10,000 rows. So a session may ask for twelve in a minute, instead of 120 pages. */
const FILE_COST = 10;
/** A request of a script has up to 50 rows. So a session may send 1,200 in a minute. */
const DATA_COST = 5;
/** Requests of reporters, or of operators, that wait while two others are answered, and the same for files. */
const MAX_WAITING = 64;
/** The query of the page after it. */
const SIGNED_OUT = 'signed-out';
/**
 * Not `no-referrer`: with it, browsers hide the origin of a form, and over plain http no other header has it. No other
 * site gets an address of the panel either way.
 */
const OWN_HEADERS = { 'Referrer-Policy': 'same-origin', Vary: 'Cookie' };

/**
 * Returns the panel: the pages of reporters and of the operator under `/panel`. People sign in with a link that works
 * once. A session is half in a cookie and half in its addresses; each form has a token of its session and page, takes
 * effect once, and must come from a page of the service.
 */
export function createPanel(engine: PanelEngine, options: PanelOptions = {}): Part {
  refuseUnknown(options, ['secure', 'clock', 'health']);
  const panel = new Panel(engine, options);
  return (request, place) => {
    const { path } = place;
    // The hyphen of an address may be escaped, as in links.
    const asked = path.replaceAll(/%2d/gi, '-');
    if (asked !== ROOT && !asked.startsWith(`${ROOT}/`)) return undefined;
    return panel.answer(request, asked.slice(ROOT.length + 1), place);
  };
}

class Panel {
  readonly #engine: PanelEngine;
  readonly #secure: boolean | undefined;
  readonly #clock: () => number;
  readonly #pages: readonly PanelPage[];
  readonly #random = createRandom();
  /** No operator waits for reporters, and no page for files, which take longer. */
  readonly #turns = { operator: createBothTurns(), reporter: createBothTurns() };

  constructor(engine: PanelEngine, { secure, clock = Date.now, health }: PanelOptions) {
    this.#engine = engine;
    this.#secure = secure;
    this.#clock = clock;
    this.#pages = createPanelPages(health);
  }

  async answer(request: HttpRequest, path: string, place: Place): Promise<HttpReply> {
    const { method } = request;
    const { basePath } = place;
    const isPost = method === 'POST';
    if (!isPost && method !== 'GET' && method !== 'HEAD')
      return reply(toRefusedPage({ reason: 'method-not-allowed' }, place), 405, { Allow: 'GET, HEAD, POST' });
    const described = await this.#engine.describe();
    if (!described.ok) return refuse(described.refusal, place);
    const { publicUrl } = described.value;
    if (isPost && senderOf(request, publicUrl) !== 'here') return reply(toForeignFormPage(place), 403);
    const secure = this.#secure ?? publicUrl.startsWith('https:');
    const client = request.client ?? 'unknown';
    const asked: Asked = { request, client, secure, root: basePath + ROOT, place };
    const cookies = readCookies(request, secure);

    const [first = '', second, ...more] = path.split('/');
    if (first === 'sign-in' && second !== undefined && more.length === 0) {
      // No session has its cookie here. It is refused before the link is used up.
      if (cookies.length > 0) return reply(toStrangeCookiePage(place), 403);
      // A page of another site could ask for many pictures here, until the limit of the address refuses the person.
      if ((request.header('sec-fetch-dest') ?? 'document') !== 'document') return reply(toForeignFormPage(place), 403);
      return isPost ? this.#signIn(asked, second) : this.#showSignIn(asked, second);
    }
    if (cookies.length > 1) return reply(toStrangeCookiePage(place), 403);
    const [cookie] = cookies;
    // Before the store is asked, so that the page of visitors without a session costs nothing.
    if (cookie === undefined || !isPlace(first)) {
      const why = request.query === SIGNED_OUT ? 'signed-out' : undefined;
      return reply(toSignedOutPage(place, why), path === '' ? 200 : 403);
    }
    return this.#visit(asked, joinSession(cookie, first), path.slice(first.length + 1));
  }

  /** Answers at an address of a session. */
  async #visit(asked: Asked, session: string, path: string): Promise<HttpReply> {
    const { request, client, place } = asked;
    const isPost = request.method === 'POST';
    const fields = firstOfEach(fromQueryText(request.query));
    const isFile = !isPost && fields.has('csv');
    const isData = isPost && this.#pages.some((page) => page.path === path && page.data);
    const cost = isFile ? FILE_COST : isData ? DATA_COST : 1;
    const found = await this.#engine.findSession({ session, client, cost });
    if (!found.ok) {
      if (found.refusal.reason !== 'unknown-sign-in') return refuse(found.refusal, place);
      const headers = { 'Set-Cookie': endCookie(asked, session) };
      return reply(toSignedOutPage(place, 'ended'), path === '' ? 200 : 403, headers);
    }
    const { reporterId, reporter, name } = found.value;
    const role = reporterId === null ? 'operator' : 'reporter';
    const pages = this.#pages.filter((page) => page.role === role);
    const home = homeOf(asked, session);
    const to = (page: string): string => home + page;
    const visitor = { reporterId, reporter, name };
    // `none`: a person typed the address or opened a bookmark.
    if (!isPost && !['same-origin', 'none'].includes(request.header('sec-fetch-site') ?? 'none'))
      return reply(toLedHerePage(visitor, home, place), 403);
    // Before the turn: the client decides when its body has arrived.
    const arrived = isPost ? await withBody(request, isData) : request;
    const visit: Visit = { ...asked, request: arrived, session, to, visitor, pages };
    const page = pages.find((one) => one.path === path);
    const list = isFile ? page?.csv : undefined;
    const answer = async () => {
      // A page may be made without a pause. Without a turn, requests that arrive together follow each other.
      await giveTurn();
      if (list) return accept(await this.#writeFile(visit, path, list));
      if (path === SIGN_OUT && isPost) return accept(await this.#signOut(visit));
      if (!page) return accept(await this.#show(visit, undefined, NO_PAGE, 404));
      return accept(await (isPost ? this.#act(visit, page) : this.#show(visit, page)));
    };
    // A reporter or operator has one that is answered. Equal files that wait are one.
    const owner = reporterId ?? name;
    const turns = this.#turns[role][list ? 'files' : 'pages'];
    const answered = await turns.inTurn(list ? `${owner} ${path}` : answer, answer, owner);
    return answered.ok ? answered.value : refuse(answered.refusal, place);
  }

  async #writeFile(visit: Visit, path: string, list: NonNullable<PanelPage['csv']>): Promise<HttpReply> {
    const file = await list(this.#requestOf(visit, new Map(), path));
    return replyWithCsv(path, toBody(await writeCsv(file, giveTurn)));
  }

  /** Shows whose panel a link opens. Uses nothing up: previews of links and prefetchers ask for it. */
  async #showSignIn({ client, place }: Asked, token: string): Promise<HttpReply> {
    const found = await this.#engine.findSignInLink({ token, client });
    if (found.ok) return reply(toSignInPage(found.value, place));
    return found.refusal.reason === 'unknown-sign-in'
      ? reply(toUsedLinkPage(place), 403)
      : refuse(found.refusal, place);
  }

  async #signIn(asked: Asked, token: string): Promise<HttpReply> {
    const { client, secure, place } = asked;
    const started = await this.#engine.startSession({ token, client });
    if (!started.ok)
      return started.refusal.reason === 'unknown-sign-in'
        ? reply(toUsedLinkPage(place), 403)
        : refuse(started.refusal, place);
    const { session, signIn, latestEnd } = started.value;
    // The store ends a session that is unused before its cookie ends.
    const seconds = Math.floor((latestEnd - signIn.createdAt) / 1000);
    const home = homeOf(asked, session);
    return redirect(home, sessionCookie(splitSession(session).cookie, seconds, { path: home, secure }));
  }

  async #signOut(visit: Visit): Promise<HttpReply> {
    const { request, session, root, place } = visit;
    const fields = await readPanelForm(request);
    if (!fields.ok) return refuse(fields.refusal, place);
    if (!isFormToken(session, SIGN_OUT, this.#clock(), fields.value.get('token')))
      return this.#show(visit, undefined, OLD_FORM, 403);
    await this.#engine.endSession({ session });
    return redirect(`${root}?${SIGNED_OUT}`, endCookie(visit, session));
  }

  /** Returns a page, or in place of an unknown page only the frame with what is wrong. */
  async #show(
    visit: Visit,
    page: PanelPage | undefined,
    text?: string,
    status = 200,
    refused?: RefusedForm,
  ): Promise<HttpReply> {
    const fields = firstOfEach(fromQueryText(visit.request.query));
    const at = placeOf(refused?.fields ?? new Map(), false);
    const isRefused = text !== undefined || refused !== undefined;
    const said = isRefused ? { at, isDone: false, text, errors: refused?.errors } : readMessage(visit.session, fields);
    for (const name of MESSAGE_FIELDS) fields.delete(name);
    const content = page
      ? await page.show({ ...this.#requestOf(visit, fields, page.path, said), refused })
      : { title: 'Not possible', body: null };
    return this.#frame(visit, page?.path, content, said, status);
  }

  async #act(visit: Visit, page: PanelPage): Promise<HttpReply> {
    const read = await readPanelForm(visit.request, page.data !== undefined);
    if (!read.ok) return this.#show(visit, page, formatRefusal(read.refusal), statusOf(read.refusal));
    const fields = read.value;
    const again = { fields, errors: {} };
    if (!isFormToken(visit.session, page.path, this.#clock(), fields.get('token')))
      return this.#show(visit, page, OLD_FORM, 403, again);
    const name = fields.get('do') ?? '';
    const request = this.#requestOf(visit, fields, page.path);
    const search = page.searches && Object.hasOwn(page.searches, name) ? page.searches[name] : undefined;
    if (search) {
      const found = await search(request);
      if ('errors' in found) return this.#show(visit, page, undefined, 200, { fields, errors: found.errors });
      return this.#frame(visit, page.path, found, undefined, 200);
    }
    const data = page.data && Object.hasOwn(page.data, name) ? page.data[name] : undefined;
    if (data) return replyWithData(await data(request));
    const action = page.actions && Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
    if (!action) return this.#show(visit, page, NO_PAGE, 404);
    const sent = { session: visit.session, form: JSON.stringify([page.path, [...fields]]) };
    // A browser sends a form again when its result is reloaded, and at a double click.
    if (!(await this.#engine.noteForm(sent)))
      return toMessage(visit, page, { message: `${SENT_BEFORE} ${page.ifLost ?? ''}`.trim() }, fields);
    const outcome = await action(request).catch(async (error: unknown) => {
      // If the note cannot be removed either, report the first failure.
      await this.#engine.forgetForm(sent).catch(() => undefined);
      throw error;
    });
    if (!outcome.ok) {
      await this.#engine.forgetForm(sent);
      if ('errors' in outcome) return this.#show(visit, page, undefined, 200, { fields, errors: outcome.errors });
      return this.#show(visit, page, formatRefusal(outcome.refusal), statusOf(outcome.refusal), again);
    }
    const done = outcome.value;
    return 'message' in done
      ? toMessage(visit, page, done, fields)
      : this.#frame(visit, page.path, done, undefined, 200, !done.hasFocus);
  }

  /** `isResult`: the page shows once what a form made, and has no list. */
  async #frame(
    visit: Visit,
    current: string | undefined,
    content: PanelContent,
    said: Said | undefined,
    status: number,
    isResult = false,
  ): Promise<HttpReply> {
    const { visitor, pages, to, place } = visit;
    const signOut = this.#requestOf(visit, new Map(), SIGN_OUT).form(SIGN_OUT);
    const hasCsv = !isResult && content.hasList !== false && pages.some(({ path, csv }) => csv && path === current);
    const csv = hasCsv ? to(`${current}?csv=1`) : undefined;
    const waiting = await formatWaiting(this.#engine, visitor, content.waiting);
    return reply(
      toFramedPage(content, { visitor, pages, current, to, place, signOut, csv, said, isResult, waiting }),
      status,
    );
  }

  /** `path` is where the forms of the page are sent. */
  #requestOf(
    { session, visitor, to, place }: Visit,
    fields: ReadonlyMap<string, string>,
    path: string,
    said?: Said,
  ): PanelRequest {
    const nowMs = this.#clock();
    const tokenOf = (page: string): string => createFormToken(session, page, nowMs, freshCode(this.#random));
    const token = tokenOf(path);
    return {
      engine: this.#engine,
      visitor,
      fields,
      to,
      place,
      nowMs,
      said,
      form: (action, page = path) => (
        <Hidden action={action} token={page === path ? token : tokenOf(page)} said={said} />
      ),
    };
  }
}

function createBothTurns() {
  return { pages: createTurns(giveTurn, MAX_WAITING), files: createTurns(giveTurn, MAX_WAITING) };
}

/** Returns the address of a session's first page. All its other addresses begin with it. */
function homeOf({ root }: Asked, session: string): string {
  return `${root}/${splitSession(session).place}/`;
}

/** Returns the header that deletes the cookie of a session. */
function endCookie(asked: Asked, session: string): string {
  return sessionCookie('', 0, { path: homeOf(asked, session), secure: asked.secure });
}

/** Redirects to the place whose form it was, so that a reload of what follows sends no form. */
function toMessage(
  { request, to, session }: Visit,
  { path }: PanelPage,
  { message, query = request.query, at }: Extract<FormResult, { readonly message: string }>,
  sent: ReadonlyMap<string, string>,
): HttpReply {
  const place = at ?? placeOf(sent, true);
  const fields = firstOfEach(fromQueryText(query));
  for (const name of MESSAGE_FIELDS) fields.delete(name);
  const kept = fields.size === 0 ? '' : `&${new URLSearchParams([...fields]).toString()}`;
  return redirect(`${to(path)}${sealMessage(session, message, place)}${kept}#${place}`);
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
    refusal.reason === 'suspended-key'
      ? 'The operator has suspended your organisation.'
      : formatRefusalForPerson(refusal);
  return toPlainPage('Not possible', place, <p>{text}</p>);
}

function refuse(refusal: Refusal, place: PagesPlace): HttpReply {
  return reply(toRefusedPage(refusal, place), statusOf(refusal), retryHeaders(refusal));
}

function reply(page: Page, status = 200, more: Readonly<Record<string, string>> = {}): HttpReply {
  const made = replyWithPage(page);
  return { ...made, status, headers: withHeaders(made.headers, { ...OWN_HEADERS, ...more }) };
}

/** What a script of a page gets. Pages of other sites cannot read it. */
function replyWithData(data: DataReply): HttpReply {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers: withHeaders(FILE_HEADERS, type), body: JSON.stringify(data) };
}

function replyWithCsv(path: string, body: NonNullable<HttpReply['body']>): HttpReply {
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${path}.csv"`,
  };
  return { status: 200, headers: withHeaders(FILE_HEADERS, headers), body };
}

const FILE_HEADERS = {
  ...ISOLATED,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  ...OWN_HEADERS,
};

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
