import type { EngineNotice } from '../../../core/engine/notices.ts';
import type { LogEvent } from '../../../core/http/failure.ts';
import type { PostgresNotice } from '../../../stores/postgres/replica.ts';
import type { StoreNotice } from '../../../stores/sqljs/durable.ts';
import type { SqliteNotice } from '../../../stores/sqlite/store.ts';

/** Levels of the log, the most serious first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What `redflag serve` itself reports. */
type ServeEvent =
  /** Links may not work as clients expect; `advice` says what to do. */
  | 'advice'
  | 'background-work-failed'
  | 'identifiers-peppered'
  /** An entry of the audit log is damaged: no webhook gets it. */
  | 'audit-entry-damaged'
  /** A delivery failed after one that succeeded, or the first one did. It is tried again. */
  | 'webhook-failed'
  /** The receiver answered 410, or failed for too long: the webhook sends nothing any more. */
  | 'webhook-ended'
  /** The last publication of the sealed look-up stays; a further attempt follows in a minute. */
  | 'sealed-publication-failed'
  /** The separate evaluator did not evaluate, so the service answered 503. */
  | 'evaluator-failed'
  /** Of `redflag evaluator`: a day (UTC) has ended. */
  | 'evaluator-day'
  /** The same: this day has more than ten times the usual number of elements. */
  | 'evaluator-unusual'
  /** The same: it has signed a publication. */
  | 'evaluator-signed'
  /** The same: it has signed another history than the one that the operator sent. */
  | 'evaluator-refused'
  /** Another process of a shared store creates the keys. */
  | 'start-waits'
  /** The first signal arrived. */
  | 'stopping'
  /** The grace time is over, and work in the background still runs. */
  | 'stopped-early'
  | 'metrics-failed';

/** Every event that a service reports. The compiler asks for the level of a new one. */
type NoticeEvent =
  | EngineNotice['event']
  | LogEvent['event']
  | StoreNotice['event']
  | SqliteNotice['event']
  | PostgresNotice['event']
  | ServeEvent;

const LEVELS: Readonly<Record<NoticeEvent, LogLevel>> = {
  'internal-error': 'error',
  'store-unavailable': 'error',
  'write-failed': 'error',
  'recovery-failed': 'error',
  'epoch-failed': 'error',
  'background-work-failed': 'error',
  'sealed-publication-failed': 'error',
  'erasure-failed': 'error',
  'evaluator-failed': 'error',
  'stopped-early': 'error',
  advice: 'warn',
  'audit-entry-damaged': 'warn',
  'compaction-failed': 'warn',
  'dispute-request-lost': 'warn',
  'ended-key-used': 'warn',
  'evaluator-refused': 'warn',
  'evaluator-unusual': 'warn',
  'accusation-burst': 'warn',
  'accusations-not-searched': 'warn',
  'always-together': 'warn',
  'journal-cut': 'warn',
  'link-not-saved': 'warn',
  'metrics-failed': 'warn',
  'repeated-claim': 'warn',
  'replica-left': 'warn',
  'secret-fingerprint-not-saved': 'warn',
  'silent-together': 'warn',
  'standings-not-updated': 'warn',
  'unusual-accusations': 'warn',
  'unusual-usage': 'warn',
  'usage-not-saved': 'warn',
  'webhook-ended': 'warn',
  'webhook-failed': 'warn',
  'evaluator-day': 'info',
  'evaluator-signed': 'info',
  'identifiers-peppered': 'info',
  'replica-used': 'info',
  'start-waits': 'info',
  stopping: 'info',
};

export const NOTICE_EVENTS: readonly string[] = Object.keys(LEVELS);

/** Returns the level of a notice. An event that is not in the list is a warning. */
export function levelOf(event: string): LogLevel {
  return isListed(event) ? LEVELS[event] : 'warn';
}

export function isListed(event: string): event is NoticeEvent {
  return Object.hasOwn(LEVELS, event);
}
