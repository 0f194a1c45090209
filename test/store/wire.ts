import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { PostgresServer } from '../postgres-server.ts';

/** A way to a server, on which the round trips are counted. */
export interface Wire {
  /** What `new pg.Pool` takes. */
  readonly connection: PostgresServer['connection'];
  /** Runs a task and returns how often its connections waited for the server. Connecting does not count. */
  roundTripsOf(task: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens a TCP port that passes everything on to a server. A client waits for the server after each Sync and each
 * simple query, so these messages are counted.
 */
export async function openWire(connection: PostgresServer['connection']): Promise<Wire> {
  const state = { roundTrips: 0 };
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(`${connection.host}/.s.PGSQL.${connection.port}`);
    const count = createMessageReader((type) => void (state.roundTrips += type === 'S' || type === 'Q' ? 1 : 0));
    client.on('data', (bytes) => (count(bytes), server.write(bytes)));
    server.on('data', (bytes) => client.write(bytes));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => (sockets.delete(one), other.destroy()));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  return {
    connection: { ...connection, host: '127.0.0.1', port },
    async roundTripsOf(task) {
      const before = state.roundTrips;
      await task();
      return state.roundTrips - before;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** Calls `onType` with the type of each message of a client, except for the first message, which has none. */
function createMessageReader(onType: (type: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let started = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const typeBytes = started ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (started) onType(String.fromCharCode(rest[0]!));
      started = true;
      rest = rest.subarray(end);
    }
  };
}
