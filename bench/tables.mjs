/** The texts of the figures: a table for each topic, in Markdown. */

const ms = (value) => (value < 100 ? value.toPrecision(3) : value.toFixed(0));

/** A row a contender, the quickest first, with the ratio to `createHash` of the same run. */
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

/** Our rows against each rival: how many times as long it takes. */
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

/** What the table does not show: fresh processes, the pool, and what was not there. */
export function hashNotes({ runtimes, pool }) {
  return [
    ...runtimes.flatMap(({ version, cold, missing, isPinned, rejected }) => [
      `${version}: four identifiers in a fresh process, first import to answer: ${ms(cold.ours)} ms; \`createHash\` ${(cold.createHash / cold.ours).toFixed(1)} times, hash-wasm ${(cold['hash-wasm'] / cold.ours).toFixed(1)} times as long. The first identifier takes ${(cold.first / cold.warm).toFixed(1)} times as long as a warm one, and ${(cold.prepared / cold.warm).toFixed(1)} times some time after \`prepareHashing()\`.`,
      ...(isPinned ? [] : [`${version}: not pinned to a core, for want of taskset.`]),
      `${version}: ${rejected} slices were timed again because the machine was busy.`,
      ...missing.map((line) => `Skipped: ${line}.`),
    ]),
    `Four identifiers together take ${runtimes.map(fourToOne).join(' and ')} times as long as one.`,
    `A pool of two workers takes 64 identifiers ${pool.ratio.toFixed(2)} times as fast as one core.`,
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

export function engineTable(rows) {
  const us = ({ medianMicroseconds, lowerQuartile, upperQuartile }) =>
    `${medianMicroseconds.toFixed(0)} (${lowerQuartile.toFixed(0)} to ${upperQuartile.toFixed(0)})`;
  return [
    '| stored reports | bytes a report | query, µs | raw SQL, µs | ratio | report, µs | raw SQL, µs | ratio |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(
      ({ reports, bytesPerReport, query, report }) =>
        `| ${[reports.toLocaleString('en'), bytesPerReport, us(query.engine), us(query.raw), query.ratio.toFixed(1), us(report.engine), us(report.raw), report.ratio.toFixed(1)].join(' | ')} |`,
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
    '| stored reports | identifiers | trust learnt, s | identifiers read, s | ratio |',
    '|---|---|---|---|---|',
    ...trust.map(
      ({ reports, identifiers, trust: learnt, raw, ratio }) =>
        `| ${[count(reports), count(identifiers), spread(learnt, 1e6, 2), spread(raw, 1e6, 2), ratio.toFixed(1)].join(' | ')} |`,
    ),
    '',
    `- The lab lives through ${count(replay.eventsASecond)} (${count(replay.lower)} to ${count(replay.upper)}) events a second, in a world of ${count(replay.events)} events with ${count(replay.reports)} reports.`,
  ].join('\n');
}
