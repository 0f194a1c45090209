// How long a light query waits while clients ask for heavy views. The service, the clients of the viewer and the client
// that measures have a process each. The service keeps getting reports about the persons of the views, so that no view
// stays valid for long.
import { strict as assert } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { unwrap } from 'redflag';
import { client, timeQueries } from './http-client.mjs';
import { open } from './http-process.mjs';
import { openPeppered, STORES } from './http-stores.mjs';
import { crowdOf, NOW, personOf, REPORTERS } from './store-rows.mjs';

const FULL = { crowd: 100_000, persons: 5, seconds: 10, connections: 50 };
const ATTACKER = fileURLToPath(new URL('views-attacker.mjs', import.meta.url));
/** Reports that a fill sends at once. */
const AT_ONCE = 64;
const REPORTS_A_PERSON = 1_000;
/** Milliseconds between two reports about the persons of the views. */
const REPORT_EVERY_MS = 500;
/** The longest text that a report may have. */
export const LONG = 'Ordered twice, “paid” with a stolen card, and never answered.\n'.repeat(40).slice(0, 2_000);
const SHORT = 'Ordered twice and never paid.';
/** Number of the person of the light query. */
const LIGHT = 7;

/**
 * Measures a light query without and with clients of the viewer. `crowd`: reports behind one of the links. `persons`:
 * links to 1,000 long reports each.
 */
export async function benchViews(options = {}) {
  const settings = { ...FULL, ...options };
  const data = await STORES['folder, journal'].prepare((store) => fill(store, settings));
  const server = await open({ server: 'node:http with pages', store: 'folder, journal', place: await data.copy() });
  try {
    const keys = await server.ask({ keys: 1 });
    const asking = client(server.port, keys.apiKey);
    const sets = [...longSets(settings), [crowdOf(settings.crowd)]];
    const paths = [];
    for (const identifiers of sets) {
      const reply = await asking.send('query', { identifiers });
      assert.match(reply, /^\d+-[1-9]/);
      paths.push(`/report/${reply.slice(-40)}`);
    }
    const light = () => asking.send('query', { identifiers: personOf(LIGHT) });
    assert.match(await light(), /^\d+-1-/);
    await timeQueries(light, 1);
    const alone = await timeQueries(light, settings.seconds);
    const unchanged = await timeUnchanged(asking, paths[0], settings.seconds / 5);

    const attacker = fork(ATTACKER, [JSON.stringify({ port: server.port, paths, connections: settings.connections })]);
    await once(attacker, 'message');
    let n = 0;
    const writing = setInterval(() => {
      const identifiers = sets[n++ % sets.length];
      void asking.send('report', { identifiers, type: 'fraud', severity: 5, text: `${n} ${SHORT}` });
    }, REPORT_EVERY_MS);
    const attacked = await timeQueries(light, settings.seconds);
    clearInterval(writing);
    attacker.send('stop');
    const [views] = await once(attacker, 'message');
    asking.close();
    return { ...settings, alone, unchanged, attacked, views };
  } finally {
    await server.close();
    await data.remove();
  }
}

/** Times a request for a view that the client has: the reply is 304. */
async function timeUnchanged(asking, path, seconds) {
  const known = await asking.ask({ method: 'GET', path });
  assert.equal(known.status, 200);
  const again = () => asking.ask({ method: 'GET', path, headers: { 'if-none-match': known.headers.etag } });
  assert.equal((await again()).status, 304);
  return timeQueries(again, seconds);
}

/** The sets of identifiers with 1,000 long reports each. */
const longSets = ({ persons }) => Array.from({ length: persons }, (_, n) => [crowdOf(-1 - n)]);

/** Fills a store with the reports of the views, by all reporters, and one report of the light query. */
async function fill(store, settings) {
  const drafts = function* () {
    yield { identifiers: personOf(LIGHT), text: SHORT };
    for (const identifiers of longSets(settings))
      for (let n = 0; n < REPORTS_A_PERSON; n++) yield { identifiers, text: `${n} ${LONG}`.slice(0, 2_000) };
    for (let n = 0; n < settings.crowd; n++) yield { identifiers: [crowdOf(settings.crowd)], text: `${n} ${SHORT}` };
  };
  await fillWith(store, drafts());
}

/** Fills a store with reports, `{ identifiers, text }`, by all reporters in turn. */
export async function fillWith(store, drafts) {
  const time = { ms: NOW - 1_000_000_000 };
  const engine = openPeppered(store, { clock: () => (time.ms += 1_000) });
  const keys = [];
  for (let n = 0; n < REPORTERS; n++)
    keys.push(unwrap(await engine.issueKey(unwrap(await engine.createReporter({ name: `Shop ${n}` })))).apiKey);
  let sent = [];
  let n = 0;
  for (const draft of drafts) {
    sent.push(engine.report({ ...draft, type: 'fraud', severity: 5, apiKey: keys[n++ % REPORTERS] }));
    if (sent.length < AT_ONCE) continue;
    for (const outcome of await Promise.all(sent)) unwrap(outcome);
    sent = [];
  }
  for (const outcome of await Promise.all(sent)) unwrap(outcome);
  await engine.recomputeTrust();
}
