import { createHmac, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { CommandError } from './arguments.ts';

/** What an erasure did, for the person who asked for it or for an authority. */
export interface ErasureFacts {
  /** As they were asked for: 40 lowercase hex characters each. */
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
  /** Ed25519, 64 hex characters: the operator's, which follows from the secret and is the same on all of its receipts. */
  readonly publicKey: string;
}

// Ed25519 keys are 32 bytes behind a fixed head: PKCS #8 and SubjectPublicKeyInfo of RFC 8410.
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const FIELDS = [
  'redflag',
  'format',
  'hashes',
  'erasedAt',
  'by',
  'reports',
  'links',
  'protections',
  'publicKey',
] as const;

/** The receipt as the text of a file. */
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

/** What a receipt says, when its signature is that of the key in it. Throws CommandError otherwise; who has the key is for the reader to know. */
export function proveReceipt(text: string): Receipt {
  const receipt = parse(text);
  const { publicKey, signature } = receipt;
  const isReceipt =
    receipt['redflag'] === 'erasure' &&
    receipt['format'] === 1 &&
    Object.keys(receipt).length === FIELDS.length + 1 &&
    typeof publicKey === 'string' &&
    /^[0-9a-f]{64}$/.test(publicKey) &&
    typeof signature === 'string' &&
    /^[0-9a-f]{128}$/.test(signature);
  if (!isReceipt) throw new CommandError('this is no receipt of an erasure');
  let key: KeyObject;
  try {
    key = createPublicKey({
      key: Buffer.concat([PUBLIC_HEAD, Buffer.from(publicKey, 'hex')]),
      format: 'der',
      type: 'spki',
    });
  } catch {
    throw new CommandError('the receipt is not valid: its key is none');
  }
  if (!verify(null, signedText(receipt), key, Buffer.from(signature, 'hex')))
    throw new CommandError('the receipt is not valid: it is not what was signed with its key');
  return receipt as unknown as Receipt;
}

/** The fields in their order, whatever the layout of the file. */
function signedText(receipt: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(JSON.stringify(FIELDS.map((field) => [field, receipt[field]])));
}

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // The parser's words quote what it read.
  }
  throw new CommandError('this is no receipt of an erasure');
}
