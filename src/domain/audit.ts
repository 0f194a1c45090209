/** The recorded actions. The list is closed. */
export const AUDIT_ACTIONS = [
  'reporter-created',
  'reporter-suspended',
  'reporter-unsuspended',
  'budget-set',
  'key-issued',
  'key-rotated',
  'key-revoked',
  'ended-key-used',
  'unusual-usage',
  'dispute-opened',
  'dispute-upheld',
  'dispute-rejected',
  'allow-list-added',
  'allow-list-removed',
  'webhook-added',
  'webhook-removed',
  /** It had ended, and a test was accepted. */
  'webhook-resumed',
  'pepper-added',
  'pepper-rotated',
  'erased',
  'exported',
  'imported',
  'migrated',
  'backed-up',
] as const;

/** What was done. `key-rotated` is about the key that was replaced; its successor has an entry `key-issued`. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did it, and when. */
export interface AuditNote {
  /** Name of the person who acted for the operator. `engine`: the embedding program or the service itself. */
  readonly actor: string;
  /** Milliseconds since the epoch, UTC, of the clock of the process that acted. */
  readonly atMs: number;
}

/** An action to record. Never holds a hash, a key, a text, a reason, an address or the name of a reporter. */
export interface AuditedAction extends AuditNote {
  readonly action: AuditAction;
  /** The reporter concerned, 16 lowercase hex characters. */
  readonly reporterId: string | null;
  /** Id of the key, report or webhook, or fingerprint of the pepper: 16 lowercase hex characters. */
  readonly subject: string | null;
  /**
   * A number that belongs to the action: erased reports, imported or migrated rows, identifiers of an unusual day,
   * or the budget that was set (null: the default).
   */
  readonly amount: number | null;
}

/** An entry of the audit log. */
export interface AuditEntry extends AuditedAction {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Digest of the previous entry: 64 lowercase hex characters. The first entry has 64 zeros. */
  readonly previous: string;
  /** SHA-256 of {@link auditText}: 64 lowercase hex characters. */
  readonly digest: string;
}

/** An entry whose row does not match its checksum. Only its place is certain. */
export interface DamagedEntry {
  readonly seq: number;
  readonly damaged: true;
}

/** True for an entry that is as it was written. */
export function isSoundEntry(entry: AuditEntry | DamagedEntry): entry is AuditEntry {
  return !('damaged' in entry);
}

/** The result of verifying the audit log. */
export interface AuditVerification {
  readonly entries: number;
  /** Digest of the last entry; 64 zeros if there is none. */
  readonly head: string;
  /** `seq` of the first entry that is damaged, missing or out of place; null for a sound log. */
  readonly firstBad: number | null;
  /** True if a given head is the digest of an entry, or of the empty log; null if none was given. */
  readonly hasHead: boolean | null;
}

/** What the first entry continues. */
export const NO_ENTRY = '0'.repeat(64);

/** Returns the text whose SHA-256 is the digest of an entry. It contains the digest of the previous entry. */
export function auditText(entry: Omit<AuditEntry, 'digest'>): string {
  const { previous, seq, atMs, actor, action, reporterId, subject, amount } = entry;
  return JSON.stringify([previous, seq, atMs, actor, action, reporterId, subject, amount]);
}
