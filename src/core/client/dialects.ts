import { isCode, isHash } from '../domain/identifier.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { parseClassicError, parseClassicReceipt, parseClassicResult } from '../protocol/classic.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { hashOfLink } from '../protocol/link.ts';
import { OK, parseError, parseResult } from '../protocol/reply.ts';
import type { Reply } from './exchange.ts';

/**
 * The codes of a report. Other services may omit both, because the specification does not say how to send them (2.4).
 */
export interface SentReport {
  /** Public id, 16 lowercase hex characters. */
  readonly reportId: string | undefined;
  /** Code for the client's `remove`, 16 lowercase hex characters. */
  readonly deletionCode: string | undefined;
}

/** The result of a query, and the hash in the result's link. */
export interface ClientQueryResult extends QueryResult {
  /** 40 lowercase hex characters, in the classic dialect 16, for the client's `view`. */
  readonly linkHash: string;
}

/** How the replies of a service are read. Each function returns undefined for another text. */
export interface ReplyReader {
  parseError(body: string): string | undefined;
  /** Returns true if the details of an error are about the API key. */
  isAboutKey(details: string): boolean;
  /** Returns true for an error body that asks for a retry, whatever its status. */
  isTemporary(body: string): boolean;
  parseReport(reply: Reply): SentReport | undefined;
  /** `endpoint` is the address of the form endpoint, with a slash at the end. */
  parseQuery(body: string, endpoint: string): ClientQueryResult | undefined;
  /** Returns the id by which the viewer finds a link, from the link or its hash. */
  toLinkId(linkOrHash: string): string | undefined;
  /** What {@link toLinkId} expects, for messages. */
  readonly linkIdForm: string;
}

// Not `api` alone: a service may say that there is no such API method.
const ABOUT_KEY = /\b(?:key|auth\w*|credentials?)\b/i;

const SPECIFICATION: ReplyReader = {
  parseError,
  isAboutKey: (details) => ABOUT_KEY.test(details),
  isTemporary: () => false,
  parseReport: ({ body, headers }) =>
    body === OK
      ? { reportId: codeIn(headers, 'X-Report-Id'), deletionCode: codeIn(headers, 'X-Deletion-Code') }
      : undefined,
  parseQuery(body) {
    const result = parseResult(body);
    const linkHash = result && hashOfLink(result.link);
    return result && linkHash !== undefined ? { ...result, linkHash } : undefined;
  },
  toLinkId(linkOrHash) {
    const last = lastPartOf(linkOrHash);
    return isHash(last) ? last : undefined;
  },
  linkIdForm: 'a link or its 40 hex characters',
};

const CLASSIC: ReplyReader = {
  parseError: parseClassicError,
  isAboutKey: (details) => details === 'ERR:API',
  isTemporary(body) {
    const error = parseClassicError(body);
    return error === 'ERR:LIMIT' || error === 'ERR:UNAVAILABLE';
  },
  parseReport({ body, headers }) {
    const deletionCode = parseClassicReceipt(body);
    return deletionCode === undefined ? undefined : { reportId: codeIn(headers, 'X-Report-Id'), deletionCode };
  },
  parseQuery(body, endpoint) {
    const result = parseClassicResult(body);
    if (result === undefined) return undefined;
    const { points, reported, reliability, viewerCode } = result;
    return { points, reported, reliability, link: endpoint + toViewerQuery(viewerCode), linkHash: viewerCode };
  },
  toLinkId(linkOrHash) {
    const last = lastPartOf(linkOrHash);
    return isHash(last) || isCode(last) ? last : undefined;
  },
  linkIdForm: 'a link, or its 16 or 40 hex characters',
};

export const READERS: Readonly<Record<Dialect, ReplyReader>> = { specification: SPECIFICATION, classic: CLASSIC };

/** Returns the query of the viewer's address (protocol 4.5). */
export function toViewerQuery(linkId: string): string {
  return `?showreport=${linkId}`;
}

/** Returns the end of a link in lower case: `…/report/HASH` or `…?showreport=HASH`. */
function lastPartOf(link: string): string {
  return link.slice(Math.max(link.lastIndexOf('/'), link.lastIndexOf('=')) + 1).toLowerCase();
}

function codeIn(headers: Headers, name: string): string | undefined {
  const value = headers.get(name);
  return value !== null && isCode(value) ? value : undefined;
}
