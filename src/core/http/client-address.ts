const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
// A rough check is enough: the address is only the name of a counter. The length limit stops long forged values.
const ADDRESS = /^[0-9a-f:.]{2,45}$/;

/**
 * Returns the address under which a client's requests are counted (protocol 8, our choice). If `trustProxies` is 0,
 * this is the socket's address. If it is n, this is the n-th address from the right in X-Forwarded-For, because each
 * proxy appends the address of its peer. Empty elements do not count. If the header has no such address, returns the
 * socket's address.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxies: number,
): string | undefined {
  const socket = socketAddress?.replace(MAPPED_IPV4, '');
  if (trustProxies === 0 || forwardedFor === undefined) return socket;
  const elements = forwardedFor.split(',').filter((element) => element.trim() !== '');
  const sent = bareAddress(elements.at(-trustProxies) ?? '');
  return ADDRESS.test(sent) ? sent.replace(MAPPED_IPV4, '') : socket;
}

/** Returns an address in lower case, without quotes, brackets, port and zone. */
export function bareAddress(address: string): string {
  const [host] = /[^%\]]*/.exec(address.trim().toLowerCase().replaceAll(/["[]/g, ''))!;
  return host.replace(/^([\d.]+):\d+$/, '$1');
}
