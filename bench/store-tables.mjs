/** The figures of stores as Markdown. A ratio is our speed divided by that of the hand-written code. */

const count = (value) => Math.round(value).toLocaleString('en');
const ratio = (ours, raw) => (raw.medianMicroseconds / ours.medianMicroseconds).toFixed(2);
const aSecond = ({ medianMicroseconds }) => count(1e6 / medianMicroseconds);
const us = ({ medianMicroseconds, lowerQuartile, upperQuartile }) =>
  `${medianMicroseconds.toFixed(0)} (${lowerQuartile.toFixed(0)} to ${upperQuartile.toFixed(0)})`;
/** Share of the engine's time that the store below it does not take. */
export const ownShare = (engine, below) =>
  `${Math.max(0, Math.round(100 * (1 - below.medianMicroseconds / engine.medianMicroseconds)))} %`;
const ms = (value) => (value < 10 ? value.toFixed(1) : count(value));

export function storeTable({ stores, crowds, missing, clients }) {
  const names = [...new Set(crowds.map(({ name }) => name))];
  return [
    '| durable reports a second | stored | one after another | by hand | ratio | 64 at once | by hand | ratio | through the engine: one, 64 | its own share |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...stores.map(
      ({ name, reports, alone, together }) =>
        `| ${[name, count(reports), ...[alone, together].flatMap(({ ours, raw }) => [aSecond(ours), aSecond(raw), ratio(ours, raw)]), `${aSecond(alone.engine)}, ${aSecond(together.engine)}`, `${ownShare(alone.engine, alone.ours)}, ${ownShare(together.engine, together.ours)}`].join(' | ')} |`,
    ),
    '',
    '| query of 3 hashes | stored | the store, µs | by hand, µs | ratio | through the engine, µs | its own share |',
    '|---|---|---|---|---|---|---|',
    ...stores.map(
      ({ name, reports, query }) =>
        `| ${[name, count(reports), us(query.ours), us(query.raw), ratio(query.ours, query.raw), us(query.engine), ownShare(query.engine, query.ours)].join(' | ')} |`,
    ),
    '',
    '| reports of one identifier | reports | the store, ms | µs a report | by hand, ms | longest turn, ms | through the engine, ms | longest turn, ms |',
    '|---|---|---|---|---|---|---|---|',
    ...names
      .flatMap((name) => crowds.filter((row) => row.name === name))
      .map(
        ({ name, reports, ours, raw, engine }) =>
          `| ${[name, count(reports), ms(ours.milliseconds), ((1000 * ours.milliseconds) / reports).toFixed(1), ...[raw.milliseconds, ours.longestTurn, engine.milliseconds, engine.longestTurn].map(ms)].join(' | ')} |`,
      ),
    ...(clients
      ? [
          '',
          `PostgreSQL, 10,000 reports, 32 clients: one process answers ${count(clients[0])} queries a second, two processes ${count(clients[1])}.`,
        ]
      : []),
    ...(missing.length > 0 ? ['', ...missing.map((line) => `- Skipped: ${line}.`)] : []),
  ].join('\n');
}

const TARGET = 1e9;
const NODES = 8;
const SHARDS = 64;
const GIB = 2 ** 30;
const gib = (bytes) => `${count(bytes / GIB)} GiB`;
const lasting = (seconds) =>
  seconds < 3600
    ? `${Math.ceil(seconds / 60)} min`
    : seconds < 48 * 3600
      ? `${(seconds / 3600).toFixed(1)} h`
      : `${(seconds / 86_400).toFixed(1)} days`;

/**
 * Returns an index's levels above the leaves for this number of rows, if its pages are as full as the measured pages.
 */
function levelsOf(rows, { rows: measured, leaves, internal }) {
  const fanOut = Math.max(2, leaves / Math.max(1, internal));
  return Math.max(1, Math.ceil(Math.log((rows * leaves) / measured) / Math.log(fanOut)));
}

/** Returns the measured figures, and the calculation for a billion reports on several servers. */
export function scaleTable(figures) {
  const {
    version,
    reports,
    fill,
    vacuum,
    relations,
    queryRates,
    reportRates,
    dump,
    dumpBytes,
    restore,
    count: counting,
    check,
    movedASecond,
  } = figures;
  const bytes = relations.reduce((sum, relation) => sum + relation.bytes, 0);
  const aReport = bytes / reports;
  const factor = TARGET / reports;
  const indexes = relations.filter(({ levels }) => levels !== undefined);
  const upper = indexes.reduce((sum, { internal }) => sum + internal * 8192, 0);
  const whole = bytes * factor;
  const pkey = indexes.find(({ name }) => name.endsWith('pkey'));
  const rate = ({ connections, perSecond }) =>
    `${count(perSecond)} on ${connections} connection${connections === 1 ? '' : 's'}`;
  const best = (rates) => Math.max(...rates.map(({ perSecond }) => perSecond));
  return [
    `PostgreSQL ${version}, ${count(reports)} reports with 3 identifiers each.`,
    '',
    `| table or index | rows | MB | bytes a row | bytes a report | levels above the leaves | a billion reports |`,
    '|---|---|---|---|---|---|---|',
    ...relations.map(
      (relation) =>
        `| ${[
          `\`${relation.name}\`${relation.parts > 1 ? `, ${relation.parts} parts` : ''}`,
          count(relation.rows),
          (relation.bytes / 1e6).toFixed(1),
          (relation.bytes / relation.rows).toFixed(0),
          (relation.bytes / reports).toFixed(0),
          relation.levels ?? '',
          gib(relation.bytes * factor),
        ].join(' | ')} |`,
    ),
    `| all | | ${(bytes / 1e6).toFixed(1)} | | ${aReport.toFixed(0)} | | ${gib(whole)} |`,
    '',
    `| | measured | a billion reports, ${NODES} servers, ${SHARDS} shards | calculation |`,
    '|---|---|---|---|',
    ...[
      [
        'storage',
        `${aReport.toFixed(0)} bytes a report`,
        `${gib(whole)}; ${gib(whole / NODES)} a server; ${gib(2 * whole)} with a replica of each`,
        `× 10⁹; ÷ ${NODES}; × 2`,
      ],
      ...(pkey
        ? [
            [
              'levels of the identifiers’ index',
              `${pkey.levels} above the leaves, ${count(pkey.rows / pkey.parts)} rows a part`,
              `${levelsOf((3 * TARGET) / SHARDS, pkey)} above the leaves, ${count((3 * TARGET) / SHARDS)} rows a shard`,
              `3 × 10⁹ ÷ ${SHARDS} rows; ${count(pkey.leaves / pkey.internal)} pages under one`,
            ],
            [
              'pages above the leaves',
              `${(upper / 1e6).toFixed(1)} MB of all indexes`,
              `${gib(upper * factor)}; ${((upper * factor) / NODES / GIB).toFixed(2)} GiB of memory a server`,
              `× ${count(factor)}; ÷ ${NODES}`,
            ],
          ]
        : []),
      [
        'queries of 3 hashes a second',
        queryRates.map(rate).join('; '),
        `at most ${count(NODES * best(queryRates))}`,
        `× ${NODES}`,
      ],
      [
        'reports a second',
        reportRates.map(rate).join('; '),
        `at most ${count(NODES * best(reportRates))}; a billion in ${lasting(TARGET / (NODES * best(reportRates)))} or more`,
        `× ${NODES}`,
      ],
      [
        'filling in bulk',
        `${count(reports / fill)} reports a second`,
        `${lasting((factor * fill) / NODES)} a server`,
        `× ${count(factor)} ÷ ${NODES}`,
      ],
      [
        'pg_dump, 2 at once',
        `${dump.toFixed(1)} s, ${(dumpBytes / 1e6).toFixed(0)} MB`,
        `${lasting((factor * dump) / NODES)}, ${gib((factor * dumpBytes) / NODES)} a server`,
        'the same',
      ],
      [
        'pg_restore, 2 at once',
        `${restore.toFixed(1)} s`,
        `${lasting((factor * restore) / NODES)} a server`,
        'the same',
      ],
      ['VACUUM and ANALYZE', `${vacuum.toFixed(1)} s`, `${lasting((factor * vacuum) / NODES)} a server`, 'the same'],
      [
        '`count()`',
        `${counting.toFixed(2)} s`,
        `${lasting((factor * counting) / NODES)} if each server counts its own rows`,
        'the same',
      ],
      [
        '`redflag check`',
        `${check.toFixed(1)} s`,
        `${lasting((factor * check) / NODES)} if each server checks its own rows`,
        'the same',
      ],
      [
        'a new pepper',
        `${count(movedASecond)} hashes a second`,
        `${lasting((3 * TARGET) / movedASecond)} by one process`,
        '3 × 10⁹ hashes, if each is reported once',
      ],
    ].map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}
