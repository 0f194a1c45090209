import type { RequestListener, Server } from 'node:http';
import { createRequire } from 'node:module';
import type { PrintNotice } from '../../data-folder/errors.ts';
import type { AnswerOptions } from '../../../core/http/answer-options.ts';
import type { AnswerEvent } from '../../../core/http/exchange.ts';
import { createGuardedServer, type GuardedServer } from './guarded-server.ts';
import { splitTarget, type Listener } from '../../../core/http/listener.ts';
import { createPanelHealth, type PanelHealth } from '../../panel/health.ts';
import type { Store } from '../../../core/store/store.ts';
import { createHealth, sendText } from './health.ts';
import { createServiceLog } from './log.ts';
import type { MetricSources, Metrics } from './metrics.ts';
import type { LogLevel } from './notice-levels.ts';
import { createStoreCounts, type StoreCounter } from './store-counts.ts';

/** A few collectors of metrics and supervisors, each with short requests. The largest reply has about 30 kB. */
const OPS_LIMITS = {
  connections: 32,
  replyBytes: 4 * 1024 * 1024,
  replyBytesPerConnection: 1024 * 1024,
  replyTimeout: 10_000,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
};

export interface OperationsOptions {
  readonly logLevel: LogLevel;
  /** Time in which the service answers after a signal, although it is not ready any more. */
  readonly lameDuckMs: number;
  /** Answers requests until the service is ready. */
  readonly starting: Listener;
  /** Metrics are kept and served only with a port. 0 takes a free port. */
  readonly ops: { readonly port: number; readonly host: string } | undefined;
}

/** Health, metrics and log of a service. */
export interface Operations {
  /** For the notices of all parts: counts and logs them. */
  readonly print: PrintNotice;
  /** For the operator's page of the panel: counts all answered requests. */
  readonly panelHealth: PanelHealth;
  /** For `createListener`. */
  readonly answers: Pick<AnswerOptions, 'log' | 'onAnswer' | 'requestIds'>;
  /** For the server of the main port. Passes requests to `starting` until {@link begin}, except those for health. */
  readonly listener: RequestListener;
  /**
   * Listens on the operations port, if there is one, by `listen`, which returns the port. Returns the address of the
   * metrics. `main` is the server of the main port.
   */
  listenOps(
    listen: (server: Server, port: number, host: string) => Promise<number>,
    main: Pick<GuardedServer, 'usage' | 'closed'>,
  ): Promise<string | undefined>;
  /** The service can answer: passes requests to `listener`, and is ready. */
  begin(listener: Listener, measured: Omit<MetricSources, 'counts' | 'listener'> & { readonly store: Store }): void;
  /**
   * Call it at the first signal. The service is not ready any more. Resolves when the lame-duck time is over. A service
   * that never was ready has none.
   */
  stop(): Promise<void>;
  /** Closes the operations port and ends the log. */
  close(): Promise<void>;
}

export function createOperations({ logLevel, lameDuckMs, starting, ops }: OperationsOptions): Operations {
  const log = createServiceLog(logLevel);
  const health = createHealth();
  const { version }: { version: string } = createRequire(import.meta.url)('redflag/package.json');
  let metrics: Metrics | undefined;
  let counts: StoreCounter | undefined;
  let service = starting;
  const panelHealth = createPanelHealth({ version, rows: () => counts?.known() });

  const print: PrintNotice = (notice) => {
    if (notice.event === 'store-unavailable') health.storeFailed();
    metrics?.noticed(notice.event);
    log.print(notice);
  };
  const opsServer = createGuardedServer((request, response) => {
    if (health.answer(request, response)) return;
    const [path] = splitTarget(request.url ?? '');
    if (path !== '/metrics' || !metrics) return sendText(request, response, 404, 'not found');
    const { contentType } = metrics;
    metrics.text().then(
      (text) => sendText(request, response, 200, text.trimEnd(), contentType),
      (error: unknown) => {
        print({ event: 'metrics-failed', error });
        sendText(request, response, 500, 'metrics failed');
      },
    );
  }, OPS_LIMITS);

  const onAnswer = (event: AnswerEvent): void => {
    panelHealth.answered(event);
    log.answered?.(event);
    metrics?.answered(event);
  };
  return {
    print,
    panelHealth,
    answers: { log: print, requestIds: logLevel === 'debug' ? 'all' : 'failures', onAnswer },
    listener(request, response) {
      if (!health.answer(request, response)) service(request, response);
    },
    async listenOps(listen, main) {
      if (!ops) return undefined;
      // On demand: most services have no operations port.
      const { createMetrics } = await import('./metrics.ts');
      metrics = createMetrics({ version, main, isReady: () => health.obstacle === undefined });
      const port = await listen(opsServer.server, ops.port, ops.host);
      return `http://${ops.host.includes(':') ? `[${ops.host}]` : ops.host}:${port}/metrics`;
    },
    begin(listener, { store, ...measured }) {
      service = listener;
      counts = createStoreCounts(store);
      metrics?.begin({ ...measured, listener, counts });
      health.begin(() => store.findTrustEpoch());
    },
    async stop() {
      const waitMs = health.obstacle === 'starting' ? 0 : lameDuckMs;
      health.stop();
      print({ event: 'stopping', lameDuckSeconds: waitMs / 1000 });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    },
    async close() {
      if (opsServer.server.listening) await opsServer.finish(0);
      log.close();
    },
  };
}
