import { isHash } from '../domain/identifier.ts';
import { createNotifier } from '../domain/notices.ts';
import { refuse, type Outcome, type Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { isFailure, type AnswerAction, type AnswerEvent } from './answer-event.ts';
import { toAnswerSettings, type AnswerOptions, type AnswerSettings } from './answer-options.ts';
import { fromQueryText, isUtf8 } from './body.ts';
import { withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import { toLogEvent, toRefusal } from './failure.ts';
import { createFormAnswer, refuseForm, refuseText, type Asking, type FormAnswer } from './form-answer.ts';
import { createRequestIds } from './request-id.ts';
import { createViewerAnswer, refuseViewer, type AnswerViewer } from './viewer-answer.ts';

/** How one endpoint answers a request and a refusal. */
interface Route {
  /** What the request asks for. A form says so while it is answered. */
  readonly action: AnswerAction;
  answer(): Outcome<HttpReply> | Promise<Outcome<HttpReply>>;
  refuse(refusal: Refusal): HttpReply;
}

/** What the routes lead to. */
interface Answers {
  readonly form: FormAnswer;
  readonly viewer: AnswerViewer;
}

const NOT_FOUND: Route = { action: 'other', answer: () => refuse({ reason: 'not-found' }), refuse: refuseText };

/**
 * Returns the service over HTTP as a function from a plain request to a plain reply (spec 4). Paths under `basePath`:
 * `POST` of `/api` and `/api/`; `GET` and `HEAD` of `/api/?showreport=<40hex>` and `/report/<40hex>`. The service never
 * redirects, because a redirected POST would lose its body.
 *
 * The returned function never rejects. If the service rejects, the error is logged. The reply is then 503 if a retry
 * may succeed, otherwise 500; the viewer always sends 500. Throws TypeError or RangeError for a wrong option.
 */
export function createAnswer(
  service: Service,
  options: AnswerOptions = {},
): (request: HttpRequest) => Promise<HttpReply> {
  const settings = toAnswerSettings(options);
  const answers: Answers = { form: createFormAnswer(service, settings), viewer: createViewerAnswer(service) };
  const { requestIds } = settings;
  const log = createNotifier(settings.log);
  const answered = settings.onAnswer && ignoringErrors(settings.onAnswer);
  const createId = createRequestIds();

  return async (request) => {
    const beganMs = answered ? performance.now() : 0;
    let requestId = requestIds === 'all' ? (request.requestId ?? createId()) : undefined;
    let route = NOT_FOUND;
    let outcome: Outcome<HttpReply>;
    try {
      route = toRoute(settings, answers, request);
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

/** Returns the route of a request. Requests outside spec 4 get 404, because some clients treat any 200 as success. */
function toRoute(settings: AnswerSettings, answers: Answers, request: HttpRequest): Route {
  const path = pathUnder(settings.basePath, request.path);
  const isRead = request.method === 'GET' || request.method === 'HEAD';

  if (path === '/api' || path === '/api/') {
    if (request.method === 'POST') return form(settings, (asking) => answers.form.post(request, asking));
    return isRead ? toReadRoute(settings, answers, request) : wrongMethod('GET, HEAD, POST');
  }
  const [, first, last, ...more] = path?.split('/') ?? [];
  if (first !== 'report' || last === undefined || more.length > 0) return NOT_FOUND;
  const linkHash = last.toLowerCase();
  if (!isHash(linkHash)) return NOT_FOUND;
  return isRead ? viewer(answers, request, linkHash) : wrongMethod('GET, HEAD');
}

function toReadRoute(settings: AnswerSettings, answers: Answers, request: HttpRequest): Route {
  const fields = [...fromQueryText(request.query)];
  const [shown, ...more] = fields.filter(([name]) => name === 'showreport');
  // With no hash or several hashes, the viewer answers 404 (spec 4.5).
  if (shown !== undefined) return viewer(answers, request, more.length === 0 ? shown[1].toLowerCase() : '');
  // Allow only queries: link previews and prefetchers send GET requests, so a GET must not change anything.
  const actions = fields.filter(([name]) => name.toLowerCase() === '_action');
  const isQuery = actions.length > 0 && actions.every(([, value]) => value === 'query');
  if (!isQuery || !settings.allowGetQuery || request.method !== 'GET') return NOT_FOUND;
  return form(settings, (asking) =>
    isUtf8(request.query) ? answers.form.fields(request, fields, asking) : refuse({ reason: 'invalid-encoding' }),
  );
}

function form(
  settings: AnswerSettings,
  answer: (asking: Asking) => Outcome<HttpReply> | Promise<Outcome<HttpReply>>,
): Route {
  const asking: Asking & Route = {
    action: 'other',
    answer: () => answer(asking),
    refuse: (refusal) => refuseForm(settings, refusal),
  };
  return asking;
}

function viewer(answers: Answers, request: HttpRequest, linkHash: string): Route {
  return {
    action: 'viewer',
    answer: () => (isHash(linkHash) ? answers.viewer(request, linkHash) : refuse({ reason: 'not-found' })),
    refuse: refuseViewer,
  };
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
 * is `%2D` (spec 4.4 is silent).
 */
function pathUnder(basePath: string, path: string): string | undefined {
  const sent = path.replace(/%2d/gi, '-');
  const base = basePath.replace(/%2d/gi, '-');
  return sent.startsWith(base) ? sent.slice(base.length) : undefined;
}
