import { requireString } from '../core/domain/options.ts';
import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isHash, type Identifier } from '../core/domain/identifier.ts';
import { RedflagError } from '../core/domain/redflag-error.ts';
import type { Refusal } from '../core/domain/refusal.ts';

/** One event of a recorded or simulated world, a line of NDJSON (`lab/read-events.ts`). Times are milliseconds UTC. */
export type LabEvent = ReporterEvent | ReportEvent | RemoveEvent | DisputeEvent | QueryEvent;

interface Happening {
  /** Time of the event, milliseconds UTC. Events are in order of time. */
  readonly at: number;
  /** Line number in its file, from 1, for error messages. Not part of the line's JSON. */
  readonly line?: number;
}

/** A reporter registers. Without this event, a reporter registers with its first report, unverified. */
export interface ReporterEvent extends Happening {
  /** Marks a registration. */
  readonly do: 'reporter';
  /** 1 to 80 code points, unique among the events. Later events refer to the reporter by it. */
  readonly name: string;
  /** True if the operator verified the reporter. */
  readonly verified: boolean;
}

/** A reporter submits a report. */
export interface ReportEvent extends Happening {
  /** Marks a report. */
  readonly do: 'report';
  /** Any text. Later events refer to the report by it. */
  readonly id: string;
  /** Name of the reporter. It need not have registered. */
  readonly reporter: string;
  /** One of the default offence types, e.g. `fraud`. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  /** At least one. */
  readonly identifiers: readonly Identifier[];
}

/** The reporter deletes a report. */
export interface RemoveEvent extends Happening {
  /** Marks a deletion. */
  readonly do: 'remove';
  /** The id of an earlier report that still exists. */
  readonly id: string;
}

/**
 * A dispute about a report. Without `upheld`, the dispute opens and the report counts half. With `upheld`, the operator
 * decides the dispute. If none is open, one opens first.
 */
export interface DisputeEvent extends Happening {
  /** Marks a dispute. */
  readonly do: 'dispute';
  /** The id of an earlier report. */
  readonly id: string;
  /** True if the report was wrong. */
  readonly upheld?: boolean;
}

/** Somebody queries identifiers. */
export interface QueryEvent extends Happening {
  /** Marks a query. */
  readonly do: 'query';
  /** Name of the reporter who asks. The replay option `excludeOwn` ignores this reporter's own reports. */
  readonly reporter?: string;
  /** At least one. */
  readonly identifiers: readonly Identifier[];
  /** The truth: 1 for a person to warn about, otherwise 0. A query without a label is answered, but not judged. */
  readonly label?: 0 | 1;
  /** Group of queries outside the main figures, e.g. `victim` of an attack. */
  readonly group?: string;
}

/** A line is not an event, or contradicts earlier events. The message contains the line's number, never its content. */
export class LabEventError extends RedflagError {
  static override readonly kind = 'LabEventError';
  /** Line number from 1, including blank lines. Without a file: the number of the event. */
  readonly line: number;
  /**
   * Why the engine refused the event; undefined if the lab refused it. The error's message contains the `reason` only.
   */
  readonly refusal: Refusal | undefined;

  constructor(line: number, problem: string, refusal?: Refusal) {
    super(`line ${line}: ${problem}${refusal === undefined ? '' : ` (${refusal.reason})`}`);
    this.line = line;
    this.refusal = refusal;
  }
}

/**
 * Returns an identifier for use inside the lab. 40 lowercase hex characters stay unchanged. Other text becomes one
 * SHA-1 of kind and text: the full hash chain gives the same matches, but is far slower. Throws TypeError if `value` is
 * not text.
 */
export function toLabIdentifier(kind: string, value: string): Identifier {
  requireString('kind', kind);
  requireString('value', value);
  return { kind, hash: isHash(value) ? value : bytesToHex(sha1(utf8ToBytes(`${kind}\n${value}`))) };
}
