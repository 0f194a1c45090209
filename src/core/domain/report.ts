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
] as const satisfies readonly OffenceType[];

/** An offence type: one of the defaults or one of the operator's own, e.g. `chargeback`. */
export type OffenceType =
  | 'chargeback'
  | 'fraud'
  | 'phishing'
  | 'spam'
  | 'scam'
  | 'abuse'
  | 'hacking'
  | 'malware'
  | 'copyright'
  | 'identity_theft'
  | 'stolen_card'
  | 'nonpayment'
  | 'refund_abuse'
  | 'account_takeover'
  | 'disposable'
  | 'other'
  | (string & {});

/**
 * Default offence types (protocol 2.1). The engine option `offenceTypes` replaces them. Lowercase
 * letters and underscores need no escaping in the protocol.
 */
export const OFFENCE_TYPES: readonly OffenceType[] = DEFAULT_TYPES;

/** A submitted report (protocol 2.1), without the API key. */
export interface ReportDraft {
  /** One of the operator's offence types. */
  readonly type: OffenceType;
  /** Severity, an integer from 1 to 10; field `_value` of the form. */
  readonly severity: number;
  /** Public description, 1 to 2,000 Unicode code points unless configured otherwise. */
  readonly text: string;
  /** In the order of submission (protocol 2.3); 1 to 32 unless configured otherwise. */
  readonly identifiers: readonly Identifier[];
}

/** The public part of a report (protocol 2.2): no identifier, deletion code or key. */
export interface PublicReport {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** Offence type, as submitted. */
  readonly type: OffenceType;
  /** 1 to 10. */
  readonly severity: number;
  /** Description, as submitted. It is untrusted: escape it before you show it. */
  readonly text: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** Name of the reporting organisation. */
  readonly reporter: string;
}

/** Receipt of a report (protocol 2.4). */
export interface ReportReceipt {
  /** 16 lowercase hex characters, public. */
  readonly reportId: string;
  /** 16 lowercase hex characters. The reporter deletes the report with this code. */
  readonly deletionCode: string;
  /** True if the same request was stored within the retry window. The codes are then those of the first request. */
  readonly duplicate: boolean;
}

/** Smallest and largest severity (protocol 8). */
export const SEVERITY = { min: 1, max: 10 } as const;

/** Returns the given offence types without duplicates. Throws TypeError unless they are valid. */
export function toOffenceTypes(given: readonly OffenceType[]): readonly [OffenceType, ...OffenceType[]] {
  const types = Array.isArray(given) ? [...new Set<OffenceType>(given)] : [];
  const [first, ...more] = types;
  if (first === undefined || !types.every((type) => typeof type === 'string' && /^[a-z][a-z0-9_]{0,31}$/.test(type)))
    throw new TypeError('"offenceTypes" expected at least one name of [a-z][a-z0-9_]*, at most 32 characters each');
  return [first, ...more];
}
