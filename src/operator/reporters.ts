import { toAuditNote } from '../core/domain/audit.ts';
import { areCodes, isCode } from '../core/domain/identifier.ts';
import { refuseUnknown, requireBoolean, requireWhole } from '../core/domain/options.ts';
import { accept, refuse, type Outcome, type RateLimit } from '../core/domain/refusal.ts';
import type { IssuedKey, KeyFilter, KeyInfo, Reporter } from '../core/domain/reporter.ts';
import type { WithContext } from '../core/engine/context.ts';
import { ENDED, issueKey, toContactOrNull } from '../core/engine/reporters.ts';

/**
 * Reporters and their keys (protocol 5), beside what the engine has. The public protocol cannot reach these operations.
 * `by` is the person who acts, 1 to 80 code points, for the audit log (default `engine`). Each call with `by` may
 * refuse it with `invalid-name`.
 */
export interface Administration {
  /** Returns all reporters, also suspended ones, or those with these ids; oldest first (ties by name). */
  listReporters(filter?: { readonly reporterIds?: readonly string[] | undefined }): Promise<readonly Reporter[]>;
  /**
   * Changes whether the operator vouches for a reporter, and its public contact. What is not given stays.
   *
   * `verified` changes its standing at once in this process, and within ten seconds in others; its budget from its next
   * request on. `contact` is how a person reaches it: an email address, a phone number, or an address
   * that begins with `https:` or `mailto:`; 1 to 200 code points, null for none. It is shown with its reports.
   *
   * `byReporter` says that the reporter changes its contact itself. It may do so twenty times a day, and then is
   * refused with `limited`: each change is in the audit log. Refuses with `unknown-reporter` or `invalid-contact`.
   */
  updateReporter(change: {
    readonly reporterId: string;
    readonly verified?: boolean;
    readonly contact?: string | null;
    readonly byReporter?: boolean | undefined;
    readonly by?: string | undefined;
  }): Promise<Outcome<void>>;
  /**
   * Suspends a reporter, or ends the suspension. During a suspension, all keys of the reporter are refused. Its reports
   * stay, its sign-ins to the panel end. Refuses with `unknown-reporter`.
   */
  suspendReporter(request: {
    readonly reporterId: string;
    readonly suspended: boolean;
    readonly by?: string | undefined;
  }): Promise<Outcome<void>>;
  /**
   * Gives a reporter its own budget of identifiers in any 24 hours, from 1 to one billion, over all its keys. Null: the
   * budget of the engine's options again. Holds from the reporter's next request, in every process. What was used in
   * the last 24 hours counts against it. Refuses with `unknown-reporter`.
   */
  setBudget(request: {
    readonly reporterId: string;
    readonly identifiersPerDay: number | null;
    readonly by?: string | undefined;
  }): Promise<Outcome<void>>;
  /**
   * Creates a new key that replaces an old one of the same reporter. The new key has the same scope, and the end with
   * which the old key was issued. The old key ends after `graceSeconds` (0 to ten years, default one day), and before
   * the end with which it was issued. Refuses with `unknown-key-id` if the old key is unknown, has ended or has been
   * replaced. If a key is rotated twice at once, or rotated and revoked, it gets one successor at most. `most` as
   * in `issueKey` of the engine.
   */
  rotateKey(request: {
    readonly keyId: string;
    readonly graceSeconds?: number;
    readonly by?: string | undefined;
    readonly most?: number | undefined;
  }): Promise<Outcome<IssuedKey>>;
  /**
   * Returns all keys, or those that the filter selects, oldest first. Uses of keys in other processes may be missing
   * for a minute.
   */
  listKeys(filter?: KeyFilter): Promise<readonly KeyInfo[]>;
}

const GRACE_SECONDS = 86_400;
const CONTACT_LIMIT: RateLimit = { name: 'contact', requests: 20, windowSeconds: 86_400 };
/** Maximum budget of a reporter: as good as none. */
export const MAX_BUDGET_IDENTIFIERS = 1_000_000_000;
/** Ten years: every replaced key must end. */
const MAX_GRACE_SECONDS = 315_360_000;

/** Returns the administration of the reporters and keys of an engine. */
export function createAdministration({ context }: WithContext): Administration {
  const { store, secretCheck, standings, usage, effects } = context;
  const { clock } = effects;
  const contacts = context.limits.createThrottle(CONTACT_LIMIT);
  return secretCheck.guard<Administration>({
    async listReporters(filter = {}) {
      refuseUnknown(filter, ['reporterIds']);
      const { reporterIds } = filter;
      if (reporterIds === undefined) return store.listReporters();
      const found = await store.findReporters([...new Set(reporterIds)].filter(isCode));
      return found.sort((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1));
    },

    async updateReporter(change) {
      refuseUnknown(change, ['reporterId', 'verified', 'contact', 'byReporter', 'by']);
      const { reporterId, verified, byReporter = false, by } = change;
      requireBoolean('byReporter', byReporter);
      if (verified !== undefined) requireBoolean('verified', verified);
      const contact = change.contact === undefined ? accept(undefined) : toContactOrNull(change.contact);
      if (!contact.ok) return contact;
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      const allowed = byReporter ? await contacts.take(reporterId) : accept(undefined);
      if (!allowed.ok) return allowed;
      const values = { reporterId, verified, contact: contact.value };
      if (!isCode(reporterId) || (await store.updateReporter(values, note.value)) === 'unknown')
        return refuse({ reason: 'unknown-reporter' });
      if (verified !== undefined) await standings?.verified(reporterId);
      return accept(undefined);
    },

    async suspendReporter(change) {
      requireBoolean('suspended', change.suspended);
      const { reporterId, suspended, by } = change;
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (!isCode(reporterId) || (await store.updateReporter({ reporterId, suspended }, note.value)) === 'unknown')
        return refuse({ reason: 'unknown-reporter' });
      // Sessions of a suspended reporter are refused anyway. Afterwards, its people need new links.
      if (suspended) await store.endSignIns({ reporterId });
      return accept(undefined);
    },

    async setBudget(change) {
      refuseUnknown(change, ['reporterId', 'identifiersPerDay', 'by']);
      const { reporterId, identifiersPerDay, by } = change;
      if (identifiersPerDay !== null) requireWhole('identifiersPerDay', identifiersPerDay, 1, MAX_BUDGET_IDENTIFIERS);
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (
        !isCode(reporterId) ||
        (await store.updateReporter({ reporterId, identifiersPerDay }, note.value)) === 'unknown'
      )
        return refuse({ reason: 'unknown-reporter' });
      return accept(undefined);
    },

    async rotateKey(request) {
      refuseUnknown(request, ['keyId', 'graceSeconds', 'by', 'most']);
      const { keyId, graceSeconds = GRACE_SECONDS } = request;
      requireWhole('graceSeconds', graceSeconds, 0, MAX_GRACE_SECONDS);
      const note = toAuditNote(request.by, clock);
      if (!note.ok) return note;
      const old = isCode(keyId) ? (await store.listKeys({ keyId })).at(0) : undefined;
      if (!old) return refuse({ reason: 'unknown-key-id' });
      // The store looks again, and does not replace an ended key: the operator may just have revoked it.
      const endsAt = graceSeconds === 0 ? ENDED : clock() + graceSeconds * 1000;
      return issueKey(context, old, note.value, request.most, { keyId, endsAt });
    },

    async listKeys(filter = {}) {
      refuseUnknown(filter, ['reporterId', 'keyId']);
      await usage.save();
      return areCodes(filter) ? store.listKeys(filter) : [];
    },
  });
}
