import type { LastSeen } from '../manifest.ts';

/**
 * Keeps what identifiers evaluate to: the element N of 32 bytes, by the hash of the identifier and the epoch. N opens
 * the rows of the identifier, so a store encrypts what it writes. It also keeps which manifest was seen last, by the
 * operator's public key in base64url. Use one store per operator: `retain` removes the elements of all others.
 *
 * `epochKey` is the epoch's public key in base64url (43 characters): a number would be used again by an operator with
 * new keys. Hashes are 40 lowercase hex characters.
 */
export interface EvaluationStore {
  /** Returns the elements in the order of the hashes; undefined for each that is not kept. */
  read(epochKey: string, hashes: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Adds elements by hash. Resolves when they are as durable as the store is. */
  keep(epochKey: string, elements: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Removes the elements of all other epochs. */
  retain(epochKeys: readonly string[]): Promise<void>;
  /** Returns what {@link keepSeen} kept; undefined if there is nothing. */
  readSeen(operatorKey: string): Promise<LastSeen | undefined>;
  /** Keeps what a client has seen last. Does nothing if a higher sequence, or this one, is kept. */
  keepSeen(operatorKey: string, seen: LastSeen): Promise<void>;
  /** Waits for writes under way, and ends the use of the store. */
  close(): Promise<void>;
}

/** What a store keeps. */
export interface EvaluationBook {
  /** Elements by hash, by the key of their epoch. */
  readonly epochs: Map<string, Map<string, Uint8Array>>;
  /** By the operator's key. */
  readonly seen: Map<string, LastSeen>;
}

export function createBook(): EvaluationBook {
  return { epochs: new Map(), seen: new Map() };
}

/** Returns a store that forgets everything when the process ends. */
export function createMemoryEvaluations(): EvaluationStore {
  let book = createBook();
  return {
    read: async (epochKey, hashes) => hashes.map((hash) => book.epochs.get(epochKey)?.get(hash)),
    keep: async (epochKey, elements) => addElements(book, epochKey, elements),
    retain: async (epochKeys) => void retainEpochs(book, epochKeys),
    readSeen: async (operatorKey) => book.seen.get(operatorKey),
    keepSeen: async (operatorKey, seen) => void addSeen(book, operatorKey, seen),
    async close() {
      book = createBook();
    },
  };
}

/** Adds copies of the elements to a book. */
export function addElements(
  { epochs }: EvaluationBook,
  epochKey: string,
  elements: ReadonlyMap<string, Uint8Array>,
): void {
  let epoch = epochs.get(epochKey);
  if (epoch === undefined) epochs.set(epochKey, (epoch = new Map()));
  for (const [hash, element] of elements) epoch.set(hash, element.slice());
}

/** Removes all epochs but these from a book. Returns true if there were others. */
export function retainEpochs({ epochs }: EvaluationBook, epochKeys: readonly string[]): boolean {
  const ended = [...epochs.keys()].filter((epochKey) => !epochKeys.includes(epochKey));
  for (const epochKey of ended) epochs.delete(epochKey);
  return ended.length > 0;
}

/** Adds what was seen last to a book. Returns false, and changes nothing, if its sequence or a higher one is there. */
export function addSeen({ seen }: EvaluationBook, operatorKey: string, last: LastSeen): boolean {
  if ((seen.get(operatorKey)?.sequence ?? -1) >= last.sequence) return false;
  seen.set(operatorKey, last);
  return true;
}
