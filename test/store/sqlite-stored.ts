import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { MIGRATIONS } from '../../src/store/sql/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';

/** New files in a folder that is gone with the tests. */
export async function newFiles(): Promise<() => string> {
  const root = await mkdtemp(join(tmpdir(), 'redflag-sqlite-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const made = { files: 0 };
  return () => join(root, `${made.files++}.db`);
}

/** What makes a database as a program of an earlier schema left it, with one report that has been disputed where disputes were known. */
export const earlier = (version: number): string => `
  ${MIGRATIONS.slice(0, version).join('')} PRAGMA user_version = ${version};
  INSERT INTO reporter VALUES (x'${id(1)}', 'Shop 1', 1, 0, 1);
  INSERT INTO report VALUES (x'${id(1)}', x'${id(1)}', x'${id(1001)}', x'${report(1).fingerprint}', 'fraud', 6, 'text 1', ${report(1).createdAt}, NULL);
  INSERT INTO identifier (hash, report_id, position, kind, reporter_id, type, severity, created_at)
    VALUES (x'${hash(1)}', x'${id(1)}', 0, 'email', x'${id(1)}', 'fraud', 6, ${report(1).createdAt});
  ${version > 1 ? `UPDATE identifier SET disputed = 1; INSERT INTO dispute (report_id, reporter_id, opened_at, opened_by, reason, decided_at, decided_by, upheld) VALUES (x'${id(1)}', x'${id(1)}', 1, 'Ada', 'r', 1, 'Ada', 0);` : ''}`;

/** That a store holds what {@link earlier} put into it, and works. */
export async function expectBroughtUpToDate(store: Store, version: number): Promise<void> {
  expect(await store.check()).toEqual([]);
  expect(await store.listReporters()).toEqual([reporter(1)]);
  expect(await store.findReports([id(1)])).toMatchObject([{ text: 'text 1' }]);
  expect(await store.findMatches([hash(1)])).toMatchObject([{ reportId: id(1), severity: 6, disputed: version > 1 }]);
  expect(await store.openDispute({ reportId: id(1), openedAt: 2, openedBy: 'Ada', reason: 'wrong' })).toBe('opened');
  expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 3 })).toMatchObject({ outcome: 'removed', identifiers: report(1).identifiers });
  expect(await store.count()).toMatchObject({ reports: 0, removed: 1, identifiers: 0 });
}
