// One store of the bench of stores, in a process of its own: `store-process.mjs <options as JSON>`. Its last line is the figures as JSON; what it is at goes to standard error.
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { unwrap } from 'redflag';
import { timePairs } from './pairs.mjs';
import { POSTGRES_SITE } from './store-postgres.mjs';
import { crowdOf, openEngine, personOf, reportOf } from './store-rows.mjs';
import { fillSqlite, freshFolder, SQLITE_SITES } from './store-sqlite.mjs';
import { quantile } from './slices.mjs';

const DAY_MS = 86_400_000;
/** As many writers at once. */
const TOGETHER = 64;
const SITES = { ...SQLITE_SITES, 'PostgreSQL, 16 connections': POSTGRES_SITE };

const options = JSON.parse(process.argv[2]);
const answer = options.fill ? await fillSqlite(options.fill, options) : await measure(options);
console.log(JSON.stringify(answer ?? null));

/** Times one store at one filling. `file` is a filled SQLite file, which a server does without. */
async function measure({ name, file, folder, size, crowds, slices }) {
  const missing = SITES[name].missing?.();
  if (missing) return { missing };
  const site =
    name in SQLITE_SITES
      ? await SITES[name].open(file, await freshFolder(join(folder, 'site')))
      : await SITES[name].open({ size, crowds });
  try {
    const store = await site.openStore();
    const rival = await site.openRival();
    const engine = openEngine(store);
    const opened = { store, rival, engine, apiKey: site.apiKey };
    return size > 0 ? await measurePersons(opened, { size, slices }) : await measureCrowds(opened, crowds);
  } finally {
    await site.remove();
  }
}

function byReport(a, b) {
  return `${a.hash} ${a.reportId}` < `${b.hash} ${b.reportId}` ? -1 : 1;
}

async function assertSameMatches(store, rival, hashes) {
  const [ours, theirs] = [await store.findMatches(hashes), await rival.query(hashes)];
  assert.ok(ours.length > 0);
  assert.deepEqual([...ours].sort(byReport), [...theirs].sort(byReport));
}

async function measurePersons({ store, rival, engine, apiKey }, { size, slices }) {
  const sets = Array.from({ length: Math.min(2_000, size) }, (_, n) => personOf((n * 7_919) % size));
  const hashSets = sets.map((set) => set.map(({ hash }) => hash));
  for (const hashes of hashSets.slice(0, 200)) await assertSameMatches(store, rival, hashes);
  // First answers keep their links; the timed ones then find them, as in a shop that asks again.
  for (const identifiers of sets) unwrap(await engine.query({ apiKey, identifiers }));

  const turn = { ours: 0, engine: 0, raw: 0 };
  const next = (name) => turn[name]++ % sets.length;
  const query = await timePairs(
    {
      ours: async (count) => {
        for (let n = 0; n < count; n++) await store.findMatches(hashSets[next('ours')]);
      },
      raw: async (count) => {
        for (let n = 0; n < count; n++) await rival.query(hashSets[next('raw')]);
      },
      engine: async (count) => {
        for (let n = 0; n < count; n++) await engine.query({ apiKey, identifiers: sets[next('engine')] });
      },
    },
    { slices, unitsPerSlice: 100 },
  );

  // Both are given the same reports in the same order. The engine's own have numbers that nobody else comes to.
  const given = { ours: size, raw: size, engine: 2 * size + 1_000_000 };
  const draft = () => ({
    apiKey,
    type: 'fraud',
    severity: 6,
    text: 'A short description.',
    identifiers: personOf(given.engine++),
  });
  const writers = {
    ours: async (reports) => {
      for (const { outcome } of await Promise.all(
        reports.map((report) => store.addReport(report, report.createdAt - DAY_MS)),
      ))
        assert.equal(outcome, 'added');
    },
    raw: (reports) => rival.report(reports),
  };
  const writing = (together, units) =>
    timePairs(
      {
        ...Object.fromEntries(
          Object.entries(writers).map(([who, write]) => [
            who,
            async (count) => {
              for (let done = 0; done < count; done += together)
                await write(Array.from({ length: together }, () => reportOf(given[who]++)));
            },
          ]),
        ),
        engine: async (count) => {
          for (let done = 0; done < count; done += together)
            for (const outcome of await Promise.all(Array.from({ length: together }, () => engine.report(draft()))))
              unwrap(outcome);
        },
      },
      { slices, unitsPerSlice: units },
    );
  const alone = await writing(1, 25);
  const together = await writing(TOGETHER, 4 * TOGETHER);

  assert.equal(given.ours, given.raw);
  await assertSameRows(
    store,
    rival,
    Array.from({ length: given.ours - size }, (_, n) => size + n),
  );
  await rival.close();
  const problems = size <= 10_000 ? await store.check() : [];
  assert.deepEqual(problems, []);
  await engine.close();
  return { query, alone, together };
}

/** Both hold these reports with all that is read of them, and the store takes them for the same request again. */
async function assertSameRows(store, rival, numbers) {
  const newestFirst = (reports) =>
    reports.sort((a, b) => b.createdAt - a.createdAt || (a.reportId < b.reportId ? -1 : 1));
  for (let from = 0; from < numbers.length; from += 500) {
    const ids = numbers.slice(from, from + 500).map((n) => reportOf(n).reportId);
    const [ours, theirs] = [await store.findReports(ids), await rival.read(ids)];
    assert.equal(ours.length, ids.length);
    assert.deepEqual(ours, newestFirst(theirs.reports));
    assert.deepEqual((await store.findIdentifiers(ids)).sort(byReport), theirs.identifiers.sort(byReport));
  }
  for (const n of numbers.slice(0, 50)) {
    const report = reportOf(n);
    assert.deepEqual(await store.addReport(report, report.createdAt - DAY_MS), {
      outcome: 'same',
      reportId: report.reportId,
      nonce: report.nonce,
    });
  }
}

/** One identifier with very many reports: how long a query of it takes, and how long nobody else is served meanwhile. */
async function measureCrowds({ store, rival, engine, apiKey }, crowds) {
  const rows = [];
  for (const reports of crowds) {
    const identifier = crowdOf(reports);
    const contenders = {
      ours: () => store.findMatches([identifier.hash]),
      raw: () => rival.query([identifier.hash]),
      engine: () => engine.query({ apiKey, identifiers: [identifier] }),
    };
    await assertSameMatches(store, rival, [identifier.hash]);
    assert.equal(unwrap(await contenders.engine()).reported, reports);
    const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    for (let slice = 0; slice < 9; slice++) {
      for (const [name, task] of Object.entries(contenders)) samples[name].push(await timed(task));
    }
    const median = (name, of) =>
      quantile(
        samples[name].map((sample) => sample[of]).sort((a, b) => a - b),
        0.5,
      );
    rows.push({
      reports,
      ...Object.fromEntries(
        Object.keys(contenders).map((name) => [
          name,
          { milliseconds: median(name, 'whole'), longestTurn: median(name, 'longest') },
        ]),
      ),
    });
  }
  await rival.close();
  await engine.close();
  return rows;
}

/** Milliseconds that a task takes, and the longest of them in which the event loop had no turn. */
async function timed(task) {
  const start = performance.now();
  const state = { last: start, longest: 0, running: true };
  const tick = () => {
    const now = performance.now();
    state.longest = Math.max(state.longest, now - state.last);
    state.last = now;
    if (state.running) setImmediate(tick);
  };
  setImmediate(tick);
  await task();
  const end = performance.now();
  state.running = false;
  return { whole: end - start, longest: Math.max(state.longest, end - state.last) };
}
