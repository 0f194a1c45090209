import type { Service } from '../../src/core/engine/service.ts';
import { createListener, type ListenerOptions } from '../../src/core/http/listener.ts';
import { listenOn } from '../http/listening.ts';

/** How requests reach a service. */
export interface Transport {
  readonly origin: string;
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

/** Serves over HTTP on loopback. Runtimes without Node's modules take `test/runtimes/matrix/transport.ts` instead. */
export async function openTransport(service: Service, options: ListenerOptions): Promise<Transport> {
  const { origin, close } = await listenOn(createListener(service, options));
  return { origin, fetch: (url, init) => fetch(url, init), close };
}
