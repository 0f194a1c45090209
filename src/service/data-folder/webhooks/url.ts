import { isIP } from 'node:net';
import { RedflagError } from '../../../core/domain/redflag-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Maximum length of a webhook's URL. */
const URL_CHARACTERS = 2_000;

/** The URL of a webhook is not valid. The message does not repeat it: it may contain a token. */
export class WebhookUrlError extends RedflagError {
  static override readonly kind = 'WebhookUrlError';
}

/**
 * Throws WebhookUrlError unless a webhook can have this URL. Its name is resolved at each delivery only, but an address
 * in its place is checked.
 */
export function validateWebhookUrl(text: string, toPrivate: boolean): void {
  // The parser would drop them: what is stored would not be what is used, and a log line could be broken in two.
  const isPlain = !/[\s\p{Cc}\p{Cf}]/u.test(text);
  const url = isPlain && URL.canParse(text) ? new URL(text) : undefined;
  const isAllowed = url?.protocol === 'https:' || (toPrivate && url?.protocol === 'http:');
  // The host of a URL has brackets around an IPv6 address.
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isReached = toPrivate || isIP(host) === 0 || isPublicAddress(host);
  if (!url || !isAllowed || !isReached || url.username || url.password || url.hash || text.length > URL_CHARACTERS)
    throw new WebhookUrlError(
      'webhooks add expects an address that begins with https://, without user name, fragment and white space, of at most 2000 characters; http:// and private addresses need --webhooks-to-private',
    );
}
