import type { Refusal } from '../domain/refusal.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { isLink } from './link.ts';
import { wordRefusal } from './wording.ts';

/** The body of a successful report or delete (spec 4.2, 4.3). */
export const OK = 'OK';

const ERROR = 'ERROR:';
const RESULT = /^(0|[1-9][0-9]*)-(0|[1-9][0-9]*)-(10\.0|[0-9]\.[0-9])-([^-]+)$/;

/**
 * Returns the body of a query's reply (spec 4.4): `<Points>-<Reported>-<Reliability>-<link>`. The numbers are two
 * integers and one decimal (spec 4.4 is silent). Throws TypeError for a number out of range, and for an invalid link or
 * one with a hyphen. This is a defect of the caller, not of the request.
 */
export function formatResult({ points, reported, reliability, link }: QueryResult): string {
  requireCount('points', points);
  requireCount('reported', reported);
  if (!(reliability >= 0 && reliability <= 10))
    throw new TypeError(`"reliability" expected 0 to 10, got ${reliability}`);
  if (link.includes('-')) throw new TypeError('"link" expected no hyphen, got one; write it as %2D');
  if (!isLink(link))
    throw new TypeError('"link" expected an http or https address ending in 40 hex characters, got another text');
  return `${points}-${reported}-${reliability.toFixed(1)}-${link}`;
}

function requireCount(label: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new TypeError(`"${label}" expected an integer of at least 0, got ${value}`);
}

/**
 * Returns the result in a body. Undefined unless the body has four segments with valid numbers and a link (spec 4.4).
 */
export function parseResult(body: string): QueryResult | undefined {
  const [, points, reported, reliability, link = ''] = RESULT.exec(body) ?? [];
  if (!isLink(link) || !URL.canParse(link)) return undefined;
  const result = { points: Number(points), reported: Number(reported), reliability: Number(reliability), link };
  return Number.isSafeInteger(result.points) && Number.isSafeInteger(result.reported) ? result : undefined;
}

/** Returns the body for a refusal (spec 4.2, 7): `ERROR: <details>`, one line without a hyphen. */
export function formatError(refusal: Refusal): string {
  return `${ERROR} ${wordRefusal(refusal)}`;
}

/** Returns the trimmed details of an `ERROR:` body; undefined for any other body. */
export function parseError(body: string): string | undefined {
  return body.startsWith(ERROR) ? body.slice(ERROR.length).trim() : undefined;
}
