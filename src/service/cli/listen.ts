import type { Server } from 'node:http';
import { CommandError } from './errors.ts';

/** Clients that may wait for their connection; the system may allow fewer. Node allows 511, and a burst loses some. */
const BACKLOG = 4_096;

/** By the system's error code. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'needs more rights than this user has',
};

/** Listens, and returns the port. Rejects with CommandError; `option` names the option of the port. */
export function listen(server: Server, port: number, host: string, option = '--port'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = LISTEN_ERRORS[error.code ?? ''];
      reject(
        new CommandError(
          why === undefined ? `cannot listen: ${error.message}` : `port ${port} ${why}; choose another with ${option}`,
        ),
      );
    });
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
