import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { checkParts } from '../../src/core/store/sql/check.ts';
import type { Store } from '../../src/core/store/store.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { openDurableStore } from '../../src/stores/sqljs/durable.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import { createMemoryStore } from '../memory-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'redflag-turns-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each<[string, () => Promise<Store>]>([
  ['sql.js in memory', createMemoryStore],
  ['sql.js with a journal', () => openDurableStore({ medium: createMemoryMedium() })],
  ['a SQLite file', () => openSqliteFile(join(folder, 'store.sqlite'))],
])('%s answers others after each count and each page of a check', async (_, open) => {
  const store = await open();
  await store.addReporter(reporter(1));
  await store.addReport(
    report(1, { identifiers: Array.from({ length: 1_200 }, (__, n) => ({ kind: 'email', hash: hash(n + 1) })) }),
    0,
  );
  const state = { isChecking: true, turns: 0 };
  const checked = store.check().finally(() => (state.isChecking = false));
  const answers: number[] = [];
  while (state.isChecking) {
    await new Promise((resolve) => setTimeout(resolve));
    if (!state.isChecking) break;
    state.turns++;
    if (state.turns === 5) await store.addReport(report(2, { reportId: id(2) }), 0);
    answers.push((await store.count()).reports);
  }
  expect(await checked).toEqual([]);
  // One after each count and each table, and two more within the identifiers.
  expect(state.turns).toBeGreaterThanOrEqual(checkParts([]).length);
  expect(new Set(answers)).toEqual(new Set([1, 2]));
  await store.close();
});
