import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { openSqliteFile } from '../../src/store/sqlite/file-store.ts';
import type { Store } from '../../src/store/store.ts';
import { hash, id, key, report, reporter } from '../contract/stored.ts';

const REPORTS = 120;

/** A closed file of some fifty pages with something of everything, and what it answers. */
export async function makeSound(file: string): Promise<string> {
  const store = await openSqliteFile(file);
  for (const n of [1, 2]) await store.addReporter(reporter(n));
  await store.addKey(key(1));
  const writes: Promise<unknown>[] = [];
  for (let n = 0; n < REPORTS; n++) {
    const identifiers = [0, 1, 2].map((k) => ({ kind: 'email', hash: hash(3 * n + k) }));
    writes.push(store.addReport(report(n, { text: 'some words '.repeat((n % 40) + 1), identifiers }), 0));
    if (n % 4 === 0) writes.push(store.putLink({ linkHash: hash(5000 + n), identifiers, createdAt: n }, 10));
    if (n % 5 === 0) writes.push(store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 7 }));
  }
  await Promise.all(writes);
  const said = await everything(store);
  await store.close();
  return said;
}

/** All that a store answers but the texts of reports, of which SQLite cannot tell whether a letter has changed. */
async function everything(store: Store): Promise<string> {
  const numbers = Array.from({ length: REPORTS }, (_, n) => n);
  return JSON.stringify([
    await store.listReporters(), await store.listKeys(), await store.count(), await store.readIdentifiers(undefined, 10 * REPORTS),
    await store.findMatches(numbers.flatMap((n) => [0, 1, 2].map((k) => hash(3 * n + k)))),
    (await store.findReports(numbers.map((n) => id(n)))).map((found) => ({ ...found, text: '' })),
    (await Promise.all(numbers.map((n) => store.findLink(hash(5000 + n))))).map((found) => found?.map((identifier) => identifier.hash).sort()),
  ]);
}

/** What became of a damaged file: `refused` when it was opened, `reported` by its check, `unseen` when it is sound and answers as before. Nothing else may be. */
export async function openDamaged(file: string, sound: string): Promise<'refused' | 'reported' | 'unseen'> {
  const store = await openSqliteFile(file).catch((error: unknown) => {
    expect(error).toMatchObject({ name: 'StoreFormatError' });
    return undefined;
  });
  if (store === undefined) return 'refused';
  try {
    if ((await store.check()).length > 0) return 'reported';
    expect(await everything(store)).toBe(sound);
    return 'unseen';
  } finally {
    await store.close().catch(() => undefined);
  }
}

/** Copies a file with one bit changed at each of `places`, one after the other, and tells what became of them. */
export async function flipBits(file: string, newFile: () => string, sound: string, places: (bytes: Buffer) => readonly number[]): Promise<Record<'refused' | 'reported' | 'unseen', number>> {
  const bytes = await readFile(file);
  const became = { refused: 0, reported: 0, unseen: 0 };
  for (const [round, at] of places(bytes).entries()) {
    const copy = newFile();
    await writeFile(copy, Buffer.from(bytes).fill(bytes[at]! ^ (1 << (round % 8)), at, at + 1));
    became[await openDamaged(copy, sound)]++;
  }
  return became;
}
