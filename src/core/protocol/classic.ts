import { isCode } from '../domain/identifier.ts';
import type { Refusal, RefusalReason } from '../domain/refusal.ts';
import type { QueryResult, Verdict } from '../domain/verdict.ts';
import { hashOfLink } from './link.ts';
import { joinNumbers, readNumbers } from './reply.ts';

/** The closed list of error bodies in the classic dialect. */
export type ClassicError = (typeof CLASSIC_ERRORS)[number];

const CLASSIC_ERRORS = ['ERR:API', 'ERR:ACTION', 'ERR:DATA', 'ERR:LIMIT', 'ERR:UNAVAILABLE', 'NODATA'] as const;

/** Result of a query in the classic dialect: the code opens the viewer, in place of a link. */
export interface ClassicResult extends Verdict {
  /** The first 16 hex digits of the link's hash. */
  readonly viewerCode: string;
}

/** Reasons that are not about the data of a form. */
const ERRORS: Partial<Record<RefusalReason, ClassicError>> = {
  'unknown-key': 'ERR:API',
  'revoked-key': 'ERR:API',
  'suspended-key': 'ERR:API',
  'key-scope': 'ERR:API',
  'unknown-action': 'ERR:ACTION',
  'sealed-only': 'ERR:ACTION',
  'method-not-allowed': 'ERR:ACTION',
  'no-identifier': 'NODATA',
  limited: 'ERR:LIMIT',
  overloaded: 'ERR:UNAVAILABLE',
  unavailable: 'ERR:UNAVAILABLE',
  internal: 'ERR:UNAVAILABLE',
};

const RECEIPT = /^OK:([0-9a-f]{16})$/;
const RESULT = /^<report>(.+)-([0-9a-f]{16})<\/report>$/;

/** Returns the first 16 digits of a link's hash. The viewer of the classic dialect accepts them in its place. */
export function toViewerCode(linkHash: string): string {
  return linkHash.slice(0, 16);
}

/** Returns the body of a successful report, `OK:<16hex>`, with the deletion code. */
export function formatClassicReceipt(deletionCode: string): string {
  if (!isCode(deletionCode))
    throw new TypeError('"deletionCode" expected 16 lowercase hex characters, got another text');
  return `OK:${deletionCode}`;
}

/** Returns the deletion code in the body of a successful report; undefined for any other body. */
export function parseClassicReceipt(body: string): string | undefined {
  return RECEIPT.exec(body)?.[1];
}

/**
 * Returns the body of a query's reply, `<report>Points-Reported-Reliability-<16hex></report>`. Throws TypeError for a
 * number out of range, and for a link without a hash.
 */
export function formatClassicResult(result: QueryResult): string {
  const linkHash = hashOfLink(result.link);
  if (linkHash === undefined)
    throw new TypeError('"link" expected an address ending in 40 hex characters, got another text');
  return `<report>${joinNumbers(result)}-${toViewerCode(linkHash)}</report>`;
}

/** Returns the result in the body of a query's reply; undefined for any other body. */
export function parseClassicResult(body: string): ClassicResult | undefined {
  const [, numbers = '', viewerCode = ''] = RESULT.exec(body) ?? [];
  const verdict = readNumbers(numbers);
  return verdict && { ...verdict, viewerCode };
}

/**
 * Returns the body for a refusal: an error of the closed list, without details, because clients compare whole bodies.
 */
export function formatClassicError(refusal: Refusal): ClassicError {
  if (refusal.reason === 'missing-field') {
    if (refusal.field === '_api') return 'ERR:API';
    if (refusal.field === '_action') return 'ERR:ACTION';
  }
  return ERRORS[refusal.reason] ?? 'ERR:DATA';
}

/** Returns the error in a body; undefined for any other body. */
export function parseClassicError(body: string): ClassicError | undefined {
  return CLASSIC_ERRORS.find((error) => error === body);
}
