import type { Random } from '../group/group.ts';
import { decryptFile, encryptFile, type CipherKey } from './book-cipher.ts';
import { decodeBook, encodeBook } from './book-format.ts';
import { SealedStoreError } from './errors.ts';
import {
  addElements,
  addSeen,
  createBook,
  retainEpochs,
  type EvaluationBook,
  type EvaluationStore,
} from './evaluations.ts';

/** Holds the bytes of one encrypted book. */
export interface BookMedium {
  /** Returns the bytes and what tells them from others; undefined if there are none. */
  read(): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined>;
  /**
   * Replaces all bytes, durably, and returns the new version. Returns undefined, and changes nothing, if the medium can
   * tell that the version is no longer `over` (undefined: no bytes).
   */
  replace(bytes: Uint8Array, over: string | undefined): Promise<string | undefined>;
  /** Returns the version; undefined if there are no bytes. */
  version(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Attempts to write over what other processes write at the same time. */
const ATTEMPTS = 10;

/**
 * Returns a store whose book is one encrypted file. Each write adds to what other processes have written meanwhile, and
 * writes the whole file: 52 bytes per identifier. A damaged file counts as empty, and its identifiers are evaluated
 * again. Methods reject with `SealedStoreError`: `wrong-key`, `other-version`, `busy` or `closed`.
 */
export async function openBookStore(medium: BookMedium, cipher: CipherKey, random: Random): Promise<EvaluationStore> {
  let book = createBook();
  let version: string | undefined;
  let isClosed = false;
  /** One write at a time. */
  let last: Promise<unknown> = Promise.resolve();

  async function load(): Promise<void> {
    const read = await medium.read();
    const bytes = read && (await decryptFile(cipher, read.bytes));
    book = (bytes && tryDecode(bytes)) ?? createBook();
    version = read?.version;
  }

  function write(change: (book: EvaluationBook) => boolean): Promise<void> {
    const written = last.then(async () => {
      requireOpen();
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if ((await medium.version()) !== version) await load();
        if (!change(book)) return;
        const file = await encryptFile(cipher, encodeBook(book), random);
        const next = await medium.replace(file, version);
        if (next !== undefined) {
          version = next;
          return;
        }
      }
      throw new SealedStoreError('busy', 'other processes write the evaluations all the time; try again');
    });
    last = written.catch(() => undefined);
    return written;
  }

  function requireOpen(): void {
    if (isClosed) throw new SealedStoreError('closed', 'the store of evaluations is closed');
  }

  await load();
  return {
    async read(epochKey, hashes) {
      requireOpen();
      const missing = hashes.some((hash) => book.epochs.get(epochKey)?.has(hash) !== true);
      // Another process may have evaluated them. A write under way has read what there is.
      if (missing) await write(() => false);
      return hashes.map((hash) => book.epochs.get(epochKey)?.get(hash));
    },
    keep: (epochKey, elements) =>
      write((known) => {
        addElements(known, epochKey, elements);
        return true;
      }),
    retain: (epochKeys) => write((known) => retainEpochs(known, epochKeys)),
    async readSeen(operatorKey) {
      await write(() => false);
      return book.seen.get(operatorKey);
    },
    keepSeen: (operatorKey, seen) => write((known) => addSeen(known, operatorKey, seen)),
    async close() {
      await last;
      isClosed = true;
      book = createBook();
      await medium.close();
    },
  };
}

function tryDecode(bytes: Uint8Array): EvaluationBook | undefined {
  try {
    return decodeBook(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
