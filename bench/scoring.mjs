// The cost of scoring in addition to reading, on one core. Compares a query with many matches, and the computation of
// all standings, with the store's own reads, the model alone, and the lab's replay. The answers are compared before the
// timing. The contenders take turns in one run.
import { createSeededRandom, unwrap } from 'redflag';
import { replay, simulateWorld } from 'redflag/lab';
import { createLinkClaimModel } from 'redflag/scoring';
import { createSqljsStore } from 'redflag/sqljs';
import { timeInterleaved } from './interleave.mjs';
import { NOW, openMatching, openWorld } from './scoring-store.mjs';

const DAY_MS = 86_400_000;
const REPORTERS = 200;
/** Identifiers per page, as the engine reads them. */
const PAGE = 2_000;

const FULL = {
  matches: [1, 10, 100, 1_000, 10_000],
  reports: [10_000, 100_000],
  slices: 30,
  trustSlices: 9,
  world: { customers: 1_500, days: 700, queries: { count: 2_000 } },
  replays: 5,
};

/** With smaller sizes and fewer slices, the figures come sooner but are less exact. */
export async function benchScoring(sizes = FULL) {
  return { queries: await benchQueries(sizes), trust: await benchTrust(sizes), replay: await benchReplay(sizes) };
}

async function benchQueries({ matches, slices }) {
  const { store, engine, apiKey, sets } = await openMatching(matches, REPORTERS);
  const standings = new Map((await engine.recomputeTrust()).map((standing) => [standing.reporterId, standing]));
  const model = createLinkClaimModel();
  const rows = [];
  for (const [at, reports] of matches.entries()) {
    const identifiers = sets[at];
    const hashes = identifiers.map(({ hash }) => hash);
    const evidence = { reports: toReports(await store.findMatches(hashes)), standings };
    const answer = unwrap(await engine.query({ apiKey, identifiers }));
    const alone = model.score(evidence);
    if (answer.reported !== reports || evidence.reports.length !== reports)
      throw new Error(
        `${reports} reports match; the engine found ${answer.reported}, the store ${evidence.reports.length}`,
      );
    if (alone.points !== answer.points || alone.reliability !== answer.reliability)
      throw new Error('the model and the engine return different numbers');
    const { query, raw, score } = await timeInterleaved(
      {
        query: async () => void (await engine.query({ apiKey, identifiers })),
        raw: async () => void (await store.findMatches(hashes)),
        score: async () => void model.score(evidence),
      },
      { slices, callsPerSlice: Math.ceil(2_000 / (reports + 10)) },
    );
    rows.push({
      reports,
      query,
      raw,
      score,
      ratio: query.medianMicroseconds / raw.medianMicroseconds,
      aboveRawAReport: (query.medianMicroseconds - raw.medianMicroseconds) / reports,
      scoreAReport: score.medianMicroseconds / reports,
    });
  }
  await engine.close();
  return rows;
}

/** Returns the same evidence as the engine's for these matches, in simple code. */
function toReports(matches) {
  const reports = new Map();
  for (const { reportId, reporterId, type, severity, createdAt, hash, kind } of matches) {
    const report = reports.get(reportId);
    if (report) report.shared.push({ hash, kind });
    else
      reports.set(reportId, {
        reportId,
        reporterId,
        type,
        severity,
        ageDays: Math.floor((NOW - createdAt) / DAY_MS),
        shared: [{ hash, kind }],
        disputed: false,
      });
  }
  return [...reports.values()];
}

async function benchTrust({ reports: sizes, trustSlices }) {
  const rows = [];
  for (const reports of sizes) {
    const { store, engine } = await openWorld(reports, REPORTERS, createSeededRandom(`bench trust ${reports}`));
    const readAll = async () => {
      const seen = { identifiers: 0, after: undefined };
      for (;;) {
        const page = await store.readIdentifiers(seen.after, PAGE);
        seen.identifiers += page.length;
        seen.after = page.at(-1);
        if (page.length < PAGE) return seen.identifiers;
      }
    };
    const { reports: stored, identifiers } = await store.count();
    const claims = (await engine.recomputeTrust()).reduce((sum, standing) => sum + standing.claims, 0);
    if (stored !== reports || (await readAll()) !== identifiers) throw new Error('not every report was read');
    // Several reports by one reporter about one person are one claim, so there are fewer claims than reports.
    if (claims > reports || claims < 0.9 * reports)
      throw new Error(`expected 0.9 to 1 claims a report, got ${claims} claims from ${reports} reports`);
    const { trust, raw } = await timeInterleaved(
      { trust: async () => void (await engine.recomputeTrust()), raw: async () => void (await readAll()) },
      { slices: trustSlices, callsPerSlice: 1 },
    );
    rows.push({ reports, identifiers, trust, raw, ratio: trust.medianMicroseconds / raw.medianMicroseconds });
    await engine.close();
  }
  return rows;
}

async function benchReplay({ world, replays }) {
  const events = [...simulateWorld({ seed: 1, options: world })];
  const live = async () => {
    const store = await createSqljsStore();
    const { events: lived, reports, matched } = await replay(events, store, { models: [createLinkClaimModel()] });
    await store.close();
    return { lived, reports, matched };
  };
  const first = await live();
  if (first.lived !== events.length || JSON.stringify(await live()) !== JSON.stringify(first))
    throw new Error('two replays of one world differ');
  const { engine, apiKey, sets } = await openMatching([1], REPORTERS);
  const [identifiers] = sets;
  // As many queries as events, so both are timed for about as long.
  const ask = async () => {
    for (let asked = 0; asked < events.length; asked++) await engine.query({ apiKey, identifiers });
  };
  const { replayed, query } = await timeInterleaved(
    { replayed: async () => void (await live()), query: ask },
    { slices: replays, callsPerSlice: 1, unitsPerCall: events.length },
  );
  await engine.close();
  return {
    events: events.length,
    reports: first.reports,
    ratio: replayed.medianMicroseconds / query.medianMicroseconds,
    eventsASecond: 1e6 / replayed.medianMicroseconds,
    lower: 1e6 / replayed.upperQuartile,
    upper: 1e6 / replayed.lowerQuartile,
  };
}
