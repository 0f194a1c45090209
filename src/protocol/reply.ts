import type { Refusal } from '../domain/refusal.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { hashOfLink } from './link.ts';
import { wordRefusal } from './wording.ts';

/** The body of a report or delete that was done (spec 4.2, 4.3). */
export const OK = 'OK';

const ERROR = 'ERROR:';
const INTEGER = /^(?:0|[1-9][0-9]*)$/;
const ONE_DECIMAL = /^(?:10\.0|[0-9]\.[0-9])$/;

/**
 * The body of a query (spec 4.4): `<Points>-<Reported>-<Reliability>-<link>`, two plain integers and one decimal (silent: 4.4).
 * Throws TypeError when the result cannot be written so that it splits into exactly four: that is a fault of the caller, never of a request.
 */
export function formatResult({ points, reported, reliability, link }: QueryResult): string {
  for (const [label, value] of [
    ['points', points],
    ['reported', reported],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new TypeError(`"${label}" expected an integer of at least 0, got ${value}`);
  }
  if (!(reliability >= 0 && reliability <= 10))
    throw new TypeError(`"reliability" expected 0 to 10, got ${reliability}`);
  if (link.includes('-')) throw new TypeError('"link" expected no hyphen, got one; write it as %2D');
  if (hashOfLink(link) === undefined)
    throw new TypeError('"link" expected an http or https address ending in 40 hex characters, got another text');
  // `+ 0` because a negative zero would be written with its sign.
  return `${points + 0}-${reported + 0}-${(reliability + 0).toFixed(1)}-${link}`;
}

/** The result in a body, or undefined: HTML, fewer or more than four segments, another number format, no link (spec 4.4). */
export function parseResult(body: string): QueryResult | undefined {
  const [points, reported, reliability, link, ...more] = body.split('-');
  if (
    points === undefined ||
    reported === undefined ||
    reliability === undefined ||
    link === undefined ||
    more.length > 0
  )
    return undefined;
  if (!INTEGER.test(points) || !INTEGER.test(reported) || !ONE_DECIMAL.test(reliability)) return undefined;
  if (!Number.isSafeInteger(Number(points)) || !Number.isSafeInteger(Number(reported))) return undefined;
  if (hashOfLink(link) === undefined || !URL.canParse(link)) return undefined;
  return { points: Number(points), reported: Number(reported), reliability: Number(reliability), link };
}

/** The body of a failure (spec 4.2, 7): `ERROR: <details>`, one line without a hyphen. */
export function formatError(refusal: Refusal): string {
  return `${ERROR} ${wordRefusal(refusal)}`;
}

/** The details of a failure's body, trimmed; undefined when the body is something else. */
export function parseError(body: string): string | undefined {
  return body.startsWith(ERROR) ? body.slice(ERROR.length).trim() : undefined;
}
