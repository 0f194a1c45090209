import { createRandom } from '../crypto/crypto.ts';

/** Which replies get the header X-Request-Id: those to failures of the service (500, 503), or all. */
export type RequestIds = 'failures' | 'all';

const ID_BYTES = 16;
/** The forms of nginx, of Envoy (UUID) and of a trace. A key (16 digits) or a hash (40) has another length. */
const REQUEST_ID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** Returns a function that makes request ids: 32 hex digits. */
export function createRequestIds(): () => string {
  const random = createRandom();
  return () => Array.from(random(ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the id that a proxy gave a request: from `X-Request-Id`, or the trace id of `traceparent`. Undefined if both
 * have another form. Call it only for requests of a declared proxy.
 */
export function sentRequestId(header: (name: string) => string | undefined): string | undefined {
  const id = header('x-request-id')?.toLowerCase();
  if (id !== undefined && REQUEST_ID.test(id)) return id;
  const trace = header('traceparent');
  return trace === undefined ? undefined : TRACE_PARENT.exec(trace)?.[1];
}
