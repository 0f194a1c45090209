import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreDamagedError, StoreUnavailableError } from '../../src/core/store/errors.ts';
import { findProblems } from '../../src/stores/sqlite/check.ts';
import type { SqliteDriver } from '../../src/core/store/sqlite/driver.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();
let driver: SqliteDriver;
beforeEach(async () => {
  const file = newFile();
  await (await openSqliteFile(file)).close();
  driver = createWasmDriver(file);
  driver.exec('PRAGMA locking_mode = EXCLUSIVE');
});
afterEach(() => driver.close());

/** Checks a sound database, in which one statement of the check meets an error. */
function checkWith(error: Error) {
  const statements = { run: 0 };
  return findProblems(driver, () => {
    if (++statements.run === 5) throw error;
  });
}

describe('a check that meets an error', () => {
  it('of the disk is refused, and may be retried', async () => {
    const cause = new Error('disk I/O error');
    const refused = await checkWith(cause).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailableError);
    expect(refused).toMatchObject({
      message: 'the database cannot be read now (disk, memory or lock); retry the check',
      cause,
    });
    expect(await findProblems(driver, () => {})).toEqual([]);
  });

  it.each([
    ['a database that was closed meanwhile', new StoreUnavailableError('the store is closed')],
    ['a defect', new TypeError('x is not a function')],
  ])('of %s ends with this error', async (_, error) => {
    await expect(checkWith(error)).rejects.toBe(error);
  });

  it('of SQLite about damage reports it and goes on', async () => {
    expect(await checkWith(new Error('database disk image is malformed'))).toEqual([
      { problem: 'database disk image is malformed', count: 1 },
    ]);
  });

  it('about a damaged row that another part counts does not count it twice', async () => {
    expect(await checkWith(new StoreDamagedError('a row of report is damaged'))).toEqual([]);
  });
});
