import { requireFunction } from '../domain/options.ts';
import { elementName } from '../crypto/element-name.ts';
import { StoreKeyError } from '../store/errors.ts';
import type { OldElement, StoredSeal } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';

/** In a shared store: time after which no process without the newest sealing key uses the store any more. */
const KNOWN_MS = 60_000;

/** The stored elements use a sealing key that was not given. No query could find them. */
export class SealError extends StoreKeyError {
  /** @internal */
  static override readonly kind = 'SealError';
}

/**
 * Computes sealed elements. Functions may return a promise. An element is 64 lowercase hex characters; a hash is the 40
 * lowercase hex characters that a client sends.
 */
export interface Seal {
  /** Identifies the sealing key without revealing it: 16 lowercase hex characters. */
  readonly fingerprint: string;
  /** Returns the element of a client's hash. Equal hashes have equal elements, and different ones have different. */
  elementOf(hash: string): string | Promise<string>;
  /** The sealing key before this one. Needed until `replaceElements` has replaced all its elements. */
  readonly previous?: PreviousSeal;
}

/** Converts elements between a sealing key and the one before it. */
export interface PreviousSeal {
  /** Of the previous sealing key, 16 lowercase hex characters. */
  readonly fingerprint: string;
  /** Returns the previous key's element for an element of the present key. */
  toPrevious(element: string): string | Promise<string>;
  /** Returns the present key's element for an element of the previous key. */
  fromPrevious(element: string): string | Promise<string>;
}

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
   * Undefined if neither the store nor the engine has one. Rejects with {@link SealError} if they differ.
   */
  read(): Promise<SealState | undefined>;
  /** Returns the names of an identifier. With `element`, `hash` is the name of the element. */
  namesOf(
    identifier: { readonly hash: string; readonly element?: string | undefined },
    state: SealState,
  ): Promise<SealedNames>;
  /** Returns an old element's replacement by the present key. */
  replaced(old: OldElement): Promise<string>;
  /** Returns the element of the present key for a stored element, which may be of the previous key. */
  current(row: { readonly element: string; readonly seal: number }, state: SealState): Promise<string>;
  /** Counts what is unsealed. If there is nothing, records so, and later requests look for no earlier rows. */
  countUnsealed(state: SealState): Promise<number>;
  /** True if processes with another sealing key, or none, may still use a shared store. */
  mayBeUnknown(state: SealState): Promise<boolean>;
}

/** Validates the option. Throws TypeError for anything but a {@link Seal}. */
export function requireSeal(seal: Seal): void {
  requireFunction('seal.elementOf', seal?.elementOf);
  requireFingerprint('seal.fingerprint', seal.fingerprint);
  if (seal.previous === undefined) return;
  requireFingerprint('seal.previous.fingerprint', seal.previous?.fingerprint);
  requireFunction('seal.previous.toPrevious', seal.previous.toPrevious);
  requireFunction('seal.previous.fromPrevious', seal.previous.fromPrevious);
  if (seal.previous.fingerprint === seal.fingerprint)
    throw new TypeError('"seal.previous.fingerprint" expected another fingerprint than that of the seal');
}

function requireFingerprint(label: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[0-9a-f]{16}$/.test(value))
    throw new TypeError(`"${label}" expected 16 lowercase hex characters`);
}

/** Returns the functions for a sealing key. */
export function createSeals(store: Store, seal: Seal | undefined, clock: () => number): Seals {
  /** Processes compare these times, so their own clocks do not count. */
  const now = async (): Promise<number> => (store.shared ? store.shared.nowMs() : clock());
  const given = (): Seal => {
    if (seal === undefined) throw new RangeError('"seal" expected a seal: the engine was created without one');
    return seal;
  };
  const previous = (): PreviousSeal => {
    const { previous } = given();
    if (previous === undefined) throw new RangeError('"seal.previous" expected the previous sealing key');
    return previous;
  };

  const adopt = async (generation: number): Promise<SealState | undefined> => {
    const added = await store.addSeal({ generation, fingerprint: given().fingerprint, addedAt: await now() });
    // Nothing is unsealed in an empty store. But in a shared one, processes without the key may still write.
    if (added === 'added' && generation === 1 && !store.shared && (await store.countUnsealed()) === 0)
      await store.markSeal({ generation, completeAt: await now() });
    return read();
  };

  const read = async (): Promise<SealState | undefined> => {
    const stored = await store.findSeals();
    const newest = stored.at(-1);
    if (newest === undefined) return seal && adopt(1);
    if (seal?.previous?.fingerprint === newest.fingerprint && newest.finishedAt !== null)
      return adopt(newest.generation + 1);
    requireSame(stored, newest, seal);
    return {
      generation: newest.generation,
      fingerprint: newest.fingerprint,
      addedAt: newest.addedAt,
      hasUnsealed: newest.completeAt === null,
      hasPrevious: newest.finishedAt === null,
    };
  };

  const mayBeUnknown = async ({ addedAt }: SealState): Promise<boolean> =>
    store.shared !== undefined && (await now()) < addedAt + KNOWN_MS;

  return {
    read,

    async namesOf({ hash, element: sent }, { hasUnsealed, hasPrevious }) {
      const element = sent ?? requireElement('elementOf', await given().elementOf(hash));
      const earlier: string[] = [];
      if (hasUnsealed && sent === undefined) earlier.push(hash);
      if (hasPrevious)
        earlier.push(elementName(requireElement('previous.toPrevious', await previous().toPrevious(element))));
      return { element, name: elementName(element), earlier };
    },

    async replaced({ element }) {
      return requireElement('previous.fromPrevious', await previous().fromPrevious(element));
    },

    async current({ element, seal: generation }, state) {
      if (generation === state.generation) return element;
      return requireElement('previous.fromPrevious', await previous().fromPrevious(element));
    },

    async countUnsealed(state) {
      if (!state.hasUnsealed) return 0;
      const count = await store.countUnsealed();
      if (count === 0 && !(await mayBeUnknown(state)))
        await store.markSeal({ generation: state.generation, completeAt: await now() });
      return count;
    },

    mayBeUnknown,
  };
}

function requireSame(stored: readonly StoredSeal[], newest: StoredSeal, seal: Seal | undefined): void {
  const { fingerprint, finishedAt } = newest;
  if (seal === undefined)
    throw new SealError(
      `the identifiers of the store are sealed, but no sealing key was given; ` +
        `give the sealing key with the fingerprint ${fingerprint}`,
    );
  if (seal.fingerprint !== fingerprint)
    throw new SealError(
      `the sealing key has the fingerprint ${seal.fingerprint}, but the store expects ${fingerprint}; ` +
        'give the sealing key of the store',
    );
  const before = stored.at(-2)?.fingerprint;
  if (finishedAt === null && seal.previous?.fingerprint !== before)
    throw new SealError(
      'the store still has elements of the previous sealing key; ' +
        `give it too: its fingerprint is ${before ?? 'unknown'}`,
    );
}

function requireElement(name: string, element: unknown): string {
  if (typeof element !== 'string' || !/^[0-9a-f]{64}$/.test(element))
    throw new TypeError(`"seal.${name}" expected a function that returns 64 lowercase hex characters`);
  return element;
}
