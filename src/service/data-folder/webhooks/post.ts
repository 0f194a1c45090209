import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { PrivateAddressError, resolveOnce } from './public-address.ts';

/** Maximum bytes of an answer's body, which is ignored. */
const BODY_BYTES = 64 * 1024;

/** What became of one delivery. No value of the receiver is kept. */
export type Delivery =
  | { readonly status: number }
  /** `aborted`: this program is stopping. `address`: the address is private, or the scheme is not allowed. */
  | { readonly failed: 'timeout' | 'connection' | 'address' | 'aborted' };

/** True if the receiver took the message: it answered with 2xx. */
export function isAccepted(delivery: Delivery): boolean {
  return 'status' in delivery && delivery.status >= 200 && delivery.status < 300;
}

export interface PostSettings {
  /** Allows private addresses, and `http:`. */
  readonly toPrivate: boolean;
  /** Bound of one delivery, from the lookup of the name to the head of the answer. */
  readonly timeoutMs: number;
  /** Ends the delivery. */
  readonly signal: AbortSignal;
}

/**
 * Posts a body and returns the status of the answer. Ignores the body and follows no redirect. Connects to the address
 * that was checked. Never rejects.
 */
export async function post(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  { toPrivate, timeoutMs, signal }: PostSettings,
): Promise<Delivery> {
  if (url.protocol !== 'https:' && !(toPrivate && url.protocol === 'http:')) return { failed: 'address' };
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, timeout]);
  const aborted = new Promise<never>((_, reject) =>
    ended.addEventListener('abort', () => reject(new Error('the delivery took too long')), { once: true }),
  );
  aborted.catch(() => undefined);
  try {
    ended.throwIfAborted();
    const addresses = await Promise.race([resolveOnce(url.hostname, toPrivate), aborted]);
    return await Promise.race([send(url, body, headers, addresses, ended), aborted]);
  } catch (error) {
    if (error instanceof PrivateAddressError) return { failed: 'address' };
    if (signal.aborted) return { failed: 'aborted' };
    return { failed: timeout.aborted ? 'timeout' : 'connection' };
  }
}

function send(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  addresses: Awaited<ReturnType<typeof resolveOnce>>,
  signal: AbortSignal,
): Promise<Delivery> {
  const [first = { address: '', family: 0 }] = addresses;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // No connection is kept: the next delivery checks the address again.
      agent: false,
      signal,
      lookup: (_name, options, answer) =>
        options.all ? answer(null, [...addresses]) : answer(null, first.address, first.family),
    });
    // Errors after the head of the answer change nothing.
    request.on('error', reject);
    // Otherwise, Node closes the connection without an error.
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0 });
    });
    request.once('close', () => reject(new Error('the connection was closed without an answer')));
    request.once('response', (response) => {
      resolve({ status: response.statusCode ?? 0 });
      // Take the end of a short body, so that the receiver sees no broken connection. A body may be endless.
      let left = BODY_BYTES;
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) response.destroy();
      });
    });
    request.end(body);
  });
}
