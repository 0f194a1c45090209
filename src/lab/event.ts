import type { Identifier } from '../domain/identifier.ts';

/** One thing that happened, in a recorded or simulated world: a line of NDJSON, read (`lab/read-events.ts`). Times are milliseconds UTC. */
export type LabEvent = ReporterEvent | ReportEvent | RemoveEvent | DisputeEvent | QueryEvent;

/** A reporter comes. One that only ever reports comes with its first report, unverified. */
export interface ReporterEvent {
  readonly at: number;
  readonly do: 'reporter';
  readonly name: string;
  readonly verified: boolean;
}

export interface ReportEvent {
  readonly at: number;
  readonly do: 'report';
  /** Names the report for later events; any text. */
  readonly id: string;
  /** The reporter's name. */
  readonly reporter: string;
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  readonly identifiers: readonly Identifier[];
}

export interface RemoveEvent {
  readonly at: number;
  readonly do: 'remove';
  readonly id: string;
}

/** The operator decides on a report: upheld says that the report was wrong. */
export interface DisputeEvent {
  readonly at: number;
  readonly do: 'dispute';
  readonly id: string;
  readonly upheld: boolean;
}

export interface QueryEvent {
  readonly at: number;
  readonly do: 'query';
  /** Who asks; its own reports are left out when the run says so. */
  readonly reporter?: string;
  readonly identifiers: readonly Identifier[];
  /** The truth: 1 is a person to be warned of. Without it the query is answered and not judged. */
  readonly label?: 0 | 1;
  /** Sets queries apart that are not part of the main figures, e.g. `victim` of an attack. */
  readonly group?: string;
}
