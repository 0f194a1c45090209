import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Identifier } from '../domain/identifier.ts';
import type { ReportDraft } from '../domain/report.ts';

/** Least length of the operator's secret: 128 bits. */
const SECRET_BYTES_LEAST = 16;

/**
 * All that follows from the operator's secret. Each purpose has a key of its own, so that an answer for one says nothing about another,
 * and nothing that is stored (digests, report ids) can be turned back or ground through without the secret.
 */
export interface Secrets {
  /** What is stored of an API key, 64 hex characters (silent: 5). */
  keyDigest(apiKey: string): string;
  /** The deletion code that belongs to a report's nonce, 16 hex characters: it can be shown again and is stored nowhere (spec 2.4). */
  deletionCode(nonce: string): string;
  /** The report id of a deletion code, 16 hex characters; one way, so that the public id does not give the code away (spec 2.2). */
  reportId(deletionCode: string): string;
  /** Equal for equal requests of one reporter, whatever the order of identifiers, 32 hex characters (silent: 8). */
  fingerprint(reporterId: string, draft: ReportDraft): string;
  /** The name of a bucket that requests are counted in, 32 hex characters: a client's address is not to be read from it. */
  bucket(name: string): string;
  /** The public name of an identifier set, 40 hex characters: the same set gives the same link in any order (silent: 4.4). */
  linkHash(identifiers: readonly Identifier[]): string;
}

/** Tells secrets apart and gives nothing of them away, 16 hex characters. */
export function secretFingerprint(secret: string | Uint8Array): string {
  const master = typeof secret === 'string' ? utf8ToBytes(secret) : secret;
  return bytesToHex(
    hmac(sha256, hmac(sha256, master, utf8ToBytes('redflag/1 secret')), utf8ToBytes('fingerprint')),
  ).slice(0, 16);
}

/**
 * @param secret text or bytes, at least 16 bytes. Whoever has it and the stored file can tie the two together; losing it ends every key, code and link.
 * @throws RangeError when it is too short, TypeError when it is neither.
 */
export function createSecrets(secret: string | Uint8Array): Secrets {
  if (typeof secret !== 'string' && !(secret instanceof Uint8Array))
    throw new TypeError(`"secret" expected text or bytes, got ${typeof secret}`);
  const master = typeof secret === 'string' ? utf8ToBytes(secret) : Uint8Array.from(secret);
  if (master.length < SECRET_BYTES_LEAST)
    throw new RangeError(`"secret" expected at least ${SECRET_BYTES_LEAST} bytes, got ${master.length}`);

  // The keyed state is made once; a call clones it and hashes only its message.
  const purpose = (name: string) => {
    const keyed = hmac.create(sha256, hmac(sha256, master, utf8ToBytes(`redflag/1 ${name}`)));
    return (message: string, hexDigits: number): string =>
      bytesToHex(keyed.clone().update(utf8ToBytes(message)).digest()).slice(0, hexDigits);
  };
  const key = purpose('api key');
  const code = purpose('deletion code');
  const report = purpose('report id');
  const request = purpose('request');
  const link = purpose('link');
  const bucket = purpose('bucket');

  return {
    keyDigest: (apiKey) => key(apiKey, 64),
    deletionCode: (nonce) => code(nonce, 16),
    reportId: (deletionCode) => report(deletionCode, 16),
    // JSON keeps the parts apart: no text can be written so that it looks like another request.
    fingerprint: (reporterId, draft) =>
      request(JSON.stringify([reporterId, draft.type, draft.severity, draft.text, sorted(draft.identifiers)]), 32),
    bucket: (name) => bucket(name, 32),
    linkHash: (identifiers) => link(JSON.stringify(sorted(identifiers)), 40),
  };
}

function sorted(identifiers: readonly Identifier[]): string[] {
  return [...new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`))].sort();
}
