import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly data: { reporterId: string | null; subject: string | null; amount: number | null };
}

export interface Receiver {
  readonly url: string;
  /** Messages that were accepted, in the order of their arrival. */
  readonly received: Received[];
  /** All requests, accepted or not. */
  readonly requests: () => number;
  /** The most requests that were open at once. */
  readonly mostOpen: () => number;
  /** Answers from now on in this way. */
  answer(act: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Verifies the signatures with the library of Standard Webhooks from now on. */
  verifyWith(secret: string): void;
  close(): Promise<void>;
}

export const accept = (_: IncomingMessage, response: ServerResponse): void => void response.writeHead(204).end();
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(code, headers).end('an answer');

/** A real receiver on loopback; with a certificate for `localhost`, it speaks HTTPS. */
export async function openReceiver(port = 0, tls?: { readonly key: string; readonly cert: string }): Promise<Receiver> {
  const received: Received[] = [];
  const state = { requests: 0, open: 0, mostOpen: 0, secret: '', act: accept as Parameters<Receiver['answer']>[0] };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    state.requests++;
    state.open++;
    state.mostOpen = Math.max(state.mostOpen, state.open);
    response.once('close', () => state.open--);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      if (state.secret !== '') {
        try {
          new Webhook(state.secret).verify(body, headers);
        } catch {
          response.writeHead(401).end();
          return;
        }
      }
      response.once('finish', () => {
        if (response.statusCode >= 200 && response.statusCode < 300)
          received.push({
            id: headers['webhook-id']!,
            path: request.url!,
            ...(JSON.parse(body) as object),
          } as Received);
      });
      state.act(request, response);
    });
  };
  const server: Server = tls ? createTlsServer(tls, take) : createServer(take);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}/hook`,
    received,
    requests: () => state.requests,
    mostOpen: () => state.mostOpen,
    answer: (act) => void (state.act = act),
    verifyWith: (secret) => void (state.secret = secret),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
