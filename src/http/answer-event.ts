import { createRandom } from '../crypto/random.ts';
import { createNotifier } from '../domain/notices.ts';
import type { RefusalReason } from '../domain/refusal.ts';
import type { LogEvent } from './failure.ts';

/** What requests ask for. `other` is everything outside spec 4, and a form whose action cannot be read. */
export const ANSWER_ACTIONS = ['query', 'report', 'delete', 'viewer', 'other'] as const;
export type AnswerAction = (typeof ANSWER_ACTIONS)[number];

/** One answered request, for metrics and logs. Holds no submitted value. */
export interface AnswerEvent {
  readonly action: AnswerAction;
  /** `ok`, or the reason of the refusal. `unavailable`, `overloaded` and `internal` are failures of the service. */
  readonly outcome: 'ok' | RefusalReason;
  readonly status: number;
  /** Milliseconds from the request's headers to its reply, without the time to send the reply. */
  readonly ms: number;
  /** The id in the reply's header X-Request-Id, if it has one. */
  readonly requestId?: string;
}

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

/** Outcomes for which the service is to blame, not the request. */
export const FAILURES = ['internal', 'unavailable', 'overloaded'] as const satisfies readonly RefusalReason[];

export function isFailure(outcome: AnswerEvent['outcome']): boolean {
  return outcome !== 'ok' && (FAILURES as readonly string[]).includes(outcome);
}

/** Passes events to the operator's functions, whose errors are ignored. */
export function createTellers(options: {
  readonly log: ((event: LogEvent) => void) | undefined;
  readonly onAnswer: ((event: AnswerEvent) => void) | undefined;
}) {
  const { onAnswer } = options;
  return {
    log: createNotifier(options.log),
    answered:
      onAnswer &&
      ((event: AnswerEvent): void => {
        // Not a notifier, which makes a promise: this runs for every request.
        try {
          onAnswer(event);
        } catch {
          // As documented.
        }
      }),
  };
}
