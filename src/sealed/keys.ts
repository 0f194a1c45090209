import { DAY_MS } from '../core/domain/day.ts';
import { requireWhole } from '../core/domain/options.ts';
import { SealedError } from './errors.ts';
import type { Head } from './history.ts';
import { EPOCH_DAYS } from './manifest-format.ts';
import type { Random } from './group/group.ts';
import { publicKeyOf, randomScalar } from './group/voprf.ts';
import { createOperatorKey } from './manifest.ts';

/** Days that an epoch's successor begins before its end. Clients evaluate under the next key meanwhile. */
export const OVERLAP_DAYS = 7;
/** Days before the end of an epoch on which its successor is due: a clock is believed a day later. */
const ADDED_DAYS = OVERLAP_DAYS + 1;

/** A sequence counts minutes. */
const MINUTE_MS = 60_000;

/** The key of one epoch. */
export interface EpochKey {
  /** 1 for the first epoch, then one more each. */
  readonly number: number;
  /** Evaluations under the key begin. Milliseconds, UTC. */
  readonly startsAt: number;
  /** Evaluations and snapshots end, and the key is destroyed soon after. Milliseconds, UTC. */
  readonly endsAt: number;
  /** k_e, 32 bytes. Null after the key was destroyed. */
  readonly key: Uint8Array | null;
}

/**
 * The secrets of an operator. Keep them as safe as the pepper, and never change them in place. The sealing key k0 is
 * not among them: an evaluator has it.
 */
export interface SealedKeys {
  readonly evaluator: EvaluatorAccess;
  /** Ed25519 secret key that signs manifests, 32 bytes. */
  readonly operatorKey: Uint8Array;
  /**
   * Ascending by number, without a gap. Those with a key ascend by time, too: each begins {@link OVERLAP_DAYS} before
   * the one before it ends, or later.
   */
  readonly epochs: readonly EpochKey[];
  /** The last manifest that was signed: clients refuse one that does not continue it. Undefined before the first. */
  readonly head?: Head;
  /** When the clock first asked for a change of the epochs that is not made yet. Milliseconds, UTC. */
  readonly dueSince?: number;
}

/** How an operator asks its evaluator. */
export interface EvaluatorAccess {
  /** Base address, without a slash at its end. */
  readonly url: string;
  /** Ed25519 public key, with which the evaluator signs each manifest once: 32 bytes. */
  readonly key: Uint8Array;
  /** pk0 = k0 · G, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Secret text: 43 characters of base64url. */
  readonly token: string;
}

/** Which epochs count at a time. */
export interface Schedule {
  /** The oldest epoch that has begun and not ended: its snapshots are published. Undefined if there is none. */
  readonly current: EpochKey | undefined;
  /** The epoch after the current one; if there is no current one, the first that has not begun. */
  readonly next: EpochKey | undefined;
  /** Epochs under whose keys evaluations are answered now, ascending: the current one and, in the overlap, the next. */
  readonly open: readonly EpochKey[];
  /** Epochs that have ended. Destroy their keys. */
  readonly ended: readonly EpochKey[];
  /** Epochs whose keys were destroyed. */
  readonly destroyed: readonly EpochKey[];
}

/** Returns fresh keys with one epoch that begins at `now` (milliseconds, UTC). */
export function createKeys(evaluator: EvaluatorAccess, now: number, random: Random): SealedKeys {
  return nextEpoch({ evaluator, operatorKey: createOperatorKey(random), epochs: [] }, now, random);
}

/**
 * Returns the keys with one more epoch. It begins {@link OVERLAP_DAYS} before the last one with a key ends, or at `now`
 * if that is later or if there is none, and lasts {@link EPOCH_DAYS}.
 */
export function nextEpoch(keys: SealedKeys, now: number, random: Random): SealedKeys {
  requireWhole('now', now, 0);
  const last = keys.epochs.filter(({ key }) => key !== null).at(-1);
  const startsAt = last === undefined ? now : Math.max(now, last.endsAt - OVERLAP_DAYS * DAY_MS);
  const epoch: EpochKey = {
    number: keys.epochs.length + 1,
    startsAt,
    endsAt: startsAt + EPOCH_DAYS * DAY_MS,
    key: randomScalar(random),
  };
  return { ...keys, epochs: [...keys.epochs, epoch] };
}

/** Returns the lowest sequence that a publication at this time may have: whole minutes since 1970, UTC. */
export function sequenceAt(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}

/**
 * Returns the keys without the secret of an epoch. Overwrite the file that held it, and its backups. Then no snapshot
 * of the epoch can be opened by an identifier that was not evaluated before. Throws `unknown-epoch` or
 * `epoch-destroyed`.
 */
export function destroyEpoch(keys: SealedKeys, number: number): SealedKeys {
  epochKeyOf(keys, number);
  return { ...keys, epochs: keys.epochs.map((epoch) => (epoch.number === number ? { ...epoch, key: null } : epoch)) };
}

/** Returns which epochs count at a time (milliseconds, UTC). A destroyed epoch is only in `destroyed`. */
export function scheduleOf(epochs: readonly EpochKey[], now: number): Schedule {
  const kept = epochs.filter((epoch) => epoch.key !== null);
  const open = kept.filter((epoch) => epoch.startsAt <= now && now < epoch.endsAt);
  const current = open[0];
  return {
    current,
    next: kept.find((epoch) => (current === undefined ? epoch.startsAt > now : epoch.number > current.number)),
    open,
    ended: kept.filter((epoch) => epoch.endsAt <= now),
    destroyed: epochs.filter((epoch) => epoch.key === null),
  };
}

/**
 * Returns the keys as they should be at a time; the same object if they are. Destroys the keys of ended epochs, and
 * does what {@link withOpenEpoch} does. A wrong time destroys keys.
 */
export function toPresent(keys: SealedKeys, now: number, random: Random): SealedKeys {
  const { ended } = scheduleOf(keys.epochs, now);
  const present = ended.reduce((changed, { number }) => destroyEpoch(changed, number), keys);
  return withOpenEpoch(present, now, random);
}

/**
 * Adds an epoch if none follows the current one within the overlap, or if none is open, because a key was destroyed
 * early. Destroys the key of an epoch that would begin too late; no client has evaluated under it. Never changes the
 * times of an epoch: a copy of the keys may have used its numbers. Returns the same object if nothing changes.
 */
export function withOpenEpoch(keys: SealedKeys, now: number, random: Random): SealedKeys {
  const { current, next } = scheduleOf(keys.epochs, now);
  if (current !== undefined && now < current.endsAt - ADDED_DAYS * DAY_MS) return keys;
  if (next === undefined) return nextEpoch(keys, now, random);
  const isInTime = current !== undefined && next.startsAt <= Math.max(now, current.endsAt - OVERLAP_DAYS * DAY_MS);
  // The clock may be behind, and the epoch may have begun.
  const hasBegun = next.number === 1 || (keys.head?.sequence ?? -1) >= sequenceAt(next.startsAt);
  return isInTime || hasBegun ? keys : withOpenEpoch(destroyEpoch(keys, next.number), now, random);
}

/** Returns k_e, 32 bytes. Throws `unknown-epoch` or `epoch-destroyed`. */
export function epochKeyOf(keys: SealedKeys, number: number): Uint8Array {
  const epoch = keys.epochs.find((epoch) => epoch.number === number);
  if (epoch === undefined) throw new SealedError('unknown-epoch', `no key has the epoch ${number}`);
  if (epoch.key === null) throw new SealedError('epoch-destroyed', `the key of epoch ${number} was destroyed`);
  return epoch.key;
}

/** Returns K_e = k_e · G, 32 bytes. Throws `unknown-epoch` or `epoch-destroyed`. */
export function epochPublicKeyOf(keys: SealedKeys, number: number): Uint8Array {
  return publicKeyOf(epochKeyOf(keys, number));
}
