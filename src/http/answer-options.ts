import { DEFAULT_FIELDS } from '../protocol/bounds.ts';
import type { LogEvent } from './failure.ts';

/** How the service answers over HTTP. Every option has a default. */
export interface AnswerOptions {
  /** The path under which the service is mounted, as clients send it: `/fraud` serves `/fraud/api/`. Default: none. */
  readonly basePath?: string | undefined;
  /** `200` answers the failures of the three actions with that status, for clients that drop the body of any other (silent: 7). The viewer keeps its own. */
  readonly errorStatus?: 200 | undefined;
  /** True answers `GET /api/?_action=query&…` too, as older clients send it. Off by default: addresses, and so keys, end up in logs (silent: 4.1). */
  readonly allowGetQuery?: boolean | undefined;
  /** Most bytes of a request's body (silent: 8). */
  readonly bodyBytes?: number | undefined;
  /** Most fields of a form (silent: 8). */
  readonly fields?: number | undefined;
  /** Told what an operator should look into. Events hold no submitted value. */
  readonly log?: ((event: LogEvent) => void) | undefined;
}

/** The options, proved and complete. */
export interface AnswerSettings {
  readonly basePath: string;
  readonly errorStatus: 200 | undefined;
  readonly allowGetQuery: boolean;
  readonly bodyBytes: number;
  readonly fields: number;
  readonly log: (event: LogEvent) => void;
}

// 2,000 characters of four bytes, each byte written as %XX, are 24 KB; 32 hashes with their names are 3 KB. The rest is room for multipart.
const DEFAULT_BODY_BYTES = 65_536;

/** Proves the options. Throws TypeError for one that cannot hold. */
export function toAnswerSettings(options: AnswerOptions): AnswerSettings {
  if (options.errorStatus !== undefined && options.errorStatus !== 200)
    throw new TypeError('"errorStatus" expected 200 or nothing, got another value');
  const fields = options.fields ?? DEFAULT_FIELDS;
  const bodyBytes = options.bodyBytes ?? DEFAULT_BODY_BYTES;
  for (const [label, value] of Object.entries({ fields, bodyBytes })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`"${label}" expected an integer of at least 1, got ${String(value)}`);
  }
  return {
    basePath: toBasePath(options.basePath ?? ''),
    errorStatus: options.errorStatus,
    allowGetQuery: options.allowGetQuery === true,
    bodyBytes,
    fields,
    log: options.log ?? ignore,
  };
}

function toBasePath(value: string): string {
  const path = value.replace(/\/+$/, '');
  if (path !== '' && !/^\/[^\s?#]*$/.test(path))
    throw new TypeError('"basePath" expected a path that begins with /, without query or fragment, got another text');
  return path;
}

function ignore(): void {}
