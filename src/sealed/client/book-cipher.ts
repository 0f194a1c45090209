import { HASHES } from '../byte-hashes.ts';
import type { Random } from '../group/group.ts';
import { joinBytes, toAscii } from '../group/hash-to-group.ts';
import { SealedStoreError } from './errors.ts';

/**
 * An encrypted file of evaluations. Sizes are in bytes.
 *
 * ```
 * file = "redflagE" · version 1 · key id 8 · nonce 12 · AES-256-GCM(book), with all before it as additional data
 * ```
 *
 * The version is that of the file and of the book in it (`book-format.ts`): raise it with each change of either. The
 * key id is the start of SHA-256("redflag evaluations key" · key). It tells a wrong key from a damaged file.
 */
const MAGIC = /* @__PURE__ */ toAscii('redflagE');
const KEY_LABEL = /* @__PURE__ */ toAscii('redflag evaluations key');
const VERSION = 1;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 8 + 1 + KEY_ID_BYTES + NONCE_BYTES;
/** Bytes of a key for {@link importCipherKey}. */
export const CIPHER_KEY_BYTES = 32;

/** Encrypts and decrypts whole files. */
export interface CipherKey {
  readonly key: CryptoKey;
  /** {@link KEY_ID_BYTES} bytes. */
  readonly id: Uint8Array;
}

/** Returns the cipher of a secret of {@link CIPHER_KEY_BYTES} random bytes. Throws TypeError for another value. */
export async function importCipherKey(secret: Uint8Array): Promise<CipherKey> {
  if (!(secret instanceof Uint8Array) || secret.length !== CIPHER_KEY_BYTES)
    throw new TypeError(`"key" expected ${CIPHER_KEY_BYTES} random bytes`);
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  const key = await crypto.subtle.importKey('raw', secret.slice(), 'AES-GCM', false, usages);
  return { key, id: HASHES.sha256(joinBytes([KEY_LABEL, secret])).slice(0, KEY_ID_BYTES) };
}

/** Returns the file of a book. The nonce is fresh each time: 96 random bits, for far fewer than 2^32 writes. */
export async function encryptFile({ key, id }: CipherKey, book: Uint8Array, random: Random): Promise<Uint8Array> {
  const nonce = random(NONCE_BYTES).slice();
  const header = joinBytes([MAGIC, Uint8Array.of(VERSION), id, nonce]) as Uint8Array<ArrayBuffer>;
  const how = { name: 'AES-GCM', iv: nonce, additionalData: header };
  return joinBytes([header, new Uint8Array(await crypto.subtle.encrypt(how, key, book.slice()))]);
}

/**
 * Returns the book of a file; undefined if the file is damaged. Throws `SealedStoreError`: `other-version`, or
 * `wrong-key` if another key encrypted it.
 */
export async function decryptFile({ key, id }: CipherKey, file: Uint8Array): Promise<Uint8Array | undefined> {
  if (file.length <= MAGIC.length || MAGIC.some((byte, at) => file[at] !== byte)) return undefined;
  // Counted as empty, it would be overwritten: with it, the manifest that was seen last would get lost.
  if (file[MAGIC.length] !== VERSION)
    throw new SealedStoreError(
      'other-version',
      'another version of redflag wrote the evaluations; use that version, or remove the file',
    );
  if (file.length < HEADER_BYTES + TAG_BYTES) return undefined;
  const header = file.slice(0, HEADER_BYTES);
  const idFrom = MAGIC.length + 1;
  if (id.some((byte, at) => header[idFrom + at] !== byte))
    throw new SealedStoreError('wrong-key', 'another key encrypted the evaluations; use that key, or remove the file');
  const how = { name: 'AES-GCM', iv: header.slice(idFrom + KEY_ID_BYTES), additionalData: header };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(how, key, file.slice(HEADER_BYTES)));
  } catch {
    return undefined;
  }
}
