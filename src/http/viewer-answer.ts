import { accept, refuse, type Outcome, type Refusal } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';
import type { Service } from '../engine/service.ts';
import { formatViewer } from '../protocol/viewer.ts';
import { withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import { JSON_TYPE, PUBLIC_HEADERS, entityTagOf, replyWithJson } from './public-json.ts';
import { retryHeaders, statusOf } from './status.ts';

/**
 * Characters from which a body is kept as bytes. Node sends bytes ten times as fast as such a text, and all connections
 * share them. A shorter text is sent faster, because it is encoded together with the headers.
 */
const LONG = 16_384;
/** Long bodies that wait for their turn. Further ones are refused at once. */
const WAITING_MOST = 64;
const RETRY_SECONDS = 2;

interface Made extends Pick<HttpReply, 'body'> {
  readonly entityTag: string;
}

/** Answers requests to the public viewer (protocol 4.5). */
export interface ViewerAnswer {
  /** Rejects only if the service rejects. */
  get(request: HttpRequest, linkHash: string): Promise<Outcome<HttpReply>>;
  /** Returns how many long bodies wait for their turn now. */
  waiting(): number;
}

/**
 * Returns the functions that answer the viewer. The service returns the same list of reports while they are the same.
 * So the body and the tag of a list are made once, and kept as long as the service keeps the list. Long bodies leave
 * one after the other, each in a turn of the event loop of its own: to copy many to their sockets would delay others.
 */
export function createViewerAnswer(service: Service): ViewerAnswer {
  const made = new WeakMap<readonly PublicReport[], Made>();

  const madeOf = (reports: readonly PublicReport[]) => {
    let known = made.get(reports);
    if (known === undefined) {
      const text = formatViewer(reports);
      known = { body: text.length < LONG ? text : new TextEncoder().encode(text), entityTag: entityTagOf(text) };
      made.set(reports, known);
    }
    return known;
  };

  let waiting = 0;
  let last = Promise.resolve();
  const turn = (): Promise<void> => {
    waiting++;
    last = last.then(() => new Promise((resolve) => setTimeout(resolve)));
    return last.finally(() => waiting--);
  };

  const get: ViewerAnswer['get'] = async (request, linkHash) => {
    // Clients without an address share one limit, so hiding the address does not avoid the limit.
    const reports = await service.view({ linkHash, client: request.client ?? 'unknown' });
    if (!reports.ok) return reports;
    const { body, entityTag } = madeOf(reports.value);
    const reply = replyWithJson(request.header('if-none-match'), entityTag, body);
    if (typeof reply.body !== 'string' && request.method !== 'HEAD') {
      if (waiting >= WAITING_MOST) return refuse({ reason: 'overloaded', retryAfterSeconds: RETRY_SECONDS });
      await turn();
    }
    return accept(reply);
  };
  return { get, waiting: () => waiting };
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
