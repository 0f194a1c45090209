import { expect, it } from 'vitest';
import initSqlJs from 'sql.js';
import { REPORTER_WORK } from '../../src/core/store/sql/reporters.ts';
import { REPORT_WORK } from '../../src/core/store/sql/reports.ts';
import { sql, type SqlAnswer, type SqlStep, type SqlWork } from '../../src/core/store/sql/statement.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import { createSingleRunner } from '../../src/core/store/sqlite/driver.ts';
import { openSqljsDatabase } from '../../src/core/store/sqljs/store.ts';
import { id, report, reporter } from '../contract/stored.ts';

it('a database in memory that is full says so, and goes on with what it had', () => {
  const driver = createWasmDriver(':memory:');
  driver.exec('CREATE TABLE kept (x); PRAGMA max_page_count = 8;');
  const runner = createSingleRunner(driver);
  runner.run(sql("INSERT INTO kept VALUES ('first')"));
  expect(() => runner.run(sql('INSERT INTO kept VALUES (zeroblob(100000))'))).toThrow(
    expect.objectContaining({ name: 'StoreUnavailableError' }) as Error,
  );
  runner.run(sql("INSERT INTO kept VALUES ('second')"));
  expect(runner.run(sql('SELECT x FROM kept'))).toEqual([['first'], ['second']]);
  runner.close();
});

it('a report that was the same as a new one, and is deleted while it is looked for, is not the same any more', async () => {
  const database = openSqljsDatabase(await initSqlJs());
  database.run(REPORTER_WORK.addReporter(reporter(1), undefined));
  database.run(REPORT_WORK.addReport(report(1), 0));
  // As another process does on a server, between two statements.
  function* interrupted<T>(work: SqlWork<T>): SqlWork<T> {
    let answer: SqlAnswer = [];
    for (;;) {
      const next: IteratorResult<SqlStep, T> = work.next(answer);
      if (next.done) return next.value;
      answer = yield next.value;
      if ('reads' in next.value && next.value.reads.some(({ sql }) => sql.includes('UNION ALL')))
        yield* REPORT_WORK.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 });
    }
  }
  expect(
    database.run(interrupted(REPORT_WORK.addReport(report(2, { fingerprint: report(1).fingerprint }), 0))),
  ).toEqual({ outcome: 'added' });
  database.close();
});
