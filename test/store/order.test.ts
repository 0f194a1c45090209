import initSqlJs, { type SqlValue } from 'sql.js';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreDamagedError } from '../../src/index.ts';
import { Cache, createSqlStore } from '../../src/core/store/sql/store.ts';
import { areSorted, requireSorted } from '../../src/core/store/sql/pages.ts';
import { finish } from '../../src/core/store/sqlite/driver.ts';
import type { SqlWork } from '../../src/core/store/sql/statement.ts';
import { TRUST_WORK } from '../../src/core/store/sql/trust.ts';
import { openSqljsDatabase, openSqljsSnapshot } from '../../src/core/store/sqljs/store.ts';
import { startSqlJs } from '../../src/core/store/sqljs/start.ts';
import type { Store } from '../../src/core/store/store.ts';
import { personCaseContract } from '../contract/store-person-cases.ts';
import { DAY, id, report, reporter } from '../contract/stored.ts';
import { createMemoryStore } from '../memory-store.ts';

it('rows are sorted when each comes after the previous one, and the first after the cursor', () => {
  expect(
    areSorted([
      ['a', 1],
      ['a', 2],
      ['b', 1],
    ]),
  ).toBe(true);
  expect(
    areSorted([
      ['a', 2],
      ['a', 2],
    ]),
  ).toBe(false);
  expect(
    areSorted([
      ['b', 1],
      ['a', 2],
    ]),
  ).toBe(false);
  expect(areSorted([['a', 2]], ['a', 1])).toBe(true);
  expect(areSorted([['a', 1]], ['a', 1])).toBe(false);
  expect(
    areSorted(
      [
        ['a', 1],
        ['a', 3],
      ],
      ['a', 2],
    ),
  ).toBe(false);
  // UTF-8 and UTF-16 sort these differently.
  expect(areSorted([['\uffff'], ['\u{10000}']])).toBe(true);
  expect(() => requireSorted('report', [[1]], [1])).toThrow(StoreDamagedError);
  expect(() => requireSorted('report', [[2]], [1])).not.toThrow();
});

type Runner = <T>(start: () => SqlWork<T>) => Promise<T>;

describe('the lock of cases', () => {
  const made = { store: undefined as Store | undefined, writes: [] as string[][], cases: 0 };

  /** Runs work, and notes what it locks. */
  function* noting<T>(work: SqlWork<T>): SqlWork<T> {
    const locks: string[] = [];
    made.writes.push(locks);
    let next = work.next([]);
    while (!next.done) {
      if ('lock' in next.value) locks.push(...next.value.lock.map((name) => name.replace(/\/.*/, '')));
      next = work.next(yield next.value);
    }
    return next.value;
  }

  beforeEach(async () => {
    const SQL = await startSqlJs({});
    const db = openSqljsDatabase(SQL);
    const [read, write]: Runner[] = [async (start) => db.run(start()), async (start) => db.run(noting(start()))];
    const snapshot = async () => openSqljsSnapshot(SQL, db.export());
    made.store = {
      ...(await createMemoryStore()),
      ...createSqlStore({ read: read!, write: write! }, new Cache()),
      snapshot,
    };
    made.writes = [];
    for (const n of [1, 2]) await made.store.addReporter(reporter(n));
  });

  // Otherwise, an erasure and a deletion wait for each other on a server.
  afterEach(() => {
    for (const locks of made.writes) {
      const after = locks.slice(locks.indexOf('cases'));
      if (!locks.includes('cases')) continue;
      made.cases++;
      expect(after.filter((name) => name !== 'cases' && name !== 'audit')).toEqual([]);
    }
  });

  afterAll(() => expect(made.cases).toBeGreaterThan(50));

  personCaseContract(() => made.store!);
});

/** Runs a statement on the rows that another one finds, as an index does that leads elsewhere. */
async function elsewhere(statement: string, other: string) {
  const store = await createMemoryStore();
  await store.addReporter(reporter(1));
  for (const n of [1, 2]) await store.addReport(report(n), 0);
  await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 9 });
  const db = new (await initSqlJs()).Database(store.export());
  return (text: string, values: readonly unknown[]) => {
    expect(text).toContain(statement);
    const prepared = db.prepare(text.replace(statement, other));
    prepared.bind(values as SqlValue[]);
    const rows = [];
    while (prepared.step()) rows.push(prepared.get());
    prepared.free();
    return rows;
  };
}

it('findRemovedAfter answers with no report that an index wrongly leads to', async () => {
  const run = await elsewhere('removed_at > ?', 'ifnull(removed_at, 5) < ?');
  expect(() => finish(TRUST_WORK.findRemovedAfter(10), run)).toThrow(StoreDamagedError);
  const live = await elsewhere('removed_at > ?', 'removed_at IS NULL AND ? = 3');
  expect(() => finish(TRUST_WORK.findRemovedAfter(3), live)).toThrow(StoreDamagedError);
  const right = await elsewhere('removed_at > ?', 'removed_at > ?');
  expect(finish(TRUST_WORK.findRemovedAfter(3), right)).toEqual([id(2)]);
});

it('readReports answers with no page that begins at its cursor', async () => {
  const after = { reportId: id(1), reporterId: id(1), createdAt: DAY };
  const run = await elsewhere('(created_at, report_id) > (?, ?)', '(created_at, report_id) >= (?, ?)');
  expect(() => finish(TRUST_WORK.readReports({ from: 0, after, limit: 5 }), run)).toThrow(StoreDamagedError);
});
