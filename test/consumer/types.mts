// Type-checked against the installed package, as ESM, as CommonJS and for a bundler, without skipLibCheck. Never run.
import { createEngine, RefusedError, unwrap, type Engine, type Outcome, type QueryResult } from 'redflag';
import { createHashPool as createWebPool, type WebWorker } from 'redflag/browser';
import { createClient, type ClientQueryResult } from 'redflag/client';
import { hashIdentifier, hashStream, IdentifierError } from 'redflag/hash';
import { createFetchHandler } from 'redflag/http';
import { createHashPool, createListener, HashPoolError, openFolderStore, type HashPool } from 'redflag/node';
import { createPostgresStore, type PostgresPool } from 'redflag/postgres';
import { formatForm, parseResult } from 'redflag/protocol';
import { createLinkClaimModel } from 'redflag/scoring';
import { createSqliteStore, openSqliteFile, type OpenedDatabase, type SqliteStore } from 'redflag/sqlite';
import { createSqljsStore, openBrowserStore, type BrowserStore } from 'redflag/sqljs';
import { createServer } from 'node:http';

export async function use(): Promise<void> {
  const engine: Engine = createEngine({
    store: await createSqljsStore(),
    secret: 'x'.repeat(32),
    publicUrl: 'https://a.example',
    model: createLinkClaimModel(),
  });
  const outcome: Outcome<QueryResult> = await engine.query({
    apiKey: '00000000000000a1',
    identifiers: [{ kind: 'email', hash: await hashIdentifier('x@y.example') }],
  });
  const points: number = unwrap(outcome).points;
  if (!outcome.ok && outcome.refusal.reason === 'limited') console.log(outcome.refusal.retryAfterSeconds, points);
  const result: ClientQueryResult = await createClient({ baseUrl: 'https://a.example', apiKey: 'k' }).query([]);
  createServer(createListener(engine, { trustProxies: 1 }));
  const handler: (request: Request) => Promise<Response> = createFetchHandler(engine);
  const pairs: [string, string][] = formatForm({ action: 'query', apiKey: 'k', identifiers: [] });
  console.log(handler, pairs, parseResult('')?.link, result.linkHash, IdentifierError, RefusedError);
  await (await openFolderStore('data', { onNotice: (notice) => console.log(notice.event) })).close();
  const pool: HashPool = createHashPool({ size: 2, workerUrl: new URL('file:///worker.js') });
  const hashes: string[] = await pool.hashIdentifiers(new Set(['x']), {
    onProgress: ({ done, total }) => console.log(done, total),
    signal: AbortSignal.timeout(5),
  });
  for await (const hash of hashStream(hashes)) console.log(hash.length, HashPoolError);
  await createWebPool({
    spawn: (): WebWorker => ({ postMessage() {}, terminate() {}, addEventListener() {} }),
  }).close();
  const kept: BrowserStore = await openBrowserStore({
    name: 'shop',
    storage: 'opfs',
    waitSeconds: 5,
    persist: true,
    locateFile: (file) => file,
  });
  console.log(kept.persisted, (await kept.exportDurable()).length);
  const database: OpenedDatabase = {
    prepare: (text: string) => ({ text }),
    exec: (text: string) => text,
    close: () => undefined,
  };
  const stores: SqliteStore[] = [
    await openSqliteFile('store.db', { eraseWithinSeconds: 5, onNotice: ({ event }) => console.log(event) }),
    await createSqliteStore({ database }),
  ];
  for (const store of stores) for (const problem of await store.check()) console.log(problem.problem, problem.count);
  // @ts-expect-error A wrong option must be an error. It is not if the types are `any`.
  await createSqliteStore({ database: 5 });
  // @ts-expect-error A wrong option must be an error. It is not if the types are `any`.
  createHashPool({ size: '2' });
  // @ts-expect-error A wrong option must be an error. It is not if the types are `any`.
  createEngine({ secret: 5 });
  // @ts-expect-error The same for another door.
  createFetchHandler('engine');
  const connections: PostgresPool = { connect: () => Promise.reject(new Error('none')) };
  await (await createPostgresStore({ pool: connections, schema: 'reports', timeoutMs: 5000 })).close();
  // @ts-expect-error The same for a pool without connections.
  await createPostgresStore({ pool: {} });
  // @ts-expect-error The same for types that refer to another package.
  await createSqljsStore({ sqlJs: 5 });
}
