import type { Identifier } from './identifier.ts';

/** What a reporter submits (spec 2.1), without the key. */
export interface ReportDraft {
  /** Offence type, one of the operator's list, e.g. `chargeback`. */
  readonly type: string;
  /** Severity, an integer 1 to 10 (`_value`). */
  readonly severity: number;
  /** Public description, 1 to 2,000 Unicode code points unless configured otherwise. */
  readonly text: string;
  /** In the order of submission (spec 2.3). */
  readonly identifiers: readonly Identifier[];
}

/** A report as anyone may read it (spec 2.2): no identifier, no code, no key. */
export interface PublicReport {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  readonly type: string;
  readonly severity: number;
  readonly text: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** Name of the reporting organisation. */
  readonly reporter: string;
}

/** What the reporter gets back for a report (spec 2.4; silent: how the reporter obtains the code). */
export interface ReportReceipt {
  /** 16 lowercase hex characters, public. */
  readonly reportId: string;
  /** 16 lowercase hex characters; whoever has the reporter's key and this code can delete the report. */
  readonly deletionCode: string;
  /** True when the same request had already been stored within the retry window: nothing was stored twice. */
  readonly duplicate: boolean;
}

/** Smallest and largest severity (spec 8). */
export const SEVERITY = { least: 1, most: 10 } as const;

/**
 * Offence types (silent: 2.1 shows three and says there are more). Each is lowercase letters and underscores, so that a type
 * can stand anywhere in the protocol; an operator replaces the list with the engine's `offenceTypes`.
 */
export const OFFENCE_TYPES: readonly string[] = [
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
];
