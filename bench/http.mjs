// Queries, reports and the viewer over HTTP, on each store and in each server, compared with the same server that
// parses the same form and sends a reply that it already has. Each server has its own process; the client is this one.
import { strict as assert } from 'node:assert';
import { load } from './http-load.mjs';
import { open, post } from './http-process.mjs';
import { CONSTANT } from './http-servers.mjs';
import { draftOf, fillPeppered, STORES } from './http-stores.mjs';
import { quantile } from './slices.mjs';

const FULL = {
  reports: 10_000,
  slices: 9,
  stores: Object.keys(STORES),
  servers: Object.keys(CONSTANT),
  /** Requests of one slice. */
  amounts: { query: 3_200, viewer: 3_200, report: 1_280 },
};
const CONNECTIONS = { query: 32, viewer: 32, report: 64 };
/** Different queries. Connections repeat them in turn. */
const QUERIES = 200;
/** Headers of a connection, not of a reply. */
const HOP_BY_HOP = ['connection', 'date', 'keep-alive'];

/** With fewer reports, slices and requests, the figures come sooner but are less exact. */
export async function benchHttp(options = {}) {
  const settings = { ...FULL, ...options };
  const stores = [];
  for (const name of settings.stores) {
    const missing = STORES[name].missing();
    stores.push({ name, ...(missing ? { missing } : await measureStore(name, settings)) });
  }
  return { reports: settings.reports, stores };
}

async function measureStore(name, { reports, slices, servers, amounts }) {
  const filled = {};
  const stored = Array.from({ length: Math.min(QUERIES, reports) }, (_, n) => (n * 7_919) % reports);
  const data = await STORES[name].prepare(async (store) =>
    Object.assign(filled, await fillPeppered(store, reports, stored)),
  );
  const pairs = [];
  try {
    for (const server of servers) {
      const ours = await open({ server, store: name, place: await data.copy() });
      pairs.push({ server, ours, constant: await open({ server }) });
    }
    const { apiKey, reporterId } = filled;
    const queries = stored.map((n) => post(apiKey, 'query', draftOf(n)));
    // Leave a gap: up to four persons in a row share an address.
    let written = reports + 4;
    const viewers = await assertSameReplies(pairs, queries, post(apiKey, 'report', draftOf(written++)));
    const next = {
      query: (n) => queries[n % queries.length],
      viewer: (n) => viewers[n % viewers.length],
      report: () => post(apiKey, 'report', draftOf(written++)),
    };
    const writeAlone = () => {
      const from = written;
      written += amounts.report;
      // In the process of the first server.
      return pairs[0].ours.ask({ write: { reporterId, from, amount: amounts.report } });
    };

    const before = await memoryOf(pairs);
    const rows = [];
    let storeAlone;
    // Reports come last, because they change what the others read.
    for (const [kind, connections] of Object.entries(CONNECTIONS)) {
      const requests = () => Array.from({ length: amounts[kind] }, (_, n) => next[kind](n));
      const loadOf = ({ port }) => load({ port, requests: requests(), connections });
      const contenders = pairs.flatMap(({ ours, constant }) => [() => loadOf(ours), () => loadOf(constant)]);
      const figures = await timeTurns(kind === 'report' ? [...contenders, writeAlone] : contenders, slices);
      rows.push(
        ...pairs.map(({ server }, at) => ({ kind, server, ours: figures[2 * at], constant: figures[2 * at + 1] })),
      );
      if (kind === 'report') storeAlone = figures.at(-1).perSecond;
    }
    return { rows, storeAlone, memory: { before, after: await memoryOf(pairs) } };
  } finally {
    for (const { ours, constant } of pairs) for (const { close } of [ours, constant]) await close();
    await data.remove();
  }
}

/**
 * Sends all queries, their links and one report to redflag in each server, and asserts equal replies. Teaches the
 * replies to the constant servers, and asserts that they send them too. Returns the requests for the links.
 */
async function assertSameReplies(pairs, queries, report) {
  const first = pairs[0].ours;
  const known = [];
  const viewers = [];
  for (const query of queries) {
    const reply = await send(first, query);
    assert.match(reply.body, /^\d+-[1-9]\d*-[\d.]+-http/);
    known.push([query, new URLSearchParams(query.body).get('email'), reply]);
    const path = `/report/${reply.body.slice(-40)}`;
    viewers.push({ method: 'GET', path, headers: {} });
    known.push([viewers.at(-1), path, await send(first, viewers.at(-1))]);
  }
  const stored = await send(first, report);
  assert.equal(stored.body, 'OK');
  const learn = [...known.map(([, key, reply]) => [key, reply]), ['report', stored]];
  for (const { ours, constant } of pairs) {
    await constant.ask({ learn });
    assert.equal((await send(ours, report)).body, stored.body);
    assert.deepEqual(await send(constant, report), stored);
    for (const [request, , reply] of known)
      for (const server of [ours, constant]) assert.deepEqual(await send(server, request), reply);
  }
  return viewers;
}

async function send({ port }, { method, path, headers, body }) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  const sent = Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.includes(name)));
  return { status: response.status, headers: sent, body: await response.text() };
}

/** Resident bytes of all servers. */
function memoryOf(pairs) {
  const residentBytes = async ({ ask }) => (await ask({})).residentBytes;
  return Promise.all(
    pairs.map(async ({ server, ours, constant }) => ({
      server,
      ours: await residentBytes(ours),
      constant: await residentBytes(constant),
    })),
  );
}

/** Runs contenders in turn, in slices of random order. The first slice does not count. Returns medians of figures. */
async function timeTurns(contenders, slices) {
  const samples = contenders.map(() => []);
  for (let slice = 0; slice <= slices; slice++) {
    for (const [at, run] of [...contenders.entries()].sort(() => Math.random() - 0.5)) {
      const figures = await run();
      if (slice > 0) samples[at].push(figures);
    }
  }
  const median = (values) =>
    quantile(
      [...values].sort((a, b) => a - b),
      0.5,
    );
  return samples.map((list) => ({
    perSecond: median(list.map(({ perSecond }) => perSecond)),
    p50: median(list.map(({ p50 }) => p50)),
    p99: median(list.map(({ p99 }) => p99)),
  }));
}
