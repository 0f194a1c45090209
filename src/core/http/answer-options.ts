import {
  optionError,
  refuseUnknown,
  requireBoolean,
  requireFunction,
  requireOneOf,
  requireString,
  requireWhole,
} from '../domain/options.ts';
import { DIALECTS, type Dialect } from '../protocol/dialect.ts';
import { DEFAULT_FIELDS } from '../protocol/form.ts';
import type { AnswerEvent, HttpReply, HttpRequest } from './exchange.ts';
import type { LogEvent } from './failure.ts';
import type { Pages } from './pages.ts';
import type { RequestIds } from './request-id.ts';
import { withoutTrailing } from '../domain/text.ts';

/** One place where the service answers, and how. */
export interface Endpoint {
  /** Path before `/api/`, without a slash at its end. A hyphen may be written `%2D`. */
  readonly basePath: string;
  readonly dialect: Dialect;
  /** Status of refused forms, in place of the reason's. */
  readonly errorStatus: 200 | undefined;
  readonly allowGetQuery: boolean;
}

/**
 * Answers paths beside the protocol, for programs. `path` is without the base path. Returns undefined for any other
 * path. Must not reject.
 */
export type BesidePart = (request: HttpRequest, path: string) => Promise<HttpReply> | undefined;

/** Options of the service over HTTP. Every option has a default. */
export interface AnswerOptions {
  /** Path under which clients reach the service: with `/fraud`, the endpoint is `/fraud/api/`. Default: none. */
  readonly basePath?: string | undefined;
  /**
   * How forms are answered. `classic` is the dialect of older clients: short bodies, an error has status 200, a query
   * may be a GET, and the viewer also takes the 16 digits of a result. Not with `classicPath`, `errorStatus` and
   * `allowGetQuery`. Default: `specification`.
   */
  readonly dialect?: Dialect | undefined;
  /**
   * Second path, like `basePath`, under which the same service answers in the classic dialect. Limits and counts are
   * shared. Default: none.
   */
  readonly classicPath?: string | undefined;
  /**
   * With `200`, failures of the three actions have status 200 (protocol 7, our choice). Some clients ignore the body of
   * any other status. The viewer keeps its own statuses.
   */
  readonly errorStatus?: 200 | undefined;
  /**
   * If true, also answers `GET /api/?_action=query&…` of older clients (protocol 4.1, our choice). Default: false,
   * because logs record URLs, and these URLs hold API keys.
   */
  readonly allowGetQuery?: boolean | undefined;
  /** Maximum size of a request body in bytes (protocol 8, our choice). Default: 32,768. */
  readonly bodyBytes?: number | undefined;
  /** Maximum number of form fields (protocol 8, our choice). Default: 64. */
  readonly fields?: number | undefined;
  /**
   * Maximum number of forms that the service answers at once (protocol 8, our choice). Further ones are refused with
   * 503. Default: 1,024.
   */
  readonly formsAtOnce?: number | undefined;
  /**
   * Pages for people: `/report/<40hex>` then answers a browser, which prefers HTML, with the page of the record.
   * Default: none.
   */
  readonly pages?: Pages | undefined;
  /** Answers paths beside the protocol. Default: none. */
  readonly beside?: BesidePart | undefined;
  /** Called for failures that the operator should investigate. Events hold no submitted value. */
  readonly log?: ((event: LogEvent) => void) | undefined;
  /** Called for each reply, before it is sent. Events hold no submitted value. Errors of `onAnswer` are ignored. */
  readonly onAnswer?: ((event: AnswerEvent) => void) | undefined;
  /**
   * Adds `X-Request-Id` to replies: `failures` to those to failures of the service (500, 503), `all` to each. The
   * events of `log` and `onAnswer` have the same id. Default: none.
   */
  readonly requestIds?: RequestIds | undefined;
}

/** The validated options, with defaults filled in. */
export type AnswerSettings = ReturnType<typeof toAnswerSettings>;

/**
 * The longest report has 2,000 code points of text, each of up to 12 characters (`%F0%9F%98%80`), and 32 identifiers of
 * at most 74: less than 27,000 in all. The rest is reserve for multipart.
 */
const DEFAULT_BODY_BYTES = 32_768;

// A store that answers 5,000 requests a second answers the last of so many after 200 ms.
const DEFAULT_FORMS_AT_ONCE = 1024;

/** Validates the options. Throws TypeError or RangeError for an invalid option. */
export function toAnswerSettings(options: AnswerOptions) {
  const {
    basePath = '',
    dialect = 'specification',
    classicPath,
    errorStatus,
    allowGetQuery,
    bodyBytes = DEFAULT_BODY_BYTES,
    fields = DEFAULT_FIELDS,
    formsAtOnce = DEFAULT_FORMS_AT_ONCE,
    pages,
    beside,
    log,
    onAnswer,
    requestIds,
    ...unknown
  } = options;
  refuseUnknown(unknown, []);
  requireOneOf('dialect', dialect, DIALECTS);
  if (errorStatus !== undefined) requireWhole('errorStatus', errorStatus, 200, 200);
  if (allowGetQuery !== undefined) requireBoolean('allowGetQuery', allowGetQuery);
  if (dialect === 'classic')
    for (const [name, value] of Object.entries({ classicPath, allowGetQuery, errorStatus }))
      if (value !== undefined)
        throw new RangeError(`"${name}" has no effect with the classic dialect; leave one of them out`);
  requireWhole('bodyBytes', bodyBytes, 1);
  requireWhole('fields', fields, 1);
  requireWhole('formsAtOnce', formsAtOnce, 1);
  for (const page of ['record', 'refused'] as const)
    if (pages !== undefined) requireFunction(`pages.${page}`, pages[page]);
  if (beside !== undefined) requireFunction('beside', beside);
  if (log !== undefined) requireFunction('log', log);
  if (onAnswer !== undefined) requireFunction('onAnswer', onAnswer);
  if (requestIds !== undefined) requireOneOf('requestIds', requestIds, ['failures', 'all']);
  return {
    endpoints: toEndpoints(
      { basePath: toBasePath('basePath', basePath), dialect, errorStatus, allowGetQuery: allowGetQuery ?? false },
      classicPath,
    ),
    bodyBytes,
    fields,
    formsAtOnce,
    pages,
    beside,
    log,
    onAnswer,
    requestIds,
  };
}

function toEndpoints(main: Endpoint, classicPath: string | undefined): readonly [Endpoint, ...Endpoint[]] {
  if (classicPath === undefined) return [main.dialect === 'classic' ? toClassic(main.basePath) : main];
  const basePath = toBasePath('classicPath', classicPath);
  if (basePath.replace(/%2d/gi, '-') === main.basePath.replace(/%2d/gi, '-'))
    throw optionError(RangeError, 'classicPath', 'another path than the specification has', 'the same');
  return [main, toClassic(basePath)];
}

function toClassic(basePath: string): Endpoint {
  return { basePath, dialect: 'classic', errorStatus: 200, allowGetQuery: true };
}

// Segments that are not empty, . or .., of characters that addresses do not escape (RFC 3986), or of escapes that
// addresses need. %2D is the hyphen of a link.
const REACHABLE =
  /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%(?!2e|3\d|[46][1-9a-f]|5[\daf]|7[\dae])[\da-f]{2})+)*$/i;

/** Returns a path without slashes at its end. Throws TypeError that names `label` if no request can reach the path. */
export function toBasePath(label: string, value: string): string {
  requireString(label, value);
  const path = withoutTrailing(value, '/');
  if (!REACHABLE.test(path))
    throw optionError(
      TypeError,
      label,
      'a path that begins with /, as clients send it: without query, fragment, empty or dot segments, and with %XX only for characters that need it',
      'another text',
    );
  return path;
}
