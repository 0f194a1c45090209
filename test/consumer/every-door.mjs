// Uses the package as a user does, door by door. Without a test runner: it also runs on other runtimes and in projects
// that installed the tarball.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const KNOWN_HASH = 'e6046ea1e61328d5ad100fdf7507b841b5112932';
const OTHER_HASH = '00000000000000000000000000000000000000aa';
const SECRET = 'a secret of more than sixteen bytes';

/** Uses each of `doors` (name → module). Throws if one does not work. `folder` must not exist yet. */
export async function useEveryDoor(doors, folder) {
  await useHash(doors);
  await useDoctor(doors);
  await usePool(doors);
  useScoring(doors);
  await useLab(doors);
  useProtocol(doors);
  await useSealed(doors);
  await useEngine(doors);
  await useOperator(doors);
  await useHttp(doors);
  await useFolder(doors, folder);
  await useSqliteFile(doors, folder);
  await useMemoryJournal(doors);
  await usePostgres(doors);
  await useDurableObject(doors);
  await useSharedClasses(doors);
}

async function useHash({ hash }) {
  assert.equal(await hash.hashIdentifier(' Client@Example.com '), KNOWN_HASH);
  assert.deepEqual(await hash.hashIdentifiers(['client@example.com']), [KNOWN_HASH]);
  assert.equal(hash.hashIdentifierSync('client@example.com', { hasher: 'scalar' }), KNOWN_HASH);
  assert.equal(hash.hashIdentifierSync('client@example.com', { hasher: 'plain' }), KNOWN_HASH);
  assert.equal(hash.hashIdentifierSync('client@example.com', { hasher: 'simd' }), KNOWN_HASH);
  await assert.rejects(
    hash.hashIdentifier(' '),
    (error) => error instanceof hash.IdentifierError && error.reason === 'empty',
  );
}

async function useDoctor({ doctor, hash }) {
  assert.deepEqual(await doctor.diagnoseHash('client@example.com', KNOWN_HASH), { ok: true });
  const { mistakes } = await doctor.diagnoseHash(
    'client@example.com',
    hash.hashIdentifierSync('client@example.com', { prefix: '' }),
  );
  assert.deepEqual(
    mistakes.map(({ code }) => code),
    ['no-prefix'],
  );
}

async function usePool({ hash, node, browser }) {
  const values = Array.from({ length: 50 }, (_, at) => `person${at}@example.com`);
  const expected = await hash.hashIdentifiers(values, { iterations: 3 });
  const pool = node.createHashPool({ size: 2 });
  assert.deepEqual(await pool.hashIdentifiers(['client@example.com']), [KNOWN_HASH]);
  assert.deepEqual(await pool.hashIdentifiers(values, { iterations: 3 }), expected);
  for (const stream of [hash.hashStream(values, { iterations: 3 }), pool.hashStream(values, { iterations: 3 })]) {
    const streamed = [];
    for await (const hashed of stream) streamed.push(hashed);
    assert.deepEqual(streamed, expected);
  }
  await assert.rejects(
    pool.hashIdentifiers(['x', ' ']),
    (error) => error instanceof hash.IdentifierError && error.index === 1,
  );
  await pool.close();
  // Without Web Workers, the error has the class that both doors export.
  const spawn = () => {
    throw new Error('no worker here');
  };
  await assert.rejects(
    browser.createHashPool({ size: 1, spawn }).hashIdentifiers(['x']),
    (error) => error instanceof node.HashPoolError && error.reason === 'worker-ended',
  );
}

function useScoring({ scoring }) {
  const model = scoring.createLinkClaimModel();
  assert.deepEqual(model.score({ reports: [], standings: new Map() }), { points: 0, reported: 0, reliability: 0 });
  const report = {
    reportId: 'r',
    reporterId: 'a',
    type: 'fraud',
    severity: 7,
    ageDays: 0,
    shared: [{ hash: KNOWN_HASH, kind: 'email' }],
  };
  const fresh = model.score({ reports: [report], standings: new Map() });
  const old = model.score({ reports: [{ ...report, ageDays: 3650 }], standings: new Map() });
  assert.ok(fresh.points > old.points && old.points >= 1, `${fresh.points} ${old.points}`);
}

async function useLab({ lab, sqljs }) {
  const events = lab.simulateWorld({ seed: 7, options: { customers: 300, days: 900 } });
  const models = lab.createModels(['link-claim', 'severity-sum']);
  const replayed = await lab.replay(events, await sqljs.createSqljsStore(), { models, excludeOwn: true });
  const result = lab.summarise([replayed], { title: 'a small world', models: models.map(({ name }) => name) });
  assert.ok(result.models[0].rocAuc.value > 0.5, String(result.models[0].rocAuc.value));
  assert.match(lab.renderPage(result), /^<!doctype html>/);
}

function useProtocol({ protocol }) {
  const request = {
    action: 'query',
    apiKey: '00000000000000a1',
    identifiers: [
      { kind: 'email', hash: KNOWN_HASH },
      { kind: 'email', hash: OTHER_HASH },
    ],
  };
  const fields = protocol.formatForm(request);
  assert.deepEqual(
    fields.map(([name]) => name),
    ['_action', '_api', 'email', 'email2'],
  );
  assert.equal(protocol.parseForm(fields).ok, true);
  const result = {
    points: 26,
    reported: 1,
    reliability: 6.7,
    link: protocol.createLink('https://reports.example')(KNOWN_HASH),
  };
  assert.equal(protocol.formatResult(result), `26-1-6.7-https://reports.example/report/${KNOWN_HASH}`);
  assert.deepEqual(protocol.parseResult(protocol.formatResult(result)), result);
}

const DRAFT = {
  type: 'fraud',
  severity: 7,
  text: 'Paid with a stolen card.',
  identifiers: [{ kind: 'email', hash: KNOWN_HASH }],
};
const ASKED = [{ kind: 'email', hash: KNOWN_HASH }];

async function useSealed({ sealed }) {
  const fetch = async () => {
    throw new TypeError('fetch failed');
  };
  const options = { baseUrl: 'https://fraud.example', apiKey: OTHER_HASH, operatorKey: new Uint8Array(32), fetch };
  const client = sealed.createSealedClient({ ...options, timeoutMs: 100 });
  const answer = await client.query([{ kind: 'email', hash: KNOWN_HASH }]);
  assert.deepEqual(answer, { answer: 'unknown', why: 'no-manifest', retryAfterSeconds: null });
  await assert.rejects(client.prepare([KNOWN_HASH]), (error) => error instanceof sealed.SealedError);
  await client.close();
}

async function useEngine({ index, sqljs }) {
  const { engine, apiKey } = await start({ index }, await sqljs.createSqljsStore());
  const { deletionCode } = index.unwrap(await engine.report({ apiKey, ...DRAFT }));
  const verdict = index.unwrap(await engine.query({ apiKey, identifiers: ASKED }));
  assert.equal(verdict.reported, 1);
  assert.ok(
    verdict.points > 0 && verdict.points <= 100 && verdict.reliability >= 1 && verdict.reliability <= 10,
    JSON.stringify(verdict),
  );
  const linkHash = verdict.link.slice(-40);
  assert.deepEqual(
    index.unwrap(await engine.view({ linkHash })).map(({ text, reporter }) => [text, reporter]),
    [[DRAFT.text, 'A shop']],
  );
  index.unwrap(await engine.remove({ apiKey, deletionCode }));
  assert.equal(index.unwrap(await engine.query({ apiKey, identifiers: ASKED })).reported, 0);
  await engine.close();
}

/** Sends requests of the client to the listener and to the fetch handler. */
async function useOperator({ index, operator, store, sqljs, http }) {
  const { engine, apiKey } = await start({ index }, await sqljs.createSqljsStore());
  const { reportId } = index.unwrap(await engine.report({ apiKey, ...DRAFT }));
  const { openDispute, explainQuery } = operator.createOperator(engine);
  index.unwrap(await openDispute({ reportId, reason: 'Another person', by: 'Consumer' }));
  const { explanation, link } = index.unwrap(await explainQuery({ apiKey, identifiers: ASKED }));
  assert.equal(explanation.voices[0].reports[0].disputed, true);
  const linkHash = link.split('/').at(-1);
  const record = index.unwrap(await operator.withRecords(engine).record({ linkHash }));
  assert.deepEqual(record.disputed, [reportId]);
  assert.equal(typeof store.copyRows, 'function');
  assert.equal(typeof http.createFetchHandler(engine), 'function');
  await engine.close();
}

async function useHttp({ index, sqljs, http, node, client }) {
  const { engine, apiKey } = await start({ index }, await sqljs.createSqljsStore());
  const server = createServer(node.createListener(engine));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${server.address().port}`;
    const overHttp = client.createClient({ baseUrl, apiKey });
    const { deletionCode } = await overHttp.report(DRAFT);
    const result = await overHttp.query(ASKED);
    assert.equal(result.reported, 1);
    assert.equal((await overHttp.view(result.linkHash))?.[0]?.text, DRAFT.text);

    const body = new URLSearchParams({ _api: apiKey, _action: 'query', email: KNOWN_HASH });
    const text = await (await fetch(`${baseUrl}/api/`, { method: 'POST', body })).text();
    assert.match(text, /^[1-9]\d?-1-(10\.0|[1-9]\.\d)-https:\/\/reports\.example\/report\/[0-9a-f]{40}$/);

    const shipped = createRequire(import.meta.url)('redflag/openapi.json');
    assert.deepEqual(shipped, JSON.parse(JSON.stringify(http.createOpenApi())));

    const handler = http.createFetchHandler(engine);
    const overFetch = client.createClient({
      baseUrl: 'https://reports.example',
      apiKey,
      fetch: (url, init) => handler(new Request(url, init)),
    });
    assert.deepEqual(await overFetch.query(ASKED), result);
    await overFetch.remove(deletionCode);
    await assert.rejects(
      overHttp.remove(deletionCode),
      (error) => error instanceof client.ServiceError && error.status >= 400,
    );
    assert.equal((await overHttp.query(ASKED)).reported, 0);
  } finally {
    // A client with an open connection would keep the server running.
    server.closeAllConnections?.();
    await new Promise((resolve) => server.close(resolve));
    await engine.close();
  }
}

async function useFolder({ index, node }, folder) {
  const { engine, apiKey } = await start({ index }, await node.openFolderStore(folder));
  index.unwrap(await engine.report({ apiKey, ...DRAFT }));
  await assert.rejects(node.openFolderStore(folder), (error) => error instanceof node.FolderInUseError);
  await engine.close();
  const again = index.createEngine({
    store: await node.openFolderStore(folder),
    secret: SECRET,
    publicUrl: 'https://reports.example',
  });
  assert.equal(index.unwrap(await again.query({ apiKey, identifiers: ASKED })).reported, 1);
  await again.close();
}

async function useSqliteFile({ index, sqlite, sqljs }, folder) {
  const file = `${folder}-sqlite/store.db`;
  const { engine, apiKey } = await start({ index }, await sqlite.openSqliteFile(file));
  index.unwrap(await engine.report({ apiKey, ...DRAFT }));
  await assert.rejects(sqlite.openSqliteFile(file), (error) => error instanceof sqlite.FileInUseError);
  await engine.close();
  const store = await sqlite.openSqliteFile(file);
  assert.equal((await store.findMatches([KNOWN_HASH])).length, 1);
  assert.deepEqual(await store.check(), []);
  await store.close();

  // If Node has a built-in SQLite, it opens the same file. Node 22 prints a warning.
  const builtin =
    Number.parseInt(process.versions.node, 10) < 24 ? undefined : process.getBuiltinModule?.('node:sqlite');
  if (!builtin) return;
  const shared = await sqlite.createSqliteStore({ database: new builtin.DatabaseSync(file) });
  assert.equal((await shared.findMatches([KNOWN_HASH])).length, 1);
  await shared.close();
  const foreign = new builtin.DatabaseSync(':memory:');
  foreign.exec('CREATE TABLE t (x)');
  await assert.rejects(
    sqlite.createSqliteStore({ database: foreign }),
    (error) => error instanceof sqljs.StoreFormatError,
  );
}

async function useMemoryJournal({ index, sqljs }) {
  const medium = sqljs.createMemoryMedium();
  const { engine, apiKey } = await start({ index }, await sqljs.openDurableStore({ medium }));
  index.unwrap(await engine.report({ apiKey, ...DRAFT }));
  await engine.close();
  const bytes = medium.bytes();
  assert.ok(bytes.length > 0);
  bytes[bytes.length >> 1] ^= 1;
  await assert.rejects(
    sqljs.openDurableStore({ medium: sqljs.createMemoryMedium(bytes) }),
    (error) => error instanceof sqljs.JournalDamagedError,
  );
}

/** Without a server, the store must fail with the error class that the first door exports. */
async function usePostgres({ index, postgres }) {
  const pool = { connect: () => Promise.reject(new Error('connect ECONNREFUSED')) };
  await assert.rejects(postgres.createPostgresStore({ pool }), (error) => error instanceof index.StoreUnavailableError);
  await assert.rejects(postgres.createPostgresStore({ pool, schema: 'No Name' }), RangeError);
  assert.equal(typeof postgres.createPglitePool({}).connect, 'function');
}

/** Only workerd has such objects (test/runtimes/slow-workerd.test.ts). */
async function useDurableObject({ durableObject }) {
  await assert.rejects(durableObject.createDurableObjectStore({}), TypeError);
}

/** Errors thrown by one door must be instances of the class that another door exports. */
async function useSharedClasses({ index, sqljs, node, http }) {
  const store = await sqljs.createSqljsStore();
  const { engine } = await start({ index }, store);
  await store.close();
  await assert.rejects(store.count(), (error) => error instanceof index.StoreUnavailableError);
  assert.throws(
    () => index.unwrap({ ok: false, refusal: { reason: 'unknown-key' } }),
    (error) => error instanceof index.RefusedError,
  );
  // The HTTP door distinguishes an unavailable store (503) from a defect (500) by this class.
  const events = [];
  const handler = http.createFetchHandler(engine, { log: (event) => events.push(event) });
  const body = new URLSearchParams({ _api: '00000000000000a1', _action: 'query', email: KNOWN_HASH });
  assert.equal((await handler(new Request('https://reports.example/api/', { method: 'POST', body }))).status, 503);
  assert.equal(typeof node.createListener(engine), 'function');
}

async function start({ index }, store) {
  const engine = index.createEngine({
    store,
    secret: SECRET,
    publicUrl: 'https://reports.example',
    random: index.createSeededRandom('consumer'),
  });
  const { reporterId } = index.unwrap(await engine.createReporter({ name: 'A shop' }));
  return { engine, apiKey: index.unwrap(await engine.issueKey({ reporterId })).apiKey };
}
