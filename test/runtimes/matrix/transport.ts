import type { Service } from '../../../src/core/engine/service.ts';
import { createFetchHandler } from '../../../src/core/http/fetch.ts';
import type { ListenerOptions } from '../../../src/core/http/listener.ts';
import type { Transport } from '../../specification/transport.ts';

/** Calls the fetch handler, for runtimes without Node's HTTP. The platform's proxy tells the client's address. */
export async function openTransport(
  service: Service,
  { trustProxies, ...options }: ListenerOptions,
): Promise<Transport> {
  const handle = createFetchHandler(service, options);
  return {
    origin: 'http://127.0.0.1',
    fetch(url, init) {
      const request = new Request(url, init);
      const sent = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
      return handle(request, { address: (trustProxies === undefined ? undefined : sent) ?? '127.0.0.1' });
    },
    close: async () => undefined,
  };
}
