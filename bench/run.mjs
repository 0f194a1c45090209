// npm run bench: every topic in turn. Prints the figures, writes them to bench/results.json and, as a table, between the marks in the README.
import { readFileSync, writeFileSync } from 'node:fs';
import { benchEngine } from './engine.mjs';
import { machine } from './machine.mjs';

const results = { machine: machine(), engine: await benchEngine() };

const us = ({ medianMicroseconds, lowerQuartile, upperQuartile }) => `${medianMicroseconds.toFixed(0)} (${lowerQuartile.toFixed(0)} to ${upperQuartile.toFixed(0)})`;
const table = [
  '| stored reports | bytes a report | query, µs | raw SQL, µs | ratio | report, µs | raw SQL, µs | ratio |',
  '|---|---|---|---|---|---|---|---|',
  ...results.engine.map(({ reports, bytesPerReport, query, report }) =>
    `| ${[reports.toLocaleString('en'), bytesPerReport, us(query.engine), us(query.raw), query.ratio.toFixed(1), us(report.engine), us(report.raw), report.ratio.toFixed(1)].join(' | ')} |`),
].join('\n');
const block = `${results.machine}\n\n${table}`;
console.log(block);

writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
// The figures in the README are those of the last run, never typed by hand.
const readme = new URL('../README.md', import.meta.url);
const marked = /(<!-- bench:engine -->\n)[\s\S]*?(\n<!-- \/bench:engine -->)/;
writeFileSync(readme, readFileSync(readme, 'utf8').replace(marked, (_, before, after) => before + block + after));
