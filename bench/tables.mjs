/** The figures as Markdown: a table for each topic. */
import { ownShare } from './store-tables.mjs';

const ms = (value) => (value < 100 ? value.toPrecision(3) : value.toFixed(0));

/** Returns a row for each contender, fastest first, with the ratio to `createHash` in the same run. */
export function hashTable({ version, contenders }) {
  const reference = contenders.find(({ name }) => name === 'createHash').milliseconds;
  return [
    `| ${version} | ms an identifier | quartiles | times \`createHash\` |`,
    '|---|---|---|---|',
    ...[...contenders]
      .sort((a, b) => a.milliseconds - b.milliseconds)
      .map(
        ({ name, ours, milliseconds, lowerQuartile, upperQuartile }) =>
          `| ${ours ? `**${name}**` : name} | ${ms(milliseconds)} | ${ms(lowerQuartile)} to ${ms(upperQuartile)} | ${(reference / milliseconds).toFixed(1)} |`,
      ),
  ].join('\n');
}

function fourToOne({ contenders }) {
  const of = (name) => contenders.find((row) => row.name === name).milliseconds;
  return ((4 * of('redflag, simd, 4 together')) / of('redflag, simd')).toFixed(2);
}

/** Returns our cases compared with each rival: the rival's time divided by ours. */
export function ratioTable({ contenders }) {
  const of = (name) => contenders.find((row) => row.name === name)?.milliseconds;
  const ours = [
    'redflag, simd',
    'redflag, simd, 4 together',
    'redflag, simd, 24 together',
    "redflag, wide, 24 together, V8's flag",
  ].filter(of);
  const rivals = contenders.filter((row) => !row.ours).map(({ name }) => name);
  return [
    `| times as long as | ${ours.join(' | ')} |`,
    `|---|${ours.map(() => '---|').join('')}`,
    ...rivals.map(
      (rival) =>
        `| ${rival} | ${ours.map((name) => (of(rival) / of(name)).toFixed(rival.startsWith('C') ? 2 : 1)).join(' | ')} |`,
    ),
  ].join('\n');
}

/** Returns a row for each prefix, with the ratio to `service-` in the same run. */
export function prefixTable({ prefixes }) {
  const counts = [...new Set(prefixes.map(({ together }) => together))];
  const names = [...new Set(prefixes.map(({ prefix }) => prefix))];
  const columns = counts.map((count) => `${count === 1 ? 'ms, one' : `ms, ${count} together`} | times \`service-\``);
  return [
    `| prefix | ${columns.join(' | ')} |`,
    `|---|${counts.map(() => '---|---|').join('')}`,
    ...names.map((name) => {
      const cells = prefixes.filter(({ prefix }) => prefix === name);
      return `| \`${name}\` | ${cells.map(({ milliseconds, ratio }) => `${ms(milliseconds)} | ${ratio.toFixed(2)}`).join(' | ')} |`;
    }),
  ].join('\n');
}

/** Returns additional figures: fresh processes, the pool, and missing contenders. */
export function hashNotes({ runtimes, pool }) {
  return [
    ...runtimes.flatMap(({ version, cold, missing, isPinned, rejected }) => [
      `${version}: four identifiers in a fresh process, first import to answer: ${ms(cold.ours)} ms; \`createHash\` ${(cold.createHash / cold.ours).toFixed(1)} times, hash-wasm ${(cold['hash-wasm'] / cold.ours).toFixed(1)} times as long. The first identifier takes ${(cold.first / cold.warm).toFixed(1)} times as long as a warm one, and ${(cold.prepared / cold.warm).toFixed(1)} times as long if \`prepareHashing()\` ran before.`,
      ...(isPinned ? [] : [`${version}: not pinned to a core, because taskset is missing.`]),
      `${version}: ${rejected} slices were timed again because the machine was busy.`,
      ...missing.map((line) => `Skipped: ${line}.`),
    ]),
    `Four identifiers together take ${runtimes.map(fourToOne).join(' and ')} times as long as one.`,
    `A pool of two workers takes 64 identifiers ${pool.ratio.toFixed(2)} times as fast as one core.`,
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

const us = ({ medianMicroseconds, lowerQuartile, upperQuartile }) =>
  `${medianMicroseconds.toFixed(0)} (${lowerQuartile.toFixed(0)} to ${upperQuartile.toFixed(0)})`;

const REQUESTS = { query: 'queries', viewer: 'viewer', report: 'reports' };
const perSecond = (value) => Math.round(value).toLocaleString('en');

/** Returns a table of speeds for each kind of request, then a table of memory. */
export function httpTable({ reports, stores }) {
  const measured = stores.filter(({ missing }) => !missing);
  const speeds = (kind) => [
    `| ${REQUESTS[kind]} | server | redflag a second | constant a second | ratio | p50, ms | constant, ms | p99, ms | constant, ms |`,
    '|---|---|---|---|---|---|---|---|---|',
    ...measured.flatMap(({ name, rows }) =>
      rows
        .filter((row) => row.kind === kind)
        .map(
          ({ server, ours, constant }) =>
            `| ${[name, server, perSecond(ours.perSecond), perSecond(constant.perSecond), (ours.perSecond / constant.perSecond).toFixed(2), ms(ours.p50), ms(constant.p50), ms(ours.p99), ms(constant.p99)].join(' | ')} |`,
        ),
    ),
    '',
  ];
  const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(0);
  const memory = measured.flatMap(({ name, memory: { before, after } }) =>
    before.map(
      ({ server, ours, constant }, at) =>
        `| ${[name, server, mebibytes(ours), mebibytes(after[at].ours), mebibytes(constant), mebibytes(after[at].constant)].join(' | ')} |`,
    ),
  );
  const alone = measured.map(({ name, rows, storeAlone }) => {
    const { ours } = rows.find(({ kind }) => kind === 'report');
    return `- ${name}: ${rows[0].server} stores ${(ours.perSecond / storeAlone).toFixed(2)} of the reports that the store alone stores, ${perSecond(storeAlone)} a second.`;
  });
  return [
    `Each store has ${reports.toLocaleString('en')} reports.`,
    '',
    ...Object.keys(REQUESTS).flatMap(speeds),
    '| resident MiB | server | redflag, before | after | constant, before | after |',
    '|---|---|---|---|---|---|',
    ...memory,
    '',
    ...alone,
    ...stores.filter(({ missing }) => missing).map(({ name, missing }) => `- Skipped: ${name}: ${missing}.`),
  ].join('\n');
}

/** Returns the latency of a light query without and with clients of the viewer. */
export function viewsTable({ crowd, persons, seconds, connections, alone, unchanged, attacked, views }) {
  const { statuses, pages, largest } = views;
  const row = (name, { queries, p50, p99, most }) =>
    `| ${[name, queries.toLocaleString('en'), ms(p50), ms(p99), ms(most)].join(' | ')} |`;
  const replies = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString('en')} with ${status}`);
  return [
    '| clients of the viewer | queries | p50, ms | p99, ms | longest, ms |',
    '|---|---|---|---|---|',
    row('none', alone),
    row(connections, attacked),
    '',
    `- The clients ask for ${persons} links to 1,000 long reports each, and one link to ${crowd.toLocaleString('en')} reports, for ${seconds} seconds. Two reports a second about these persons arrive meanwhile.`,
    `- Half of the clients are browsers. The viewer sends ${replies.join(' and ')}, of which ${pages.toLocaleString('en')} are pages. The largest reply has ${Math.round(largest / 1024).toLocaleString('en')} KiB.`,
    `- A client that has the view gets 304: ${ms(unchanged.p50)} ms at the median, one after the other over HTTP.`,
  ].join('\n');
}

/** Returns the latency of a light query without and with the other clients of the soak, and what stayed bounded. */
export function soakTable({ seconds, idle, slow, unread, alone, soaked, mixed, replaced, samples, memory }) {
  const whole = (value) => value.toLocaleString('en');
  const mib = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;
  const most = (name) => Math.max(...samples.map((sample) => sample[name]));
  const row = (name, { queries, p50, p99, most }) =>
    `| ${[name, whole(queries), ms(p50), ms(p99), ms(most)].join(' | ')} |`;
  const wrong = Object.values(mixed.wrong).reduce((sum, count) => sum + count, 0);
  return [
    '| other clients | queries | p50, ms | p99, ms | longest, ms |',
    '|---|---|---|---|---|',
    row('none', alone),
    row(`${whole(idle)} idle, ${whole(slow)} slow, ${whole(unread)} that do not read, and the mixed load`, soaked),
    '',
    `- The mixed load has ${whole(mixed.requests)} requests in ${whole(seconds)} seconds: queries, reports, deletions, views and wrong keys. Wrong replies: ${whole(wrong)}. The viewer asked ${whole(mixed.shed)} times for another try.`,
    `- Memory of the service: ${mib(memory.warm)} after the warm-up, ${mib(memory.end)} at the end, at most ${mib(memory.most)}.`,
    `- At most ${whole(most('connections'))} connections and ${mib(most('replyBytes'))} of replies that wait for clients. The service closed ${whole(replaced.idle)} idle, ${whole(replaced.slow)} slow and ${whole(replaced.unread)} unread connections, and each was made again.`,
  ].join('\n');
}

export function engineTable(rows) {
  return [
    '| stored reports | bytes a report | query, µs | raw SQL, µs | ratio | own share | report, µs | raw SQL, µs | ratio | own share |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(
      ({ reports, bytesPerReport, query, report }) =>
        `| ${[reports.toLocaleString('en'), bytesPerReport, us(query.engine), us(query.raw), query.ratio.toFixed(1), ownShare(query.engine, query.raw), us(report.engine), us(report.raw), report.ratio.toFixed(1), ownShare(report.engine, report.raw)].join(' | ')} |`,
    ),
  ].join('\n');
}

export function scoringTable({ queries, trust, replay }) {
  const spread = ({ medianMicroseconds, lowerQuartile, upperQuartile }, unit, digits) =>
    `${(medianMicroseconds / unit).toFixed(digits)} (${(lowerQuartile / unit).toFixed(digits)} to ${(upperQuartile / unit).toFixed(digits)})`;
  const count = (value) => Math.round(value).toLocaleString('en');
  return [
    '| matching reports | query, µs | raw read, µs | ratio | above the raw read, µs a report | model alone, µs a report |',
    '|---|---|---|---|---|---|',
    ...queries.map(
      ({ reports, query, raw, ratio, aboveRawAReport, scoreAReport }) =>
        `| ${[count(reports), spread(query, 1, 0), spread(raw, 1, 0), ratio.toFixed(1), aboveRawAReport.toFixed(2), scoreAReport.toFixed(2)].join(' | ')} |`,
    ),
    '',
    '| stored reports | identifiers | standings learned, s | identifiers read, s | ratio |',
    '|---|---|---|---|---|',
    ...trust.map(
      ({ reports, identifiers, trust: learned, raw, ratio }) =>
        `| ${[count(reports), count(identifiers), spread(learned, 1e6, 2), spread(raw, 1e6, 2), ratio.toFixed(1)].join(' | ')} |`,
    ),
    '',
    `- The lab replays ${count(replay.eventsASecond)} (${count(replay.lower)} to ${count(replay.upper)}) events a second, in a world of ${count(replay.events)} events with ${count(replay.reports)} reports. An event takes ${replay.ratio.toFixed(1)} times as long as a query of the engine with one matching report.`,
  ].join('\n');
}

/**
 * Returns the summary for the README. Undefined until `hash`, `engine`, `http` and `store` are measured on one machine:
 * one table must not mix machines.
 */
export function summaryTable({ hash, engine, http, store }) {
  const topics = [hash, engine, http, store];
  if (topics.some((topic) => topic?.machine !== hash?.machine || !topic)) return undefined;
  const [{ contenders }] = hash.figures.runtimes;
  const hashing = (name) => contenders.find((row) => row.name === name).milliseconds;
  const hashRow = (what, name) => [
    what,
    ms(hashing(name)),
    `${ms(hashing('createHash'))}, \`createHash\` in a loop`,
    (hashing('createHash') / hashing(name)).toFixed(1),
  ];
  const largest = engine.figures.at(-1);
  const [overHttp] = http.figures.stores[0].rows;
  const folder = store.figures.stores.filter(({ name }) => name.startsWith('folder')).at(-1);
  const median = ({ medianMicroseconds }) => medianMicroseconds.toFixed(0);
  const aSecond = ({ medianMicroseconds }) => Math.round(1e6 / medianMicroseconds).toLocaleString('en');
  const { ours, raw } = folder.together;
  return [
    [hash.machine, 'redflag', 'alternative', 'ratio'],
    ['---', '---', '---', '---'],
    hashRow('hash one identifier, ms', 'redflag, simd'),
    hashRow('hash 24 identifiers together, ms each', 'redflag, simd, 24 together'),
    [
      `query of 3 hashes, ${largest.reports.toLocaleString('en')} reports in memory, µs`,
      median(largest.query.engine),
      `${median(largest.query.raw)}, raw SQL alone`,
      largest.query.ratio.toFixed(1),
    ],
    [
      `queries a second over HTTP, ${http.figures.reports.toLocaleString('en')} reports in a folder`,
      perSecond(overHttp.ours.perSecond),
      `${perSecond(overHttp.constant.perSecond)}, a constant reply`,
      (overHttp.ours.perSecond / overHttp.constant.perSecond).toFixed(2),
    ],
    [
      'durable reports per second, folder, 64 at once',
      aSecond(ours),
      `${aSecond(raw)}, store written by hand`,
      (raw.medianMicroseconds / ours.medianMicroseconds).toFixed(2),
    ],
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
