import type { Server, ServerResponse } from 'node:http';

/** After a signal, running requests have so long to finish. */
const GRACE_MS = 10_000;

/** Resolves at the first SIGINT or SIGTERM; the second ends the process at once, with 1. */
export function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // The second may be the other one: Ctrl-C after a supervisor's SIGTERM.
        if (isStopping) process.exit(1);
        isStopping = true;
        resolve();
      });
    }
  });
}

/** For a server that has no request listener yet: the function takes no new connection, lets running requests finish and resolves when all are gone. */
export function finishOf(server: Server): () => Promise<void> {
  const running = new Set<ServerResponse>();
  let isStopping = false;
  // Node keeps a connection open for the client's next request, which would hold the service up for seconds after the last reply.
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
