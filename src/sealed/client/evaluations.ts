/**
 * Keeps what identifiers evaluate to: the element N of 32 bytes, by the hash of the identifier and the epoch. N opens
 * the rows of the identifier, so a store encrypts what it writes. Use one store per operator.
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
  /** Waits for writes under way, and ends the use of the store. */
  close(): Promise<void>;
}

/** Elements by hash, by the key of their epoch. */
export type EvaluationBook = Map<string, Map<string, Uint8Array>>;

/** Returns a store that forgets everything when the process ends. */
export function createMemoryEvaluations(): EvaluationStore {
  const book: EvaluationBook = new Map();
  return {
    read: async (epochKey, hashes) => hashes.map((hash) => book.get(epochKey)?.get(hash)),
    keep: async (epochKey, elements) => addElements(book, epochKey, elements),
    retain: async (epochKeys) => void retainEpochs(book, epochKeys),
    close: async () => book.clear(),
  };
}

/** Adds copies of the elements to a book. */
export function addElements(book: EvaluationBook, epochKey: string, elements: ReadonlyMap<string, Uint8Array>): void {
  let epoch = book.get(epochKey);
  if (epoch === undefined) book.set(epochKey, (epoch = new Map()));
  for (const [hash, element] of elements) epoch.set(hash, element.slice());
}

/** Removes all epochs but these from a book. Returns true if there were others. */
export function retainEpochs(book: EvaluationBook, epochKeys: readonly string[]): boolean {
  const ended = [...book.keys()].filter((epochKey) => !epochKeys.includes(epochKey));
  for (const epochKey of ended) book.delete(epochKey);
  return ended.length > 0;
}
