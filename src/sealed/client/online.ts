import { isCode, type Identifier } from '../../core/domain/identifier.ts';
import type { QueryResult } from '../../core/domain/verdict.ts';
import type { ReportDraft } from '../../core/domain/report.ts';
import type { JsonValue } from '../canonical-json.ts';
import { toBase64Url } from '../encoding.ts';
import type { SealedAddresses } from './addresses.ts';
import { SealedServiceError } from './errors.ts';
import type { Requests } from './requests.ts';

const MAX_LINK_CHARACTERS = 2048;

/** An identifier with its element N. */
export interface PointIdentifier {
  readonly kind: string;
  readonly element: Uint8Array;
}

/** Returns the identifiers with their elements. */
export function toPoints(
  identifiers: readonly Identifier[],
  elementOf: (hash: string) => Uint8Array,
): readonly PointIdentifier[] {
  return identifiers.map(({ kind, hash }) => ({ kind, element: elementOf(hash) }));
}

/** Asks the service for a score, with pseudonyms. */
export async function queryOnline(
  requests: Requests,
  { query }: SealedAddresses,
  epoch: number,
  points: readonly PointIdentifier[],
  signal?: AbortSignal,
): Promise<QueryResult> {
  const value = await requests.post(query, { epoch, identifiers: encodePoints(points) }, true, signal);
  const result = Object(value) as QueryResult;
  const isWithin = (number: unknown, most: number): boolean =>
    typeof number === 'number' && number >= 0 && number <= most;
  const { points: score, reported, reliability, link } = result;
  const isLink = typeof link === 'string' && link.length <= MAX_LINK_CHARACTERS && /^https?:\/\/\S+$/.test(link);
  if (!Number.isInteger(score) || !isWithin(score, 100) || !Number.isInteger(reported) || reported < 0)
    throw new SealedServiceError('unexpected-reply', 200);
  if (!isWithin(reliability, 10) || !isLink) throw new SealedServiceError('unexpected-reply', 200);
  return { points: score, reported, reliability, link };
}

/** Sends a report, once. Returns its deletion code: 16 lowercase hex characters. */
export async function reportOnline(
  requests: Requests,
  { report }: SealedAddresses,
  epoch: number,
  { type, severity, text }: Omit<ReportDraft, 'identifiers'>,
  points: readonly PointIdentifier[],
  signal?: AbortSignal,
): Promise<string> {
  const body = { epoch, type, severity, text, identifiers: encodePoints(points) };
  const { code } = Object(await requests.post(report, body, false, signal)) as { readonly code?: unknown };
  if (!isCode(code)) throw new SealedServiceError('unexpected-reply', 200);
  return code;
}

function encodePoints(points: readonly PointIdentifier[]): JsonValue {
  return points.map(({ kind, element }) => ({ kind, point: toBase64Url(element) }));
}
