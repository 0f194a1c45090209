import { setTimeout as pause } from 'node:timers/promises';
import { unwrap } from '../../../index.ts';
import type { ProgramEngine } from '../program-engine.ts';
import type { Lease } from '../../../store.ts';
import type { SealedKeys } from '../../../sealed/keys.ts';
import { DataFolderError } from '../errors.ts';
import type { OpenStore } from '../open-store.ts';
import { withoutDue } from './follow-clock.ts';
import { changeSealedKeys } from './keys-file.ts';

/** Attempts to get the lease of the keys, and the time between two of them. */
const MAX_TRIES = 100;
const WAIT_MS = 100;

/** What a change of the sealed keys needs. */
export interface KeysInUse {
  /** Path of the keys. */
  readonly path: string;
  readonly store: OpenStore;
  readonly engine: ProgramEngine;
  /** The operator's name, for the audit log. Undefined: the service itself. */
  readonly by?: string | undefined;
}

/**
 * Changes the sealed keys, and records epochs that were added or destroyed. On a shared store, one process changes them
 * at a time. Throws DataFolderError if another one takes long.
 */
export async function changeKeysInUse(
  { path, store, engine, by }: KeysInUse,
  change: (keys: SealedKeys) => SealedKeys,
): Promise<SealedKeys> {
  let before: SealedKeys | undefined;
  const after = await aloneWithKeys(store, () =>
    changeSealedKeys(path, (keys) => {
      before = keys;
      const next = change(keys);
      // A change that was due before this one may not fit any more.
      return next.epochs === keys.epochs ? next : withoutDue(next);
    }),
  );
  for (const { number, key } of after.epochs) {
    const old = before?.epochs.find((epoch) => epoch.number === number);
    if (old === undefined) unwrap(await engine.recordAction({ action: 'sealed-epoch-added', amount: number, by }));
    else if (old.key !== null && key === null)
      unwrap(await engine.recordAction({ action: 'sealed-epoch-destroyed', amount: number, by }));
  }
  return after;
}

/** Runs `work` on the file of the keys. On a shared store, in one process at a time. */
export async function aloneWithKeys<T>(store: OpenStore, work: () => Promise<T>): Promise<T> {
  const lease = store.shared && (await takeLease(store.shared));
  try {
    return await work();
  } finally {
    await lease?.release();
  }
}

/** A change takes milliseconds, so another process soon releases the lease. */
async function takeLease(shared: NonNullable<OpenStore['shared']>): Promise<Lease> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const lease = await shared.lease('sealed-keys');
    if (lease) return lease;
    await pause(WAIT_MS);
  }
  throw new DataFolderError('another process changes the sealed keys; run the command again');
}
