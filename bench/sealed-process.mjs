// One task of the benchmark of the sealed look-up in its own process with an IPC channel:
// `sealed-process.mjs <task and its options as JSON>`. Its message is the result.
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { unwrap } from 'redflag';
import { createListener, openClientFolder } from 'redflag/node';
import { createSealedClient } from 'redflag/sealed';
import { load } from './http-load.mjs';
import { quartiles, timeInterleaved } from './interleave.mjs';
import {
  CUSTOMERS,
  customerOf,
  DAY_MS,
  endpointsOf,
  fillOperator,
  liveADay,
  openOperator,
  operatorOf,
  publisherOf,
  REPORTED,
} from './sealed-operator.mjs';
import { countBytes, measure, ran } from './sealed-measure.mjs';
import { timeSteps } from './sealed-steps.mjs';
import { NOW } from './store-rows.mjs';

const parts = await import(new URL('../build/bench/sealed-parts.mjs', import.meta.url).href);
await parts.loadSodium();
const { task, ...options } = JSON.parse(process.argv[2]);

/** A day later, while the first manifest is still valid. */
const LATER = NOW + DAY_MS - 1;

/** Elements of a request. */
const TOGETHER = [1, 3, 32];

const TASKS = {
  /** Times the steps of the VOPRF. */
  async steps({ together, slices }) {
    return { version: process.version, steps: await timeSteps({ voprf: parts.voprf, together, slices, now: ran }) };
  },

  /** Fills the store of an operator. */
  fill: ({ folder, identifiers }) => fillOperator(parts, folder, identifiers),

  /**
   * Publishes a new epoch and serves the look-up over HTTP. After a message, lives a day and publishes once more: after
   * a restart, a publication would need all multiplications again.
   */
  async operate({ folder, identifiers }) {
    const operator = await openOperator(parts, folder);
    const clock = { now: NOW };
    const timed = { ...operator, clock: () => clock.now };
    const publisher = await publisherOf(parts, timed, folder);
    const published = await measure(() => publisher.publish());
    const http = createServer(createListener(operator.engine, { beside: endpointsOf(parts, timed, folder) }));
    await once(http.listen(0, '127.0.0.1'), 'listening');
    process.once('message', async () => {
      await liveADay(parts, operator, identifiers);
      clock.now = LATER;
      process.send({ result: await measure(() => publisher.publish()) });
    });
    process.once('disconnect', async () => {
      await operator.store.close();
      process.exit();
    });
    return { published, port: http.address().port };
  },

  /** Times the request of an evaluation at the endpoints, without HTTP, and both evaluations in it. */
  async requests({ copy, apiKey, slices }) {
    const operator = await openOperator(parts, copy);
    const random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
    const { evaluate, multiply, publicKeyOf } = parts.voprf;
    const secretKey = operator.keys.epochs[0].key;
    const publicKey = publicKeyOf(secretKey);
    const answer = endpointsOf(parts, operator, copy);
    const cases = [];
    for (const count of TOGETHER) {
      const blinded = blindedOf(count);
      const request = evaluateRequest(apiKey, blinded);
      const reply = await answer(request, '/sealed/evaluate');
      assert.equal(reply.status, 200);
      const first = await operator.askEvaluator(undefined, blinded);
      const evaluated = first.evaluated.map((one) => parts.toBase64Url(multiply(secretKey, one)));
      assert.deepEqual(JSON.parse(reply.body).evaluated, evaluated);
      const runs = {
        request: async () => void (await answer(request, '/sealed/evaluate')),
        async alone() {
          const { evaluated } = await operator.askEvaluator(undefined, blinded);
          evaluate(secretKey, publicKey, evaluated, random);
        },
      };
      for (const [what, run] of Object.entries(runs)) cases.push({ count, what, run });
    }
    const timed = await timeInterleaved(Object.fromEntries(cases.map(({ run }, at) => [at, run])), {
      slices,
      callsPerSlice: 3,
      now: ran,
    });
    await operator.store.close();
    return cases.map(({ count, what }, at) => ({ count, what, ...timed[at] }));
  },

  /** Downloads everything into a folder, and evaluates the customers. */
  async download({ folder, port, apiKey }) {
    const client = await openClient(folder, { port, apiKey });
    const refreshed = await measure(() => client.refresh());
    await client.prepare(customers().flat(2));
    await client.close();
    return refreshed;
  },

  /** Counts the bytes of new identifiers, with all headers. */
  async wire({ port, apiKey }) {
    const counted = await countBytes(port);
    const random = (count) =>
      Array.from({ length: count }, () => parts.toHex(crypto.getRandomValues(new Uint8Array(20))));
    const client = await openClient(undefined, { port: counted.port, apiKey });
    await client.prepare(random(1));
    const evaluations = [];
    for (const count of TOGETHER) {
      const bytes = await counted.during(() => client.prepare(random(count)));
      evaluations.push({ count, ...bytes });
    }
    await client.close();
    counted.close();
    return { evaluations };
  },

  /** Loads `/sealed/evaluate` over HTTP with requests of three. */
  async http({ port, apiKey, amount }) {
    const bodies = Array.from({ length: amount }, () => bodyOf(blindedOf(3)));
    const requests = bodies.map((body) => ({
      method: 'POST',
      path: '/sealed/evaluate',
      headers: headersOf(apiKey),
      body,
    }));
    const loads = [];
    for (const connections of [1, 8]) loads.push({ connections, ...(await load({ port, requests, connections })) });
    return loads;
  },

  /** Fetches the rows of a day later, with the kept replica. */
  async follow({ folder, port, apiKey }) {
    const client = await openClient(folder, { port, apiKey, now: LATER });
    const refreshed = await measure(() => client.refresh());
    assert.equal(refreshed.how, 'snapshot');
    await client.close();
    return refreshed;
  },

  /** Starts on a kept replica, and queries the prepared customers: for the first time in a process, and again. */
  async query({ folder, copy, apiKey, slices }) {
    // Nothing listens there: all that a query needs is in the folder.
    const open = () => openClient(folder, { port: 9, apiKey });
    const sets = customers();
    const started = await measure(async () => {
      const { answer } = await (await open()).query(sets[0][0]);
      assert.equal(answer, 'score');
    });
    const { engine, store } = await openOperator(parts, copy);
    const online = async (identifiers) => unwrap(await engine.query({ apiKey, identifiers }));
    const client = await open();
    for (const [at, set] of sets.entries()) {
      for (const identifiers of set) {
        const { points, reported, reliability } = await online(identifiers);
        assert.equal(reported, REPORTED[at]);
        const local = await client.query(identifiers);
        assert.deepEqual([local.points, local.reported, local.reliability], [points, reported, reliability]);
      }
    }
    const samples = REPORTED.map(() => ({ first: [], again: [], online: [] }));
    const time = async (list, [, ...set], ask) => {
      const start = ran();
      for (const identifiers of set) await ask(identifiers);
      list.push((1000 * (ran() - start)) / set.length);
    };
    for (let slice = 0; slice < slices; slice++) {
      const fresh = await open();
      await fresh.query(sets[0][0]);
      for (const [at, set] of sets.entries()) {
        await time(samples[at].first, set, fresh.query);
        await time(samples[at].again, set, fresh.query);
        await time(samples[at].online, set, online);
      }
    }
    await store.close();
    return {
      started,
      queries: samples.map(({ first, again, online }, at) => ({
        reported: REPORTED[at],
        first: quartiles(first),
        again: quartiles(again),
        online: quartiles(online),
      })),
    };
  },
};

/** Returns the prepared customers, by {@link REPORTED}. */
function customers() {
  return REPORTED.map((reported) => Array.from({ length: CUSTOMERS }, (_, n) => customerOf(reported, n)));
}

/** Returns blinded elements of random identifiers. */
function blindedOf(count) {
  const random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from({ length: count }, () => parts.voprf.blind(random(20), random).blinded);
}

/** Returns the body of a request to `/sealed/evaluate`. */
const bodyOf = (blinded) => JSON.stringify({ epoch: 1, blinded: blinded.map((bytes) => parts.toBase64Url(bytes)) });

/** Returns the request as the service over HTTP passes it on. */
function evaluateRequest(apiKey, blinded) {
  const headers = headersOf(apiKey);
  const body = new TextEncoder().encode(bodyOf(blinded));
  return { method: 'POST', header: (name) => headers[name], body: async () => body };
}

const headersOf = (apiKey) => ({ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' });

/** Returns a client on its folder below `folder`; in memory if it is undefined. */
async function openClient(folder, { port, apiKey, now = NOW }) {
  const { operatorKey } = operatorOf(parts);
  return createSealedClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey,
    operatorKey,
    clock: () => now,
    ...(folder !== undefined && { folder: await openClientFolder(join(folder, 'client')) }),
  });
}

process.send({ result: await TASKS[task](options) });
if (task !== 'operate') process.disconnect();
