import type { Outcome, Refusal } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';
import type { Service } from '../engine/service.ts';
import { formatViewer } from '../protocol/viewer.ts';
import { withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import { toBody, type SendInTurn } from './long-bodies.ts';
import { JSON_TYPE, PUBLIC_HEADERS, entityTagOf, replyWithJson } from './public-json.ts';
import { retryHeaders, statusOf } from './status.ts';

interface Made extends Pick<HttpReply, 'body'> {
  readonly entityTag: string;
}

/** Answers a request to the public viewer (protocol 4.5). Rejects only if the service rejects. */
export type AnswerViewer = (request: HttpRequest, linkHash: string) => Promise<Outcome<HttpReply>>;

/**
 * Returns the function that answers the viewer. The service returns the same list of reports while they are the same.
 * So the body and the tag of a list are made once, and kept as long as the service keeps the list.
 */
export function createViewerAnswer(service: Service, sendInTurn: SendInTurn): AnswerViewer {
  const made = new WeakMap<readonly PublicReport[], Made>();

  const madeOf = (reports: readonly PublicReport[]) => {
    let known = made.get(reports);
    if (known === undefined) {
      const text = formatViewer(reports);
      known = { body: toBody(text), entityTag: entityTagOf(text) };
      made.set(reports, known);
    }
    return known;
  };

  return async (request, linkHash) => {
    // Clients without an address share one limit, so hiding the address does not avoid the limit.
    const reports = await service.view({ linkHash, client: request.client ?? 'unknown' });
    if (!reports.ok) return reports;
    const { body, entityTag } = madeOf(reports.value);
    return sendInTurn(request, replyWithJson(request.header('if-none-match'), entityTag, body));
  };
}

/**
 * Returns the viewer's reply to a refusal: the status and an empty list. Caches must not keep it, because the link may
 * exist after the next query. A server failure is always 500, as clients of the viewer expect (protocol 4.5, 7). If the
 * store is unavailable, Retry-After says when to retry.
 */
export function refuseViewer(refusal: Refusal): HttpReply {
  return {
    status: refusal.reason === 'unavailable' ? 500 : statusOf(refusal),
    headers: withHeaders(PUBLIC_HEADERS, {
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
      ...retryHeaders(refusal),
    }),
    body: formatViewer([]),
  };
}
