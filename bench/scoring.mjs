// What scoring costs above reading: a query of many matches and a recomputation of trust against the raw reads of the store, the model
// alone, and the lab's replay. One core; equality is checked before anything is timed, and contenders take turns in one run.
import { createSeededRandom, unwrap } from 'redflag';
import { replay, simulateWorld } from 'redflag/lab';
import { createLinkClaimModel } from 'redflag/scoring';
import { createSqljsStore } from 'redflag/sqljs';
import { timePairs } from './pairs.mjs';
import { NOW, openMatching, openWorld } from './scoring-store.mjs';

const DAY_MS = 86_400_000;
const REPORTERS = 200;
/** As many identifiers a page as the engine reads. */
const PAGE = 2_000;

const FULL = {
  matches: [1, 10, 100, 1_000, 10_000],
  reports: [10_000, 100_000],
  slices: 30,
  trustSlices: 9,
  world: { customers: 1_500, days: 700, queries: { count: 2_000 } },
  replays: 5,
};

/** Smaller sizes and fewer slices give the same figures sooner and less exactly. */
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
      throw new Error('the model alone says something else than the engine');
    const { query, raw, score } = await timePairs(
      {
        query: async (count) => {
          for (let n = 0; n < count; n++) await engine.query({ apiKey, identifiers });
        },
        raw: async (count) => {
          for (let n = 0; n < count; n++) await store.findMatches(hashes);
        },
        score: async (count) => {
          for (let n = 0; n < count; n++) model.score(evidence);
        },
      },
      { slices, unitsPerSlice: Math.ceil(2_000 / (reports + 10)) },
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

/** The evidence that the engine makes of these matches, written plainly. */
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
    if (stored !== reports || (await readAll()) !== identifiers) throw new Error('not every report is read');
    // A reporter's reports of one person are one claim, so there are somewhat fewer.
    if (claims > reports || claims < 0.9 * reports) throw new Error(`${claims} claims were made of ${reports} reports`);
    const { trust, raw } = await timePairs(
      {
        trust: async (count) => {
          for (let n = 0; n < count; n++) await engine.recomputeTrust();
        },
        raw: async (count) => {
          for (let n = 0; n < count; n++) await readAll();
        },
      },
      { slices: trustSlices, unitsPerSlice: 1 },
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
  const { replayed } = await timePairs(
    { replayed: async () => void (await live()) },
    { slices: replays, unitsPerSlice: events.length },
  );
  return {
    events: events.length,
    reports: first.reports,
    eventsASecond: 1e6 / replayed.medianMicroseconds,
    lower: 1e6 / replayed.upperQuartile,
    upper: 1e6 / replayed.lowerQuartile,
  };
}
