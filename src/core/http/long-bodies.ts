import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';

/**
 * Characters from which a body is kept as bytes. Node sends bytes ten times as fast as such a text, and all connections
 * share them. A shorter text is sent faster, because it is encoded together with the headers.
 */
const LONG = 16_384;
/** Long bodies that wait for their turn. Further ones are refused at once. */
const MAX_WAITING = 64;
const RETRY_SECONDS = 2;

/** Lets long bodies wait for their turn. */
export interface SendInTurn {
  /** Lets a reply leave: at once, or in its turn if its body is long. Refuses with `overloaded` if too many wait. */
  (request: HttpRequest, reply: HttpReply): Promise<Outcome<HttpReply>>;
  /** Returns how many long bodies wait now. */
  waiting(): number;
}

/** Returns a text as the body of a reply that is sent more than once. */
export function toBody(text: string): HttpReply['body'] {
  return text.length < LONG ? text : new TextEncoder().encode(text);
}

/**
 * Returns the function that all public replies with long bodies share. They leave one after the other, each in a turn
 * of the event loop of its own: to copy many to their sockets would delay other requests.
 */
export function createSendInTurn(): SendInTurn {
  let waiting = 0;
  let last = Promise.resolve();
  const sendInTurn = async (request: HttpRequest, reply: HttpReply): Promise<Outcome<HttpReply>> => {
    if (typeof reply.body === 'string' || request.method === 'HEAD') return accept(reply);
    if (waiting >= MAX_WAITING) return refuse({ reason: 'overloaded', retryAfterSeconds: RETRY_SECONDS });
    waiting++;
    last = last.then(() => new Promise((resolve) => setTimeout(resolve)));
    await last.finally(() => waiting--);
    return accept(reply);
  };
  return Object.assign(sendInTurn, { waiting: () => waiting });
}
