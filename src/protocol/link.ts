import { isHash } from '../domain/identifier.ts';
import { parseBaseUrl } from './base-url.ts';

const LINK_HASH = /^https?:\/\/[^\s?#]+\/([0-9a-f]{40})$/i;

/**
 * Makes the links of a service at `publicUrl`: `{publicUrl}/report/<40hex>` (spec 4.4). A hyphen of host or path is written `%2D`, which browsers and
 * URL parsers decode, because the link is a segment of a text that is split on hyphens (silent: 4.4).
 * Throws TypeError for an address that cannot be one, and for a hash that is not 40 lowercase hex characters.
 */
export function createLink(publicUrl: string): (linkHash: string) => string {
  const { origin, path } = parseBaseUrl('publicUrl', publicUrl);
  const start = `${origin}${path}/report/`.replaceAll('-', '%2D');
  return (linkHash) => {
    if (!isHash(linkHash)) throw new TypeError('"linkHash" expected 40 lowercase hex characters, got another text');
    return start + linkHash;
  };
}

/** True when links under `publicUrl` hold `%2D`: a program that does not decode it in a host needs an address without hyphens. Throws like {@link createLink}. */
export function linkNeedsDecoding(publicUrl: string): boolean {
  const { origin, path } = parseBaseUrl('publicUrl', publicUrl);
  return `${origin}${path}`.includes('-');
}

/** The hash that the viewer takes, lowered: the final path segment of a link (spec 4.4, 4.5). Undefined when the text is no such link. */
export function hashOfLink(link: string): string | undefined {
  return LINK_HASH.exec(link)?.[1]?.toLowerCase();
}
