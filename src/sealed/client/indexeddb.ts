import { createRandom } from '../../core/crypto/crypto.ts';
import { requireString } from '../../core/domain/options.ts';
import { generateCipherKey, importCipherKey, type CipherKey } from './book-cipher.ts';
import { openBookStore, type BookMedium } from './book-store.ts';
import type { EvaluationStore } from './evaluations.ts';
import { openEntries, type Entries } from './indexeddb-entries.ts';
import { decodeSigned, encodeSigned, type ReplicaStore } from './replica-store.ts';

const MANIFEST = 'manifest';
const PART = 'part-';
const BOOK = 'evaluations';
const KEY = 'key';

/** A manifest as it is stored. */
interface StoredManifest {
  readonly sequence: number;
  readonly signed: Uint8Array;
}

/**
 * Opens a replica in an IndexedDB database of this origin, in a page or a worker. Creates a missing database. Several
 * pages may use one database. Rejects with a DOMException where the browser stores nothing, or if a later version of
 * redflag made the database.
 */
export async function openIndexedDbReplica(database: string): Promise<ReplicaStore> {
  requireString('database', database);
  const entries = await openEntries(database);
  const partsBut = async (kept: readonly string[]): Promise<string[]> =>
    (await entries.names()).filter((name) => name.startsWith(PART) && !kept.includes(name.slice(PART.length)));
  return {
    async readManifest() {
      const kept = (await entries.read(MANIFEST)) as StoredManifest | undefined;
      return kept?.signed instanceof Uint8Array ? decodeSigned(kept.signed) : undefined;
    },
    keepManifest: (sequence, manifest) =>
      entries.change(MANIFEST, (kept) => {
        const isNewer = ((kept as StoredManifest | undefined)?.sequence ?? 0) <= sequence;
        return isNewer ? { sequence, signed: encodeSigned(manifest) } : kept;
      }),
    async readPart(sha256) {
      const bytes = await entries.read(PART + sha256);
      return bytes instanceof Uint8Array ? bytes : undefined;
    },
    // `slice` copies: the browser would store the whole buffer of a view.
    keepPart: (sha256, bytes) => entries.change(PART + sha256, () => bytes.slice()),
    retainParts: async (sha256s) => entries.remove(await partsBut(sha256s)),
    close: () => entries.close(),
  };
}

/** Options of {@link openIndexedDbEvaluations}. */
export interface IndexedDbEvaluationsOptions {
  /**
   * 32 random bytes that encrypt the evaluations. Without them, the database has a key that no script can read: a copy
   * of the evaluations alone opens nothing, but a script of this origin can use the key.
   */
  readonly key?: Uint8Array | undefined;
}

/**
 * Opens evaluations in an IndexedDB database of this origin, encrypted with AES-256-GCM. Creates a missing database.
 * Several pages may use one database. Rejects with `SealedStoreError` (`wrong-key`, `other-version`), and with a
 * DOMException where the browser stores nothing, or if a later version of redflag made the database.
 */
export async function openIndexedDbEvaluations(
  database: string,
  { key }: IndexedDbEvaluationsOptions = {},
): Promise<EvaluationStore> {
  requireString('database', database);
  const random = createRandom();
  const entries = await openEntries(database);
  const cipher = key === undefined ? await ownKey(entries, random) : await importCipherKey(key);
  return openBookStore(entryMedium(entries), cipher, random);
}

/** Returns the key of the database; the first page creates it. */
async function ownKey(entries: Entries, random: ReturnType<typeof createRandom>): Promise<CipherKey> {
  const fresh = await generateCipherKey(random);
  await entries.change(KEY, (kept) => kept ?? fresh);
  return (await entries.read(KEY)) as CipherKey;
}

interface StoredBook {
  readonly bytes: Uint8Array;
  readonly version: number;
}

/** One transaction compares the version and replaces the bytes: nothing that another page wrote gets lost. */
function entryMedium(entries: Entries): BookMedium {
  const read = async (): Promise<StoredBook | undefined> => (await entries.read(BOOK)) as StoredBook | undefined;
  return {
    async read() {
      const kept = await read();
      return kept && { bytes: kept.bytes, version: String(kept.version) };
    },
    async version() {
      const kept = await read();
      return kept && String(kept.version);
    },
    async replace(bytes, over) {
      let written: string | undefined;
      await entries.change(BOOK, (value) => {
        const kept = value as StoredBook | undefined;
        if ((kept && String(kept.version)) !== over) return kept;
        const next = { bytes, version: (kept?.version ?? 0) + 1 };
        written = String(next.version);
        return next;
      });
      return written;
    },
    close: () => entries.close(),
  };
}
