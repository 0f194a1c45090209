// One server of the benchmark over HTTP, in its own process with an IPC channel: `http-server.mjs <options as JSON>`.
// With a store, it answers with redflag. Without one, it sends replies that it has learned. With `guarded`, it bounds
// connections as `redflag serve` does. Its first message has the port.
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { unwrap } from 'redflag';
import { createGuardedServer } from 'redflag/node';
import { CONSTANT, OURS } from './http-servers.mjs';
import { openPeppered, STORES } from './http-stores.mjs';
import { reportOf } from './store-rows.mjs';

const DAY_MS = 86_400_000;
/** Concurrent writers of the store alone. */
const WRITERS = 64;

const { server, store: name, place, guarded } = JSON.parse(process.argv[2]);
const store = name && (await STORES[name].open(place));
const engine = store && openPeppered(store);
const replies = new Map();
const listener = store
  ? await OURS[server](engine)
  : // Every reply to a report is the same. A query has its own reply, like a GET.
    await CONSTANT[server]((path, email) => replies.get(email ?? path) ?? replies.get('report'));

const guard = guarded && createGuardedServer(listener);
// As many clients may wait for their connection as in `redflag serve`.
const http = (guard?.server ?? createServer(listener)).listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
await once(http, 'listening');
process.on('message', async ({ learn = [], write, keys }) => {
  for (const [key, reply] of learn) replies.set(key, reply);
  process.send({
    residentBytes: process.memoryUsage.rss(),
    usage: guard?.usage(),
    perSecond: write && (await writeAlone(write)),
    apiKey: keys && (await newKey()),
  });
});
process.once('disconnect', async () => {
  await store?.close();
  process.exit();
});
process.send({ port: http.address().port });

/** Returns a key of a new reporter. */
async function newKey() {
  return unwrap(await engine.issueKey(unwrap(await engine.createReporter({ name: 'New shop' })))).apiKey;
}

/** Stores reports without HTTP and without the engine. Returns how many reports a second. */
async function writeAlone({ reporterId, from, amount }) {
  let next = from;
  const writer = async () => {
    while (next < from + amount) {
      const report = { ...reportOf(next++), reporterId };
      assert.equal((await store.addReport(report, report.createdAt - DAY_MS)).outcome, 'added');
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return (1000 * amount) / (performance.now() - start);
}
