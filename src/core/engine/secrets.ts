import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { SHA256, type KeyedHash } from '../crypto/sha256.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { ReportDraft } from '../domain/report.ts';
import type { Effects } from './effects.ts';

const SECRET_BYTES_LEAST = 16;

/**
 * Values derived from the operator's secret. Each purpose has its own derived key, so one value reveals nothing about
 * another. Without the secret, a thief cannot reverse or guess stored digests and report ids.
 */
export interface Secrets {
  /** Returns the stored digest of an API key: 64 hex characters (protocol 5, our choice). */
  keyDigest(apiKey: string): string;
  /** Returns the stored digest of a sign-in link, session or sent form of the panel: 64 hex characters. */
  signInDigest(token: string): string;
  /**
   * Returns the deletion code of a nonce: 16 hex characters. The code is not stored; a retry derives it again (protocol
   * 2.4).
   */
  deletionCode(nonce: string): string;
  /** Returns the public report id of a deletion code: 16 hex characters that do not reveal the code (protocol 2.2). */
  reportId(deletionCode: string): string;
  /**
   * Returns 32 hex characters that recognise a retry: equal for equal reports, in any order of identifiers (protocol 8,
   * our choice).
   */
  fingerprint(reporterId: string, draft: ReportDraft): string;
  /** Returns the name of a token bucket: 32 hex characters that hide the client's address. */
  bucket(name: string): string;
  /**
   * Returns the public name of a reporter's identifier set: 40 hex characters, equal in any order (protocol 4.4, our
   * choice). Another reporter's link has another name, so it does not show what other reporters query.
   */
  linkHash(reporterId: string, identifiers: readonly Identifier[]): string;
  /**
   * Returns the owner of an identifier in a link: 16 hex characters that hide the reporter. `hash` is the client's.
   */
  linkOwner(reporterId: string, hash: string): string;
}

/** Returns 16 fresh lowercase hex characters, or twice as many characters as `byteCount`. */
export function freshCode(random: Effects['random'], byteCount = 8): string {
  const bytes = random(byteCount);
  if (!(bytes instanceof Uint8Array) || bytes.length !== byteCount)
    throw new TypeError('"random" expected a function that returns the requested number of bytes, got another result');
  return bytesToHex(bytes);
}

/** Draws codes until `attempt` accepts one. Collisions of 64 bits are rare: after eight, `random` must be broken. */
export async function drawUntil<T>(
  random: Effects['random'],
  attempt: (fresh: string) => Promise<T | 'taken'>,
): Promise<Exclude<T, 'taken'>> {
  for (let draws = 0; draws < 8; draws++) {
    const result = await attempt(freshCode(random));
    if (result !== 'taken') return result as Exclude<T, 'taken'>;
  }
  throw new Error('"random" expected fresh bytes at each call, got the same ones again');
}

/** Returns 16 hex characters that identify a secret without revealing it. */
export function secretFingerprint(secret: string | Uint8Array): string {
  return derive(secret, 'redflag/1 secret')('fingerprint').slice(0, 16);
}

/**
 * Returns the functions that derive values from `secret`, which has at least 16 bytes.
 * @throws RangeError if `secret` is too short, TypeError if it is neither text nor bytes.
 */
export function createSecrets(secret: string | Uint8Array): Secrets {
  if (typeof secret !== 'string' && !(secret instanceof Uint8Array))
    throw new TypeError(`"secret" expected text or bytes, got ${typeof secret}`);
  const master = typeof secret === 'string' ? utf8ToBytes(secret) : Uint8Array.from(secret);
  if (master.length < SECRET_BYTES_LEAST)
    throw new RangeError(`"secret" expected at least ${SECRET_BYTES_LEAST} bytes, got ${master.length}`);

  const purpose = (name: string, hexDigits: number) => {
    const keyed = derive(master, `redflag/1 ${name}`);
    return (message: string): string => keyed(message).slice(0, hexDigits);
  };
  const request = purpose('request', 32);
  const link = purpose('link', 40);
  const linkOwner = purpose('link owner', 16);
  return {
    keyDigest: purpose('api key', 64),
    signInDigest: purpose('sign in', 64),
    deletionCode: purpose('deletion code', 16),
    reportId: purpose('report id', 16),
    bucket: purpose('bucket', 32),
    // JSON separates the parts, so two different reports cannot have the same text.
    fingerprint: (reporterId, draft) =>
      request(JSON.stringify([reporterId, draft.type, draft.severity, draft.text, sorted(draft.identifiers)])),
    // Older programs hashed a list of texts, without a reporter. A list in a list cannot have the same text.
    linkHash: (reporterId, identifiers) => link(JSON.stringify([reporterId, sorted(identifiers)])),
    linkOwner: (reporterId, hash) => linkOwner(JSON.stringify([reporterId, hash])),
  };
}

/** Returns the HMAC under the key that is derived from a secret for one purpose. */
export function derive(secret: string | Uint8Array, purpose: string): KeyedHash {
  return SHA256.keyed(hexToBytes(SHA256.keyed(secret)(purpose)));
}

function sorted(identifiers: readonly Identifier[]): string[] {
  const texts = new Set<string>();
  for (const { kind, hash } of identifiers) texts.add(`${hash} ${kind}`);
  return [...texts].sort();
}
