const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
const BRACKETED_IPV6 = /^\[([0-9a-fA-F:.]+)\](?::\d{1,5})?$/;
// The shape is enough: the value is only a name to count by, and the bound keeps a forged one short.
const ADDRESS = /^[0-9a-fA-F:.]{2,45}$/;

/**
 * The address to count a client's requests by (spec 8; silent: who knows it). The socket's, unless the operator says how many proxies stand in front:
 * then the n-th address from the right of X-Forwarded-For, because each proxy appends the address that it saw and only those of trusted proxies are true.
 * When the header is shorter than that or holds something else there, the socket's address counts.
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
