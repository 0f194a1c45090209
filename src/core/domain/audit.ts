import { accept, refuse, type Outcome } from './refusal.ts';
import { isPublicText } from './text.ts';

/** Actions that the engine cannot see: the store is copied, or files beside it change. */
export const OUTSIDE_ACTIONS = [
  'exported',
  'imported',
  'migrated',
  'backed-up',
  'pepper-added',
  'sealed-keys-created',
  'sealed-epoch-added',
  'sealed-epoch-destroyed',
] as const;

/**
 * What was done: a closed list. `key-rotated` is about the key that was replaced; its successor has an entry
 * `key-issued`. `webhook-resumed`: the webhook had ended, and its receiver accepted a test. `dispute-requested`: a
 * first request about a report waits; there is no entry for further ones. `dispute-reopened`: a decision was taken
 * back. `person-answered`: the operator answered persons who asked for a dispute; no reporter is named. `signed-out`:
 * all sessions and links of a reporter, or of the operator, were ended. From `silent-together` to
 * `unusual-accusations`: a notice about accusations, with one entry for each reporter (at most 10) and the same
 * `subject`, a report.
 */
export type AuditAction =
  | (typeof OUTSIDE_ACTIONS)[number]
  | 'reporter-created'
  | 'reporter-suspended'
  | 'reporter-unsuspended'
  | 'reporter-verified'
  | 'reporter-unverified'
  | 'budget-set'
  | 'contact-set'
  | 'key-issued'
  | 'key-rotated'
  | 'key-revoked'
  | 'ended-key-used'
  | 'unusual-usage'
  | 'silent-together'
  | 'always-together'
  | 'accusation-burst'
  | 'unusual-accusations'
  | 'dispute-requested'
  | 'dispute-request-refused'
  | 'dispute-opened'
  | 'dispute-answered'
  | 'dispute-upheld'
  | 'dispute-rejected'
  | 'dispute-reopened'
  | 'person-answered'
  | 'allow-list-added'
  | 'allow-list-removed'
  | 'sign-in-link-created'
  | 'signed-in'
  | 'signed-out'
  | 'webhook-added'
  | 'webhook-removed'
  | 'webhook-resumed'
  | 'pepper-rotated'
  | 'erased';

/** Who did it, and when. */
export interface AuditNote {
  /** Name of the person who acted for the operator. `engine`: the embedding program or the service itself. */
  readonly actor: string;
  /** Milliseconds since the epoch, UTC, of the clock of the process that acted. */
  readonly atMs: number;
}

/** An action to record. Never holds a hash, a key, a text, a reason, an address or the name of a reporter. */
export interface AuditedAction extends AuditNote {
  /** What was done, e.g. `key-issued`. */
  readonly action: AuditAction;
  /** The reporter concerned, 16 lowercase hex characters. */
  readonly reporterId: string | null;
  /** Id of the key, report or webhook, or fingerprint of the pepper or other key: 16 lowercase hex characters. */
  readonly subject: string | null;
  /**
   * A number that belongs to the action: erased reports, imported or migrated rows, identifiers of an unusual day,
   * reports of a notice about accusations, identifiers moved to a new key, the number of an epoch, requests for
   * disputes that were refused together, cases of persons that were answered, or the budget that was set (null: the
   * default).
   */
  readonly amount: number | null;
}

/** An entry of the audit log. */
export interface AuditEntry extends AuditedAction {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Digest of the previous entry: 64 lowercase hex characters. The first entry has 64 zeros. */
  readonly previous: string;
  /** SHA-256 of the entry's text: 64 lowercase hex characters. */
  readonly digest: string;
}

/** An entry whose row does not match its checksum. Only its place is certain. */
export interface DamagedEntry {
  /** Position in the log, from 1. */
  readonly seq: number;
  /** Distinguishes the entry from an intact one, which lacks this property. */
  readonly damaged: true;
}

/** Which entries of the audit log to return. */
export interface AuditPage {
  /** Oldest first, from the entry after this one. Default 0: from the first. Not with `before`. */
  readonly after?: number | undefined;
  /** Newest first, from the entry before this one. Infinity: from the newest. */
  readonly before?: number | undefined;
  /** Only entries of this action, or of one of these. Undefined: all. */
  readonly action?: AuditAction | readonly AuditAction[] | undefined;
  /** Maximum number of entries. */
  readonly limit: number;
}

/** True for an entry that is as it was written. */
export function isSoundEntry(entry: AuditEntry | DamagedEntry): entry is AuditEntry {
  return !('damaged' in entry);
}

/** The result of verifying the audit log. */
export interface AuditVerification {
  /** Number of entries in the log, damaged ones included. */
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
export function formatAuditEntry(entry: Omit<AuditEntry, 'digest'>): string {
  const { previous, seq, atMs, actor, action, reporterId, subject, amount } = entry;
  return JSON.stringify([previous, seq, atMs, actor, action, reporterId, subject, amount]);
}

/** Maximum length of a reporter's or a person's name, in code points. */
export const NAME_CHARACTERS = 80;
/** The actor of calls without a name, and of disputes about reports that repeat a wrong claim. */
export const ENGINE = 'engine';

/**
 * Returns the trimmed name of the person who acts for the operator, 1 to 80 code points. `engine` is no name of a
 * person: disputes of that actor are not decided by people. Refuses with `invalid-name`.
 */
export function toWho(by: string): Outcome<string> {
  if (!isPublicText(by, NAME_CHARACTERS) || /[\r\n\t]/.test(by) || by.trim().toLowerCase() === ENGINE)
    return refuse({ reason: 'invalid-name', limitCharacters: NAME_CHARACTERS });
  return accept(by.trim());
}

/** Returns the note of a call for the audit log. Without a name, the actor is `engine`. Refuses with `invalid-name`. */
export function toAuditNote(by: string | undefined, clock: () => number): Outcome<AuditNote> {
  if (by === undefined) return accept({ actor: ENGINE, atMs: clock() });
  const who = toWho(by);
  return who.ok ? accept({ actor: who.value, atMs: clock() }) : who;
}
