import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** A server on a free port of this machine. */
export interface Listening {
  readonly origin: string;
  readonly port: number;
  /** Sends bytes as they are and answers everything that comes back until the server closes the connection. */
  readonly sendRaw: (...pieces: readonly (string | Uint8Array)[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function listenOn(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    sendRaw: (...pieces) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        let reply = '';
        socket.on('data', (chunk) => {
          reply += chunk.toString('latin1');
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(reply));
        for (const piece of pieces) socket.write(piece);
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
