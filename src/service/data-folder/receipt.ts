import { createHmac, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { DataFolderError } from './errors.ts';

/** Facts about an erasure, for the person who requested it or for an authority. */
export interface ErasureFacts {
  /** The requested hashes: 40 lowercase hex characters each. */
  readonly hashes: readonly string[];
  /** ISO 8601 UTC. */
  readonly erasedAt: string;
  readonly by: string;
  readonly reports: number;
  readonly links: number;
  /** Entries of the allow-list. */
  readonly protections: number;
}

export interface Receipt extends ErasureFacts {
  /** The operator's Ed25519 key, 64 hex characters. It is derived from the secret: one secret, one key. */
  readonly publicKey: string;
}

// Fixed prefixes of Ed25519 keys in DER (RFC 8410): PKCS #8 and SubjectPublicKeyInfo. 32 bytes of key follow.
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
/** The fields in the order of the signed text. */
const FIELDS = 'redflag format hashes erasedAt by reports links protections publicKey'.split(' ');

export function writeReceipt(secret: string, facts: ErasureFacts): string {
  const seed = createHmac('sha256', secret).update('redflag/1 erasure receipt').digest();
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(PUBLIC_HEAD.length)
    .toString('hex');
  const signed = { redflag: 'erasure', format: 1, ...facts, publicKey };
  return `${JSON.stringify({ ...signed, signature: sign(null, signedText(signed), key).toString('hex') }, null, 2)}\n`;
}

/**
 * Verifies a receipt's signature with the key in the receipt, and returns the content. Throws DataFolderError if the
 * signature does not match. The caller must know whose key it is.
 */
export function verifyReceipt(text: string): Receipt {
  let receipt: unknown;
  try {
    receipt = JSON.parse(text);
  } catch {
    // Do not show the parser's message: it quotes the text.
  }
  if (!isSigned(receipt)) throw new DataFolderError('the file is not a receipt of redflag erase');
  const { publicKey, signature } = receipt;
  let key: KeyObject;
  try {
    key = createPublicKey({
      key: Buffer.concat([PUBLIC_HEAD, Buffer.from(publicKey, 'hex')]),
      format: 'der',
      type: 'spki',
    });
  } catch {
    throw new DataFolderError('the receipt is not valid: its key cannot be read');
  }
  if (!verify(null, signedText(receipt), key, Buffer.from(signature, 'hex')))
    throw new DataFolderError('the receipt is not valid: its content does not match its signature');
  return receipt;
}

/** Returns the signed text. Its fields are in a fixed order, independent of the file's layout. */
function signedText(receipt: object): Buffer {
  const fields = new Map(Object.entries(receipt));
  return Buffer.from(JSON.stringify(FIELDS.map((field) => [field, fields.get(field)])));
}

/** Returns true for an object with the shape of a receipt. The signature covers the other fields. */
function isSigned(value: unknown): value is Receipt & { readonly signature: string } {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== FIELDS.length + 1) return false;
  const { redflag, format, publicKey, signature }: Partial<Record<string, unknown>> = { ...value };
  return redflag === 'erasure' && format === 1 && isHex(publicKey, 64) && isHex(signature, 128);
}

function isHex(value: unknown, length: number): boolean {
  return typeof value === 'string' && value.length === length && /^[0-9a-f]*$/.test(value);
}
