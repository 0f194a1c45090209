// npm run bench: every topic in turn, the figures on the screen and in bench/results.json.
import { writeFileSync } from 'node:fs';
import { benchEngine } from './engine.mjs';
import { machine } from './machine.mjs';

const results = { machine: machine(), engine: await benchEngine() };

const row = ({ reports, query, report }) =>
  [reports.toLocaleString('en'), ...[query, report].flatMap(({ engine, raw, ratio }) => [engine.medianMicroseconds.toFixed(1), raw.medianMicroseconds.toFixed(1), ratio.toFixed(2)])];
console.log(results.machine);
console.log('\nEngine on sql.js in memory against the raw SQL it needs, median microseconds, 3 identifiers a request');
console.table(results.engine.map(row).map(([reports, q, rq, qr, r, rr, ratio]) => ({ reports, query: q, 'raw query': rq, 'query ratio': qr, report: r, 'raw report': rr, 'report ratio': ratio })));
writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
