import { isCode } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { IssuedKey, KeyInfo, Reporter } from '../domain/reporter.ts';
import { isPublicText } from '../domain/text.ts';
import { drawUntil, freshCode, type EngineContext } from '../engine/context.ts';
import { NAME_CHARACTERS } from './note.ts';

/** What an operator does with reporters and their keys (spec 5). Nothing here is reachable over the public protocol. */
export interface Administration {
  /**
   * Adds a reporter. `name` is shown in public: 1 to 80 code points, unique. One that the operator creates counts as verified unless said otherwise.
   * Refused with `invalid-name` or `name-taken`.
   */
  createReporter(request: { readonly name: string; readonly verified?: boolean }): Promise<Outcome<Reporter>>;
  listReporters(): Promise<readonly Reporter[]>;
  /** Lets none of the reporter's keys in, or lets them in again; its reports stay. */
  suspendReporter(request: { readonly reporterId: string; readonly suspended: boolean }): Promise<Outcome<void>>;
  /** Makes a key. The answer is the only place where it can ever be read. */
  issueKey(request: { readonly reporterId: string }): Promise<Outcome<IssuedKey>>;
  /** Makes a new key for the owner of a key and lets the old one end after `graceSeconds` (a day unless given; 0: at once). */
  rotateKey(request: { readonly keyId: string; readonly graceSeconds?: number }): Promise<Outcome<IssuedKey>>;
  /** Ends a key now. */
  revokeKey(request: { readonly keyId: string }): Promise<Outcome<void>>;
  listKeys(): Promise<readonly KeyInfo[]>;
}

const GRACE_SECONDS = 86_400;
/** Ten years: whoever needs longer wants no end at all. */
const GRACE_SECONDS_MOST = 315_360_000;

export function createAdministration(context: EngineContext): Administration {
  const { store, secrets, clock } = context;

  const issue = async (reporterId: string): Promise<Outcome<IssuedKey>> => {
    if (!isCode(reporterId)) return refuse({ reason: 'unknown-reporter' });
    return drawUntil(context, async (apiKey): Promise<Outcome<IssuedKey> | 'taken'> => {
      const key: KeyInfo = { keyId: freshCode(context), reporterId, createdAt: clock(), endsAt: null };
      const added = await store.addKey({ ...key, digest: secrets.keyDigest(apiKey) });
      if (added === 'taken') return 'taken';
      return added === 'added' ? accept({ ...key, apiKey }) : refuse({ reason: 'unknown-reporter' });
    });
  };

  return {
    async createReporter({ name, verified = true }) {
      boolean('verified', verified);
      // One spelling of each name, and no signs that nobody sees: two reporters must not look alike.
      const shown = typeof name === 'string' ? name.trim().normalize('NFC') : name;
      if (!isPublicText(shown, NAME_CHARACTERS) || /[\r\n\t\p{Cf}]/u.test(shown))
        return refuse({ reason: 'invalid-name', limitCharacters: NAME_CHARACTERS });
      return drawUntil(context, async (reporterId): Promise<Outcome<Reporter> | 'taken'> => {
        const reporter: Reporter = { reporterId, name: shown, verified, suspended: false, createdAt: clock() };
        const added = await store.addReporter(reporter);
        if (added === 'taken') return 'taken';
        return added === 'added' ? accept(reporter) : refuse({ reason: 'name-taken' });
      });
    },

    listReporters: () => store.listReporters(),

    async suspendReporter(change) {
      boolean('suspended', change.suspended);
      if (!isCode(change.reporterId) || (await store.updateReporter(change)) === 'unknown')
        return refuse({ reason: 'unknown-reporter' });
      return accept(undefined);
    },

    issueKey: ({ reporterId }) => issue(reporterId),

    async rotateKey({ keyId, graceSeconds = GRACE_SECONDS }) {
      if (!Number.isSafeInteger(graceSeconds) || graceSeconds < 0 || graceSeconds > GRACE_SECONDS_MOST) {
        throw new RangeError(
          `"graceSeconds" expected a whole number from 0 to ${GRACE_SECONDS_MOST}, got ${String(graceSeconds)}`,
        );
      }
      const old = (await store.listKeys()).find((key) => key.keyId === keyId);
      // A key that has ended was ended for a reason; it is not made good by rotating it.
      if (!old || (old.endsAt !== null && old.endsAt <= clock())) return refuse({ reason: 'unknown-key-id' });
      // The new key first: if the second step fails there are two keys, never none.
      const issued = await issue(old.reporterId);
      if (issued.ok) await store.endKey({ keyId, endsAt: clock() + graceSeconds * 1000 });
      return issued;
    },

    async revokeKey({ keyId }) {
      if (!isCode(keyId) || (await store.endKey({ keyId, endsAt: clock() })) === 'unknown')
        return refuse({ reason: 'unknown-key-id' });
      return accept(undefined);
    },

    listKeys: () => store.listKeys(),
  };
}

function boolean(label: string, value: unknown): void {
  if (typeof value !== 'boolean') throw new TypeError(`"${label}" expected true or false, got ${typeof value}`);
}
