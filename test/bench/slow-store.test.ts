import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { benchScale } from '../../bench/scale.mjs';
// @ts-expect-error: plain JavaScript
import { benchStore } from '../../bench/store.mjs';
// @ts-expect-error: plain JavaScript
import { scaleTable, storeTable } from '../../bench/store-tables.mjs';
import { isLong } from '../budget.ts';
import { findPostgres } from '../postgres-server.ts';

// Each benchmark compares rows and answers before it returns a figure, so a run that ends has tested that too.
const later = fileURLToPath(new URL('../runtimes/node_modules/node24/bin/node', import.meta.url));
const quiet = (): void => undefined;
const ALL = [
  'file, node-sqlite3-wasm',
  'file, node:sqlite',
  'folder, journal and sql.js',
  'PostgreSQL, 16 connections',
];
/** One store shows that the benchmark works. A long run has all. */
const NAMES = isLong ? ALL : ['folder, journal and sql.js'];

it('npm run bench -- store: every store has its lines, and what is not there is said', async () => {
  const figures = (await benchStore({
    sizes: [400],
    crowds: [100, isLong ? 3_000 : 300],
    names: NAMES,
    slices: 2,
    say: quiet,
    ...(existsSync(later) ? { later } : {}),
  })) as { missing: string[] };
  const table = storeTable(figures) as string;
  const missing = [
    ...(existsSync(later) ? [] : ['file, node:sqlite']),
    ...(findPostgres() ? [] : ['PostgreSQL, 16 connections']),
  ].filter((name) => NAMES.includes(name));
  expect(figures.missing.map((line) => line.split(': ')[0])).toEqual(missing);
  for (const name of NAMES) {
    // Writing, reading, and one identifier with many reports.
    expect(
      table.split('\n').filter((line) => line.startsWith(`| ${name} |`)),
      name,
    ).toHaveLength(missing.includes(name) ? 0 : 4);
  }
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
});

it.skipIf(!findPostgres())('npm run bench -- scale: every table and index, and the sums', async () => {
  const table = scaleTable(await benchScale({ reports: isLong ? 3_000 : 1_000, seconds: 0.3, say: quiet })) as string;
  for (const relation of [
    'report',
    'report_fingerprint',
    'report_report_id_key',
    'report_created',
    'identifier',
    'identifier_by_reporter_pkey',
    'identifier_report',
  ]) {
    expect(table).toMatch(
      new RegExp(
        `^\\| \`${relation}\`(, 16 parts)? \\| [\\d,]+ \\| [\\d.]+ \\| \\d+ \\| \\d+ \\| \\d* \\| [\\d,]+ GiB \\|$`,
        'm',
      ),
    );
  }
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
});
