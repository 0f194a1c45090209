import type { Refusal } from '../domain/refusal.ts';
import type { QueryResult, Verdict } from '../domain/verdict.ts';
import { isLink } from './link.ts';
import { formatRefusal } from './wording.ts';

/** The body of a successful report or delete (protocol 4.2, 4.3). */
export const OK = 'OK';

const ERROR = 'ERROR:';
const RESULT = /^(.+)-([^-]+)$/;
const NUMBERS = /^(0|[1-9][0-9]*)-(0|[1-9][0-9]*)-(10\.0|[0-9]\.[0-9])$/;

/** The body of a query's reply (protocol 4.4). Without the flags of JavaScript, for schemas. */
export const RESULT_PATTERN = String.raw`^${NUMBERS.source.slice(1, -1)}-https?:\/\/[^\s?#-]+\/[0-9a-f]{40}$`;

/**
 * Returns the body of a query's reply (protocol 4.4): `<Points>-<Reported>-<Reliability>-<link>`. The numbers are two
 * integers and one decimal (protocol 4.4, our choice). Throws TypeError for a number out of range, and for an invalid
 * link or one with a hyphen. This is a defect of the caller, not of the request.
 */
export function formatResult(result: QueryResult): string {
  const { link } = result;
  const numbers = joinNumbers(result);
  if (link.includes('-')) throw new TypeError('"link" expected no hyphen, got one; write it as %2D');
  if (!isLink(link))
    throw new TypeError('"link" expected an http or https address ending in 40 hex characters, got another text');
  return `${numbers}-${link}`;
}

/** Returns `<Points>-<Reported>-<Reliability>`. Throws TypeError for a number out of range. */
export function joinNumbers({ points, reported, reliability }: Verdict): string {
  requireCount('points', points);
  requireCount('reported', reported);
  if (!(reliability >= 0 && reliability <= 10))
    throw new TypeError(`"reliability" expected 0 to 10, got ${reliability}`);
  return `${points}-${reported}-${reliability.toFixed(1)}`;
}

/** Returns the numbers in a text as {@link joinNumbers} writes it; undefined for any other text. */
export function readNumbers(text: string): Verdict | undefined {
  const [, points, reported, reliability] = NUMBERS.exec(text) ?? [];
  const verdict = { points: Number(points), reported: Number(reported), reliability: Number(reliability) };
  return Number.isSafeInteger(verdict.points) && Number.isSafeInteger(verdict.reported) ? verdict : undefined;
}

function requireCount(label: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new TypeError(`"${label}" expected an integer of at least 0, got ${value}`);
}

/**
 * Returns the result in a body. Undefined unless the body has four segments with valid numbers and a link (protocol
 * 4.4).
 */
export function parseResult(body: string): QueryResult | undefined {
  const [, numbers = '', link = ''] = RESULT.exec(body) ?? [];
  const verdict = readNumbers(numbers);
  return verdict && isLink(link) && URL.canParse(link) ? { ...verdict, link } : undefined;
}

/** Returns the body for a refusal (protocol 4.2, 7): `ERROR: <details>`, one line without a hyphen. */
export function formatError(refusal: Refusal): string {
  return `${ERROR} ${formatRefusal(refusal)}`;
}

/** Returns the trimmed details of an `ERROR:` body; undefined for any other body. */
export function parseError(body: string): string | undefined {
  return body.startsWith(ERROR) ? body.slice(ERROR.length).trim() : undefined;
}
