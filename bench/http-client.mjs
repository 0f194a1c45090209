// Clients of the benchmarks over HTTP that measure or compare single replies.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { post } from './http-process.mjs';
import { quantile } from './slices.mjs';

/** A client that keeps its connections. */
export function client(port, apiKey) {
  const agent = new Agent({ keepAlive: true });
  const ask = async ({ method, path, headers, body }) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }).end(body);
    const [response] = await once(sent, 'response');
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
  };
  return {
    close: () => agent.destroy(),
    /** Sends a request. Resolves with status, headers and body. */
    ask,
    /** Sends the form of an action. Resolves with the body. */
    send: async (action, draft) => (await ask(post(apiKey, action, draft))).body,
  };
}

/** Sends a query after the reply to the last one. Returns quantiles of the latency in milliseconds. */
export async function timeQueries(query, seconds) {
  const latencies = [];
  for (const end = performance.now() + 1_000 * seconds; performance.now() < end;) {
    const start = performance.now();
    await query();
    latencies.push(performance.now() - start);
  }
  latencies.sort((a, b) => a - b);
  return {
    queries: latencies.length,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    most: latencies.at(-1),
  };
}
