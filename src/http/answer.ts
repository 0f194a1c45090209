import { isHash } from '../domain/identifier.ts';
import { createNotifier } from '../domain/notices.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { toAnswerSettings, type AnswerOptions, type AnswerSettings } from './answer-options.ts';
import { fromQueryText, isUtf8 } from './body.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';
import { toLogEvent, toRefusal } from './failure.ts';
import { createFormAnswer, refuseText, type FormAnswer } from './form-answer.ts';
import { createViewerAnswer, refuseViewer, type AnswerViewer } from './viewer-answer.ts';

/** How one endpoint answers a request and a refusal. */
interface Route {
  answer(): HttpReply | Promise<HttpReply>;
  refuse(refusal: Refusal): HttpReply;
}

/** What the routes lead to. */
interface Answers {
  readonly form: FormAnswer;
  readonly viewer: AnswerViewer;
}

const NOT_FOUND: Route = { answer: () => refuseText({ reason: 'not-found' }), refuse: refuseText };

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
  const log = createNotifier((error: unknown) => settings.log?.(toLogEvent(error)));

  return async (request) => {
    let route = NOT_FOUND;
    let reply: HttpReply;
    try {
      route = toRoute(settings, answers, request);
      reply = await route.answer();
    } catch (error) {
      log(error);
      reply = route.refuse(toRefusal(error));
    }
    return request.method === 'HEAD' ? { ...reply, body: '' } : reply;
  };
}

/** Returns the route of a request. Requests outside spec 4 get 404, because some clients treat any 200 as success. */
function toRoute(settings: AnswerSettings, answers: Answers, request: HttpRequest): Route {
  const path = pathUnder(settings.basePath, request.path);
  const isRead = request.method === 'GET' || request.method === 'HEAD';

  if (path === '/api' || path === '/api/') {
    const { form } = answers;
    if (request.method === 'POST') return { answer: () => form.post(request), refuse: form.refuse };
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
  const { form } = answers;
  return {
    answer: () => (isUtf8(request.query) ? form.fields(request, fields) : form.refuse({ reason: 'invalid-encoding' })),
    refuse: form.refuse,
  };
}

function viewer(answers: Answers, request: HttpRequest, linkHash: string): Route {
  return {
    answer: () => (isHash(linkHash) ? answers.viewer(request, linkHash) : refuseViewer({ reason: 'not-found' })),
    refuse: refuseViewer,
  };
}

function wrongMethod(allow: string): Route {
  const reply = refuseText({ reason: 'method-not-allowed' });
  return { answer: () => ({ ...reply, headers: { ...reply.headers, Allow: allow } }), refuse: refuseText };
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
