import type { Server } from 'node:http';
import { isPostgres, readAddress, readReplica, validatePostgresUrl } from '../../data-folder/address.ts';
import { createNoticePrinter } from '../../data-folder/notice-printer.ts';
import { readSecret } from '../../data-folder/secret.ts';
import { beginService, openServedFolder, startUpkeep } from '../../data-folder/serving.ts';
import { runChain } from '../../hash/chain.ts';
import { choose } from '../../hash/choose.ts';
import { createGuardedServer } from '../../http/guarded-server.ts';
import { createListener, type Listener } from '../../http/listener.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../../identifiers/hashing-options.ts';
import { createEngine, type Engine } from '../../index.ts';
import { createLinkClaimModel } from '../../scoring/link-claim.ts';
import { asUsage, CommandError, readArguments, readWhole, UsageError, type Command } from '../arguments.ts';
import { readConstants } from '../lab/models-option.ts';
import { DATA_FOLDER } from '../operator-options.ts';
import {
  addressNotices,
  readBasePath,
  readBudgets,
  readConnections,
  readLimits,
  readPersonalData,
  validatePublicUrl,
} from '../serve-options.ts';
import { endWithin, signalled } from '../shutdown.ts';

/** Time to close the store after the last connection, in milliseconds. */
const CLOSE_MS = 1_000;

export const serve: Command = {
  help: `redflag serve: run the service

  --port N           port (default 8080; 0 takes a free one)
  --host ADDRESS     address to listen on (default 127.0.0.1)
  --data DIR         data folder (default ${DATA_FOLDER}). The first start creates it, with a secret, a
                     pepper, a first reporter and an API key, which is printed once
  --store STORE      store of the reports: journal (default; in the folder, and all of it in memory),
                     sqlite (a file in the folder), or postgres://USER:PASSWORD@HOST/DATABASE (needs
                     npm install pg). Several processes may share one PostgreSQL database. Each of them
                     needs the secret and the pepper of the folder. Without the option, the variable
                     REDFLAG_STORE applies
  --read-replica URL a streaming replica of the PostgreSQL server, postgres://…, which finds the
                     matches of queries. It may be seconds behind, except for disputes and for a
                     reporter's own reports and deletions. If it fails or lags, the primary answers.
                     Without the option, the variable REDFLAG_READ_REPLICA applies
  --public-url URL   address under which clients reach the service; links begin with it
                     (default http://HOST:PORT)
  --base-path PATH   path before /api/ in the requests that arrive here (default none)
  --trust-proxies N  take the client's address from X-Forwarded-For, set by N proxies (default 0)
  --limits LIST      per minute and reporter: identifiers in queries, reports, deletions; per minute and
                     address: requests to the viewer, requests with unknown keys
                     (default query=1800,report=120,delete=120,viewer=60,unknown-key=20)
  --budgets LIST     identifiers in queries per day, for each verified and each other reporter
                     (default verified=20000,new=2000)
  --connections N    most open connections (default 4096). If all are in use, a new one replaces the
                     one for whose client the service has waited the longest
  --connections-per-address N
                     most open connections of one address (default 256). With --trust-proxies there
                     is no such bound, because all connections come from the proxy
  --grace SECONDS    time for running requests after a signal; then their connections are cut
                     (default 8, because Docker kills after 10)
  --personal-data POLICY
                     what to do with a report whose public text holds an email address, phone number,
                     IP address, card number or IBAN: refuse (default), redact (replace it in the
                     stored text) or allow
  --get-queries      answer queries sent with GET too (keys end up in logs)
  --always-200       answer ERROR bodies with status 200, for clients that ignore the bodies of other
                     statuses
  --scoring FILE     JSON file that changes constants of the scoring model, such as the output of
                     redflag lab fit-map
  --prefix TEXT, --iterations N
                     prefix and rounds with which clients hash (default service- and 32000)

The pepper protects stored identifiers; see redflag pepper.
At Ctrl-C or SIGTERM, the service takes no new connections, finishes running requests, saves and
exits with 0. At a second signal, it exits with 1 at once.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: [
        'port',
        'host',
        'data',
        'store',
        'read-replica',
        'public-url',
        'base-path',
        'trust-proxies',
        'limits',
        'connections',
        'connections-per-address',
        'grace',
        'personal-data',
        'budgets',
        'scoring',
        'prefix',
        'iterations',
      ],
      flags: ['get-queries', 'always-200'],
    });
    if (positionals.length > 0) throw new UsageError('serve takes no values, only options');
    const port = readWhole('port', values.port ?? '8080', 0, 65_535);
    const host = values.host ?? '127.0.0.1';
    const trustProxies = readWhole('trust-proxies', values['trust-proxies'] ?? '0', 0, 100);
    const limits = readLimits(values.limits ?? '');
    const connections = readConnections(values, trustProxies);
    const graceMs = 1000 * readWhole('grace', values.grace ?? '8', 0, 86_400);
    const personalData = readPersonalData(values['personal-data'] ?? 'refuse');
    const budgets = readBudgets(values.budgets ?? '');
    const basePath = await readBasePath(values['base-path'] ?? '');
    await validatePublicUrl(values['public-url']);
    // The only hash that the service computes. The engine ignores it in requests, because the empty string is not an
    // identifier.
    const emptyHash = runChain(choose(), '', {
      prefix: new TextEncoder().encode(values.prefix ?? DEFAULT_PREFIX),
      rounds: readWhole('iterations', values.iterations ?? String(DEFAULT_ITERATIONS), 1, 0xffff_ffff),
    });
    const model = createLinkClaimModel(
      (values.scoring === undefined ? undefined : await readConstants(values.scoring))?.constants,
    );

    const folder = values.data ?? DATA_FOLDER;
    const address = readAddress(folder, values.store);
    const replica = await asUsage(() => readReplica(address, values['read-replica']));
    for (const url of [address, replica]) await asUsage(() => validatePostgresUrl(url));
    if (!isPostgres(address)) await readSecret(folder);
    // From here on, a signal stops the service cleanly, even while it reads a long journal.
    const stop = signalled();
    const notices = createNoticePrinter();
    const served = await openServedFolder(folder, address, replica, notices.print);
    const { store, secret, peppers } = served;
    let listener: Listener | undefined;
    const { server, finish } = createGuardedServer((request, response) => listener?.(request, response), connections);
    let engine: Engine;
    let publicUrl: string;
    try {
      const origin = `http://${host.includes(':') ? `[${host}]` : host}:${await listen(server, port, host)}`;
      publicUrl = values['public-url'] ?? origin + basePath;
      engine = createEngine({
        store,
        secret,
        peppers,
        publicUrl,
        limits,
        budgets,
        personalData,
        model,
        emptyHash,
        onNotice: notices.print,
      });
      listener = createListener(engine, {
        basePath,
        trustProxies,
        ...(values['get-queries'] ? { allowGetQuery: true } : {}),
        ...(values['always-200'] ? { errorStatus: 200 } : {}),
        log: notices.print,
      });
      const apiKey = await beginService(engine, served);
      // Print this last and in one write. A supervisor that reads this line may rely on everything, including the first
      // key.
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
    const upkeep = startUpkeep(engine, store, notices.print);
    await stop;
    endWithin(graceMs + CLOSE_MS);
    await Promise.all([finish(graceMs), upkeep.stop()]);
    await engine.close();
    notices.close();
  },
};

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
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
