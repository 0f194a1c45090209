import { isHash } from '../domain/identifier.ts';
import { fromQueryText, type FieldPairs } from './body.ts';
import type { HttpRequest } from './exchange.ts';

/** Where a request goes. */
export type Route =
  | { readonly to: 'form' }
  | { readonly to: 'query-by-get'; readonly fields: FieldPairs }
  | { readonly to: 'viewer'; readonly linkHash: string }
  /** The viewer was asked with something that is no hash (spec 4.5: 404). */
  | { readonly to: 'viewer-without-hash' }
  | { readonly to: 'wrong-method'; readonly allow: string }
  | { readonly to: 'nowhere' };

/** Finds the way of a request. Whatever is not a way of spec 4 goes nowhere, never to a 200: careless clients take any 200 as accepted. */
export function toRoute(
  request: HttpRequest,
  settings: { readonly basePath: string; readonly allowGetQuery: boolean },
): Route {
  const path = pathUnder(settings.basePath, request.path);
  const reads = request.method === 'GET' || request.method === 'HEAD';

  if (path === '/api' || path === '/api/') {
    if (request.method === 'POST') return { to: 'form' };
    if (!reads) return { to: 'wrong-method', allow: 'GET, HEAD, POST' };
    return toReadingRoute(request, settings.allowGetQuery);
  }
  const [, first, last, ...more] = path?.split('/') ?? [];
  if (first !== 'report' || last === undefined || more.length > 0) return { to: 'nowhere' };
  const linkHash = last.toLowerCase();
  if (!isHash(linkHash)) return { to: 'nowhere' };
  return reads ? { to: 'viewer', linkHash } : { to: 'wrong-method', allow: 'GET, HEAD' };
}

function toReadingRoute(request: HttpRequest, allowGetQuery: boolean): Route {
  const fields = [...fromQueryText(request.query)];
  const shown = fields.filter(([name]) => name === 'showreport');
  const [only] = shown;
  if (only !== undefined) {
    const linkHash = only[1].toLowerCase();
    return shown.length === 1 && isHash(linkHash) ? { to: 'viewer', linkHash } : { to: 'viewer-without-hash' };
  }
  // Only a query: an address is fetched by link previews and prefetchers, so it must not be able to change anything.
  const actions = fields.filter(([name]) => name.toLowerCase() === '_action');
  const asksQuery = actions.length > 0 && actions.every(([, value]) => value === 'query');
  return allowGetQuery && asksQuery && request.method === 'GET' ? { to: 'query-by-get', fields } : { to: 'nowhere' };
}

/** The path below the mount; undefined when it is not below it. `%2D` is the hyphen that links write so (silent: 4.4). */
function pathUnder(basePath: string, path: string): string | undefined {
  const sent = withHyphens(path);
  const base = withHyphens(basePath);
  return sent.startsWith(base) ? sent.slice(base.length) : undefined;
}

function withHyphens(path: string): string {
  return path.replace(/%2d/gi, '-');
}
