import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { connectToFolder } from '../../src/stores/holds/control-socket.ts';
import { MIGRATIONS } from '../../src/core/store/sql/schema.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { id, report, reporter } from '../contract/stored.ts';
import { storeContract } from '../contract/store.ts';
import { earlier, expectBroughtUpToDate, ROW_VERSIONS } from './earlier.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();
const fileOf = new WeakMap<Store, string>();
const open = async (file: string) => {
  const store = await openSqliteFile(file);
  fileOf.set(store, file);
  return store;
};

const first = newFile();
await (await openSqliteFile(first)).close();

storeContract(
  'node-sqlite3-wasm on a file',
  // A copy of an empty store, because the steps of the schema take five times as long.
  async () => {
    const file = newFile();
    await copyFile(first, file);
    return open(file);
  },
  async (store) => {
    await store.close();
    return open(fileOf.get(store)!);
  },
);

/** Runs statements on a file without redflag. */
function runOn(file: string, text: string): void {
  const database = new sqlite.Database(file);
  database.exec(text);
  database.close();
}

describe('a SQLite file', () => {
  it('is readable by its owner alone, and so are its log and a folder that had to be made', async () => {
    const file = join(newFile(), 'below', 'store.db');
    const store = await openSqliteFile(file);
    await store.addReporter(reporter(1));
    for (const name of [file, `${file}-wal`]) expect((await stat(name)).mode & 0o777, name).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    await store.close();
  });

  it('reports the damaged rows of a table that come before a page that cannot be read', async () => {
    const file = newFile();
    const store = await openSqliteFile(file);
    await store.addReporter(reporter(1));
    await Promise.all(
      Array.from({ length: 1_200 }, (_, n) =>
        store.addReport(report(n + 1, { text: `text <${n + 1}> ${'x'.repeat(200)}` }), 0),
      ),
    );
    await store.close();
    const bytes = await readFile(file);
    bytes.write('T', bytes.indexOf('text <3> '));
    const pageBytes = bytes.readUInt16BE(16);
    const last = Math.floor(bytes.indexOf('text <1199> ') / pageBytes) * pageBytes;
    bytes.fill(0xff, last, last + pageBytes);
    await writeFile(file, bytes);
    const damaged = await openSqliteFile(file);
    const problems = await damaged.check();
    expect(problems).toContainEqual({ problem: 'rows of report that do not match their checksum', count: 1 });
    expect(problems).toContainEqual({ problem: 'database disk image is malformed', count: 1 });
    await damaged.close();
  });

  it('is one file when it is closed, and its holder can be called while it is open', async () => {
    const file = newFile();
    const store = await openSqliteFile(file);
    store.lock.onConnection((socket) => void socket.end('here'));
    const answers: string[] = [];
    for await (const data of (await connectToFolder(`${file}.holder`))!) answers.push(String(data));
    expect(answers).toEqual(['here']);
    await store.close();
    await store.close();
    for (const end of ['-wal', '-shm', '.lock']) expect(existsSync(file + end), end).toBe(false);
    await expect(store.count()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await expect(store.addReporter(reporter(1))).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await expect(store.check()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
  });

  it('keeps what was still being written when it was closed', async () => {
    const file = newFile();
    const store = await openSqliteFile(file);
    const writes = Array.from({ length: 1000 }, (_, n) => store.addReporter(reporter(n)));
    await store.close();
    expect(new Set(await Promise.all(writes))).toEqual(new Set(['added']));
    const again = await openSqliteFile(file);
    expect((await again.count()).reporters).toBe(1000);
    await again.close();
  });

  it.each(ROW_VERSIONS)('of schema %i is brought up to date', async (version) => {
    const file = newFile();
    runOn(file, earlier(version));
    const store = await openSqliteFile(file);
    await expectBroughtUpToDate(store, version);
    await store.close();
  });

  it('of a newer program or of another one is refused and left as it is', async () => {
    const make = async (text: string) => {
      const file = newFile();
      runOn(file, text);
      return file;
    };
    for (const [text, said] of [
      [`${earlier(MIGRATIONS.length - 1)} PRAGMA user_version = 99`, /schema version 99.*newer redflag/],
      [`${MIGRATIONS.join('')} PRAGMA user_version = ${MIGRATIONS.length - 1}`, /damaged/],
      [`${MIGRATIONS.slice(0, 6).join('')} PRAGMA user_version = 5`, /damaged/],
      ['CREATE TABLE t (x)', /^the database belongs to another program: use an empty one$/],
      ['CREATE TABLE _cf_notes (x)', /another program/],
      ['CREATE TABLE t (x); PRAGMA user_version = 1', /another program/],
    ] as const) {
      const file = await make(text);
      const before = await readFile(file);
      await expect(openSqliteFile(file)).rejects.toMatchObject({
        name: 'StoreFormatError',
        message: expect.stringMatching(said) as string,
      });
      expect((await readFile(file)).equals(before)).toBe(true);
      expect(existsSync(`${file}.lock`)).toBe(false);
    }
    const text = newFile();
    await writeFile(text, 'x'.repeat(5000));
    await expect(openSqliteFile(text)).rejects.toMatchObject({ name: 'StoreFormatError' });
  });

  it('that cannot be a file is refused', async () => {
    const folder = newFile();
    await mkdir(folder);
    await expect(openSqliteFile(folder)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await writeFile(join(folder, 'file'), '');
    await expect(openSqliteFile(join(folder, 'file', 'store.db'))).rejects.toMatchObject({ name: 'FolderError' });
  });

  it.each([-1, 1.5, Number.NaN, Infinity, 2_592_000])(
    'is not opened to erase within %d seconds',
    async (eraseWithinSeconds) => {
      const file = newFile();
      await expect(openSqliteFile(file, { eraseWithinSeconds })).rejects.toThrow('"eraseWithinSeconds"');
      await (await openSqliteFile(file)).close();
    },
  );
});

describe('who holds a SQLite file', () => {
  it('is one, under any name', async () => {
    const file = newFile();
    const store = await openSqliteFile(file);
    await symlink(file, `${file}.link`);
    for (const name of [file, `${file}.link`])
      await expect(openSqliteFile(name)).rejects.toMatchObject({ name: 'FileInUseError', file });
    await store.close();
    const linked = await openSqliteFile(`${file}.link`);
    await expect(openSqliteFile(file)).rejects.toMatchObject({ name: 'FileInUseError' });
    await linked.close();
  });

  it('is never another program that uses the same lock, alive or not', async () => {
    const file = newFile();
    await (await openSqliteFile(file)).close();
    const other = new sqlite.Database(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE');
    other.all('SELECT 1 FROM reporter');
    await expect(openSqliteFile(file)).rejects.toThrow(/in use: .*\.lock exists/);
    expect(existsSync(`${file}.lock`)).toBe(true);
    other.close();
    await (await openSqliteFile(file)).close();
  });

  it('is not one that died, with its lock written down or not yet, and another’s lock stays', async () => {
    const file = newFile();
    const mark = join(`${file}.holder`, 'lock-directory');
    const store = await openSqliteFile(file);
    await store.addReporter(reporter(1));
    // As a killed process leaves it: the file, its log, its lock and its mark.
    const dead = async (written: 'written' | 'empty' | 'of another' | 'none') => {
      const copy = newFile();
      for (const end of ['', '-wal']) await copyFile(file + end, copy + end);
      await mkdir(`${copy}.holder`);
      const copied = join(`${copy}.holder`, 'lock-directory');
      await writeFile(copied, '');
      await mkdir(`${copy}.lock`);
      if (written === 'written')
        await writeFile(copied, String((await stat(`${copy}.lock`, { bigint: true })).ctimeNs));
      if (written === 'of another') await writeFile(copied, await readFile(mark));
      if (written === 'none') await rm(copied);
      return copy;
    };
    for (const written of ['written', 'empty'] as const) {
      const again = await openSqliteFile(await dead(written));
      expect(await again.listReporters()).toEqual([reporter(1)]);
      await again.close();
    }
    for (const written of ['of another', 'none'] as const) {
      const copy = await dead(written);
      await expect(openSqliteFile(copy)).rejects.toMatchObject({ name: 'FileInUseError' });
      expect(existsSync(`${copy}.lock`)).toBe(true);
    }
    await store.close();
  });
});

describe('writes to a SQLite file', () => {
  it('that arrive together are each done as if alone', async () => {
    const store = await openSqliteFile(newFile());
    const settled = await Promise.allSettled([
      store.addReport(report(1), 0),
      store.addReporter(reporter(1)),
      store.addReport(report(1), 0),
      store.addReport(
        report(2, {
          identifiers: [
            { kind: 'email', hash: 'a'.repeat(40) },
            { kind: null as unknown as string, hash: 'b'.repeat(40) },
          ],
        }),
        0,
      ),
      store.addReport(report(2), 0),
      store.addReport(report(3, { fingerprint: report(2).fingerprint }), 0),
      store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 }),
    ]);
    expect(
      settled.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
    ).toMatchObject([
      'FOREIGN KEY constraint failed',
      'added',
      { outcome: 'added' },
      'NOT NULL constraint failed: identifier.kind',
      { outcome: 'added' },
      { outcome: 'same', reportId: id(2) },
      { outcome: 'removed' },
    ]);
    expect(await store.count()).toMatchObject({ reports: 1, removed: 1, identifiers: 1 });
    await store.close();
  });

  it('that are wrong are undone alone, and the next ones are right', async () => {
    const store = await openSqliteFile(newFile());
    for (let n = 0; n < 3; n++)
      await expect(store.addReport(report(1), 0)).rejects.toThrow('FOREIGN KEY constraint failed');
    await expect(store.addReporter({ ...reporter(1), name: {} as string })).rejects.toThrow();
    expect(await store.addReporter(reporter(1))).toBe('added');
    expect(await store.addReport(report(1), 0)).toEqual({ outcome: 'added' });
    await store.close();
  });
});
