import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openSqliteFile, type SqliteFileStore } from '../../src/stores/sqlite/file-store.ts';
import { checkCopy, readParts } from '../../src/stores/sqlite/file-copy.ts';
import { DAY, hash, id, report, reporter } from '../contract/stored.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();
/** Enough for more than one part of a copy. */
const REPORTS = 600;
const LONG = 'x'.repeat(4_000);

async function filled(file: string): Promise<SqliteFileStore> {
  const store = await openSqliteFile(file);
  await store.addReporter(reporter(1));
  await Promise.all(
    Array.from({ length: REPORTS }, (_, n) => store.addReport(report(n + 1, { text: `MARK ${n} ${LONG}` }), 0)),
  );
  return store;
}

describe('the copy of a SQLite file', () => {
  it('has what was acknowledged when it began, whatever is written while it is read', async () => {
    const file = newFile();
    const store = await filled(file);
    const to = newFile();
    const parts: Uint8Array[] = [];
    const written: number[] = [];
    for await (const part of store.copy()) {
      parts.push(part);
      const n = REPORTS + parts.length;
      expect(await store.addReport(report(n), 0)).toEqual({ outcome: 'added' });
      expect(
        await store.removeReport({ reportId: id(parts.length), reporterId: id(1), removedAt: n * DAY }),
      ).toMatchObject({ outcome: 'removed' });
      written.push(n);
    }
    expect(written.length).toBeGreaterThan(2);
    await writeFile(to, Buffer.concat(parts));
    const copy = await openSqliteFile(to);
    expect(await copy.count()).toMatchObject({ reports: REPORTS, removed: 0 });
    expect(await copy.check()).toEqual([]);
    await copy.close();
    expect(await store.count()).toMatchObject({ reports: REPORTS, removed: written.length });
    await store.close();
    const again = await openSqliteFile(file);
    expect(await again.count()).toMatchObject({ reports: REPORTS, removed: written.length });
    expect(await again.check()).toEqual([]);
    await again.close();
  });

  it('holds an erasure back until it is read, or its reader stops', async () => {
    const file = newFile();
    const store = await filled(file);
    const text = Buffer.from('MARK 0 x');
    const isThere = async (): Promise<boolean> =>
      (await readFile(file)).includes(text) || (await readFile(`${file}-wal`)).includes(text);
    const reader = store.copy()[Symbol.asyncIterator]();
    await reader.next();
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 2 * DAY });
    const state = { erased: false };
    const erased = store.erased().then(() => (state.erased = true));
    await reader.next();
    expect(state.erased).toBe(false);
    expect(await isThere()).toBe(true);
    await reader.return!();
    await erased;
    expect(await isThere()).toBe(false);
    await store.close();
  });

  it('is given one after another, each with all of its time', async () => {
    const store = await filled(newFile());
    const first = store.copy()[Symbol.asyncIterator]();
    await first.next();
    const second = store.snapshot();
    await store.addReport(report(1000), 0);
    await first.return!();
    const snapshot = await second;
    await store.addReport(report(1001), 0);
    expect((await snapshot.readRows('report', { report_id: id(600) }, 10)).map((row) => row['report_id'])).toEqual([
      id(1000),
    ]);
    await snapshot.close();
    await store.close();
  });

  it('ends with an error when the store is closed meanwhile, and the store is whole', async () => {
    const file = newFile();
    const store = await filled(file);
    const reader = store.copy()[Symbol.asyncIterator]();
    await reader.next();
    await store.addReport(report(1000), 0);
    await store.close();
    await expect(reader.next()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await expect(store.copy()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    const again = await openSqliteFile(file);
    expect(await again.count()).toMatchObject({ reports: REPORTS + 1 });
    expect(await again.check()).toEqual([]);
    await again.close();
  });
});

describe('a file that cannot be read', () => {
  it('is refused by its name and with the cause, and the store is no longer held', async () => {
    const file = newFile();
    const held = { times: 0 };
    const freeze = async () => {
      held.times++;
      return { stillOpen: () => {}, thaw: () => void held.times-- };
    };
    await expect(readParts(file, { freeze }, () => {}).next()).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      message: `the file ${file} cannot be copied`,
      cause: { code: 'ENOENT' },
    });
    expect(held.times).toBe(0);
  });
});

describe('a snapshot of a SQLite file', () => {
  it.skipIf(process.platform === 'win32')('is in no file that has a name', async () => {
    const file = newFile();
    const store = await filled(file);
    const snapshot = await store.snapshot();
    expect((await readdir(`${file}.holder`)).filter((name) => name.startsWith('copy-'))).toEqual([]);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 2 * DAY });
    await store.erased();
    expect((await snapshot.readRows('report', undefined, 1))[0]).toMatchObject({ report_id: id(1), removed_at: null });
    expect((await snapshot.readRows('identifier', undefined, 1))[0]).toMatchObject({ hash: hash(1) });
    await snapshot.close();
    await snapshot.close();
    expect((await readdir(`${file}.holder`)).filter((name) => name.startsWith('copy-'))).toEqual([]);
    await store.close();
  });

  it('that a killed process left is gone with the next start', async () => {
    const file = newFile();
    await (await openSqliteFile(file)).close();
    await writeFile(`${file}.holder/copy-0badcafe`, 'what was stored');
    const store = await openSqliteFile(file);
    expect(existsSync(`${file}.holder/copy-0badcafe`)).toBe(false);
    await store.close();
  });
});

describe('a copy that is checked', () => {
  it('is found sound or damaged, and is gone either way', async () => {
    const store = await filled(newFile());
    const parts: Uint8Array[] = [];
    for await (const part of store.copy()) parts.push(part);
    await store.close();
    const sound = Buffer.concat(parts);
    const to = newFile();
    await writeFile(to, sound);
    expect(await checkCopy(to)).toEqual([]);
    const damaged = Buffer.from(sound);
    damaged.write('y', damaged.indexOf('x'.repeat(500)) + 100);
    await writeFile(to, damaged);
    expect(await checkCopy(to)).toEqual([{ problem: 'rows of report that do not match their checksum', count: 1 }]);
    for (const none of [sound.subarray(0, 10_000), 'something else', undefined]) {
      if (none === undefined) expect(existsSync(to)).toBe(false);
      else await writeFile(to, none);
      await expect(checkCopy(to)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    }
    for (const end of ['', '-wal', '.lock']) expect(existsSync(to + end), end).toBe(false);
  });
});
