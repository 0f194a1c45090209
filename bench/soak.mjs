// A long mixed load with idle, slow and unread connections beside it. What must stay bounded is sampled each second:
// the memory of the service, its connections, and the bytes that wait for clients. The service, the other clients and
// the client that measures have a process each.
import { strict as assert } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { client, timeQueries } from './http-client.mjs';
import { open } from './http-process.mjs';
import { STORES } from './http-stores.mjs';
import { crowdOf, personOf } from './store-rows.mjs';
import { fillWith, LONG } from './views.mjs';

const FULL = { seconds: 60, idle: 2_000, slow: 500, unread: 500, workers: 8, reports: { large: 1_000, small: 30 } };
const CROWD = fileURLToPath(new URL('soak-crowd.mjs', import.meta.url));
/** Number of the person of the light query, and the number that stands for the views. */
const LIGHT = 7;
const VIEWS = { large: -1, small: -2 };
const SAMPLE_MS = 1_000;

/**
 * Soaks the service of `redflag serve` on a folder, with its default bounds. Resolves with the latency of a light query
 * without and with the other clients, and with `samples` of memory and usage, one a second.
 */
export async function benchSoak(options = {}) {
  const settings = { ...FULL, ...options };
  const data = await STORES['folder, journal'].prepare((store) => fillWith(store, drafts(settings)));
  const server = await open({ server: 'node:http', store: 'folder, journal', place: await data.copy(), guarded: true });
  try {
    const { apiKey } = await server.ask({ keys: 1 });
    const asking = client(server.port, apiKey);
    const linkOf = async (identifiers) => `/report/${(await asking.send('query', { identifiers })).slice(-40)}`;
    const light = personOf(LIGHT);
    const views = { light: await linkOf(light) };
    for (const [name, n] of Object.entries(VIEWS)) views[name] = await linkOf([crowdOf(n)]);
    const query = async () => assert.match(await asking.send('query', { identifiers: light }), /^\d+-1-\d/);
    await timeQueries(query, Math.min(1, settings.seconds));
    const alone = await timeQueries(query, Math.min(10, settings.seconds / 4));

    const given = { ...settings, port: server.port, apiKey, views, light };
    const crowd = fork(CROWD, [JSON.stringify(given)]);
    await once(crowd, 'message');
    const askCrowd = async (message) => {
      crowd.send(message);
      return (await once(crowd, 'message'))[0];
    };
    const samples = [];
    const start = performance.now();
    const sampling = (async () => {
      while (performance.now() - start < 1_000 * settings.seconds) {
        await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
        const [{ residentBytes, usage }, { open }] = await Promise.all([server.ask({}), askCrowd('look')]);
        samples.push({ seconds: (performance.now() - start) / 1_000, residentBytes, ...usage, open });
      }
    })();
    const [soaked] = await Promise.all([timeQueries(query, settings.seconds), sampling]);
    const { mixed, replaced } = await askCrowd('stop');
    asking.close();
    return { ...settings, alone, soaked, mixed, replaced, samples, memory: memoryOf(samples) };
  } finally {
    await server.close();
    await data.remove();
  }
}

/** The reports of the light query and of the views. */
function* drafts({ reports }) {
  yield { identifiers: personOf(LIGHT), text: 'Ordered twice and never paid.' };
  for (const [name, n] of Object.entries(VIEWS))
    for (let own = 0; own < reports[name]; own++)
      yield { identifiers: [crowdOf(n)], text: `${own} ${LONG}`.slice(0, 2_000) };
}

/**
 * Returns the memory of the service after the warm-up and at the end: the medians of a fifth of the samples each. The
 * warm-up takes the first two fifths: all connections are made, code is compiled, and the heap has its size.
 */
function memoryOf(samples) {
  const bytes = samples.map(({ residentBytes }) => residentBytes);
  const median = (share) => {
    const from = Math.floor(share * bytes.length);
    const part = bytes.slice(from, Math.max(from + 1, from + Math.floor(bytes.length / 5))).sort((a, b) => a - b);
    return part[part.length >> 1];
  };
  return { warm: median(0.4), end: median(0.8), most: Math.max(...bytes) };
}
