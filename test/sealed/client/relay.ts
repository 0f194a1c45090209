import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { TestService } from './service.ts';

/** Serves the endpoints of a service over HTTP. While it is away, cuts each connection. */
export function relayTo({ fetch: answer }: TestService): RequestListener {
  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = 'GET', headers } = request;
    const sent = new Headers();
    for (const name of ['authorization', 'content-type'])
      if (typeof headers[name] === 'string') sent.set(name, headers[name]);
    const body = parts.length > 0 ? Buffer.concat(parts).toString() : null;
    const reply = await answer(`http://service.example${request.url}`, { method, headers: sent, body });
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(new Uint8Array(await reply.arrayBuffer()));
  };
  return (request, response) => void relay(request, response).catch(() => response.destroy());
}
