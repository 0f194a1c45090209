// Type-checked against the installed package by test/installed/slow-types.test.ts. Never run.
import {
  createEngine,
  RefusedError,
  unwrap,
  type Engine,
  type Outcome,
  type QueryResult,
  type ReportDraft,
} from 'redflag';
import { createHashPool as createWebPool, type WebWorker } from 'redflag/browser';
import { createClient, type ClientQueryResult } from 'redflag/client';
import { createDurableObjectStore, type DurableObjectStorage } from 'redflag/durable-object';
import { hashIdentifier, hashIdentifiers, hashStream, IdentifierError } from 'redflag/hash';
import { createFetchHandler } from 'redflag/http';
import { createHashPool, createListener, HashPoolError, openFolderStore, type HashPool } from 'redflag/node';
import { createOperator, withRecords, type Operator, type PublicService } from 'redflag/operator';
import { createPostgresStore, type PostgresPool } from 'redflag/postgres';
import { formatForm, parseResult } from 'redflag/protocol';
import { createLinkClaimModel } from 'redflag/scoring';
import { createSqliteStore, openSqliteFile, type OpenedDatabase, type SqliteStore } from 'redflag/sqlite';
import { createSqljsStore, openBrowserStore, type BrowserStore } from 'redflag/sqljs';
import { createServer } from 'node:http';

export async function use(storage: DurableObjectStorage): Promise<void> {
  for (const { problem } of await (await createDurableObjectStore({ storage })).check()) console.log(problem);
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
  const operator: Operator = createOperator(engine);
  const service: PublicService = withRecords(engine);
  console.log(await operator.listStandings(), service.record);
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

/** What is optional may be undefined, and an own offence type is any text. */
export async function mayBe(engine: Engine, draft: ReportDraft): Promise<void> {
  await engine.report({ ...draft, apiKey: 'k', type: 'freud' });
  createClient({ baseUrl: 'https://a.example', apiKey: undefined, timeoutMs: undefined });
  createFetchHandler(engine, { basePath: undefined, log: undefined });
  const [email, ip] = await hashIdentifiers(['x@y.example', '11.22.33.44']);
  const pair: readonly [string, string] = [email, ip];
  await engine.query({ apiKey: 'k', identifiers: pair.map((hash) => ({ kind: 'my_own_kind', hash })) });
}

export async function mustNotBe(engine: Engine, draft: ReportDraft, outcome: Outcome<QueryResult>): Promise<void> {
  // @ts-expect-error The type is a text.
  await engine.report({ ...draft, apiKey: 'k', type: 7 });
  // @ts-expect-error The severity is a number.
  await engine.report({ ...draft, apiKey: 'k', severity: '7' });
  // @ts-expect-error A report needs a key.
  await engine.report(draft);
  // @ts-expect-error An identifier has a hash.
  await engine.query({ apiKey: 'k', identifiers: [{ kind: 'email', value: 'x@y.example' }] });
  // @ts-expect-error Whether there is a value must be asked first.
  console.log(outcome.value);
  // @ts-expect-error The reasons are a closed list.
  console.log(!outcome.ok && outcome.refusal.reason === 'no-such-reason');
  // @ts-expect-error Results are not for writing.
  unwrap(outcome).points = 3;
  // @ts-expect-error A hash of a list may be missing.
  const hash: string = (await hashIdentifiers(new Set(['x'])))[0];
  // @ts-expect-error A tuple keeps its length.
  const [, , third] = await hashIdentifiers(['x@y.example', '11.22.33.44']);
  // @ts-expect-error A client needs an address.
  createClient({ apiKey: 'k' });
  // @ts-expect-error An option that does not exist.
  createFetchHandler(engine, { basepath: '/fraud' });
  // @ts-expect-error Only the listener knows proxies.
  createFetchHandler(engine, { trustProxies: 1 });
  console.log(hash, third);
}
