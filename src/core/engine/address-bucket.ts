/**
 * Returns the bucket name of a client address. IPv6 uses the /64 network, because one client usually owns all of it.
 * IPv4 mapped into IPv6 becomes IPv4. Any other text is returned unchanged.
 */
export function addressBucket(address: string): string {
  const plain = withoutBracketsAndZone(address).toLowerCase();
  const mapped = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** `[fe80::1%eth0]` and `fe80::1` are one address. The zone says by which interface it was reached (RFC 4007). */
function withoutBracketsAndZone(address: string): string {
  const from = address.startsWith('[') ? 1 : 0;
  const zone = address.indexOf('%');
  if (zone >= 0) return address.slice(from, zone);
  return address.slice(from, address.endsWith(']') ? -1 : undefined);
}
