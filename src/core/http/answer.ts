import { isCode, isHash } from '../domain/identifier.ts';
import { createNotifier } from '../domain/notices.ts';
import { accept, refuse, type Outcome, type Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import {
  isFailure,
  type AnswerAction,
  type AnswerEvent,
  withHeaders,
  type Answer,
  type HttpReply,
  type HttpRequest,
} from './exchange.ts';
import { toAnswerSettings, type AnswerOptions, type BesidePart, type Endpoint } from './answer-options.ts';
import { fromQueryText, isUtf8 } from './body.ts';
import { toLogEvent, toRefusal } from './failure.ts';
import { createFormAnswer, refuseForm, refuseText, type FormAnswer, type NoteAction } from './form-answer.ts';
import { createSendInTurn, type SendInTurn } from './long-bodies.ts';
import { createOpenApiAnswer, type AnswerOpenApi } from './openapi.ts';
import { createRecordReply, prefersHtml, refuseWithPage, type Pages, type PagesPlace } from './pages.ts';
import { parseBaseUrl } from '../protocol/link.ts';
import { createRequestIds } from './request-id.ts';
import { createViewerAnswer, refuseViewer, type AnswerViewer } from './viewer-answer.ts';

/** How one endpoint answers a request and a refusal. */
interface Route {
  /** What the request asks for. For a form, it is `other` until its fields are read. */
  readonly action: AnswerAction;
  answer(): Outcome<HttpReply> | Promise<Outcome<HttpReply>>;
  refuse(refusal: Refusal): HttpReply;
}

/** What the routes lead to. */
interface Answers {
  readonly form: FormAnswer;
  readonly viewer: AnswerViewer;
  readonly openApi: AnswerOpenApi | undefined;
  readonly recordPage: ((request: HttpRequest, shown: string) => Route) | undefined;
  readonly pages: Pages | undefined;
  readonly beside: BesidePart | undefined;
  /** The endpoint that has the pages and what is beside the protocol. A second one has only those of records. */
  readonly main: Endpoint;
  readonly place: (request: HttpRequest) => PagesPlace;
}

const NOT_FOUND: Route = { action: 'other', answer: () => refuse({ reason: 'not-found' }), refuse: refuseText };

/**
 * Returns the service over HTTP as a function from a plain request to a plain reply (protocol 4). Paths under
 * `basePath`: `POST` of `/api` and `/api/`; `GET` and `HEAD` of `/api/?showreport=<40hex>`, `/report/<40hex>` and
 * `/openapi.json`. The classic dialect has the same paths under its own, except the last. The service never
 * redirects, because a redirected POST would lose its body.
 *
 * The returned function never rejects. If the service rejects, the error is logged. The reply is then 503 if a retry
 * may succeed, otherwise 500; the viewer always sends 500. Throws TypeError or RangeError for a wrong option.
 */
export function createAnswer(service: Service, options: AnswerOptions = {}): Answer {
  const settings = toAnswerSettings(options);
  const { endpoints, requestIds, pages, beside } = settings;
  const [main] = endpoints;
  const publicPath = createPublicPath(service, main.basePath);
  const place = (request: HttpRequest): PagesPlace => ({
    basePath: publicPath.now(),
    dialect: main.dialect,
    language: pages?.languageOf?.(request),
  });
  const sendInTurn = createSendInTurn();
  const answers: Answers = {
    form: createFormAnswer(service, settings),
    viewer: createViewerAnswer(service, sendInTurn),
    openApi: createOpenApiAnswer(service, settings),
    recordPage: createPageRoute(service, pages, place, sendInTurn),
    pages,
    beside,
    main,
    place,
  };
  const log = createNotifier(settings.log);
  const answered = settings.onAnswer && ignoringErrors(settings.onAnswer);
  const createId = createRequestIds();

  const answer = async (request: HttpRequest): Promise<HttpReply> => {
    const beganMs = answered ? performance.now() : 0;
    let requestId = requestIds === 'all' ? (request.requestId ?? createId()) : undefined;
    let route = NOT_FOUND;
    let outcome: Outcome<HttpReply>;
    try {
      const asking = pages && publicPath.ready();
      if (asking) await asking;
      route = toRoute(endpoints, answers, request);
      outcome = await route.answer();
    } catch (error) {
      if (requestIds) requestId ??= request.requestId ?? createId();
      log(toLogEvent(error, requestId));
      outcome = refuse(toRefusal(error));
    }
    const result: AnswerEvent['outcome'] = outcome.ok ? 'ok' : outcome.refusal.reason;
    if (requestIds && isFailure(result)) requestId ??= request.requestId ?? createId();
    let reply = outcome.ok ? outcome.value : route.refuse(outcome.refusal);
    if (requestId !== undefined)
      reply = { ...reply, headers: withHeaders(reply.headers, { 'X-Request-Id': requestId }) };
    if (answered) {
      const { action } = route;
      const event: AnswerEvent = { action, outcome: result, status: reply.status, ms: performance.now() - beganMs };
      answered(requestId === undefined ? event : { ...event, requestId });
    }
    return request.method === 'HEAD' ? { ...reply, body: '' } : reply;
  };
  return Object.assign(answer, { load: () => ({ forms: answers.form.running(), views: sendInTurn.waiting() }) });
}

/** Not a notifier, which makes a promise for each event: this runs for every request. */
function ignoringErrors<T>(tell: (event: T) => unknown): (event: T) => void {
  return (event) => {
    try {
      const told = tell(event);
      if (told instanceof Promise) told.catch(() => undefined);
    } catch {
      // As documented.
    }
  };
}

/**
 * Returns the route of a request. Requests outside protocol 4 get 404, because some clients treat any 200 as success.
 */
function toRoute(endpoints: readonly Endpoint[], answers: Answers, request: HttpRequest): Route {
  for (const endpoint of endpoints) {
    const path = pathUnder(endpoint.basePath, request.path);
    const route = path === undefined ? undefined : toRouteAt(endpoint, path, answers, request);
    if (route) return route;
  }
  return toUnknown(answers, request, 'other');
}

/**
 * Returns the route of an address without anything. Under the path of the pages, a browser gets a page that says so, or
 * that only programs use the address.
 */
function toUnknown({ pages, main, place }: Answers, request: HttpRequest, kind: 'api' | 'other'): Route {
  if (!pages || !isRead(request)) return NOT_FOUND;
  if (pathUnder(main.basePath, request.path) === undefined) return NOT_FOUND;
  if (!prefersHtml(request.header('accept'))) return varying(NOT_FOUND);
  return {
    ...NOT_FOUND,
    refuse: (refusal) => refuseWithPage(refusal, pages.refused(refusal, { kind, ...place(request) })),
  };
}

function isRead({ method }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the route of a path under an endpoint's own; undefined if nothing is there. */
function toRouteAt(endpoint: Endpoint, path: string, answers: Answers, request: HttpRequest): Route | undefined {
  if (path === '/api' || path === '/api/') {
    if (request.method === 'POST')
      return form(endpoint, (noteAction) => answers.form.post(endpoint, request, noteAction));
    return isRead(request) ? toReadRoute(endpoint, answers, request) : wrongMethod('GET, HEAD, POST');
  }
  const { openApi } = answers;
  if (path === '/openapi.json' && openApi && endpoint.dialect !== 'classic')
    return isRead(request) ? { ...NOT_FOUND, answer: () => openApi(request) } : wrongMethod('GET, HEAD');
  const [, first, last, ...more] = path.split('/');
  if (first !== 'report' || last === undefined || more.length > 0)
    return toBeside(endpoint, path, answers, request) ?? toOtherPage(endpoint, path, answers, request);
  const linkId = last.toLowerCase();
  const isLink = isLinkId(endpoint, linkId);
  const recordPage = prefersHtml(request.header('accept')) ? answers.recordPage : undefined;
  if (!recordPage && !isLink) return undefined;
  if (!isRead(request)) return wrongMethod('GET, HEAD');
  // A person who mistyped a link gets a page, too. No link has the empty hash.
  if (recordPage) return recordPage(request, isLink ? linkId : '');
  const route = viewer(endpoint, answers, request, linkId);
  return answers.recordPage ? varying(route) : route;
}

/** Returns the route of a path for programs beside the protocol. Its replies say themselves what is refused. */
function toBeside(endpoint: Endpoint, path: string, { beside, main }: Answers, request: HttpRequest) {
  const reply = endpoint === main ? beside?.(request, path) : undefined;
  return reply && ({ ...NOT_FOUND, answer: async () => accept(await reply) } satisfies Route);
}

/** Returns the route of a page beside the protocol, if the service has pages and the path is one of theirs. */
function toOtherPage(endpoint: Endpoint, path: string, { pages, main, place }: Answers, request: HttpRequest) {
  if (!pages?.other || endpoint !== main) return undefined;
  const at = place(request);
  let reply: Promise<HttpReply> | undefined;
  try {
    reply = pages.other(request, { path, ...at });
  } catch (error) {
    // A browser gets a page, as after a rejection.
    reply = Promise.reject(error as Error);
  }
  if (!reply) return undefined;
  return {
    action: 'other',
    answer: async () => accept(await reply),
    refuse: (refusal) => refuseWithPage(refusal, pages.refused(refusal, { kind: 'other', ...at })),
  } satisfies Route;
}

function toReadRoute(endpoint: Endpoint, answers: Answers, request: HttpRequest): Route {
  const fields = [...fromQueryText(request.query)];
  const [field, ...more] = fields.filter(([name]) => name === 'showreport');
  // With no hash or several hashes, the viewer answers 404 (protocol 4.5).
  if (field !== undefined) return viewer(endpoint, answers, request, more.length === 0 ? field[1].toLowerCase() : '');
  const nothing = (): Route => toUnknown(answers, request, 'api');
  if (!endpoint.allowGetQuery || request.method !== 'GET') return nothing();
  // Allow only queries: link previews and prefetchers send GET requests, so a GET must not change anything.
  const actions = fields.filter(([name]) => name.toLowerCase() === '_action');
  const isOther = actions.some(([, value]) => value !== 'query');
  if (endpoint.dialect === 'classic' && isOther) return form(endpoint, () => refuse({ reason: 'method-not-allowed' }));
  if (endpoint.dialect !== 'classic' && (isOther || actions.length === 0)) return nothing();
  return form(endpoint, (noteAction) =>
    isUtf8(request.query)
      ? answers.form.fields(endpoint, request, fields, noteAction)
      : refuse({ reason: 'invalid-encoding' }),
  );
}

function form(
  endpoint: Endpoint,
  answer: (noteAction: NoteAction) => Outcome<HttpReply> | Promise<Outcome<HttpReply>>,
): Route {
  let action: AnswerAction = 'other';
  return {
    get action() {
      return action;
    },
    answer: () => answer((read) => (action = read)),
    refuse: (refusal) => refuseForm(endpoint, refusal),
  };
}

function viewer(endpoint: Endpoint, answers: Answers, request: HttpRequest, linkId: string): Route {
  return {
    action: 'viewer',
    answer: () => (isLinkId(endpoint, linkId) ? answers.viewer(request, linkId) : refuse({ reason: 'not-found' })),
    refuse: refuseViewer,
  };
}

/** Marks the replies of a route for caches: to a browser, the address has another one. */
function varying(route: Route): Route {
  const vary = (reply: HttpReply): HttpReply => ({ ...reply, headers: withHeaders(reply.headers, { Vary: 'Accept' }) });
  return {
    ...route,
    async answer() {
      const outcome = await route.answer();
      return outcome.ok ? accept(vary(outcome.value)) : outcome;
    },
    refuse: (refusal) => vary(route.refuse(refusal)),
  };
}

/** Returns the function from a link to the route of its page; undefined if the service has no pages. */
function createPageRoute(
  service: Service,
  pages: Pages | undefined,
  place: (request: HttpRequest) => PagesPlace,
  sendInTurn: SendInTurn,
): Answers['recordPage'] {
  if (!pages || !service.record) return undefined;
  const replyWithRecord = createRecordReply(pages);
  return (request, linkHash) => ({
    action: 'viewer',
    async answer() {
      const record = await service.record!({ linkHash, client: request.client ?? 'unknown' });
      return record.ok
        ? sendInTurn(request, replyWithRecord(record.value, { linkId: linkHash, ...place(request) }))
        : record;
    },
    refuse: (refusal) => refuseWithPage(refusal, pages.refused(refusal, { kind: 'record', ...place(request) })),
  });
}

/** True for what the viewer of an endpoint takes: the hash of a link, or in the classic dialect its first digits. */
function isLinkId({ dialect }: Endpoint, text: string): boolean {
  return isHash(text) || (dialect === 'classic' && isCode(text));
}

function wrongMethod(allow: string): Route {
  return {
    action: 'other',
    answer: () => refuse({ reason: 'method-not-allowed' }),
    refuse(refusal) {
      const reply = refuseText(refusal);
      return { ...reply, headers: { ...reply.headers, Allow: allow } };
    },
  };
}

/**
 * Returns the path without `basePath`; undefined if the path is not under `basePath`. In links, a hyphen of `basePath`
 * is `%2D` (protocol 4.4, our choice).
 */
function pathUnder(basePath: string, path: string): string | undefined {
  const sent = path.replace(/%2d/gi, '-');
  const base = basePath.replace(/%2d/gi, '-');
  return sent === base || sent.startsWith(`${base}/`) ? sent.slice(base.length) : undefined;
}

/** Path before all pages, as browsers see it. */
interface PublicPath {
  /** Asks the service for its public address; undefined once it has answered. Never rejects. */
  ready(): Promise<void> | undefined;
  /** Returns the path of the public address; before the service has answered, `basePath`. */
  now(): string;
}

/**
 * Returns the path that addresses of pages and cookies begin with. A proxy may strip this path from requests, so
 * `basePath`, which requests have, can be another one.
 */
function createPublicPath(service: Service, basePath: string): PublicPath {
  let known: string | undefined;
  const ask = async (): Promise<void> => {
    try {
      const described = await service.describe?.();
      if (described?.ok) known = parseBaseUrl('publicUrl', described.value.publicUrl).path;
    } catch {
      // The next request asks again.
    }
  };
  return { ready: () => (known === undefined ? ask() : undefined), now: () => known ?? basePath };
}
