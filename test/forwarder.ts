import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What happens to the open connections when the address moves. */
export type Moved =
  /** They end, as if the server's processes were killed. */
  | 'cut'
  /** They go on with the server that they reached. */
  | 'kept'
  /** Nothing arrives any more, and neither side learns it, as if the machine lost its network. */
  | 'silent';

/** A port on loopback that leads to a socket file: an address that can move from one server to another. */
export interface Forwarder {
  readonly port: number;
  /** Leads new connections to another socket file. */
  moveTo(path: string, open: Moved): void;
  close(): Promise<void>;
}

export async function startForwarder(first: string): Promise<Forwarder> {
  const state = { path: first };
  const open = new Set<readonly [Socket, Socket]>();
  const silent: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(state.path);
    const pair = [client, upstream] as const;
    open.add(pair);
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => open.delete(pair) && other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(path, moved) {
      state.path = path;
      if (moved === 'kept') return;
      for (const pair of open) {
        open.delete(pair);
        for (const socket of pair) {
          if (moved === 'cut') socket.destroy();
          else silent.push(socket.unpipe().pause());
        }
      }
    },
    async close() {
      for (const socket of [...[...open].flat(), ...silent]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The socket file of a server on this machine. */
export function socketOf({ connection }: { readonly connection: { readonly host: string; readonly port: number } }) {
  return `${connection.host}/.s.PGSQL.${connection.port}`;
}
