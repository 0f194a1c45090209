import { addressBits, hasUnclearZeros, isNetwork, readIp, withoutZeros } from './value-form.ts';

/** Blocks of IPv4 whose addresses name no person (registry of IANA), without those for documentation. */
const NOBODYS_IPV4: readonly (readonly [base: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
/** Blocks of IPv6, as bits of the first group: unique local, link-local, site-local and multicast. */
const NOBODYS_IPV6: readonly (readonly [first: number, mask: number])[] = [
  [0xfc00, 0xfe00],
  [0xfe80, 0xffc0],
  [0xfec0, 0xffc0],
  [0xff00, 0xff00],
];

/** First bits of addresses of version 6 that hold one of version 4: compatible (RFC 4291), NAT64 and 6to4. */
const FOUR_IN_SIX: readonly string[] = [
  '0'.repeat(96),
  `${(0x64).toString(2).padStart(16, '0')}${(0xff9b).toString(2)}${'0'.repeat(64)}`,
  (0x2002).toString(2).padStart(16, '0'),
];

/** Returns why an address is that of no person. */
export function whyNotIp(given: string): 'nobody' | 'placeholder' | undefined {
  if (!/[\p{Nd}:]/u.test(given)) return given.startsWith('localhost') ? 'nobody' : 'placeholder';
  if (/^(?:localhost|unix):/.test(given) || isSeveralAddresses(given)) return 'nobody';
  const bare = given
    .replace(/^(?:[a-z]{2,6}:\/\/|for=|ip(?:v?[46])?:|\/)+/, '')
    .replace(/^[(<]([^()<>]*)[)>]$/, '$1')
    .replace(/^\[([^\][]*)\].*$/s, '$1')
    .replace(/^ipv?6:/, '')
    .replace(/%.*$/s, '')
    .replace(/\/\d{1,3}$/, '')
    .replace(/^([\d.]+)[:#]\d{1,5}$/, '$1');
  // Decimal and octal are both likely; few write octal.
  const address = readIp(hasUnclearZeros(bare) ? withoutZeros(bare) : bare);
  // Three numbers and more, or groups of version 6, that are no address.
  if (address === undefined)
    return /^(?:\d+(?:\.\d+){3,}|[\da-z.]{0,15}(?::[\da-z.]{0,15}){2,})$/.test(bare) ? 'placeholder' : undefined;
  // Its last part was cut off for privacy.
  if (!address.includes(':')) return address.endsWith('.0') || isNobodysIpv4(toNumber(address)) ? 'nobody' : undefined;
  const first = Number.parseInt(address, 16);
  const bits = addressBits(address);
  const isNobodys =
    address === '::1' ||
    bits.endsWith('0'.repeat(64)) ||
    address.startsWith('100::') ||
    NOBODYS_IPV6.some(([base, mask]) => (first & mask) === base);
  if (isNobodys) return 'nobody';
  const prefix = FOUR_IN_SIX.find((one) => bits.startsWith(one));
  if (prefix === undefined) return undefined;
  const four = Number.parseInt(bits.slice(prefix.length, prefix.length + 32), 2);
  return isNobodysIpv4(four) ? 'nobody' : undefined;
}

/** Returns true for several addresses, a range, or a network that is more than one address. */
function isSeveralAddresses(text: string): boolean {
  const [, network, length = ''] = /^([\d.]+)\/(\d{1,2}|[\d.]{7,15})$/.exec(text) ?? [];
  if (network !== undefined && length.includes('.')) return length !== '255.255.255.255';
  if (network !== undefined && readIp(network) === undefined) return true;
  if (isNetwork(text.replace(/[[\]]/g, '')) === true) return true;
  const parts = text.split(/[,;|&\n\t]|(?<=[\da-f:])[-–—](?=[\da-f:])|->|\.\.+/).filter((part) => part !== '');
  const isAddress = (part: string): boolean => /[.:]/.test(part) && readIp(part) !== undefined;
  if (parts.length > 1 && parts.length < 20 && isAddress(parts[0]!)) return true;
  // Two with a space between them.
  return /^\d{1,3}(?:\.\d{1,6}){6,}$/.test(text);
}

function isNobodysIpv4(address: number): boolean {
  return NOBODYS_IPV4.some(([base, bits]) => address >>> (32 - bits) === toNumber(base) >>> (32 - bits));
}

function toNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0) >>> 0;
}
