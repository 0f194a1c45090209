import { StoreKeyError, StoreUnavailableError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import type { EngineNotice } from './notices.ts';

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
export interface SecretCheck {
  /** `unadopted`: the store has no fingerprint yet. */
  readonly state: 'unchecked' | 'unadopted' | 'verified';
  /** Rejects with {@link SecretError} if the store belongs to another secret. */
  ready(): Promise<void>;
  /** Adopts the fingerprint if the store has no key. Call it before the first key or `BoundReporter` is created. */
  adoptIfNew(): Promise<void>;
  /** Adopts the fingerprint, because the secret found a stored key. If the store is unavailable, sends a notice. */
  keyRecognised(): Promise<void>;
  /** Returns the same methods, each of which waits for {@link ready} at its first call. */
  guard<Methods extends object>(methods: Methods): Methods;
}

export function createSecretCheck(
  store: Store,
  fingerprint: string,
  clock: () => number,
  notify: (notice: EngineNotice) => void,
): SecretCheck {
  let checking: Promise<void> | undefined;

  const check = async (): Promise<void> => {
    const stored = await store.findSecretFingerprint();
    if (stored !== undefined && stored !== fingerprint)
      throw new SecretError(
        `the store belongs to the secret with the fingerprint ${stored}, but the given secret has the fingerprint ` +
          `${fingerprint}; start with the secret that the store was first used with`,
      );
    secretCheck.state = stored === undefined ? 'unadopted' : 'verified';
  };

  const ready = (): Promise<void> =>
    (checking ??= check().catch((error: unknown) => {
      // Retry if the store was unavailable. Do not retry a wrong secret.
      if (!(error instanceof SecretError)) checking = undefined;
      throw error;
    }));

  const adopt = async (): Promise<void> => {
    if ((await store.adoptSecretFingerprint({ fingerprint, adoptedAt: clock() })) === 'adopted') {
      secretCheck.state = 'verified';
      return;
    }
    // Another process adopted a fingerprint first. Check again: its secret may differ.
    secretCheck.state = 'unchecked';
    checking = undefined;
    await ready();
  };

  // A plain property, because every request reads it.
  const secretCheck: Mutable<SecretCheck> = {
    state: 'unchecked',
    ready,

    async adoptIfNew() {
      await ready();
      if (secretCheck.state === 'unadopted' && (await store.listKeys()).length === 0) await adopt();
    },

    async keyRecognised() {
      await ready();
      if (secretCheck.state !== 'unadopted') return;
      await adopt().catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
        // Try only once per engine. Otherwise, on a full disk, every request would try to write.
        secretCheck.state = 'verified';
        notify({ event: 'secret-fingerprint-not-saved', error });
      });
    },

    guard: (methods) =>
      Object.fromEntries(
        Object.entries(methods).map(([name, method]) => [
          name,
          (...args: unknown[]) =>
            secretCheck.state === 'unchecked' ? ready().then(() => method(...args)) : method(...args),
        ]),
      ) as typeof methods,
  };
  return secretCheck;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
