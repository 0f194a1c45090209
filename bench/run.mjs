// npm run bench [-- hash|engine|scoring|store|scale] [--slices N] [--node FILE …] [--reports N …] [--quick]: every topic in turn, or one. Prints the figures,
// writes them to bench/results.json and, as tables and a chart, into the README or docs/scale.md: their figures are those of the last run, never typed by hand.
// --reports: the sizes of the stores, or of the server for scale. --quick: a glance at store or scale, and no page is written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { barChart } from './chart.mjs';
import { benchEngine } from './engine.mjs';
import { benchHash } from './hash.mjs';
import { machine } from './machine.mjs';
import { benchScoring } from './scoring.mjs';
import { benchScale } from './scale.mjs';
import { benchStore } from './store.mjs';
import { scaleTable, storeTable } from './store-tables.mjs';
import { engineTable, hashNotes, hashTable, ratioTable, scoringTable } from './tables.mjs';

const at = (path) => new URL(path, import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slices: { type: 'string' },
    node: { type: 'string', multiple: true },
    reports: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
  },
});
/** A newer Node, which test/runtimes installs. */
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
        ...figures.runtimes.flatMap((runtime) => [hashTable(runtime), ratioTable(runtime)]),
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
    return { figures, text: storeTable(figures) };
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
if (unknown.length > 0) throw new Error(`bench expects ${Object.keys(TOPICS).join(' or ')}, got another word`);

const file = at('results.json');
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
for (const topic of positionals.length > 0 ? positionals : Object.keys(TOPICS)) {
  const { figures, text, page = '../README.md' } = await TOPICS[topic]();
  results[topic] = { machine: machine(), figures };
  const block = `${machine()}\n\n${text}`;
  console.log(`${topic}\n\n${block}\n`);
  // What only glances is no figure to keep.
  if (values.quick) continue;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  const written = at(page);
  const marked = new RegExp(`(<!-- bench:${topic} -->\\n)[\\s\\S]*?(<!-- /bench:${topic} -->)`);
  writeFileSync(
    written,
    readFileSync(written, 'utf8').replace(marked, (_, before, after) => `${before}${block}\n${after}`),
  );
}
