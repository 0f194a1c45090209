import { NAME_CHARACTERS, toAuditNote } from '../core/domain/actor.ts';
import type { AuditNote } from '../core/domain/audit.ts';
import { toContact } from '../core/domain/contact.ts';
import { areCodes, isCode } from '../core/domain/identifier.ts';
import { END_MOST, refuseUnknown, requireBoolean, requireOneOf, requireWhole } from '../core/domain/options.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import type { IssuedKey, KeyFilter, KeyInfo, KeyScope, Reporter } from '../core/domain/reporter.ts';
import { isPublicText } from '../core/domain/text.ts';
import type { EngineContext } from '../core/engine/context.ts';
import { drawUntil, freshCode } from '../core/engine/secrets.ts';

/**
 * Reporters and their keys (protocol 5). The public protocol cannot reach these operations. `by` is the person who
 * acts, 1 to 80 code points, for the audit log (default `engine`). Each call with `by` may refuse it with
 * `invalid-name`.
 */
export interface Administration {
  /**
   * Creates a reporter, verified unless `verified` is false. `name` is public: 1 to 80 code points, unique. `contact`
   * as in {@link Administration.updateReporter}. Refuses with `invalid-name`, `invalid-contact` or `name-taken`.
   */
  createReporter(request: {
    readonly name: string;
    readonly verified?: boolean;
    readonly contact?: string | null;
    readonly by?: string | undefined;
  }): Promise<Outcome<Reporter>>;
  /** Returns all reporters, also suspended ones, or those with these ids; oldest first (ties by name). */
  listReporters(filter?: { readonly reporterIds?: readonly string[] | undefined }): Promise<readonly Reporter[]>;
  /** Returns the reporter with this id or public name, also a suspended one. Undefined if there is none. */
  findReporter(asked: { readonly reporterId: string } | { readonly name: string }): Promise<Reporter | undefined>;
  /**
   * Changes whether the operator vouches for a reporter, and its public contact. What is not given stays.
   *
   * `verified` changes its standing at once in this process, and within ten seconds in others; its budget from its next
   * request on. `contact` is how a person reaches it: an email address, a phone number, or an address
   * that begins with `https:` or `mailto:`; 1 to 200 code points, null for none. It is shown with its reports.
   *
   * Refuses with `unknown-reporter` or `invalid-contact`.
   */
  updateReporter(change: {
    readonly reporterId: string;
    readonly verified?: boolean;
    readonly contact?: string | null;
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
   * Gives a reporter its own budget of identifiers in queries a day, from 1 to one billion, over all its keys. Null:
   * the budget of the engine's options again. Holds from the reporter's next request, in every process. It starts full;
   * on PostgreSQL, one that the reporter had before starts with what is left of it, refilled since. Refuses with
   * `unknown-reporter`.
   */
  setBudget(request: {
    readonly reporterId: string;
    readonly identifiersPerDay: number | null;
    readonly by?: string | undefined;
  }): Promise<Outcome<void>>;
  /**
   * Creates a key. Only this result holds the key's value. `scope` limits it to queries (`query`), or to reports and
   * deletions (`report`). From `endsAt` on (ms, UTC, in the future) it is refused. Refuses with `unknown-reporter`, or
   * with `too-many-keys` if the reporter has `most` keys that work (default: no bound).
   */
  issueKey(request: {
    readonly reporterId: string;
    readonly scope?: KeyScope | null;
    readonly endsAt?: number | null;
    readonly by?: string | undefined;
    readonly most?: number | undefined;
  }): Promise<Outcome<IssuedKey>>;
  /**
   * Creates a new key that replaces an old one of the same reporter. The new key has the same scope, and the end with
   * which the old key was issued. The old key ends after `graceSeconds` (0 to ten years, default one day), and before
   * the end with which it was issued. Refuses with `unknown-key-id` if the old key is unknown, has ended or has been
   * replaced. If a key is rotated twice at once, or rotated and revoked, it gets one successor at most. `most` as
   * in {@link Administration.issueKey}.
   */
  rotateKey(request: {
    readonly keyId: string;
    readonly graceSeconds?: number;
    readonly by?: string | undefined;
    readonly most?: number | undefined;
  }): Promise<Outcome<IssuedKey>>;
  /** Ends a key now. Refuses with `unknown-key-id`. */
  revokeKey(request: { readonly keyId: string; readonly by?: string | undefined }): Promise<Outcome<void>>;
  /**
   * Returns all keys, or those that the filter selects, oldest first. Uses of keys in other processes may be missing
   * for a minute.
   */
  listKeys(filter?: KeyFilter): Promise<readonly KeyInfo[]>;
}

const GRACE_SECONDS = 86_400;
/** Maximum budget of a reporter: as good as none. */
export const BUDGET_MOST = 1_000_000_000;
/** The end of a key that ends now. It has passed on every clock: a process may be behind the one that ends the key. */
const ENDED = 0;
/** Ten years: every replaced key must end. */
const GRACE_SECONDS_MOST = 315_360_000;

const REPORTER_NAMES: readonly string[] = Object.keys({
  reporterId: true,
  name: true,
  verified: true,
  suspended: true,
  createdAt: true,
  identifiersPerDay: true,
  contact: true,
} satisfies Record<keyof Reporter, true>);

/**
 * Returns the form of a reporter's name that the store keeps. Unicode normalisation (NFC) and the refusal of invisible
 * characters prevent most names that look alike.
 */
export function toReporterName(name: string): Outcome<string> {
  const stored = typeof name === 'string' ? name.trim().normalize('NFC') : name;
  if (!isPublicText(stored, NAME_CHARACTERS) || /[\r\n\t\p{Cf}]/u.test(stored))
    return refuse({ reason: 'invalid-name', limitCharacters: NAME_CHARACTERS });
  return accept(stored);
}

const toContactOrNull = (contact: string | null): Outcome<string | null> =>
  contact === null ? accept(null) : toContact(contact);

export function createAdministration(context: EngineContext): Administration {
  const { store, secrets, secretCheck, standings, usage, clock, random } = context;

  const issue = async (
    { reporterId, scope, issuedUntil }: Pick<KeyInfo, 'reporterId' | 'scope' | 'issuedUntil'>,
    note: AuditNote,
    most?: number,
    replaces?: { readonly keyId: string; readonly endsAt: number },
  ): Promise<Outcome<IssuedKey>> => {
    if (most !== undefined) requireWhole('most', most, 1);
    if (!isCode(reporterId)) return refuse({ reason: 'unknown-reporter' });
    if (secretCheck.state !== 'verified') {
      if ((await store.findReporters([reporterId])).length === 0) return refuse({ reason: 'unknown-reporter' });
      await secretCheck.adoptIfNew();
    }
    return drawUntil(random, async (apiKey): Promise<Outcome<IssuedKey> | 'taken'> => {
      const key: KeyInfo = {
        keyId: freshCode(random),
        reporterId,
        createdAt: clock(),
        endsAt: issuedUntil,
        scope,
        issuedUntil,
        lastUsedAt: null,
      };
      const added = await store.addKey({ ...key, digest: secrets.keyDigest(apiKey) }, note, replaces, most);
      if (added === 'taken') return 'taken';
      if (added === 'added') return accept({ ...key, apiKey });
      if (added === 'too-many') return refuse({ reason: 'too-many-keys', limit: most ?? 0 });
      return refuse({ reason: added === 'unknown-key' ? 'unknown-key-id' : 'unknown-reporter' });
    });
  };

  return {
    async createReporter(request) {
      refuseUnknown(request, ['name', 'verified', 'contact', 'by']);
      const { verified = true } = request;
      requireBoolean('verified', verified);
      const name = toReporterName(request.name);
      if (!name.ok) return name;
      const contact = toContactOrNull(request.contact ?? null);
      if (!contact.ok) return contact;
      const note = toAuditNote(request.by, clock);
      if (!note.ok) return note;
      return drawUntil(random, async (reporterId): Promise<Outcome<Reporter> | 'taken'> => {
        const reporter: Reporter = {
          reporterId,
          name: name.value,
          verified,
          suspended: false,
          createdAt: clock(),
          identifiersPerDay: null,
          contact: contact.value,
        };
        const added = await store.addReporter(reporter, note.value);
        if (added === 'taken') return 'taken';
        return added === 'added' ? accept(reporter) : refuse({ reason: 'name-taken' });
      });
    },

    async listReporters(filter = {}) {
      refuseUnknown(filter, ['reporterIds']);
      const { reporterIds } = filter;
      if (reporterIds === undefined) return store.listReporters();
      const found = await store.findReporters([...new Set(reporterIds)].filter(isCode));
      return found.sort((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1));
    },

    async findReporter(asked) {
      if ('reporterId' in asked)
        return isCode(asked.reporterId) ? (await store.findReporters([asked.reporterId])).at(0) : undefined;
      const name = toReporterName(asked.name);
      return name.ok ? store.findReporterNamed(name.value) : undefined;
    },

    async updateReporter(change) {
      refuseUnknown(change, ['reporterId', 'verified', 'contact', 'by']);
      const { reporterId, verified, by } = change;
      if (verified !== undefined) requireBoolean('verified', verified);
      const contact = change.contact === undefined ? accept(undefined) : toContactOrNull(change.contact);
      if (!contact.ok) return contact;
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
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
      if (identifiersPerDay !== null) requireWhole('identifiersPerDay', identifiersPerDay, 1, BUDGET_MOST);
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (
        !isCode(reporterId) ||
        (await store.updateReporter({ reporterId, identifiersPerDay }, note.value)) === 'unknown'
      )
        return refuse({ reason: 'unknown-reporter' });
      return accept(undefined);
    },

    async issueKey(request) {
      // A misspelt name would issue a key that may do everything, or never ends. A whole reporter may be passed.
      refuseUnknown(request, [...REPORTER_NAMES, 'scope', 'endsAt', 'by', 'most']);
      const { reporterId, scope = null, endsAt = null, by, most } = request;
      if (scope !== null) requireOneOf('scope', scope, ['query', 'report']);
      if (endsAt !== null) requireWhole('endsAt', endsAt, clock() + 1, END_MOST);
      const note = toAuditNote(by, clock);
      return note.ok ? issue({ reporterId, scope, issuedUntil: endsAt }, note.value, most) : note;
    },

    async rotateKey(request) {
      refuseUnknown(request, ['keyId', 'graceSeconds', 'by', 'most']);
      const { keyId, graceSeconds = GRACE_SECONDS } = request;
      requireWhole('graceSeconds', graceSeconds, 0, GRACE_SECONDS_MOST);
      const note = toAuditNote(request.by, clock);
      if (!note.ok) return note;
      const old = isCode(keyId) ? (await store.listKeys({ keyId })).at(0) : undefined;
      if (!old) return refuse({ reason: 'unknown-key-id' });
      // The store looks again, and does not replace an ended key: the operator may just have revoked it.
      const endsAt = graceSeconds === 0 ? ENDED : clock() + graceSeconds * 1000;
      return issue(old, note.value, request.most, { keyId, endsAt });
    },

    async revokeKey({ keyId, by }) {
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (!isCode(keyId) || (await store.endKey({ keyId, endsAt: ENDED }, note.value)) === 'unknown')
        return refuse({ reason: 'unknown-key-id' });
      return accept(undefined);
    },

    async listKeys(filter = {}) {
      refuseUnknown(filter, ['reporterId', 'keyId']);
      await usage.save();
      return areCodes(filter) ? store.listKeys(filter) : [];
    },
  };
}
