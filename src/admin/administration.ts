import { NAME_CHARACTERS, toAuditNote } from '../domain/actor.ts';
import type { AuditNote } from '../domain/audit.ts';
import { isCode } from '../domain/identifier.ts';
import { refuseUnknown, requireBoolean, requireOneOf, requireWhole } from '../domain/options.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { IssuedKey, KeyInfo, KeyScope, Reporter } from '../domain/reporter.ts';
import { isPublicText } from '../domain/text.ts';
import type { EngineContext } from '../engine/context.ts';
import { drawUntil, freshCode } from '../engine/secrets.ts';

/**
 * Reporters and their keys (spec 5). The public protocol cannot reach these operations. `by` is the person who acts, 1
 * to 80 code points, for the audit log (default `engine`). Each call with `by` may refuse it with `invalid-name`.
 */
export interface Administration {
  /**
   * Creates a reporter, verified unless `verified` is false. `name` is public: 1 to 80 code points, unique. Refuses
   * with `invalid-name` or `name-taken`.
   */
  createReporter(request: {
    readonly name: string;
    readonly verified?: boolean;
    readonly by?: string | undefined;
  }): Promise<Outcome<Reporter>>;
  listReporters(): Promise<readonly Reporter[]>;
  /**
   * Suspends a reporter, or ends the suspension. During a suspension, all keys of the reporter are refused. Its reports
   * stay. Refuses with `unknown-reporter`.
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
   * deletions (`report`). From `endsAt` on (ms, UTC, in the future) it is refused. Refuses with `unknown-reporter`.
   */
  issueKey(request: {
    readonly reporterId: string;
    readonly scope?: KeyScope | null;
    readonly endsAt?: number | null;
    readonly by?: string | undefined;
  }): Promise<Outcome<IssuedKey>>;
  /**
   * Creates a new key that replaces an old one of the same reporter. The new key has the same scope, and the end with
   * which the old key was issued. The old key ends after `graceSeconds` (0 to ten years, default one day), and before
   * the end with which it was issued. Refuses with `unknown-key-id` if the old key is unknown, has ended or has been
   * replaced. If a key is rotated twice at once, or rotated and revoked, it gets one successor at most.
   */
  rotateKey(request: {
    readonly keyId: string;
    readonly graceSeconds?: number;
    readonly by?: string | undefined;
  }): Promise<Outcome<IssuedKey>>;
  /** Ends a key now. Refuses with `unknown-key-id`. */
  revokeKey(request: { readonly keyId: string; readonly by?: string | undefined }): Promise<Outcome<void>>;
  /** Returns all keys, oldest first. Uses of keys in other processes may be missing for a minute. */
  listKeys(): Promise<readonly KeyInfo[]>;
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

export function createAdministration(context: EngineContext): Administration {
  const { store, secrets, secretCheck, usage, clock, random } = context;

  const issue = async (
    { reporterId, scope, issuedUntil }: Pick<KeyInfo, 'reporterId' | 'scope' | 'issuedUntil'>,
    note: AuditNote,
    replaces?: { readonly keyId: string; readonly endsAt: number },
  ): Promise<Outcome<IssuedKey>> => {
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
      const added = await store.addKey({ ...key, digest: secrets.keyDigest(apiKey) }, note, replaces);
      if (added === 'taken') return 'taken';
      if (added === 'added') return accept({ ...key, apiKey });
      return refuse({ reason: added === 'unknown-key' ? 'unknown-key-id' : 'unknown-reporter' });
    });
  };

  return {
    async createReporter(request) {
      refuseUnknown(request, ['name', 'verified', 'by']);
      const { verified = true } = request;
      requireBoolean('verified', verified);
      const name = toReporterName(request.name);
      if (!name.ok) return name;
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
        };
        const added = await store.addReporter(reporter, note.value);
        if (added === 'taken') return 'taken';
        return added === 'added' ? accept(reporter) : refuse({ reason: 'name-taken' });
      });
    },

    listReporters: () => store.listReporters(),

    async suspendReporter(change) {
      requireBoolean('suspended', change.suspended);
      const { reporterId, suspended, by } = change;
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (!isCode(reporterId) || (await store.updateReporter({ reporterId, suspended }, note.value)) === 'unknown')
        return refuse({ reason: 'unknown-reporter' });
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
      refuseUnknown(request, [...REPORTER_NAMES, 'scope', 'endsAt', 'by']);
      const { reporterId, scope = null, endsAt = null, by } = request;
      if (scope !== null) requireOneOf('scope', scope, ['query', 'report']);
      if (endsAt !== null) requireWhole('endsAt', endsAt, clock() + 1);
      const note = toAuditNote(by, clock);
      return note.ok ? issue({ reporterId, scope, issuedUntil: endsAt }, note.value) : note;
    },

    async rotateKey(request) {
      refuseUnknown(request, ['keyId', 'graceSeconds', 'by']);
      const { keyId, graceSeconds = GRACE_SECONDS } = request;
      requireWhole('graceSeconds', graceSeconds, 0, GRACE_SECONDS_MOST);
      const note = toAuditNote(request.by, clock);
      if (!note.ok) return note;
      const old = (await store.listKeys()).find((key) => key.keyId === keyId);
      if (!old) return refuse({ reason: 'unknown-key-id' });
      // The store looks again, and does not replace an ended key: the operator may just have revoked it.
      const endsAt = graceSeconds === 0 ? ENDED : clock() + graceSeconds * 1000;
      return issue(old, note.value, { keyId, endsAt });
    },

    async revokeKey({ keyId, by }) {
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      if (!isCode(keyId) || (await store.endKey({ keyId, endsAt: ENDED }, note.value)) === 'unknown')
        return refuse({ reason: 'unknown-key-id' });
      return accept(undefined);
    },

    async listKeys() {
      await usage.save();
      return store.listKeys();
    },
  };
}
