// npm run bench [-- hash|engine|scoring] [--slices N] [--node FILE …]: every topic in turn, or one. Prints the figures, writes them
// to bench/results.json and, as tables and a chart, into the README: its figures are those of the last run, never typed by hand.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { barChart } from './chart.mjs';
import { benchEngine } from './engine.mjs';
import { benchHash } from './hash.mjs';
import { machine } from './machine.mjs';
import { benchScoring } from './scoring.mjs';
import { engineTable, hashNotes, hashTable, ratioTable, scoringTable } from './tables.mjs';

const at = (path) => new URL(path, import.meta.url);
const { values, positionals } = parseArgs({ allowPositionals: true, options: { slices: { type: 'string' }, node: { type: 'string', multiple: true } } });

const TOPICS = {
  async hash() {
    const other = at('../test/runtimes/node_modules/node24/bin/node');
    const binaries = values.node ?? [process.execPath, ...(existsSync(other) ? [other.pathname] : [])];
    const figures = await benchHash({ binaries, slices: Number(values.slices ?? 30) });
    const [{ version, contenders }] = figures.runtimes;
    const reference = contenders.find(({ name }) => name === 'createHash').milliseconds;
    writeFileSync(at('hash.svg'), barChart({
      title: 'Identifiers hashed a second, as multiples of node:crypto createHash',
      description: `One core, medians, 32,000 rounds an identifier, Node ${version}`,
      bars: contenders.map(({ name, ours, milliseconds }) => ({ name, ours, value: reference / milliseconds })).sort((a, b) => b.value - a.value),
    }));
    return { figures, text: [...figures.runtimes.flatMap((runtime) => [hashTable(runtime), ratioTable(runtime)]), hashNotes(figures)].join('\n\n') };
  },
  async engine() {
    const figures = await benchEngine();
    return { figures, text: engineTable(figures) };
  },
  async scoring() {
    const figures = await benchScoring();
    return { figures, text: scoringTable(figures) };
  },
};

const unknown = positionals.filter((name) => !Object.hasOwn(TOPICS, name));
if (unknown.length > 0) throw new Error(`bench expects ${Object.keys(TOPICS).join(' or ')}, got another word`);

const file = at('results.json');
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
for (const topic of positionals.length > 0 ? positionals : Object.keys(TOPICS)) {
  const { figures, text } = await TOPICS[topic]();
  results[topic] = { machine: machine(), figures };
  const block = `${machine()}\n\n${text}`;
  console.log(`${topic}\n\n${block}\n`);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  const readme = at('../README.md');
  const marked = new RegExp(`(<!-- bench:${topic} -->\\n)[\\s\\S]*?(<!-- /bench:${topic} -->)`);
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(marked, (_, before, after) => `${before}${block}\n${after}`));
}
