import type { HttpRequest } from '../../core/http/exchange.ts';

/**
 * Browsers send cookies of 127.0.0.1 to every port, so another program there can read the cookie, and set one. So a
 * session has two halves: one in the cookie, and one in the addresses of its pages. The browser sends the cookie to
 * these addresses only, and no other program knows them.
 */
const HALF = 32;
const PLACE = /^[0-9a-f]{32}$/;

/** Where a session's cookie belongs. */
export interface CookiePlace {
  /** Path of the session's pages, with base path. It ends with a slash. The browser sends the cookie nowhere else. */
  readonly path: string;
  /** True if people reach the service by https: then the browser never sends the cookie without it. */
  readonly secure: boolean;
}

const NAME = 'redflag-panel';
/** Browsers accept this prefix only from https, so a network attacker cannot set the cookie. */
const SECURE_NAME = `__Secure-${NAME}`;

/** True for the part of an address that belongs to a session. */
export function isPlace(part: string): boolean {
  return PLACE.test(part);
}

/** Returns the two halves of a session's token. */
export function splitSession(session: string): { readonly cookie: string; readonly place: string } {
  return { cookie: session.slice(0, HALF), place: session.slice(HALF) };
}

/** Returns the token of a session from its halves. */
export function joinSession(cookie: string, place: string): string {
  return cookie + place;
}

/** Returns the values of all session cookies in a request. More than one: another program has set a cookie. */
export function readCookies(request: HttpRequest, secure: boolean): readonly string[] {
  const wanted = secure ? SECURE_NAME : NAME;
  const found: string[] = [];
  for (const part of (request.header('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals >= 0 && part.slice(0, equals).trim() === wanted) found.push(part.slice(equals + 1).trim());
  }
  return found;
}

/** Returns the header that sets the cookie until `seconds` from now; with 0, the header that deletes it. */
export function sessionCookie(cookie: string, seconds: number, { path, secure }: CookiePlace): string {
  const name = secure ? SECURE_NAME : NAME;
  const flags = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${cookie}; ${flags}${secure ? '; Secure' : ''}`;
}
