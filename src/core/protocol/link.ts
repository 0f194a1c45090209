import { isHash } from '../domain/identifier.ts';
import { optionError } from '../domain/options.ts';
import { withoutTrailing } from '../domain/text.ts';

const LINK_HASH = /^https?:\/\/[^\s?#]+\/([0-9a-f]{40})$/i;

/**
 * Returns a function from a hash to its link, `{publicUrl}/report/<40hex>` (protocol 4.4). Clients split a query's
 * reply on hyphens, so hyphens in host and path become `%2D` (protocol 4.4, our choice). Browsers and URL parsers
 * decode them. Throws TypeError for an invalid address. The returned function throws TypeError unless the hash is 40
 * lowercase hex characters.
 */
export function createLink(publicUrl: string): (linkHash: string) => string {
  const start = linkStart(publicUrl);
  return (linkHash) => {
    if (!isHash(linkHash)) throw new TypeError('"linkHash" expected 40 lowercase hex characters, got another text');
    return start + linkHash;
  };
}

/** Returns the text before the hash in a link of {@link createLink}. Throws TypeError for an invalid address. */
export function linkStart(publicUrl: string): string {
  const { origin, path } = parseBaseUrl('publicUrl', publicUrl);
  return `${origin}${path}/report/`.replaceAll('-', '%2D');
}

/**
 * Returns true if links of `publicUrl` hold `%2D`. Some clients do not decode it in a host: for these, use an address
 * without hyphens. Throws TypeError for an invalid address.
 */
export function linkNeedsDecoding(publicUrl: string): boolean {
  const { origin, path } = parseBaseUrl('publicUrl', publicUrl);
  return `${origin}${path}`.includes('-');
}

/**
 * Returns true for an http or https address whose last path segment is a hash in upper or lower case (protocol 4.4).
 */
export function isLink(text: string): boolean {
  return LINK_HASH.test(text);
}

/**
 * Returns the hash in a link, in lower case: the last path segment (protocol 4.4, 4.5). Undefined if the text is not a
 * link.
 */
export function hashOfLink(link: string): string | undefined {
  return LINK_HASH.exec(link)?.[1]?.toLowerCase();
}

/**
 * Parses a base address (`{base_url}` of protocol 4). It must be an absolute http or https URL without query, fragment,
 * credentials or dot segments. The returned path has no slash at the end. Throws TypeError that names `label` but not
 * the value, which may hold a password.
 */
export function parseBaseUrl(label: string, value: string): { readonly origin: string; readonly path: string } {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) throw optionError(TypeError, label, 'an absolute URL', 'another text');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw optionError(TypeError, label, 'http or https', url.protocol);
  if (url.username !== '' || url.password !== '') throw optionError(TypeError, label, 'no credentials', 'some');
  // Test the text, because URL hides the empty query of `https://example.org/?`.
  if (/[?#]/.test(value)) throw optionError(TypeError, label, 'no query and no fragment', 'one');
  // Refuse dot segments: Node 20 leaves `/-/.a/.` unchanged, and clients would resolve the link to another path.
  if (/[/\\](?:\.|%2e){1,2}(?=[/\\]|$)/i.test(value))
    throw optionError(TypeError, label, 'a path without . and .. segments', 'one');
  return { origin: `${url.protocol}//${url.host}`, path: withoutTrailing(url.pathname, '/') };
}
