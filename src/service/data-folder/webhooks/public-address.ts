import ipaddr from 'ipaddr.js';
import { lookup, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** The name leads to an address that webhooks may not reach. The message contains no address. */
export class PrivateAddressError extends Error {}

/** Global unicast addresses (RFC 4291). Outside are IPv4 addresses in old forms, such as `::127.0.0.1`. */
const GLOBAL_IPV6 = /* @__PURE__ */ ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses of the public ranges that lead into the platform of a cloud: metadata and agents of Azure, and services of
 * IBM Cloud. Those of other clouds are in private ranges.
 */
const PLATFORMS = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * True for an address on the public internet. False for private, loopback, link-local, shared (CGNAT), multicast and
 * reserved ranges, for what a cloud keeps for itself, for IPv6 forms that contain an IPv4 address (NAT64, 6to4,
 * Teredo), and for text that is no address. An IPv4-mapped address counts as its IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6)) return false;
  if (address instanceof ipaddr.IPv4 && PLATFORMS.some((range) => address.match(range))) return false;
  return address.range() === 'unicast';
}

/**
 * Resolves the name of a URL once and returns all its addresses. Rejects with PrivateAddressError unless all of them
 * are public, or private ones are allowed. Connect only to these addresses: a second lookup could return other ones.
 */
export async function resolveOnce(hostname: string, toPrivate: boolean): Promise<readonly LookupAddress[]> {
  // The host of a URL has brackets around an IPv6 address.
  const name = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(name);
  const found =
    family === 0
      ? await new Promise<LookupAddress[]>((resolve, reject) =>
          lookup(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
        )
      : [{ address: name, family }];
  if (found.length === 0 || (!toPrivate && !found.every(({ address }) => isPublicAddress(address))))
    throw new PrivateAddressError('the name leads to a private address');
  return found;
}
