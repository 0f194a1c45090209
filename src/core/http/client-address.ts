const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
const BRACKETED_IPV6 = /^\[([0-9a-fA-F:.]+)\](?::\d{1,5})?$/;
// A rough check is enough: the address is only the name of a counter. The length limit stops long forged values.
const ADDRESS = /^[0-9a-fA-F:.]{2,45}$/;

/**
 * Returns the address under which a client's requests are counted (protocol 8, our choice). If `trustProxies` is 0,
 * this is the socket's address. If it is n, this is the n-th address from the right in X-Forwarded-For, because each
 * proxy appends the address of its peer. If the header has no such address, returns the socket's address.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxies: number,
): string | undefined {
  const socket = socketAddress?.replace(MAPPED_IPV4, '');
  if (trustProxies === 0 || forwardedFor === undefined) return socket;
  const sent = forwardedFor.split(',').at(-trustProxies)?.trim() ?? '';
  const bare = IPV4_WITH_PORT.exec(sent)?.[1] ?? BRACKETED_IPV6.exec(sent)?.[1] ?? sent;
  return ADDRESS.test(bare) ? bare.replace(MAPPED_IPV4, '').toLowerCase() : socket;
}
