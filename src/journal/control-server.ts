import net from 'node:net';

/** A listener whose connections can be ended. */
export class ControlServer {
  /** Who answers; without one, connections are closed at once. */
  handler: ((socket: net.Socket) => void) | undefined;
  readonly #sockets = new Set<net.Socket>();
  readonly #server = net.createServer((socket) => {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A caller that goes away in the middle must not end this process; the handler hears of it by 'close'.
    socket.on('error', () => socket.destroy());
    if (this.handler === undefined) socket.destroy();
    else this.handler(socket);
  });

  listen(address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      // Exclusive: in a cluster the primary would listen for us, and outlive us.
      this.#server.listen({ path: address, exclusive: true }, () => {
        this.#server.off('error', reject);
        this.#server.unref();
        resolve();
      });
    });
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
