import type { HttpReply, HttpRequest } from '../../core/http/exchange.ts';
import { TEXT_HEADERS } from '../../core/http/form-answer.ts';

/** The answer to a form that a browser sends from another site. */
export const FOREIGN_FORM: HttpReply = {
  status: 403,
  headers: TEXT_HEADERS,
  body: 'ERROR: The form is from a page of another site.',
};

/** An origin as browsers send it, in ASCII. To parse the Unicode name of a host takes quadratic time. */
const ORIGIN = /^https?:\/\/[\w.\-:[\]]{1,300}$/;

/**
 * Returns where the browser says that a form is from: `here` for a page of this service, `elsewhere` for another site.
 * Current browsers say so with Sec-Fetch-Site; over plain http, only with Origin. Programs usually send neither.
 */
export function senderOf(request: HttpRequest, publicUrl: string): 'here' | 'elsewhere' | 'unsaid' {
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  if (site === undefined && origin === undefined) return 'unsaid';
  if (site !== undefined && site !== 'same-origin') return 'elsewhere';
  // Some extensions hide the origin. The browser has said that the form is of this service.
  if (origin === undefined || (origin === 'null' && site !== undefined)) return 'here';
  const from = ORIGIN.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
  // A proxy may name another host to the service than people use: then the public address has it.
  const isPublic = URL.canParse(publicUrl) && from?.origin === new URL(publicUrl).origin;
  return from !== undefined && (isPublic || from.host === request.header('host')) ? 'here' : 'elsewhere';
}
