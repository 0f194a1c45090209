import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEngine, PepperError, unwrap, type Engine, type EngineOptions } from '../index.ts';
import { toAnswerSettings } from '../http/answer-options.ts';
import { createListener } from '../http/listener.ts';
import { runChain } from '../hash/chain.ts';
import { choose } from '../hash/choose.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../identifiers/hashing-options.ts';
import { parseBaseUrl } from '../protocol/base-url.ts';
import type { Store } from '../store/store.ts';
import { createLinkClaimModel } from '../scoring/link-claim.ts';
import { addressNotices } from './address-notices.ts';
import { CommandError, readArguments, readWhole, UsageError, type Command } from './arguments.ts';
import { answerCalls } from './control.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { readConstants } from './lab/models-option.ts';
import { eachDay } from './midnight.ts';
import { isPostgres, openStore, readAddress, readReplica, reasonOf } from './open-store.ts';
import { runOperatorCall } from './operator-call.ts';
import { pepperFileOf } from './pepper-file.ts';
import { provePostgresUrl } from './postgres-url.ts';
import { readSecret } from './secret.ts';
import { alone, openKeys } from './store-keys.ts';
import { finishOf, signalled } from './stop.ts';

/** `redflag serve`: the service over HTTP on a data folder. */
export const serve: Command = {
  help: `redflag serve: run the service

  --port N           port (default 8080; 0 takes a free one)
  --host ADDRESS     address to listen on (default 127.0.0.1)
  --data DIR         folder of the data (default ${DATA_FOLDER}); made at the first start, with the
                     operator's secret, a first reporter and its API key, which is printed once
  --store STORE      where reports are kept: journal (in the folder, all of it in memory too; the
                     default), sqlite (a file in the folder), or postgres://USER:PASSWORD@HOST/DATABASE,
                     on which any number of processes may serve (needs npm install pg). The folder has
                     secret and pepper in any case, which all processes need. Default also: the
                     variable REDFLAG_STORE
  --read-replica URL a streaming replica of that PostgreSQL server, postgres://…, which finds the
                     matches of queries; it may be seconds behind, but not for a reporter's own
                     reports and deletions, nor for disputes. When it fails or lags the primary
                     answers. Default also: the variable REDFLAG_READ_REPLICA
  --public-url URL   address under which others reach the service; links begin with it
                     (default http://HOST:PORT)
  --base-path PATH   path before /api/ in the requests that arrive here (default none)
  --trust-proxies N  take the client's address from X-Forwarded-For, set by N proxies (default 0)
  --limits LIST      requests a minute, per key and for the viewer per address
                     (default query=600,report=120,delete=120,viewer=60)
  --get-queries      answer queries sent with GET too (keys end up in logs)
  --always-200       answer ERROR bodies with status 200, for clients that drop others
  --scoring FILE     JSON with constants of the scoring model that differ from the default ones, as a
                     calibration map of redflag lab fit-map
  --prefix TEXT, --iterations N
                     how the clients hash, if not service- and 32000

The folder also gets the operator's pepper, under which identifiers are stored; see redflag pepper.
Ctrl-C and SIGTERM finish running requests, save and exit 0; a second one exits at once.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      port: { type: 'string' },
      host: { type: 'string' },
      data: { type: 'string' },
      store: { type: 'string' },
      'read-replica': { type: 'string' },
      'public-url': { type: 'string' },
      'base-path': { type: 'string' },
      'trust-proxies': { type: 'string' },
      limits: { type: 'string' },
      'get-queries': { type: 'boolean' },
      'always-200': { type: 'boolean' },
      scoring: { type: 'string' },
      prefix: { type: 'string' },
      iterations: { type: 'string' },
    });
    if (positionals.length > 0) throw new UsageError('serve takes no values, only options');
    const port = readWhole('port', values.port ?? '8080', 0, 65_535);
    const host = values.host ?? '127.0.0.1';
    const trustProxies = readWhole('trust-proxies', values['trust-proxies'] ?? '0', 0, 100);
    const limits = readLimits(values.limits ?? '');
    const basePath = readBasePath(values['base-path'] ?? '');
    if (values['public-url'] !== undefined) asUsage(() => parseBaseUrl('--public-url', values['public-url']!));
    // The one hash that the service makes itself: that of the empty string, which is nobody's identifier.
    const emptyHash = runChain(choose(), '', {
      prefix: new TextEncoder().encode(values.prefix ?? DEFAULT_PREFIX),
      rounds: readWhole('iterations', values.iterations ?? String(DEFAULT_ITERATIONS), 1, 0xffff_ffff),
    });

    const model = createLinkClaimModel(
      (values.scoring === undefined ? undefined : await readConstants(values.scoring))?.constants,
    );
    const folder = values.data ?? DATA_FOLDER;
    const address = readAddress(folder, values.store);
    const replica = readReplica(address, values['read-replica']);
    for (const url of [address, replica]) await provePostgresUrl(url);
    if (!isPostgres(address)) await readSecret(folder);
    // From here on a signal ends the service in order, also while a long journal is still being read.
    const stop = signalled();
    const store = await openStore(folder, address, replica);
    const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
    const finish = finishOf(server);
    let engine: Engine;
    let publicUrl: string;
    try {
      const { secret, peppers } = await alone(store, () => openKeys(folder, store));
      const origin = `http://${host.includes(':') ? `[${host}]` : host}:${await listen(server, port, host)}`;
      publicUrl = values['public-url'] ?? origin + basePath;
      const pepperFile = pepperFileOf(folder);
      engine = createEngine({ store, secret, peppers, publicUrl, limits, model, emptyHash: emptyHash! });
      server.on(
        'request',
        createListener(engine, {
          basePath,
          trustProxies,
          ...(values['get-queries'] ? { allowGetQuery: true } : {}),
          ...(values['always-200'] ? { errorStatus: 200 as const } : {}),
          log: (event) => process.stderr.write(`redflag: ${JSON.stringify(event)}\n`),
        }),
      );
      // Wrong ones are found out before anybody is answered.
      await engine.pepperStatus().catch((error: unknown) => {
        throw error instanceof PepperError ? new CommandError(error.message) : error;
      });
      if (store.lock)
        answerCalls(store.lock, (call, signal) =>
          runOperatorCall(engine, call, { store, folder, secret, pepperFile, serves: true, signal }),
        );
      // In one piece and last: whoever reads that it listens finds everything there, the first key included.
      const apiKey = await alone(store, () => issueFirstKey(engine));
      process.stdout.write(
        `Listening on ${origin}${basePath}/api/\n${apiKey === undefined ? '' : `API key: ${apiKey}\n`}`,
      );
    } catch (error) {
      server.close();
      await store.close();
      throw error;
    }
    for (const notice of addressNotices(host, values['public-url'], publicUrl))
      process.stderr.write(`redflag: ${notice}\n`);
    // The engine does both too when the first request of a day comes; so that one finds them done, or nearly so.
    const failed = (error: unknown): unknown =>
      process.stderr.write(`redflag: ${JSON.stringify({ event: 'background-work-failed', error: reasonOf(error) })}\n`);
    const learning = engine.listStandings().catch(failed);
    const peppering = moveUnderPeppers(engine, store).catch(failed);
    const daily = eachDay(() => engine.recomputeTrust(), failed);
    await stop;
    daily.stop();
    await Promise.all([learning, peppering]);
    await finish();
    await engine.close();
    return 0;
  },
};

/** Data of before there were peppers, or of a move that was interrupted. Where others serve too, the operator says when all of them have a new pepper. */
async function moveUnderPeppers(engine: Engine, store: Store): Promise<void> {
  const { moving, spare } = await engine.pepperStatus();
  if (!moving && (spare === 0 || store.shared)) return;
  const moved = await engine.rotatePepper();
  process.stderr.write(`redflag: ${JSON.stringify({ event: 'identifiers-peppered', moved })}\n`);
}

function readBasePath(text: string): string {
  return asUsage(() => toAnswerSettings({ basePath: text }).basePath);
}

/** The rooms prove their options and throw; here that is a wrong command line, found out before anything is made. */
function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError((error as Error).message.replace('"basePath"', '--base-path').replaceAll('"', ''));
  }
}

function readLimits(list: string): NonNullable<EngineOptions['limits']> {
  const limits: Record<string, { requests: number; windowSeconds: number }> = {};
  for (const part of list.split(',').filter((part) => part !== '')) {
    const [name = '', requests = ''] = part.split('=');
    if (!['query', 'report', 'delete', 'viewer'].includes(name))
      throw new UsageError('--limits expects a list like query=600,report=120,delete=120,viewer=60');
    limits[name] = { requests: readWhole('limits', requests, 1, 1e9), windowSeconds: 60 };
  }
  return limits;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new CommandError(
          error.code === 'EADDRINUSE'
            ? `port ${port} is in use; choose another with --port`
            : `cannot listen: ${error.message}`,
        ),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Makes the first reporter and its key, when nobody has a key yet. */
async function issueFirstKey(engine: Engine): Promise<string | undefined> {
  if ((await engine.listKeys()).length > 0) return undefined;
  const [first] = await engine.listReporters();
  const { reporterId } = first ?? unwrap(await engine.createReporter({ name: 'First reporter' }));
  return unwrap(await engine.issueKey({ reporterId })).apiKey;
}
