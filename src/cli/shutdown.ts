import type { Server, ServerResponse } from 'node:http';

/** Time limit for running requests after a signal, in milliseconds. */
const GRACE_MS = 10_000;

/** Resolves at the first SIGINT or SIGTERM. A second signal ends the process at once, with exit code 1. */
export function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      // The second signal may differ from the first: Ctrl-C after a supervisor's SIGTERM.
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

/**
 * Returns a function that stops a server: no new connections, and running requests have {@link GRACE_MS} to finish. The
 * function resolves when all connections are closed. Call `finishOf` before the server has a request listener.
 */
export function finishOf(server: Server): () => Promise<void> {
  const running = new Set<ServerResponse>();
  let isStopping = false;
  // Node keeps a connection open for the client's next request. Close the connection, or stopping takes seconds longer.
  const endAfterReply = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.on('request', (_request, response) => {
    if (isStopping) endAfterReply(response);
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  return () =>
    new Promise((resolve) => {
      isStopping = true;
      for (const response of running) endAfterReply(response);
      const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      server.close(() => {
        clearTimeout(late);
        resolve();
      });
      server.closeIdleConnections();
    });
}
