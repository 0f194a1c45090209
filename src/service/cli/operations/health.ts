import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitTarget } from '../../../core/http/listener.ts';

/** Interval between two probes of a store, in milliseconds. */
const PROBE_MS = 5_000;
/** The same for a store that cannot answer. */
const PROBE_DOWN_MS = 1_000;
/** A store that takes longer to answer a probe is unavailable. */
const PROBE_WITHIN_MS = 2_000;

/** Why a service is not ready. */
type Obstacle = 'starting' | 'stopping' | 'store unavailable';

/** Answers whether the process is alive and whether it is ready. No request reads the store. */
export interface Health {
  /** Undefined if the service is ready. */
  readonly obstacle: Obstacle | undefined;
  /** Answers a request of `/healthz` or `/readyz`. Returns false for any other path. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** The service is ready. `probe` reads a little from the store, and rejects if the store cannot answer. */
  begin(probe: () => Promise<unknown>): void;
  /** Call it if the store failed: probes at once. */
  storeFailed(): void;
  stop(): void;
}

export function createHealth(): Health {
  let phase: 'starting' | 'serving' | 'stopping' = 'starting';
  let isStoreDown = false;
  let probing = false;
  let probe: () => Promise<unknown> = async () => undefined;
  let probes: NodeJS.Timeout | undefined;

  const obstacle = (): Obstacle | undefined => {
    if (phase !== 'serving') return phase;
    return isStoreDown ? 'store unavailable' : undefined;
  };

  const probeUntilUp = async (): Promise<void> => {
    while (phase === 'serving') {
      isStoreDown = !(await succeeds(probe()));
      if (!isStoreDown) return;
      await new Promise((resolve) => setTimeout(resolve, PROBE_DOWN_MS).unref());
    }
  };

  const look = (): void => {
    if (probing || phase !== 'serving') return;
    probing = true;
    void probeUntilUp().finally(() => (probing = false));
  };

  return {
    get obstacle() {
      return obstacle();
    },
    answer(request, response) {
      const [path] = splitTarget(request.url ?? '');
      if (path !== '/healthz' && path !== '/readyz') return false;
      const wrong = path === '/readyz' ? obstacle() : undefined;
      sendText(request, response, wrong === undefined ? 200 : 503, wrong ?? 'ok');
      return true;
    },
    begin(given) {
      probe = given;
      if (phase !== 'starting') return;
      phase = 'serving';
      probes = setInterval(look, PROBE_MS).unref();
    },
    // A failed write alone is no obstacle: queries are answered.
    storeFailed: look,
    stop() {
      phase = 'stopping';
      clearInterval(probes);
    },
  };
}

/** Sends a short text. Refuses methods other than GET and HEAD. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const body = isRead ? `${text}\n` : 'method not allowed\n';
  response.writeHead(isRead ? status : 405, {
    'Content-Type': type,
    'Content-Length': `${Buffer.byteLength(body)}`,
    'Cache-Control': 'no-store',
    ...(isRead ? {} : { Allow: 'GET, HEAD', Connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Resolves with false if the promise rejects or takes too long. */
async function succeeds(answer: Promise<unknown>): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  // If this process was busy, an answer may be waiting. It comes before `setImmediate`.
  const isLate = new Promise<boolean>((resolve) => {
    late = setTimeout(() => setImmediate(() => resolve(false)), PROBE_WITHIN_MS).unref();
  });
  const isUp = answer.then(
    () => true,
    () => false,
  );
  return Promise.race([isUp, isLate]).finally(() => clearTimeout(late));
}
