// npm run bench [-- hash|engine|scoring|store|http|views|soak|scale|sealed] [--slices N] [--node FILE …]
// [--reports N …] [--identifiers N] [--minutes N] [--quick]
// Runs one topic, or all in turn. Prints the figures and writes them to bench/results.json. Writes the tables into
// docs/speed.md or docs/scale.md, and the summary and the chart of the README: no figure is typed by hand.
// --reports: the sizes of the stores, or of the server for scale. --identifiers: the size of the store for sealed.
// --minutes: the time of soak (1). --quick: a short look that writes no page.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { barChart } from './chart.mjs';
import { benchEngine } from './engine.mjs';
import { benchHash } from './hash.mjs';
import { benchHttp } from './http.mjs';
import { machine } from './machine.mjs';
import { benchScoring } from './scoring.mjs';
import { benchScale } from './scale.mjs';
import { benchSealed } from './sealed.mjs';
import { sealedTables } from './sealed-tables.mjs';
import { benchSoak } from './soak.mjs';
import { benchStore } from './store.mjs';
import { benchClients } from './store-clients.mjs';
import { benchViews } from './views.mjs';
import { scaleTable, storeTable } from './store-tables.mjs';
import {
  engineTable,
  hashNotes,
  hashTable,
  httpTable,
  prefixTable,
  ratioTable,
  scoringTable,
  soakTable,
  summaryTable,
  viewsTable,
} from './tables.mjs';

const at = (path) => new URL(path, import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slices: { type: 'string' },
    node: { type: 'string', multiple: true },
    reports: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '1' },
    identifiers: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
/** A newer Node, if `npm install --prefix test/runtimes` was run. */
const later = at('../test/runtimes/node_modules/node24/bin/node');
const sizes = values.reports?.map(Number);

const TOPICS = {
  async hash() {
    const binaries = values.node ?? [process.execPath, ...(existsSync(later) ? [later.pathname] : [])];
    const figures = await benchHash({ binaries, slices: Number(values.slices ?? 30) });
    const [{ version, contenders }] = figures.runtimes;
    const reference = contenders.find(({ name }) => name === 'createHash').milliseconds;
    writeFileSync(
      at('hash.svg'),
      barChart({
        title: 'Identifiers hashed a second, as multiples of node:crypto createHash',
        description: `One core, medians, 32,000 rounds an identifier, Node ${version}`,
        bars: contenders
          .map(({ name, ours, milliseconds }) => ({ name, ours, value: reference / milliseconds }))
          .sort((a, b) => b.value - a.value),
      }),
    );
    return {
      figures,
      text: [
        ...figures.runtimes.flatMap((runtime) => [hashTable(runtime), ratioTable(runtime), prefixTable(runtime)]),
        hashNotes(figures),
      ].join('\n\n'),
    };
  },
  async engine() {
    const figures = await benchEngine();
    return { figures, text: engineTable(figures) };
  },
  async scoring() {
    const figures = await benchScoring();
    return { figures, text: scoringTable(figures) };
  },
  async store() {
    const figures = await benchStore({
      ...(values.quick ? { sizes: [1_000], crowds: [1_000], slices: 5 } : {}),
      ...(sizes ? { sizes } : {}),
      ...(values.slices ? { slices: Number(values.slices) } : {}),
      later: values.node?.[0] ?? (existsSync(later) ? later.pathname : process.execPath),
    });
    figures.clients = await benchClients(values.quick ? { slices: 1 } : {});
    return { figures, text: storeTable(figures) };
  },
  async http() {
    const figures = await benchHttp({
      ...(values.quick ? { reports: 1_000, slices: 3, amounts: { query: 960, viewer: 960, report: 640 } } : {}),
      ...(sizes ? { reports: sizes[0] } : {}),
      ...(values.slices ? { slices: Number(values.slices) } : {}),
    });
    return { figures, text: httpTable(figures) };
  },
  async views() {
    const figures = await benchViews({
      ...(values.quick ? { crowd: 2_000, seconds: 2 } : {}),
      ...(sizes ? { crowd: sizes[0] } : {}),
    });
    return { figures, text: viewsTable(figures) };
  },
  async soak() {
    const figures = await benchSoak({
      seconds: 60 * Number(values.minutes),
      ...(values.quick ? { seconds: 5, idle: 200, slow: 50, unread: 50 } : {}),
    });
    return { figures, text: soakTable(figures) };
  },
  async sealed() {
    const figures = await benchSealed({
      binaries: values.node ?? [process.execPath, ...(existsSync(later) ? [later.pathname] : [])],
      ...(values.quick ? { identifiers: 10_000, slices: 3, amount: 160 } : {}),
      ...(values.identifiers ? { identifiers: Number(values.identifiers) } : {}),
      ...(values.slices ? { slices: Number(values.slices) } : {}),
    });
    return { figures, text: sealedTables(figures) };
  },
  async scale() {
    const figures = await benchScale({
      ...(values.quick ? { reports: 10_000, seconds: 1 } : {}),
      ...(sizes ? { reports: sizes[0] } : {}),
    });
    return {
      figures,
      text: figures ? scaleTable(figures) : 'Skipped: PostgreSQL’s server is not installed.',
      page: figures && '../docs/scale.md',
    };
  },
};

const unknown = positionals.filter((name) => !Object.hasOwn(TOPICS, name));
if (unknown.length > 0) throw new Error(`expected ${Object.keys(TOPICS).join(' or ')}, got another word`);

const file = at('results.json');
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
for (const topic of positionals.length > 0 ? positionals : Object.keys(TOPICS)) {
  const { figures, text, page = '../docs/speed.md' } = await TOPICS[topic]();
  results[topic] = { machine: machine(), figures };
  const block = `${machine()}\n\n${text}`;
  console.log(`${topic}\n\n${block}\n`);
  if (values.quick) continue;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  writeBlock(page, topic, block);
  const summary = summaryTable(results);
  if (summary) writeBlock('../README.md', 'summary', summary);
  else
    console.log(
      'README.md is not updated: its summary needs hash, engine, http and store, all measured on one machine.',
    );
}

/** Replaces the text between the markers of a topic. */
function writeBlock(page, topic, block) {
  const before = existsSync(at(page)) ? readFileSync(at(page), 'utf8') : '';
  const marked = new RegExp(`(<!-- bench:${topic} -->\\n)[\\s\\S]*?(<!-- /bench:${topic} -->)`);
  if (!marked.test(before))
    console.error(`${page.slice(3)} has no marker <!-- bench:${topic} -->; the table is not written`);
  else
    writeFileSync(
      at(page),
      before.replace(marked, (_, start, end) => `${start}${block}\n${end}`),
    );
}
