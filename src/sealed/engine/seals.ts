import { elementName } from '../../core/crypto/crypto.ts';
import type { StoredElementKey } from '../../core/store/records.ts';
import type { Store } from '../../core/store/store.ts';
import type { Effects } from '../../core/engine/effects.ts';
import { SealError } from '../../core/store/errors.ts';
import { countUnsealed, type OldElement } from './stored.ts';
import { knowsKey, requireElement, requireSeal, type PreviousSeal, type Seal, type ValidIdentifier } from './seal.ts';

/** In a shared store: time after which no process without the newest sealing key uses the store any more. */
const KNOWN_MS = 60_000;
/**
 * In a shared store: time from a new sealing key to its first use. By then, all processes know that there is one, and
 * none looks for rows where they no longer are.
 */
const ANNOUNCED_MS = 4_000;
const WAIT_MS = 200;

/** The state of the sealed elements in the store. */
export interface SealStatus {
  /** Number of sealing keys that the store has used. */
  readonly generation: number;
  /** Fingerprint of the present sealing key, 16 hex characters. */
  readonly fingerprint: string;
  /** True while the store may hold elements of the previous sealing key. */
  readonly replacing: boolean;
  /** Number of stored identifiers and entries of the allow-list that have no element yet. */
  readonly unsealed: number;
}

/** What the engine knows about the elements in the store. */
export interface SealState {
  /** Computes elements of the present sealing key. It stays the same while a request runs. */
  readonly seal: Seal;
  /** Generation of the present sealing key, from 1. */
  readonly generation: number;
  /** Of the present sealing key, 16 hex characters. */
  readonly fingerprint: string;
  /** When the present key was added (ms, UTC). */
  readonly addedAt: number;
  /** True while rows may have no element. */
  readonly hasUnsealed: boolean;
  /** True while rows may have an element of the previous sealing key. */
  readonly hasPrevious: boolean;
}

/** An identifier's element, and the names under which its rows may be stored. No pepper is applied yet. */
export interface SealedNames {
  readonly element: string;
  readonly name: string;
  /** Names under which earlier rows may be stored. Empty if all rows are sealed by the present key. */
  readonly earlier: readonly string[];
}

/** The functions for the operator's sealing key. */
export interface Seals {
  /**
   * Reads which sealing key the store uses. Adopts the given key if the store has none, or uses the previous one.
   * Rejects with {@link SealError} if they differ.
   */
  read(): Promise<SealState>;
  /** Reads the operator's keys again (`Seal.latest`). The next {@link read} uses them. */
  follow(): Promise<void>;
  /** Returns the names of an identifier. With `element`, `hash` is the name of the element. */
  namesOf(identifier: ValidIdentifier, state: SealState): Promise<SealedNames>;
  /** Returns an old element's replacement by the present key. */
  replaced(old: OldElement, state: SealState): Promise<string>;
  /** Returns the element of the present key for a stored element, which may be of the previous key. */
  current(row: { readonly element: string; readonly seal: number }, state: SealState): Promise<string>;
  /**
   * Returns the element of the key with this fingerprint for one of the present key. Rejects with {@link SealError} for
   * any key but the present one and the previous one.
   */
  under(fingerprint: string, element: string, state: SealState): Promise<string>;
  /** Counts what is unsealed. If there is nothing, records so, and later requests look for no earlier rows. */
  countUnsealed(state: SealState): Promise<number>;
  /** True if processes with another sealing key, or none, may still use a shared store. */
  mayBeUnknown(state: SealState): Promise<boolean>;
}

/** Returns the functions for a sealing key. */
export function createSeals(store: Store, given: Seal, { clock, wait }: Pick<Effects, 'clock' | 'wait'>): Seals {
  let seal = given;
  /** Processes compare these times, so their own clocks do not count. */
  const now = async (): Promise<number> => (store.shared ? store.shared.nowMs() : clock());
  const previousOf = ({ seal: { previous } }: SealState): PreviousSeal => {
    if (previous === undefined) throw new RangeError('"seal.previous" expected the previous sealing key');
    return previous;
  };

  const follow = async (): Promise<void> => {
    const latest = await seal.latest?.();
    if (latest === undefined) return;
    requireSeal(latest);
    // Keep a previous key that the operator's file no longer has: a publication may still use it.
    if (latest.fingerprint !== seal.fingerprint || seal.previous === undefined) seal = latest;
  };

  const adopt = async (generation: number, { fingerprint }: Seal): Promise<SealState> => {
    const added = await store.addElementKey({ generation, fingerprint, addedAt: await now() });
    // An empty store has nothing unsealed. But to a shared one, processes without the key may still write.
    if (added === 'added' && generation === 1 && !store.shared)
      await store.markElementKey({ generation, completeAt: await now() });
    return read();
  };

  const read = async (): Promise<SealState> => {
    const stored = await store.findElementKeys();
    const newest = stored.at(-1);
    if (newest === undefined) return adopt(1, seal);
    if (!isRight(stored, newest, seal)) await follow();
    if (seal.previous?.fingerprint === newest.fingerprint && newest.finishedAt !== null)
      return adopt(newest.generation + 1, seal);
    const used = requireRight(stored, newest, seal);
    if (store.shared && newest.finishedAt === null)
      while ((await now()) < newest.addedAt + ANNOUNCED_MS) await wait(WAIT_MS);
    return {
      seal: used,
      generation: newest.generation,
      fingerprint: newest.fingerprint,
      addedAt: newest.addedAt,
      hasUnsealed: newest.completeAt === null,
      hasPrevious: newest.finishedAt === null,
    };
  };

  const mayBeUnknown = async ({ addedAt }: SealState): Promise<boolean> =>
    store.shared !== undefined && (await now()) < addedAt + KNOWN_MS;

  const fromPrevious = async (element: string, state: SealState): Promise<string> =>
    requireElement('previous.fromPrevious', await previousOf(state).fromPrevious(element));
  const toPrevious = async (element: string, state: SealState): Promise<string> =>
    requireElement('previous.toPrevious', await previousOf(state).toPrevious(element));

  /** Returns the element of the present key for one that was sent, of the key with this fingerprint. */
  const received = async (element: string, of: string | undefined, state: SealState): Promise<string> => {
    if (of === undefined || of === state.fingerprint) return element;
    requireKnown(state, of);
    return fromPrevious(element, state);
  };

  return {
    read,
    follow,

    async namesOf({ hash, element: sent, seal: of }, state) {
      const element =
        sent === undefined
          ? requireElement('elementOf', await state.seal.elementOf(hash))
          : await received(sent, of, state);
      const earlier: string[] = [];
      if (state.hasUnsealed && sent === undefined) earlier.push(hash);
      if (state.hasPrevious) earlier.push(elementName(await toPrevious(element, state)));
      return { element, name: elementName(element), earlier };
    },

    replaced: ({ element }, state) => fromPrevious(element, state),

    async current({ element, seal: generation }, state) {
      return generation === state.generation ? element : fromPrevious(element, state);
    },

    async under(fingerprint, element, state) {
      if (fingerprint === state.fingerprint) return element;
      requireKnown(state, fingerprint);
      return toPrevious(element, state);
    },

    async countUnsealed(state) {
      if (!state.hasUnsealed) return 0;
      const count = await countUnsealed(store);
      if (count === 0 && !(await mayBeUnknown(state)))
        await store.markElementKey({ generation: state.generation, completeAt: await now() });
      return count;
    },

    mayBeUnknown,
  };
}

/** Throws {@link SealError} unless the seal knows a key. */
function requireKnown({ seal }: SealState, fingerprint: string): void {
  if (knowsKey(seal, fingerprint)) return;
  throw new SealError(
    `elements of the sealing key ${fingerprint} were given, but the store expects those of ${seal.fingerprint}; ` +
      'give the service the keys of the store',
  );
}

/** True if the seal is of the newest sealing key, and has the previous one while that is needed. */
function isRight(stored: readonly StoredElementKey[], newest: StoredElementKey, seal: Seal): boolean {
  const isWhole = newest.finishedAt !== null || seal.previous?.fingerprint === stored.at(-2)?.fingerprint;
  return seal.fingerprint === newest.fingerprint && isWhole;
}

/** Returns the seal. Throws {@link SealError} if it is not the right one. */
function requireRight(stored: readonly StoredElementKey[], newest: StoredElementKey, seal: Seal): Seal {
  const { fingerprint } = newest;
  if (isRight(stored, newest, seal)) return seal;
  if (seal.fingerprint !== fingerprint)
    throw new SealError(
      `the sealing key has the fingerprint ${seal.fingerprint}, but the store expects ${fingerprint}; ` +
        'give the sealing key of the store',
    );
  throw new SealError(
    'the store still has elements of the previous sealing key; ' +
      `give it too: its fingerprint is ${stored.at(-2)?.fingerprint ?? 'unknown'}`,
  );
}
