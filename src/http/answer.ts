import type { Service } from '../engine/service.ts';
import { toAnswerSettings, type AnswerOptions } from './answer-options.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';
import { toLogEvent, toRefusal } from './failure.ts';
import { answerFields, answerForm, refuseForm, refuseText } from './form-answer.ts';
import { toRoute, type Route } from './route.ts';
import { answerViewer, refuseViewer } from './viewer-answer.ts';

/**
 * The service over HTTP, without a framework: a plain request in, a plain reply out (spec 4). It serves, under `basePath`,
 * `POST /api` and `/api/` (never a redirect, which would lose the body), `GET` and `HEAD /api/?showreport=<40hex>` and `/report/<40hex>`.
 *
 * The returned function never rejects: a service that does is answered 500, or 503 when it is a StoreUnavailableError (the viewer: 500), and logged. What tries again must not be told 503
 * where that does not help, so a StoreDamagedError is 500.
 * Throws TypeError for options that cannot hold.
 */
export function createAnswer(
  service: Service,
  options: AnswerOptions = {},
): (request: HttpRequest) => Promise<HttpReply> {
  const settings = toAnswerSettings(options);

  async function follow(route: Route, request: HttpRequest): Promise<HttpReply> {
    switch (route.to) {
      case 'form':
        return await answerForm(service, settings, request);
      case 'query-by-get':
        return await answerFields(service, settings, route.fields);
      case 'viewer':
        return await answerViewer(service, request, route.linkHash);
      case 'viewer-without-hash':
        return refuseViewer({ reason: 'not-found' });
      case 'wrong-method':
        return withAllow(refuseText({ reason: 'method-not-allowed' }), route.allow);
      case 'nowhere':
        return refuseText({ reason: 'not-found' });
    }
  }

  function fail(route: Route, error: unknown): HttpReply {
    // A log that throws, or rejects later, must not take the reply or the process with it.
    void (async () => settings.log(toLogEvent(error)))().catch(() => undefined);
    const refusal = toRefusal(error);
    if (route.to === 'viewer') return refuseViewer(refusal);
    return route.to === 'form' || route.to === 'query-by-get' ? refuseForm(settings, refusal) : refuseText(refusal);
  }

  return async (request) => {
    let route: Route = { to: 'nowhere' };
    let reply: HttpReply;
    try {
      route = toRoute(request, settings);
      reply = await follow(route, request);
    } catch (error) {
      reply = fail(route, error);
    }
    return request.method === 'HEAD' ? { ...reply, body: '' } : reply;
  };
}

function withAllow(reply: HttpReply, allow: string): HttpReply {
  return { ...reply, headers: { ...reply.headers, Allow: allow } };
}
