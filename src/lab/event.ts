import type { Identifier } from '../domain/identifier.ts';

/** One thing that happened, in a recorded or simulated world: a line of NDJSON, read (`lab/read-events.ts`). Times are milliseconds UTC. */
export type LabEvent = ReporterEvent | ReportEvent | RemoveEvent | DisputeEvent | QueryEvent;

interface Happening {
  readonly at: number;
  /** Where it stands in its file, from 1: an error about it names that. Not part of the line itself. */
  readonly line?: number;
}

/** A reporter comes. One that only ever reports comes with its first report, unverified. */
export interface ReporterEvent extends Happening {
  readonly do: 'reporter';
  readonly name: string;
  readonly verified: boolean;
}

export interface ReportEvent extends Happening {
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

export interface RemoveEvent extends Happening {
  readonly do: 'remove';
  readonly id: string;
}

/** A report is said to be wrong. Without `upheld` that is looked into from now on, and the report counts half; with it the operator decides, at once when nothing was open. */
export interface DisputeEvent extends Happening {
  readonly do: 'dispute';
  readonly id: string;
  /** True: the report was wrong. */
  readonly upheld?: boolean;
}

export interface QueryEvent extends Happening {
  readonly do: 'query';
  /** Who asks; its own reports are left out when the run says so. */
  readonly reporter?: string;
  readonly identifiers: readonly Identifier[];
  /** The truth: 1 is a person to be warned of. Without it the query is answered and not judged. */
  readonly label?: 0 | 1;
  /** Sets queries apart that are not part of the main figures, e.g. `victim` of an attack. */
  readonly group?: string;
}
