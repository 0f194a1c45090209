import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isPostgres, SQLITE_NAME, type StoreAddress } from '../../data-folder/address.ts';
import { ANSWER_ACTIONS, FAILURES, type AnswerEvent } from '../../../core/http/exchange.ts';
import type { Listener } from '../../../core/http/listener.ts';
import type { GuardedServer } from './guarded-server.ts';
import type { ProgramEngine } from '../../data-folder/program-engine.ts';
import { JOURNAL_NAME } from '../../../stores/journal/file.ts';
import { isListed, NOTICE_EVENTS } from './notice-levels.ts';
import type { StoreCounter } from './store-counts.ts';

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What the metrics of a started service read. */
export interface MetricSources {
  readonly engine: ProgramEngine;
  /** Answers the requests of the main port. */
  readonly listener: Pick<Listener, 'load'>;
  readonly folder: string;
  readonly address: StoreAddress;
  readonly counts: StoreCounter;
}

export interface Metrics {
  readonly contentType: string;
  /** Counts a reply. Every label value comes from a closed list. */
  answered(event: AnswerEvent): void;
  /** Counts a notice, also one that the log leaves out. */
  noticed(event: string): void;
  /** The service has started: from now on, its store and engine are measured. */
  begin(measured: MetricSources): void;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** Returns the metrics of a service. The server of the main port and `isReady` are read at each scrape. */
export function createMetrics(of: {
  readonly version: string;
  readonly main: Pick<GuardedServer, 'usage' | 'closed'>;
  isReady(): boolean;
}): Metrics {
  const registers = [new Registry()];
  const [register] = registers as [Registry];
  collectDefaultMetrics({ register });
  let measured: MetricSources | undefined;

  const requests = new Counter({
    name: 'redflag_requests_total',
    help: 'Answered requests by what they ask for and what became of them.',
    labelNames: ['action', 'outcome'],
    registers,
  });
  const latency = new Histogram({
    name: 'redflag_request_duration_seconds',
    help: 'Time from the headers of a request to its reply, without the time to send the reply.',
    labelNames: ['action'],
    buckets: BUCKETS,
    registers,
  });
  const notices = new Counter({
    name: 'redflag_notices_total',
    help: 'Notices in the log by event, with those that the log left out.',
    labelNames: ['event'],
    registers,
  });
  // From 0 on, so that a rate shows the first failure.
  for (const event of NOTICE_EVENTS) notices.inc({ event }, 0);
  for (const action of ANSWER_ACTIONS) for (const outcome of ['ok', ...FAILURES]) requests.inc({ action, outcome }, 0);

  /** A gauge that is read at each scrape. Without a value, it is left out. */
  const gauge = (name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void => {
    const one: Gauge = new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await read();
        if (value === undefined) one.remove();
        else one.set(value);
      },
    });
  };
  new Gauge({
    name: 'redflag_build_info',
    help: 'Always 1. The label has the version.',
    labelNames: ['version'],
    registers,
  }).set({ version: of.version }, 1);
  gauge('redflag_ready', '1 if /readyz answers 200, otherwise 0.', () => (of.isReady() ? 1 : 0));
  gauge('redflag_connections', 'Open connections.', () => of.main.usage().connections);
  gauge('redflag_connection_addresses', 'Client addresses with an open connection.', () => of.main.usage().addresses);
  gauge(
    'redflag_unread_reply_bytes',
    'Bytes of replies that wait for their clients.',
    () => of.main.usage().replyBytes,
  );
  const closed: Counter<'how'> = new Counter({
    name: 'redflag_connections_closed_total',
    help: 'Connections that the service refused or cut because of a bound.',
    labelNames: ['how'],
    registers,
    collect() {
      closed.reset();
      for (const [how, count] of Object.entries(of.main.closed())) closed.inc({ how }, count);
    },
  });
  gauge('redflag_views_reading', 'Viewer requests that read reports.', () => measured?.engine.load().views.reading);
  gauge('redflag_views_waiting', 'Viewer requests that wait to read.', () => measured?.engine.load().views.waiting);
  gauge(
    'redflag_view_bodies_waiting',
    'Long replies of the viewer that wait to be sent.',
    () => measured?.listener.load().views,
  );
  gauge('redflag_forms_running', 'Forms that the service is answering.', () => measured?.listener.load().forms);
  gauge('redflag_standings_epoch_timestamp_seconds', 'Day of the standings in use, as Unix time.', () => {
    const epochAt = measured?.engine.load().standingsEpochAt;
    return epochAt === undefined ? undefined : epochAt / 1000;
  });
  gauge(
    'redflag_store_bytes',
    'Size of the journal, or of the SQLite file with its log.',
    () => measured && bytesOf(measured),
  );
  const kinds = new Gauge({
    name: 'redflag_store_info',
    help: 'Always 1. The label has the kind of the store.',
    labelNames: ['kind'],
    registers,
  });
  const rows: Gauge<'table'> = new Gauge({
    name: 'redflag_store_rows',
    help: 'Rows in the store, counted at most once a minute.',
    labelNames: ['table'],
    registers,
    collect() {
      for (const [table, count] of Object.entries(measured?.counts.latest() ?? {})) rows.set({ table }, count);
    },
  });

  return {
    contentType: register.contentType,
    answered({ action, outcome, ms }) {
      requests.inc({ action, outcome });
      latency.observe({ action }, ms / 1000);
    },
    noticed: (event) => notices.inc({ event: isListed(event) ? event : 'other' }),
    begin(given) {
      measured = given;
      kinds.set({ kind: isPostgres(given.address) ? 'postgres' : given.address }, 1);
    },
    text: () => register.metrics(),
  };
}

/** Returns the bytes of a store's files; undefined for a server. */
async function bytesOf({ folder, address }: MetricSources): Promise<number | undefined> {
  if (isPostgres(address)) return undefined;
  const names = address === 'sqlite' ? [SQLITE_NAME, `${SQLITE_NAME}-wal`] : [JOURNAL_NAME];
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
