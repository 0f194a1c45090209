import type { HttpRequest } from '../../core/http/exchange.ts';

/** How the session's cookie is set. */
export interface CookiePlace {
  /** Path of the panel, with base path. The browser sends the cookie nowhere else. */
  readonly path: string;
  /** True if people reach the service by https: then the browser never sends the cookie without it. */
  readonly secure: boolean;
}

const NAME = 'redflag-session';
/** Browsers accept this prefix only from https, so a network attacker cannot set the cookie. */
const SECURE_NAME = `__Secure-${NAME}`;

/** Returns the session's token of a request; undefined if there is none. Of several, the first one counts. */
export function readSession(request: HttpRequest, secure: boolean): string | undefined {
  const wanted = secure ? SECURE_NAME : NAME;
  for (const part of (request.header('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals >= 0 && part.slice(0, equals).trim() === wanted) return part.slice(equals + 1).trim();
  }
  return undefined;
}

/** Returns the header that sets the cookie until `seconds` from now; with 0, the header that deletes it. */
export function sessionCookie(session: string, seconds: number, { path, secure }: CookiePlace): string {
  const name = secure ? SECURE_NAME : NAME;
  const flags = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${session}; ${flags}${secure ? '; Secure' : ''}`;
}
