import {
  refuseUnknown,
  requireBoolean,
  requireFunction,
  requireOneOf,
  requireString,
  requireWhole,
} from '../domain/options.ts';
import { DEFAULT_FIELDS } from '../protocol/form.ts';
import type { AnswerEvent } from './answer-event.ts';
import type { LogEvent } from './failure.ts';
import type { RequestIds } from './request-id.ts';

/** Options of the service over HTTP. Every option has a default. */
export interface AnswerOptions {
  /** Path under which clients reach the service: with `/fraud`, the endpoint is `/fraud/api/`. Default: none. */
  readonly basePath?: string | undefined;
  /**
   * With `200`, failures of the three actions have status 200 (spec 7 is silent). Some clients ignore the body of any
   * other status. The viewer keeps its own statuses.
   */
  readonly errorStatus?: 200 | undefined;
  /**
   * If true, also answers `GET /api/?_action=query&…` of older clients (spec 4.1 is silent). Default: false, because
   * logs record URLs, and these URLs hold API keys.
   */
  readonly allowGetQuery?: boolean | undefined;
  /** Maximum size of a request body in bytes (spec 8 is silent). Default: 65,536. */
  readonly bodyBytes?: number | undefined;
  /** Maximum number of form fields (spec 8 is silent). Default: 64. */
  readonly fields?: number | undefined;
  /**
   * Maximum number of forms that the service answers at once (spec 8 is silent). Further ones are refused with 503.
   * Default: 1,024.
   */
  readonly formsAtOnce?: number | undefined;
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

const NAMES = [
  'basePath',
  'errorStatus',
  'allowGetQuery',
  'bodyBytes',
  'fields',
  'formsAtOnce',
  'log',
  'onAnswer',
  'requestIds',
];

// The longest text takes 24 KB: 2,000 characters of four bytes, each byte written as %XX. 32 hashes with names take 3
// KB. The rest is reserve for multipart.
const DEFAULT_BODY_BYTES = 65_536;

// A store that answers 5,000 requests a second answers the last of so many after 200 ms.
const DEFAULT_FORMS_AT_ONCE = 1024;

/** Validates the options. Throws TypeError or RangeError for an invalid option. */
export function toAnswerSettings(options: AnswerOptions) {
  refuseUnknown(options, NAMES);
  const {
    basePath = '',
    errorStatus,
    allowGetQuery = false,
    bodyBytes = DEFAULT_BODY_BYTES,
    fields = DEFAULT_FIELDS,
    formsAtOnce = DEFAULT_FORMS_AT_ONCE,
    log,
    onAnswer,
    requestIds,
  } = options;
  if (errorStatus !== undefined) requireWhole('errorStatus', errorStatus, 200, 200);
  requireBoolean('allowGetQuery', allowGetQuery);
  requireWhole('bodyBytes', bodyBytes, 1);
  requireWhole('fields', fields, 1);
  requireWhole('formsAtOnce', formsAtOnce, 1);
  if (log !== undefined) requireFunction('log', log);
  if (onAnswer !== undefined) requireFunction('onAnswer', onAnswer);
  if (requestIds !== undefined) requireOneOf('requestIds', requestIds, ['failures', 'all']);
  return {
    basePath: toBasePath(basePath),
    errorStatus,
    allowGetQuery,
    bodyBytes,
    fields,
    formsAtOnce,
    log,
    onAnswer,
    requestIds,
  };
}

function toBasePath(value: string): string {
  requireString('basePath', value);
  const path = value.replace(/\/+$/, '');
  if (path !== '' && !/^\/[^\s?#]*$/.test(path))
    throw new TypeError('"basePath" expected a path that begins with /, without query or fragment, got another text');
  return path;
}
