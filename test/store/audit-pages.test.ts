import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { AUDIT_WORK } from '../../src/core/store/sql/audit.ts';
import type { SqlValue } from '../../src/core/store/sql/statement.ts';
import type { Store } from '../../src/core/store/store.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { openDurableStore } from '../../src/stores/sqljs/durable.ts';
import { hash } from '../contract/stored.ts';
import { createMemoryStore } from '../memory-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'redflag-audit-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const ENTRIES = 12_000;
/** The entries of the rare action: the first and the last, and the neighbours of slices. */
const RARE = [1, 2, 5_000, 5_001, 7_000, 7_001, ENTRIES];

async function fill(store: Store): Promise<void> {
  const rows = Array.from({ length: ENTRIES }, (_, at) => ({
    seq: at + 1,
    at_ms: at,
    actor: 'Ada',
    action: RARE.includes(at + 1) ? 'erased' : 'ended-key-used',
    reporter_id: null,
    subject: null,
    amount: null,
    previous: hash(at).padStart(64, '0'),
    digest: hash(at + 1).padStart(64, '0'),
  }));
  for (let at = 0; at < rows.length; at += 1_000) await store.putRows('audit', rows.slice(at, at + 1_000));
}

it.each<[string, () => Promise<Store>]>([
  ['sql.js in memory', createMemoryStore],
  ['sql.js with a journal', () => openDurableStore({ medium: createMemoryMedium() })],
  ['a SQLite file', () => openSqliteFile(join(folder, 'store.sqlite'))],
])('%s finds a rare action in a long log, and answers others meanwhile', async (_, open) => {
  const store = await open();
  await fill(store);
  const rare = { action: 'erased', limit: 5 } as const;
  const finished: string[] = [];
  const reading = store.listAudit({ ...rare, before: Infinity }).finally(() => finished.push('audit'));
  await store.count().finally(() => finished.push('count'));
  expect((await reading).map(({ seq }) => seq)).toEqual(RARE.slice(-5).reverse());
  expect(finished).toEqual(['count', 'audit']);
  const seqsOf = async (asked: object): Promise<number[]> =>
    (await store.listAudit({ ...rare, ...asked })).map(({ seq }) => seq);
  expect(await seqsOf({ before: 5_000 })).toEqual([2, 1]);
  expect(await seqsOf({ after: 0 })).toEqual(RARE.slice(0, 5));
  expect(await seqsOf({ after: 7_000 })).toEqual([7_001, ENTRIES]);
  expect(await store.listAudit({ action: 'exported', before: Infinity, limit: 5 })).toEqual([]);
  expect(await store.listAudit({ after: 0, limit: ENTRIES })).toHaveLength(ENTRIES);
  await store.close();
});

/** Runs the work on a log whose statements are answered by `answer`. */
function listed(page: Parameters<typeof AUDIT_WORK.listAudit>[0], answer: (sql: string) => SqlValue[][]): unknown {
  const work = AUDIT_WORK.listAudit(page);
  let step = work.next();
  for (let steps = 0; !step.done && steps < 100; steps++)
    step = work.next('sql' in step.value ? [answer(step.value.sql)] : []);
  return step.value;
}

it.each([
  ['repeats its place', () => [[9]]],
  ['repeats an entry', (sql: string) => (sql.startsWith('SELECT seq FROM') ? [[8]] : [[8], [8]])],
])('rejects a damaged log that %s, and never reads on without end', (_, answer) => {
  expect(() => listed({ before: 9, limit: 5 }, answer)).toThrow(/rows of audit are out of order/);
});
