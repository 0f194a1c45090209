import type { Identifier } from './identifier.ts';

const DEFAULT_TYPES = [
  'chargeback',
  'fraud',
  'phishing',
  'spam',
  'scam',
  'abuse',
  'hacking',
  'malware',
  'copyright',
  'identity_theft',
  'stolen_card',
  'nonpayment',
  'refund_abuse',
  'account_takeover',
  'disposable',
  'other',
] as const;

/** An offence type: one of the defaults or one of the operator's own, e.g. `chargeback`. */
export type OffenceType = (typeof DEFAULT_TYPES)[number] | (string & {});

/**
 * Default offence types (spec 2.1 lists three as examples). The engine option `offenceTypes` replaces them. Lowercase
 * letters and underscores need no escaping in the protocol.
 */
export const OFFENCE_TYPES: readonly OffenceType[] = DEFAULT_TYPES;

/** A submitted report (spec 2.1), without the API key. */
export interface ReportDraft {
  /** One of the operator's offence types. */
  readonly type: OffenceType;
  /** Severity, an integer from 1 to 10; field `_value` of the form. */
  readonly severity: number;
  /** Public description, 1 to 2,000 Unicode code points unless configured otherwise. */
  readonly text: string;
  /** In the order of submission (spec 2.3); 1 to 32 unless configured otherwise. */
  readonly identifiers: readonly Identifier[];
}

/** The public part of a report (spec 2.2): no identifier, deletion code or key. */
export interface PublicReport {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  readonly type: OffenceType;
  readonly severity: number;
  readonly text: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** Name of the reporting organisation. */
  readonly reporter: string;
}

/** Receipt of a report (spec 2.4). */
export interface ReportReceipt {
  /** 16 lowercase hex characters, public. */
  readonly reportId: string;
  /** 16 lowercase hex characters. The reporter deletes the report with this code. */
  readonly deletionCode: string;
  /** True if the same request was stored within the retry window. The codes are then those of the first request. */
  readonly duplicate: boolean;
}

/** Smallest and largest severity (spec 8). */
export const SEVERITY = { least: 1, most: 10 } as const;
