import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PAST_INDEXES } from '../../src/core/store/sql/removal.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import { hash, id, report, reporter, trust } from '../contract/stored.ts';
import { makeSound } from './sqlite-damage.ts';
import { newFiles } from './sqlite-stored.ts';

// Deletes, erasures and marks through a damaged index. They change nothing of another report, and never report a
// deletion of rows that still exist.

const newFile = await newFiles();

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** The place after the only one of these bytes in a file. */
function after(file: Buffer, bytes: Buffer): number {
  const at = file.indexOf(bytes);
  expect(at).toBeGreaterThan(0);
  expect(file.indexOf(bytes, at + 1)).toBe(-1);
  return at + bytes.length;
}

/**
 * The place of the row's number in a report's entry of the index of ids. The entry's header names three bytes, eight
 * bytes and a whole number.
 */
const rowOf = (file: Buffer, n: number): number => after(file, bytesOf(`031c01${id(n)}`));

/** Lets the index of ids lead from each of two reports to the other. Done twice, it is as before. */
async function exchange(file: string, n: number, m: number): Promise<void> {
  const bytes = await readFile(file);
  const [a, b] = [rowOf(bytes, n), rowOf(bytes, m)];
  [bytes[a], bytes[b]] = [bytes[b]!, bytes[a]!];
  await writeFile(file, bytes);
}

async function alter(file: string, place: (bytes: Buffer) => number): Promise<void> {
  const bytes = await readFile(file);
  bytes[place(bytes)]! ^= 0x40;
  await writeFile(file, bytes);
}

/** A file with all that {@link makeSound} stores: report n names the hashes 3n to 3n + 2. Damaged, and opened. */
async function openDamaged(damage: (file: string) => Promise<void>) {
  const file = newFile();
  await makeSound(file);
  await damage(file);
  return { file, store: await openSqliteFile(file) };
}

function openRaw(file: string) {
  const driver = createWasmDriver(file);
  driver.exec('PRAGMA locking_mode = EXCLUSIVE');
  return driver;
}

describe('an index that leads to another report', () => {
  it('has the right one erased, for it is found without', async () => {
    const { file, store } = await openDamaged((path) => exchange(path, 13, 14));
    const { reports } = await store.erase({ hashes: [hash(39)], erasedAt: 9 });
    expect(reports).toEqual([
      {
        reportId: id(13),
        reporterId: id(1),
        createdAt: report(13).createdAt,
        identifiers: report(13, { identifiers: [39, 40, 41].map((n) => ({ kind: 'email', hash: hash(n) })) })
          .identifiers,
      },
    ]);
    await store.close();

    await exchange(file, 13, 14);
    const again = await openSqliteFile(file);
    expect(await again.check()).toEqual([]);
    expect((await again.findReports([13, 14].map(id))).map(({ reportId }) => reportId)).toEqual([id(14)]);
    expect(await again.findMatches([39, 40, 41].map(hash))).toEqual([]);
    await again.close();
  });

  it('has neither of them deleted or disputed', async () => {
    const { file, store } = await openDamaged((path) => exchange(path, 13, 14));
    await expect(store.removeReport({ reportId: id(13), reporterId: id(1), removedAt: 9 })).rejects.toMatchObject({
      name: 'StoreDamagedError',
    });
    await expect(
      store.openDispute({ reportId: id(13), openedAt: 9, openedBy: 'Ada', reason: 'r' }),
    ).rejects.toMatchObject({ name: 'StoreDamagedError' });
    await store.close();

    await exchange(file, 13, 14);
    const again = await openSqliteFile(file);
    expect(await again.check()).toEqual([]);
    expect((await again.findReports([13, 14].map(id))).length).toBe(2);
    await again.close();
  });
});

it.each([
  'SELECT nonce FROM report',
  'UPDATE report SET removed_at = 1',
  'SELECT kind FROM identifier',
  'SELECT count(*) FROM identifier',
  'DELETE FROM identifier',
])('%s: past indexes means the table itself', async (statement) => {
  const { file, store } = await openDamaged(async () => undefined);
  await store.close();
  const driver = openRaw(file);
  const plan = driver.prepare(`EXPLAIN QUERY PLAN ${statement} WHERE ${PAST_INDEXES}`);
  expect(plan.all([bytesOf(id(1))]).map((row) => row.at(-1))).toEqual([
    `SCAN ${/report|identifier/.exec(statement)![0]}`,
  ]);
  plan.free();
  driver.close();
});

describe('an index that has lost an identifier', () => {
  // Its hash in the entry of the index is another one: the row is found by its hash, and not by its report.
  const lose =
    (n: number) =>
    (file: string): Promise<void> =>
      alter(file, (bytes) => after(bytes, bytesOf(`${id(13)}${hash(n)}`)) - 1);

  // That the last one is lost nothing tells but the check.
  it.each([39, 40])('has its report neither deleted nor disputed (%i)', async (n) => {
    const { store } = await openDamaged(lose(n));
    await expect(store.removeReport({ reportId: id(13), reporterId: id(1), removedAt: 9 })).rejects.toMatchObject({
      name: 'StoreDamagedError',
    });
    await expect(
      store.openDispute({ reportId: id(13), openedAt: 9, openedBy: 'Ada', reason: 'r' }),
    ).rejects.toMatchObject({ name: 'StoreDamagedError' });
    expect((await store.findReports([id(13)])).length).toBe(1);
    expect((await store.findMatches([39, 40, 41].map(hash))).map(({ disputed }) => disputed)).toEqual([
      false,
      false,
      false,
    ]);
    expect(await store.findDisputes([id(13)])).toEqual([]);
    await store.close();
  });

  it.each([39, 40, 41])('lets nobody say that it was erased while it is there (%i)', async (n) => {
    const { store } = await openDamaged(lose(n));
    await expect(store.erase({ hashes: [hash(n)], erasedAt: 9 })).rejects.toMatchObject({
      name: expect.stringMatching(/^Store(Damaged|Unavailable)Error$/) as string,
    });
    expect((await store.findReports([id(13)])).length).toBe(1);
    expect((await store.findMatches([39, 40, 41].map(hash))).length).toBe(3);
    await store.close();
  });
});

it('a report whose reporter is not what was written is erased as whose its identifiers say it is', async () => {
  const { store } = await openDamaged((file) => alter(file, (bytes) => after(bytes, bytesOf(`${id(13)}${id(1)}`)) - 1));
  await expect(store.findReports([id(13)])).rejects.toMatchObject({ name: 'StoreDamagedError' });
  expect((await store.erase({ hashes: [hash(39)], erasedAt: 9 })).reports).toMatchObject([
    { reportId: id(13), reporterId: id(1), identifiers: [{ hash: hash(39) }, { hash: hash(40) }, { hash: hash(41) }] },
  ]);
  expect(await store.check()).toEqual([]);
  await store.close();
});

it('what is learnt and cannot be read is found by the check', async () => {
  const file = newFile();
  const store = await openSqliteFile(file);
  await store.addReporter(reporter(1));
  await store.putTrust(trust);
  await store.close();
  const driver = openRaw(file);
  driver.exec('PRAGMA foreign_keys = OFF; UPDATE trust_record SET reporter_id = 5 WHERE verified = 1');
  driver.close();
  const again = await openSqliteFile(file);
  await expect(again.findTrust()).rejects.toMatchObject({ name: 'StoreDamagedError' });
  expect((await again.check()).map(({ problem }) => problem)).toContain(
    'a stored value has the wrong type, expected bytes',
  );
  await again.close();
});
