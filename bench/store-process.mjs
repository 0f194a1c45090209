// One store of the benchmark of stores, in its own process: `store-process.mjs <options as JSON>`. Its last line
// contains the figures as JSON. Progress goes to standard error.
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { unwrap } from 'redflag';
import { timeInterleaved } from './interleave.mjs';
import { POSTGRES_SITE } from './store-postgres.mjs';
import { crowdOf, openEngine, personOf, reportOf } from './store-rows.mjs';
import { fillSqlite, freshFolder, SQLITE_SITES } from './store-sqlite.mjs';
import { quantile } from './slices.mjs';

const DAY_MS = 86_400_000;
/** Concurrent writers. */
const TOGETHER = 64;
const SITES = { ...SQLITE_SITES, 'PostgreSQL, 16 connections': POSTGRES_SITE };

const options = JSON.parse(process.argv[2]);
const answer = options.fill ? await fillSqlite(options.fill, options) : await measure(options);
console.log(JSON.stringify(answer ?? null));

/** Times one store with one filling. `file` is a filled SQLite file; a server does not need it. */
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
    const opened = { store, rival, engine, apiKey: site.apiKey, analyze: site.analyze };
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

async function measurePersons({ store, rival, engine, apiKey, analyze }, { size, slices }) {
  const sets = Array.from({ length: Math.min(2_000, size) }, (_, n) => personOf((n * 7_919) % size));
  const hashSets = sets.map((set) => set.map(({ hash }) => hash));
  for (const hashes of hashSets.slice(0, 200)) await assertSameMatches(store, rival, hashes);
  // The first answer stores the link of its set. The timed queries find this link, as when a shop repeats a query.
  for (const identifiers of sets) unwrap(await engine.query({ apiKey, identifiers }));
  await analyze?.();

  const turn = { ours: 0, engine: 0, raw: 0 };
  const next = (name) => turn[name]++ % sets.length;
  const query = await timeInterleaved(
    {
      ours: async () => void (await store.findMatches(hashSets[next('ours')])),
      raw: async () => void (await rival.query(hashSets[next('raw')])),
      engine: async () => void (await engine.query({ apiKey, identifiers: sets[next('engine')] })),
    },
    { slices, callsPerSlice: 100 },
  );

  // The store and its rival get the same reports in the same order. The engine's reports have other numbers.
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
  const writing = (unitsPerCall, callsPerSlice) => {
    const gather = (make) => Array.from({ length: unitsPerCall }, make);
    return timeInterleaved(
      {
        ours: async () => writers.ours(gather(() => reportOf(given.ours++))),
        raw: async () => writers.raw(gather(() => reportOf(given.raw++))),
        engine: async () => {
          for (const outcome of await Promise.all(gather(() => engine.report(draft())))) unwrap(outcome);
        },
      },
      { slices, callsPerSlice, unitsPerCall },
    );
  };
  const alone = await writing(1, 25);
  const together = await writing(TOGETHER, 4);

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

/**
 * Asserts that store and rival have stored these reports completely, and that the store recognises a repeated request.
 */
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

/** One identifier with very many reports: the time of a query, and the time for which the event loop is blocked. */
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
    const turns = { ours: [], raw: [], engine: [] };
    const times = await timeInterleaved(
      Object.fromEntries(
        Object.entries(contenders).map(([name, task]) => [
          name,
          async () => void turns[name].push(await longestTurn(task)),
        ]),
      ),
      { slices: 9, callsPerSlice: 1 },
    );
    const row = (name) => {
      const sorted = turns[name].sort((a, b) => a - b);
      return { milliseconds: times[name].medianMicroseconds / 1000, longestTurn: quantile(sorted, 0.5) };
    };
    rows.push({ reports, ours: row('ours'), raw: row('raw'), engine: row('engine') });
  }
  await rival.close();
  await engine.close();
  return rows;
}

/** Returns the longest time, in milliseconds, for which a task blocks the event loop. */
async function longestTurn(task) {
  const state = { last: performance.now(), longest: 0, running: true };
  const tick = () => {
    const now = performance.now();
    state.longest = Math.max(state.longest, now - state.last);
    state.last = now;
    if (state.running) setImmediate(tick);
  };
  setImmediate(tick);
  await task();
  state.running = false;
  return Math.max(state.longest, performance.now() - state.last);
}
