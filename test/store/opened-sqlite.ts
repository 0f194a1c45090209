import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createOpenedDriver, type OpenedDatabase } from '../../src/stores/sqlite/opened.ts';
import { askColumn } from '../../src/core/store/sqlite/driver.ts';
import { createSqliteStore, type SqliteNotice } from '../../src/stores/sqlite/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isLong } from '../budget.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';
import { earlier, EARLIER_VERSIONS, expectBroughtUpToDate } from './earlier.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();
const fileOf = new WeakMap<Store, string>();

/**
 * The contract of a variant: a database that a native build of SQLite opened. `connect` opens a file without waiting
 * for locks.
 */
export function openedContract(name: string, connect: (file: string) => OpenedDatabase): void {
  const open = async (file: string, options: { onNotice?: (notice: SqliteNotice) => void } = {}) => {
    const store = await createSqliteStore({ database: connect(file), ...options });
    fileOf.set(store, file);
    return store;
  };

  storeContract(
    name,
    () => open(newFile()),
    async (store) => {
      await store.close();
      return open(fileOf.get(store)!);
    },
    VARIANT_CASES,
  );

  describe(name, () => {
    it('gives rows as arrays, names that are alike too, integers as numbers and blobs that nobody else holds', () => {
      const driver = createOpenedDriver(connect(':memory:'));
      const statement = driver.prepare("SELECT 1 AS a, ? AS b, 1.5, NULL, 'é' AS c, ? AS d");
      const bytes = Buffer.from('0102030405', 'hex').subarray(1, 4);
      const [row] = statement.all([2 ** 53 - 1, bytes]);
      expect(row).toEqual([1, 2 ** 53 - 1, 1.5, null, 'é', new Uint8Array([2, 3, 4])]);
      expect(Object.getPrototypeOf(row![5])).toBe(Uint8Array.prototype);
      const [again] = statement.all([0, bytes]);
      (again![5] as Uint8Array).fill(9);
      expect(row![5]).toEqual(new Uint8Array([2, 3, 4]));
      driver.close();
    });

    // From the first version, every migration runs.
    it.each(isLong ? EARLIER_VERSIONS : EARLIER_VERSIONS.slice(0, 1))(
      'a file of schema %i is brought up to date',
      async (version) => {
        const file = newFile();
        const old = connect(file);
        old.exec(earlier(version));
        old.close();
        const store = await open(file);
        await expectBroughtUpToDate(store, version);
        await store.close();
      },
    );

    it('a file of a newer program or of another one is refused, and the database stays the caller’s', async () => {
      const database = connect(newFile());
      database.exec('CREATE TABLE t (x)');
      await expect(createSqliteStore({ database })).rejects.toMatchObject({ name: 'StoreFormatError' });
      database.exec(`DROP TABLE t; ${earlier(1)} PRAGMA user_version = 99`);
      await expect(createSqliteStore({ database })).rejects.toThrow(/schema version 99/);
      database.close();
    });

    it('two connections share a file: what one writes the other sees, and whoever finds it locked is refused and may try again', async () => {
      const file = newFile();
      const notices: SqliteNotice[] = [];
      const [one, two] = [await open(file), await open(file, { onNotice: (notice) => notices.push(notice) })];
      await one.addReporter(reporter(1));
      expect(await two.addReport(report(1), 0)).toEqual({ outcome: 'added' });
      expect(await one.findMatches([hash(1)])).toHaveLength(1);

      const third = connect(file);
      third.exec('BEGIN IMMEDIATE');
      await expect(two.addReport(report(2), 0)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      expect(notices.map(({ event }) => event)).toContain('write-failed');
      expect(await two.count()).toMatchObject({ reports: 1 });
      third.exec('ROLLBACK');
      third.close();
      expect(await two.addReport(report(2), 0)).toEqual({ outcome: 'added' });
      // Each decides on what the other has written: of two equal reports there is one.
      const same = [one, two].map((store, n) =>
        store.addReport(report(3 + n, { fingerprint: report(9).fingerprint }), 0),
      );
      expect(
        (await Promise.allSettled(same))
          .map((result) => (result.status === 'fulfilled' ? result.value.outcome : 'refused'))
          .sort(),
      ).toEqual(['added', 'same']);
      await Promise.all([one.close(), two.close()]);
    });

    it('writes that arrive together are each done as if alone', async () => {
      const store = await open(newFile());
      const settled = await Promise.allSettled([
        store.addReport(report(1), 0),
        store.addReporter(reporter(1)),
        store.addReport(report(1), 0),
        store.addReport(report(1), 0),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
      expect(settled[0]).not.toMatchObject({ reason: { name: 'StoreUnavailableError' } });
      expect(await store.count()).toMatchObject({ reports: 1, identifiers: 1 });
      await store.close();
    });

    it('what does not fit or may not be written is refused and undone, and a damaged page is never answered from', async () => {
      const file = newFile();
      const database = connect(file);
      const store = await createSqliteStore({ database });
      await store.addReporter(reporter(1));
      for (let n = 0; n < 50; n++) await store.addReport(report(n), 0);
      const large = report(99, { text: 'x'.repeat(50_000) });
      for (const [hindrance, without] of [
        ['max_page_count = 1', 'max_page_count = 4294967294'],
        ['query_only = ON', 'query_only = OFF'],
      ]) {
        database.exec(`PRAGMA ${hindrance!}`);
        for (const write of await Promise.allSettled([store.addReport(large, 0), store.addReport(report(98), 0)]))
          expect(write).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
        expect((await store.count()).reports).toBe(50);
        database.exec(`PRAGMA ${without!}`);
      }
      expect(await store.addReport(large, 0)).toEqual({ outcome: 'added' });
      await store.close();

      // The schema is whole; of the first page of each table and index nothing is left.
      const driver = createOpenedDriver(connect(file));
      const roots = askColumn(driver, 'SELECT rootpage FROM sqlite_schema').map(Number);
      driver.close();
      const bytes = await readFile(file);
      for (const root of roots) bytes.fill(0xff, (root - 1) * 4096, root * 4096);
      await writeFile(file, bytes);
      const damaged = await open(file);
      for (const read of [damaged.count(), damaged.findMatches([hash(1)]), damaged.listReporters()])
        await expect(read).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      await expect(damaged.addReporter(reporter(2))).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      expect(await damaged.check()).not.toEqual([]);
      await damaged.close();
    });

    it('a removed text is in neither the file nor its log once the store is closed', async () => {
      const store = await open(newFile());
      await store.addReporter(reporter(1));
      await store.addReport(report(1, { text: 'a text that must not stay' }), 0);
      await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
      await store.close();
      expect((await readFile(fileOf.get(store)!)).includes('must not stay')).toBe(false);
    });
  });
}
