import { linkNeedsDecoding } from '../protocol/link.ts';

/** What an operator should know about the address that links begin with (spec 4.4). */
export function addressNotices(host: string, given: string | undefined, publicUrl: string): string[] {
  const notices: string[] = [];
  if (given === undefined && (host === '0.0.0.0' || host === '::')) {
    notices.push(
      'links begin with the address that the service listens on, which leads nowhere from elsewhere; set --public-url to the one that others use',
    );
  }
  if (linkNeedsDecoding(publicUrl)) {
    notices.push(
      'links spell the hyphens of the public address as %2D, which browsers decode; for programs that cannot, set --public-url to an address without one',
    );
  }
  return notices;
}
