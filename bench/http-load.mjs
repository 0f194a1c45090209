// The load generator of the benchmark over HTTP: autocannon, with exact times.
import { strict as assert } from 'node:assert';
import autocannon from 'autocannon';
import { quantile } from './slices.mjs';

/** How often autocannon looks whether it is done, in milliseconds. */
const LOOK_MS = 20;

/**
 * Sends each request once, on `connections` keep-alive connections. A connection sends its next request after the reply
 * to the last one. Returns the requests a second, and two quantiles of the latency in milliseconds. Throws
 * AssertionError unless every status is 200.
 */
export async function load({ port, requests, connections }) {
  assert.equal(requests.length % connections, 0);
  let given = 0;
  const run = autocannon({
    url: `http://127.0.0.1:${port}`,
    amount: requests.length,
    connections,
    sampleInt: LOOK_MS,
    setupClient(client) {
      const own = given++;
      client.setRequests(requests.filter((_, n) => n % connections === own));
    },
  });
  const latencies = [];
  let start, end;
  run.on('start', () => (start = performance.now()));
  run.on('response', (client, status, bytes, milliseconds) => {
    end = performance.now();
    latencies.push(milliseconds);
  });
  const { non2xx, errors } = await run;
  assert.deepEqual({ non2xx, errors, replies: latencies.length }, { non2xx: 0, errors: 0, replies: requests.length });
  latencies.sort((a, b) => a - b);
  return {
    perSecond: (1000 * requests.length) / (end - start),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
