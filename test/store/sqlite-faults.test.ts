import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { createStoreOn, type SqliteNotice } from '../../src/stores/sqlite/store.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import { id, key, report, reporter } from '../contract/stored.ts';
import { buildWriter, killOftenAndLook, startWriter } from './sqlite-child.ts';
import { makeSound, openDamaged } from './sqlite-damage.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();

describe('a process that writes to a SQLite file', () => {
  let program: string;
  beforeAll(async () => {
    program = await buildWriter(dirname(newFile()));
  });

  it('loses nothing that it acknowledged when it is killed', async () => {
    const total = { reports: 0, removals: 0 };
    // A writer that was killed before it wrote shows nothing.
    for (let times = 0; times < 10 && total.removals === 0; times++) {
      const { reports, removals } = await killOftenAndLook(program, newFile(), 3);
      total.reports += reports;
      total.removals += removals;
    }
    expect(total.reports).toBeGreaterThan(5);
    expect(total.removals).toBeGreaterThan(0);
  });

  it('keeps others out while it lives, stopped too, and no longer', async () => {
    const file = newFile();
    const writer = startWriter(program, file, 1);
    await writer.ready();
    await expect(openSqliteFile(file)).rejects.toMatchObject({
      name: 'FileInUseError',
      message: `the file ${file} is in use: this or another process has it open`,
    });
    writer.process.kill('SIGSTOP');
    await expect(openSqliteFile(file)).rejects.toMatchObject({ name: 'FileInUseError' });
    await writer.kill();
    await (await openSqliteFile(file)).close();
  });
});

/** A small file system of its own at `folder`, or the reason why there is none. */
function mountSmall(folder: string): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
    mounted.push(folder);
    return undefined;
  } catch (error) {
    return String((error as Error).message).trim();
  }
}
const mounted: string[] = [];
afterAll(() => mounted.forEach((folder) => execFileSync('umount', ['-l', folder])));

const small = newFile();
await mkdir(small);
const noMount = mountSmall(small);
// In CI a file system that cannot be mounted is no reason to skip: the tests run and fail.
const skipped = noMount !== undefined && !process.env['CI'];
if (skipped) console.warn(`test/store/sqlite-faults.test.ts, disk full and read-only: skipped, ${noMount}`);

describe.skipIf(skipped)('a disk', () => {
  it('that is full refuses what does not fit, all of it, and takes it when there is room', async () => {
    const notices: SqliteNotice[] = [];
    const file = join(small, 'full.db');
    await writeFile(join(small, 'other'), Buffer.alloc(400_000));
    const store = await openSqliteFile(file, { onNotice: (notice) => notices.push(notice) });
    await store.addReporter(reporter(1));
    const write = (n: number) => store.addReport(report(n, { text: 'x'.repeat(2_000) }), 0);
    const acknowledged: number[] = [];
    for (let n = 0, refused = 0; refused < 5; n += 3) {
      const settled = await Promise.allSettled([write(n), write(n + 1), write(n + 2)]);
      if (settled.every(({ status }) => status === 'fulfilled')) acknowledged.push(n, n + 1, n + 2);
      else {
        refused++;
        for (const result of settled)
          expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
        // What was refused is nowhere, and what was there still is.
        expect(await store.findReports([n, n + 1, n + 2].map(id))).toEqual([]);
        expect((await store.count()).reports).toBe(acknowledged.length);
      }
    }
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(notices.map(({ event }) => event)).toContain('write-failed');

    await rm(join(small, 'other'));
    expect(await write(9999)).toEqual({ outcome: 'added' });
    expect(await store.check()).toEqual([]);
    await store.close();
    const again = await openSqliteFile(file);
    expect((await again.findReports([...acknowledged, 9999].map(id))).length).toBe(acknowledged.length + 1);
    await again.close();
    await rm(file);
  });

  it('that is read-only is refused before anything is tried, and nothing is lost', async () => {
    const file = join(small, 'store.db');
    const store = await openSqliteFile(file);
    await store.addReporter(reporter(1));
    await store.close();
    execFileSync('mount', ['-o', 'remount,ro', small]);
    await expect(openSqliteFile(file)).rejects.toMatchObject({ name: 'FolderError', code: 'EROFS' });
    execFileSync('mount', ['-o', 'remount,rw', small]);
    const again = await openSqliteFile(file);
    expect(await again.listReporters()).toEqual([reporter(1)]);
    await again.close();
  });
});

describe('a disk that fails at one moment', () => {
  // Which statement fails, and how node-sqlite3-wasm says so.
  it.each([
    ['COMMIT', 'disk I/O error'],
    ['COMMIT', 'database or disk is full'],
    ['INSERT INTO identifier', 'disk I/O error'],
    ['INSERT INTO identifier', 'attempt to write a readonly database'],
    ['SELECT report_id, created_at', 'database disk image is malformed'],
    ['SAVEPOINT', 'out of memory'],
    ['ROLLBACK TO', 'disk I/O error'],
  ])('in %s with "%s" undoes all that shared the transaction, and the next write works', async (at, message) => {
    const file = newFile();
    const driver = createWasmDriver(file);
    const state = { failing: false };
    const failing = (text: string) => state.failing && text.startsWith(at);
    const fail = (): never => {
      throw new Error(message);
    };
    const { store } = createStoreOn(
      {
        ...driver,
        prepare(text) {
          const statement = driver.prepare(text);
          return {
            ...statement,
            all: (values) => (failing(text) ? fail() : statement.all(values)),
            run: (values) => (failing(text) ? fail() : statement.run(values)),
          };
        },
      },
      { exclusive: true },
    );
    await store.addReporter(reporter(1));
    await store.addReport(report(1), 0);
    state.failing = true;
    // One of them is wrong in itself and is undone by ROLLBACK TO.
    const writes = await Promise.allSettled([
      store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 }),
      store.addReport(report(2, { reporterId: id(9) }), 0),
      store.addReport(report(3), 0),
    ]);
    for (const write of writes)
      expect(write).toMatchObject({
        status: 'rejected',
        reason: { name: 'StoreUnavailableError', cause: { message } },
      });
    state.failing = false;
    expect(await store.count()).toMatchObject({ reports: 1, removed: 0, identifiers: 1 });
    expect(await store.addReport(report(3), 0)).toEqual({ outcome: 'added' });
    await store.close();
  });
});

describe('a damaged SQLite file', () => {
  it('that was cut is refused where a page is gone, and reported where a part of one is', async () => {
    const file = newFile();
    const sound = await makeSound(file);
    const { size } = await stat(file);
    const became: string[] = [];
    for (const length of [size - 4096, size >> 1, 4096, 5000, 100, 1, size - 2048, size - 1]) {
      const cut = newFile();
      await copyFile(file, cut);
      await truncate(cut, length);
      became.push(await openDamaged(cut, sound));
    }
    // The last byte was a zero, as which SQLite reads what is not there.
    expect(became).toEqual([...Array.from({ length: 6 }, () => 'refused'), 'reported', 'unseen']);
  });

  it('whose log ends in the middle of a write has all writes before it', async () => {
    const file = newFile();
    const store = await openSqliteFile(file);
    await store.addReporter(reporter(1));
    for (let n = 0; n < 20; n++) await store.addReport(report(n), 0);
    const [bytes, log] = [await readFile(file), await readFile(`${file}-wal`)];
    await store.close();
    const found: number[] = [];
    for (const missing of [0, 10_000, 20_000, 30_000, log.length - 100, log.length]) {
      const torn = newFile();
      await writeFile(torn, bytes);
      await writeFile(`${torn}-wal`, log.subarray(0, log.length - missing));
      const again = await openSqliteFile(torn);
      expect(await again.check()).toEqual([]);
      const { reports } = await again.count();
      expect((await again.findReports(Array.from({ length: reports }, (_, n) => id(n)))).length).toBe(reports);
      found.push(reports);
      await again.close();
    }
    expect(found).toEqual([...found].sort((a, b) => b - a));
    expect(found[0]).toBe(20);
    expect(found[1]).toBeLessThan(20);
    expect(found[3]).toBeGreaterThan(5);
    expect(found.at(-1)).toBe(0);
  });

  it('whose key, text or schema has one bit changed answers none of it, and refuses what it cannot write', async () => {
    const file = newFile();
    const sound = await makeSound(file);
    const bytes = await readFile(file);
    const within = (what: Uint8Array | string, at = 0): number => {
      const found = bytes.indexOf(what);
      expect(found).toBeGreaterThan(0);
      return found + at;
    };
    const column = (table: string, name: string): number => bytes.indexOf(name, within(`CREATE TABLE ${table}`));
    const elsewhere = [
      // Where a report does not go: a key that is not found any more; what says that a reason is a text, not bytes.
      within(Buffer.from(key(1).digest, 'hex'), 30),
      within('Adaours', -27),
    ];
    // Of a column, and of one that is referred to.
    const names = [column('report', 'severity'), bytes.indexOf('reporter_id)', column('report', 'reporter_id BLOB'))];
    for (const at of [...elsewhere, ...names]) {
      const altered = newFile();
      await writeFile(altered, Buffer.from(bytes).fill(bytes[at]! ^ 1, at, at + 1));
      expect(await openDamaged(altered, sound)).toBe('reported');
      const store = await openSqliteFile(altered);
      const said = await store.addReport(report(500), 0).then(
        ({ outcome }) => outcome,
        (error: Error) => error.name,
      );
      expect(said).toBe(names.includes(at) ? 'StoreUnavailableError' : 'added');
      await store.close();
    }
  });
});
