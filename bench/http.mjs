// Queries over HTTP, compared with a constant server: node:http that reads the same body, parses the same form, and
// sends a fixed reply. Both run in this process, and both figures include the client's own time.
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createListener } from 'redflag/node';
import { createSqljsStore } from 'redflag/sqljs';
import { timeInterleaved } from './interleave.mjs';
import { addReporters, fillStore, openEngine, personOf } from './store-rows.mjs';

const FULL = { reports: 10_000, together: [1, 16], slices: 30 };
const PATH = '/api/';

/** With fewer reports and slices, the figures come sooner but are less exact. */
export async function benchHttp(options = {}) {
  const { reports, together, slices } = { ...FULL, ...options };
  const store = await createSqljsStore();
  const apiKey = await addReporters(store);
  await fillStore(store, { size: reports, crowds: [] });
  const engine = openEngine(store);
  const bodies = Array.from({ length: Math.min(500, reports) }, (_, n) => formOf(apiKey, (n * 7_919) % reports));
  const replies = new Map();
  const ours = await serve(createListener(engine));
  const constant = await serve(async (message, response) => {
    const body = replies.get(new URLSearchParams(await text(message)).get('email'));
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length }).end(body);
  });
  try {
    // The first query stores the link of its set. The timed queries find this link, as when a shop repeats a query.
    for (const body of bodies) replies.set(new URLSearchParams(body).get('email'), await ours.post(body));
    for (const body of bodies) {
      const reply = await ours.post(body);
      assert.match(reply, /^\d+-[1-9]\d*-[\d.]+-http/);
      assert.equal(reply, await constant.post(body));
    }
    const rows = [];
    for (const unitsPerCall of together) {
      const turn = { ours: 0, constant: 0 };
      const ask = (name, server) => async () =>
        void (await Promise.all(
          Array.from({ length: unitsPerCall }, () => server.post(bodies[turn[name]++ % bodies.length])),
        ));
      const times = await timeInterleaved(
        { ours: ask('ours', ours), constant: ask('constant', constant) },
        { slices, callsPerSlice: Math.ceil(200 / unitsPerCall), unitsPerCall },
      );
      const ratio = times.ours.medianMicroseconds / times.constant.medianMicroseconds;
      rows.push({ together: unitsPerCall, ...times, ratio });
    }
    return { reports, rows };
  } finally {
    for (const server of [ours, constant]) server.close();
    await engine.close();
  }
}

function formOf(apiKey, n) {
  const hashes = personOf(n).map(({ kind, hash }) => [kind, hash]);
  return new URLSearchParams([['_api', apiKey], ['_action', 'query'], ...hashes]).toString();
}

/** Starts a server on a free port. `post` sends a form to it on keep-alive connections. */
async function serve(listener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    async post(body) {
      const asked = request({ port, host: '127.0.0.1', path: PATH, method: 'POST', agent, headers });
      asked.end(body);
      const [response] = await once(asked, 'response');
      return text(response);
    },
    close() {
      agent.destroy();
      server.close();
    },
  };
}
