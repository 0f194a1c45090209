/** A lock on a name, held by one tab or worker of an origin. */
export interface WebLock {
  /** Settles when the lock ends: after {@link release}, or when another context steals it. */
  readonly ended: Promise<void>;
  /** Releases the lock. A second call does nothing. */
  release(): Promise<void>;
}

/**
 * Locks a name with the Web Locks API. The browser releases the lock when the tab or worker ends, for any reason.
 * Undefined if another context still holds the name after `waitSeconds`. Rejects with TypeError outside a secure
 * context, which has no Web Locks. Rejects with a DOMException if the browser denies the lock.
 */
export function holdName(name: string, waitSeconds: number): Promise<WebLock | undefined> {
  const signal = waitSeconds > 0 ? AbortSignal.timeout(waitSeconds * 1000) : undefined;
  return new Promise((resolve, reject) => {
    const ended: Promise<void> = navigator.locks
      .request(name, signal ? { signal } : { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(undefined);
        // The browser holds the name until this promise settles.
        return new Promise<void>((letGo) => {
          const release = (): Promise<void> => {
            letGo();
            return ended;
          };
          resolve({ ended, release });
        });
      })
      .then(
        () => undefined,
        // No effect after the lock was granted: the outer promise is already resolved.
        (error: unknown) => (signal?.aborted ? resolve(undefined) : reject(error)),
      );
  });
}
