import type { RefusalReason } from '../domain/refusal.ts';

export const ANSWER_ACTIONS: readonly AnswerAction[] = ['query', 'report', 'delete', 'viewer', 'other'];

/**
 * What a request asks for. `other` is everything outside protocol 4, and a form that is refused before its action is
 * read.
 */
export type AnswerAction = 'query' | 'report' | 'delete' | 'viewer' | 'other';

/** One answered request, for metrics and logs. Holds no submitted value. */
export interface AnswerEvent {
  /** What the request asks for. */
  readonly action: AnswerAction;
  /** `ok`, or the reason of the refusal. `unavailable`, `overloaded` and `internal` are failures of the service. */
  readonly outcome: 'ok' | RefusalReason;
  /** HTTP status of the reply. */
  readonly status: number;
  /** Milliseconds from the request's headers to its reply, without the time to send the reply. */
  readonly ms: number;
  /** The id in the reply's header X-Request-Id, if it has one. */
  readonly requestId?: string;
}

/** Outcomes for which the service is to blame, not the request. */
export const FAILURES = ['internal', 'unavailable', 'overloaded'] as const satisfies readonly RefusalReason[];

export function isFailure(outcome: AnswerEvent['outcome']): boolean {
  return outcome !== 'ok' && (FAILURES as readonly string[]).includes(outcome);
}
