import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { benchHttp } from '../../bench/http.mjs';
// @ts-expect-error: plain JavaScript
import { httpTable } from '../../bench/tables.mjs';
import { findPostgres } from '../postgres-server.ts';

const SMALL = { reports: 50, slices: 1, amounts: { query: 64, viewer: 64, report: 64 } };
/** The stores that are not in the first test. */
const OTHERS = ['file, SQLite', 'PostgreSQL'];

it('npm run bench -- http: every server has its lines', async () => {
  const table = httpTable(await benchHttp({ ...SMALL, stores: ['folder, journal'] })) as string;
  for (const server of ['node:http', 'fetch handler', 'Express', 'Fastify']) {
    // Queries, viewer, reports and memory.
    const lines = table.split('\n').filter((line) => line.startsWith(`| folder, journal | ${server} |`));
    expect(lines, server).toHaveLength(4);
  }
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
});

it('npm run bench -- http: the other stores have their lines, and what is not there is said', async () => {
  const figures = (await benchHttp({ ...SMALL, stores: OTHERS, servers: ['node:http'] })) as {
    stores: { name: string; missing?: string }[];
  };
  const missing = figures.stores.filter((store) => store.missing !== undefined).map(({ name }) => name);
  expect(missing).toEqual(findPostgres() ? [] : ['PostgreSQL']);
  const table = httpTable(figures) as string;
  for (const name of OTHERS) {
    const lines = table.split('\n').filter((line) => line.startsWith(`| ${name} | node:http |`));
    expect(lines, name).toHaveLength(missing.includes(name) ? 0 : 4);
  }
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
});
