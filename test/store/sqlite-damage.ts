import { readFile, rm, writeFile } from 'node:fs/promises';
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
  await store.addPepper({ generation: 1, fingerprint: id(500), addedAt: 1 });
  for (let n = 1; n < REPORTS; n += 7) await store.openDispute({ reportId: id(n), openedAt: n, openedBy: 'Ada', reason: 'a reason '.repeat(n % 9) });
  for (let n = 1; n < REPORTS; n += 14) await store.decideDispute({ reportId: id(n), upheld: n % 4 === 1, decidedAt: n + 1, decidedBy: 'Bob' });
  for (let n = 0; n < REPORTS; n += 6) await store.addProtection({ hash: hash(3 * n), reason: 'ours', addedBy: 'Ada', addedAt: n, endsAt: n % 4 === 0 ? null : n + 9 });
  const said = await everything(store);
  await store.close();
  return said;
}

const NUMBERS = Array.from({ length: REPORTS }, (_, n) => n);

/** All that a store answers from rows, each part by itself and in an order of its own: another tree may give the same rows in another one. */
const ANSWERS: readonly ((store: Store) => Promise<readonly unknown[]>)[] = [
  (store) => store.listReporters(),
  (store) => store.listKeys(),
  (store) => store.listDisputes(),
  (store) => store.listProtections(),
  async (store) => [await store.findKey(key(1).digest)].filter((found) => found !== undefined),
  (store) => store.readIdentifiers(undefined, 10 * REPORTS),
  (store) => store.findIdentifiers(NUMBERS.map((n) => id(n))),
  (store) => store.readReports({ from: 0, after: undefined, limit: 10 * REPORTS }),
  (store) => store.findRemovedAfter(0),
  (store) => store.findPeppers(),
  ...[0, 1, 2, 3].flatMap((part): ((store: Store) => Promise<readonly unknown[]>)[] => {
    const some = NUMBERS.filter((n) => n % 4 === part);
    return [
      (store) => store.findMatches(some.flatMap((n) => [0, 1, 2].map((k) => hash(3 * n + k)))),
      (store) => store.findReports(some.map((n) => id(n))),
      (store) => store.findDisputes(some.map((n) => id(n))),
      (store) => store.findProtections(some.map((n) => hash(3 * n))),
    ];
  }),
  async (store) => {
    const found: unknown[] = [];
    for (const n of NUMBERS) found.push(...(await store.findLink(hash(5000 + n)) ?? []).map((identifier) => [n, identifier]));
    return found;
  },
];

async function everything(store: Store): Promise<string> {
  const answers: unknown[] = [await store.count()];
  for (const answer of ANSWERS) answers.push(inOrder(await answer(store)));
  return JSON.stringify(answers);
}

function inOrder(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** Asks a damaged store for everything without a check before. True when each answer is the sound one, or an error that says so; else rows are missing, and none is another. */
async function isAnsweredSoundly(store: Store, sound: string): Promise<boolean> {
  const [, ...expected] = JSON.parse(sound) as unknown[] as string[][];
  let isWhole = true;
  for (const [at, answer] of ANSWERS.entries()) {
    const rows = await answer(store).then(inOrder, (error: unknown) => {
      expect(ERRORS, String(error)).toContain((error as Error).name);
      return undefined;
    });
    if (rows === undefined || JSON.stringify(rows) === JSON.stringify(expected[at])) continue;
    isWhole = false;
    const left = [...expected[at]!];
    for (const row of rows) {
      const found = left.indexOf(row);
      expect(found, `an answer that was never given: ${row}`).toBeGreaterThanOrEqual(0);
      left.splice(found, 1);
    }
  }
  return isWhole;
}

const ERRORS = ['StoreDamagedError', 'StoreUnavailableError'];

/**
 * What became of a damaged file: `refused` when it was opened, `reported` by its check, `unseen` when it is sound and answers as before. Nothing else may be; and before its check it
 * answers nothing that it did not answer when it was sound. What it does not find any more its check reports.
 */
export async function openDamaged(file: string, sound: string): Promise<'refused' | 'reported' | 'unseen'> {
  const store = await openSqliteFile(file).catch((error: unknown) => {
    expect(error).toMatchObject({ name: 'StoreFormatError' });
    return undefined;
  });
  if (store === undefined) return 'refused';
  try {
    const isWhole = await isAnsweredSoundly(store, sound);
    if ((await store.check()).length > 0) return 'reported';
    expect(isWhole).toBe(true);
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
    const what = await openDamaged(copy, sound).catch((error: unknown) => {
      throw new Error(`bit ${round % 8} of byte ${at}: ${String(error)}`, { cause: error });
    });
    became[what]++;
    await rm(copy);
  }
  return became;
}
