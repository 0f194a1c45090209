import { DAY_MS } from '../core/domain/day.ts';
import { checksum } from './byte-hashes.ts';
import { fromBase64Url, fromHex, toBase64Url } from './encoding.ts';
import { SealedError } from './errors.ts';
import type { Random } from './group/group.ts';
import { joinBytes } from './group/hash-to-group.ts';
import { sodium } from './group/sodium.ts';
import { findBreak, linkAfter, linksOf, type Mark } from './history.ts';
import { encodeManifest, parseManifest, type Manifest } from './manifest-format.ts';

/** How far `issuedAt` may be ahead of the local clock, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** An epoch that begins sooner after the one before is refused: each makes clients evaluate all identifiers again. */
export const MIN_EPOCH_DAYS = 20;
/** Bytes of an Ed25519 secret key and of a public key. */
export const OPERATOR_KEY_BYTES = 32;
/** Bytes of an Ed25519 signature. */
export const SIGNATURE_BYTES = 64;

/** A manifest as it is published. */
export interface SignedManifest {
  /** JSON in UTF-8, as it is sent. */
  readonly bytes: Uint8Array;
  /**
   * Twice {@link SIGNATURE_BYTES}: the operator's Ed25519 over `bytes` (RFC 8032), and the evaluator's over the link of
   * the manifest.
   */
  readonly signature: Uint8Array;
}

/** What a client remembers of the last manifest that it accepted. */
export interface LastSeen extends Mark {
  /** Public key of the epoch: 43 characters of base64url. */
  readonly epochKey: string;
  /** Milliseconds, UTC. */
  readonly epochEndsAt: number;
}

/** How {@link verifyManifest} judges a manifest. */
export interface VerifyOptions {
  /** The operator's Ed25519 public key, 32 bytes, from a source that the client trusts. */
  readonly operatorKey: Uint8Array;
  /** The evaluator's Ed25519 public key, 32 bytes, from a source that the client trusts. Undefined: any. */
  readonly evaluatorKey?: Uint8Array | undefined;
  /** Local time in milliseconds, UTC. */
  readonly now: number;
  /** Undefined for the first manifest. After each success, save `seen` of the result. */
  readonly lastSeen?: LastSeen | undefined;
  /** Link of a manifest that is accepted whatever was seen last. The caller knows it from another client. */
  readonly acceptLink?: string | undefined;
}

/** A manifest that passed all checks. */
export interface VerifiedManifest {
  readonly manifest: Manifest;
  /** Pass it as `lastSeen` next time. */
  readonly seen: LastSeen;
}

/** Returns a fresh Ed25519 secret key: {@link OPERATOR_KEY_BYTES} bytes. Every such bytes are a key. */
export function createOperatorKey(random: Random): Uint8Array {
  return random(OPERATOR_KEY_BYTES);
}

/** Returns the Ed25519 public key: {@link OPERATOR_KEY_BYTES} bytes. Clients get it from the operator. */
export function operatorPublicKey(secretKey: Uint8Array): Uint8Array {
  return sodium().crypto_sign_seed_keypair(secretKey).publicKey;
}

/**
 * Signs a manifest with the operator's secret key. `operatorKey` of the manifest is set to its public key. The same
 * manifest always has the same bytes and signature. Throws TypeError for a manifest that is not valid.
 */
export function signManifest(manifest: Omit<Manifest, 'operatorKey'>, secretKey: Uint8Array): SignedManifest {
  const operatorKey = toBase64Url(operatorPublicKey(secretKey));
  const bytes = encodeManifest({ ...manifest, operatorKey });
  return { bytes, signature: sign(bytes, secretKey) };
}

/**
 * Returns the evaluator's signature of a manifest: that its own public key is `publicKey` (pk0), and that it signs no
 * other manifest of this sequence. `secretKey` is Ed25519. The same mark always has the same signature.
 */
export function signMark(secretKey: Uint8Array, publicKey: Uint8Array, mark: Mark): Uint8Array {
  return sign(statementOf(publicKey, mark), secretKey);
}

/** True for a signature of {@link signMark}. `evaluatorKey` is the Ed25519 public key. */
export function isMarkSignedBy(
  evaluatorKey: Uint8Array,
  publicKey: Uint8Array,
  mark: Mark,
  signature: Uint8Array,
): boolean {
  return isSignedBy(evaluatorKey, statementOf(publicKey, mark), signature);
}

function statementOf(publicKey: Uint8Array, { sequence, link }: Mark): Uint8Array {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, sequence);
  return joinBytes([new TextEncoder().encode('redflag sealed manifest'), publicKey, number, fromHex(link)!]);
}

/**
 * Verifies a manifest and returns it. Throws `SealedError`. The first failed check decides the code:
 *
 * 1. `bad-signature`: the expected operator has not signed the bytes.
 * 2. `malformed`: signed by the operator, but not a manifest of this version.
 * 3. `bad-evaluator-signature`: the manifest names another evaluator than the expected one, or the evaluator that it
 *    names has not signed it.
 * 4. `issued-in-future`: `issuedAt` is more than {@link CLOCK_TOLERANCE_MS} after `now`.
 * 5. Unless the manifest is that of `acceptLink`: `rollback`, `fork` or `early-epoch`, if it does not continue
 *    `lastSeen`.
 * 6. `expired`: `expiresAt` or the end of its epoch has come.
 */
export function verifyManifest(bytes: Uint8Array, signature: Uint8Array, options: VerifyOptions): VerifiedManifest {
  const { operatorKey, evaluatorKey, now, lastSeen, acceptLink } = options;
  if (!isSignedBy(operatorKey, bytes, signature.subarray(0, SIGNATURE_BYTES)))
    throw new SealedError('bad-signature', 'the signature is not of these bytes under the key of the operator', {
      option: 'operatorKey',
    });
  const manifest = parseManifest(bytes);
  if (manifest === undefined || manifest.operatorKey !== toBase64Url(operatorKey))
    throw new SealedError('malformed', 'the manifest is not of this version; update the client');
  const { evaluator, sequence, history, issuedAt, expiresAt, epoch } = manifest;
  if (evaluatorKey !== undefined && evaluator.key !== toBase64Url(evaluatorKey))
    throw new SealedError('bad-evaluator-signature', 'the manifest names another evaluator', {
      option: 'evaluatorKey',
    });
  const links = linksOf(history);
  const link = linkAfter(links.at(-1)!, checksum(bytes));
  requireEvaluator(evaluator, { sequence, link }, signature.subarray(SIGNATURE_BYTES));
  if (issuedAt > now + CLOCK_TOLERANCE_MS)
    throw new SealedError('issued-in-future', 'the manifest is from the future; check the clock');
  const seen = { sequence, link, epochKey: epoch.publicKey, epochEndsAt: epoch.endsAt };
  if (lastSeen !== undefined && link !== acceptLink) requireSuccessor(seen, [...links, link], lastSeen);
  if (now >= expiresAt) throw new SealedError('expired', 'the manifest is too old; fetch a new one');
  if (now >= epoch.endsAt) throw new SealedError('expired', 'the epoch of the manifest has ended; fetch a new one');
  return { manifest, seen };
}

/** Throws unless the signature is that of the evaluator that the manifest names. */
function requireEvaluator(evaluator: Manifest['evaluator'], mark: Mark, signature: Uint8Array): void {
  const [key, publicKey] = [fromBase64Url(evaluator.key)!, fromBase64Url(evaluator.publicKey)!];
  if (!isMarkSignedBy(key, publicKey, mark, signature))
    throw new SealedError(
      'bad-evaluator-signature',
      'the evaluator has not signed this manifest; ask the operator and the evaluator',
    );
}

/** Throws unless a manifest is the one that was seen last, or continues it by its `links` without an early epoch. */
function requireSuccessor(seen: LastSeen, links: readonly string[], last: LastSeen): void {
  const broken = findBreak(seen, links, last);
  if (broken === 'rollback')
    throw new SealedError('rollback', 'the manifest is older than an accepted one; fetch a new one');
  if (broken === 'fork')
    throw new SealedError('fork', `the manifest does not continue the last accepted one; ${COMPARE}`, ACCEPT);
  const isSame = seen.epochKey === last.epochKey && seen.epochEndsAt === last.epochEndsAt;
  if (!isSame && seen.epochEndsAt < last.epochEndsAt + MIN_EPOCH_DAYS * DAY_MS)
    throw new SealedError('early-epoch', `the epoch began too early after the one before; ${COMPARE}`, ACCEPT);
}

const COMPARE = 'ask the operator, and compare the link with another client';
const ACCEPT = { option: 'acceptLink' };

function sign(bytes: Uint8Array, secretKey: Uint8Array): Uint8Array {
  return sodium().crypto_sign_detached(bytes, sodium().crypto_sign_seed_keypair(secretKey).privateKey);
}

/** Strict verification: canonical encodings, and no public key of small order. */
function isSignedBy(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || publicKey.length !== OPERATOR_KEY_BYTES) return false;
  return sodium().crypto_sign_verify_detached(signature, bytes, publicKey);
}
