import { hexToBytes, SHA256, toHex, utf8ToBytes, type KeyedHash } from '../crypto/crypto.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { ReportDraft } from '../domain/report.ts';
import type { Effects } from './effects.ts';
import type { EngineNotice } from './notices.ts';
import { StoreKeyError, StoreUnavailableError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';

/** Minimum length of the secret and of each pepper. */
const MIN_KEY_BYTES = 16;

/**
 * Values derived from the operator's secret. Each purpose has its own derived key, so one value reveals nothing about
 * another. Without the secret, a thief cannot reverse or guess stored digests and report ids.
 */
export interface Secrets {
  /** Returns the stored digest of an API key: 64 hex characters (protocol 5, our choice). */
  keyDigest(apiKey: string): string;
  /** Returns the stored digest of a sign-in link, session or sent form of the panel: 64 hex characters. */
  signInDigest(token: string): string;
  /**
   * Returns the deletion code of a nonce: 16 hex characters. The code is not stored; a retry derives it again (protocol
   * 2.4).
   */
  deletionCode(nonce: string): string;
  /** Returns the public report id of a deletion code: 16 hex characters that do not reveal the code (protocol 2.2). */
  reportId(deletionCode: string): string;
  /**
   * Returns 32 hex characters that recognise a retry: equal for equal reports, in any order of identifiers (protocol 8,
   * our choice).
   */
  fingerprint(reporterId: string, draft: ReportDraft): string;
  /** Returns the name of a token bucket: 32 hex characters that hide the client's address. */
  bucket(name: string): string;
  /**
   * Returns the public name of a reporter's identifier set: 40 hex characters, equal in any order (protocol 4.4, our
   * choice). Another reporter's link has another name, so it does not show what other reporters query.
   */
  linkHash(reporterId: string, identifiers: readonly Identifier[]): string;
  /**
   * Returns the owner of an identifier in a link: 16 hex characters that hide the reporter. `hash` is the client's.
   */
  linkOwner(reporterId: string, hash: string): string;
}

/** Returns 16 fresh lowercase hex characters, or twice as many characters as `byteCount`. */
export function freshCode(random: Effects['random'], byteCount = 8): string {
  const bytes = random(byteCount);
  if (!(bytes instanceof Uint8Array) || bytes.length !== byteCount)
    throw new TypeError('"random" expected a function that returns the requested number of bytes, got another result');
  return toHex(bytes);
}

/** Draws codes until `attempt` accepts one. Collisions of 64 bits are rare: after eight, `random` must be broken. */
export async function drawUntil<T>(
  random: Effects['random'],
  attempt: (fresh: string) => Promise<T | 'taken'>,
): Promise<Exclude<T, 'taken'>> {
  for (let draws = 0; draws < 8; draws++) {
    const result = await attempt(freshCode(random));
    if (result !== 'taken') return result as Exclude<T, 'taken'>;
  }
  throw new Error('"random" expected fresh bytes at each call, got the same ones again');
}

/** Returns 16 hex characters that identify a secret without revealing it. */
export function secretFingerprint(secret: string | Uint8Array): string {
  return derive(secret, 'redflag/1 secret')('fingerprint').slice(0, 16);
}

/**
 * Returns the functions that derive values from `secret`, which has at least 16 bytes.
 * @throws RangeError if `secret` is too short, TypeError if it is neither text nor bytes.
 */
export function createSecrets(secret: string | Uint8Array): Secrets {
  const master = toKeyBytes('secret', secret);
  const purpose = (name: string, hexDigits: number) => {
    const keyed = derive(master, `redflag/1 ${name}`);
    return (message: string): string => keyed(message).slice(0, hexDigits);
  };
  const request = purpose('request', 32);
  const link = purpose('link', 40);
  const linkOwner = purpose('link owner', 16);
  return {
    keyDigest: purpose('api key', 64),
    signInDigest: purpose('sign in', 64),
    deletionCode: purpose('deletion code', 16),
    reportId: purpose('report id', 16),
    bucket: purpose('bucket', 32),
    // JSON separates the parts, so two different reports cannot have the same text.
    fingerprint: (reporterId, draft) =>
      request(JSON.stringify([reporterId, draft.type, draft.severity, draft.text, sorted(draft.identifiers)])),
    // Older programs hashed a list of texts, without a reporter. A list in a list cannot have the same text.
    linkHash: (reporterId, identifiers) => link(JSON.stringify([reporterId, sorted(identifiers)])),
    linkOwner: (reporterId, hash) => linkOwner(JSON.stringify([reporterId, hash])),
  };
}

/** Returns the bytes of an operator's key. Throws RangeError if it is too short, TypeError for no text and no bytes. */
export function toKeyBytes(label: string, key: string | Uint8Array): Uint8Array {
  if (typeof key !== 'string' && !(key instanceof Uint8Array))
    throw new TypeError(`"${label}" expected text or bytes, got ${typeof key}`);
  const bytes = typeof key === 'string' ? utf8ToBytes(key) : Uint8Array.from(key);
  if (bytes.length < MIN_KEY_BYTES)
    throw new RangeError(`"${label}" expected at least ${MIN_KEY_BYTES} bytes, got ${bytes.length}`);
  return bytes;
}

/** Returns the HMAC under the key that is derived from a secret for one purpose. */
export function derive(secret: string | Uint8Array, purpose: string): KeyedHash {
  return SHA256.keyed(hexToBytes(SHA256.keyed(secret)(purpose)));
}

function sorted(identifiers: readonly Identifier[]): string[] {
  return [...new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`))].sort();
}

/** The store belongs to another operator secret. With this secret, no stored key, report or link could be found. */
export class SecretError extends StoreKeyError {
  /** @internal */
  static override readonly kind = 'SecretError';
}

/**
 * Verifies that a store belongs to the given secret, by the fingerprint in the store. Reads the fingerprint once per
 * engine.
 *
 * If a store has no fingerprint, it adopts one. A new store does so before its first key is stored, an older store when
 * the secret finds a stored key. If two processes have different secrets, only one succeeds.
 */
export class SecretCheck {
  /** `unadopted`: the store has no fingerprint yet. A plain property, because every request reads it. */
  state: 'unchecked' | 'unadopted' | 'verified' = 'unchecked';
  readonly #store: Store;
  readonly #fingerprint: string;
  readonly #clock: () => number;
  readonly #notify: (notice: EngineNotice) => void;
  #checking: Promise<void> | undefined;

  constructor(store: Store, fingerprint: string, clock: () => number, notify: (notice: EngineNotice) => void) {
    this.#store = store;
    this.#fingerprint = fingerprint;
    this.#clock = clock;
    this.#notify = notify;
  }

  /** Rejects with {@link SecretError} if the store belongs to another secret. */
  ready(): Promise<void> {
    return (this.#checking ??= this.#check().catch((error: unknown) => {
      // Retry if the store was unavailable. Do not retry a wrong secret.
      if (!(error instanceof SecretError)) this.#checking = undefined;
      throw error;
    }));
  }

  /** Adopts the fingerprint if the store has no key. Call it before the first key or `BoundReporter` is created. */
  async adoptIfNew(): Promise<void> {
    await this.ready();
    if (this.state === 'unadopted' && (await this.#store.listKeys()).length === 0) await this.#adopt();
  }

  /** Adopts the fingerprint, because the secret found a stored key. If the store is unavailable, sends a notice. */
  async keyRecognised(): Promise<void> {
    await this.ready();
    if (this.state !== 'unadopted') return;
    await this.#adopt().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // Try only once per engine. Otherwise, on a full disk, every request would try to write.
      this.state = 'verified';
      this.#notify({ event: 'secret-fingerprint-not-saved', error });
    });
  }

  /** Returns the same methods, each of which waits for {@link ready} at its first call. */
  guard<Methods extends object>(methods: Methods): Methods {
    return Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (...args: unknown[]) =>
          this.state === 'unchecked' ? this.ready().then(() => method(...args)) : method(...args),
      ]),
    ) as typeof methods;
  }

  async #check(): Promise<void> {
    const stored = await this.#store.findSecretFingerprint();
    if (stored !== undefined && stored !== this.#fingerprint)
      throw new SecretError(
        `the store belongs to the secret with the fingerprint ${stored}, but the given secret has the fingerprint ` +
          `${this.#fingerprint}; start with the secret that the store was first used with`,
      );
    this.state = stored === undefined ? 'unadopted' : 'verified';
  }

  async #adopt(): Promise<void> {
    const adopting = { fingerprint: this.#fingerprint, adoptedAt: this.#clock() };
    if ((await this.#store.adoptSecretFingerprint(adopting)) === 'adopted') {
      this.state = 'verified';
      return;
    }
    // Another process adopted a fingerprint first. Check again: its secret may differ.
    this.state = 'unchecked';
    this.#checking = undefined;
    await this.ready();
  }
}
