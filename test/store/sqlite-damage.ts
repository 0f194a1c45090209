import { readFile, rm, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import type { Store } from '../../src/core/store/store.ts';
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
  for (let n = 1; n < REPORTS; n += 7)
    await store.openDispute({ reportId: id(n), openedAt: n, openedBy: 'Ada', reason: 'a reason '.repeat(n % 9) });
  for (let n = 1; n < REPORTS; n += 14)
    await store.decideDispute({ reportId: id(n), upheld: n % 4 === 1, decidedAt: n + 1, decidedBy: 'Bob' });
  for (let n = 0; n < REPORTS; n += 6)
    await store.addProtection({
      hash: hash(3 * n),
      reason: 'ours',
      addedBy: 'Ada',
      addedAt: n,
      endsAt: n % 4 === 0 ? null : n + 9,
    });
  const said = await everything(store);
  await store.close();
  return said;
}

const NUMBERS = Array.from({ length: REPORTS }, (_, n) => n);

/**
 * Everything that a store answers from rows. Each answer is sorted, because another tree may return its rows in another
 * order.
 */
const ANSWERS: readonly ((store: Store) => Promise<readonly unknown[]>)[] = [
  (store) => store.listReporters(),
  (store) => store.listKeys(),
  (store) => store.listDisputes(),
  (store) => store.listProtections(),
  async (store) => [await store.findKey(key(1))].filter((found) => found !== undefined),
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
    for (const n of NUMBERS)
      found.push(...((await store.findLink(hash(5000 + n))) ?? []).map((identifier) => [n, identifier]));
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

/**
 * Calls every method of a damaged store, without a check before. True if each answer is the sound one or an error that
 * reports damage. Otherwise rows are missing, and no answer has another row.
 */
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
 * Opens a damaged file: `refused` at opening, `reported` by its check, or `unseen` when it is sound and answers as
 * before. Asserts that, before the check, it returns nothing that the sound file did not return, and that the check
 * reports what it no longer finds.
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

/** Bytes that are written over those at a place in a file. */
interface Change {
  readonly at: number;
  readonly bytes: readonly number[];
}

type Became = Record<'refused' | 'reported' | 'unseen', number>;

/** Copies a file with each of the changes alone, and tells what became of the copies. */
async function alter(
  file: string,
  newFile: () => string,
  sound: string,
  changes: (bytes: Buffer) => readonly Change[],
): Promise<Became> {
  const original = await readFile(file);
  const became = { refused: 0, reported: 0, unseen: 0 };
  for (const { at, bytes } of changes(original)) {
    const copy = newFile();
    const altered = Buffer.from(original);
    altered.set(bytes, at);
    await writeFile(copy, altered);
    const what = await openDamaged(copy, sound).catch((error: unknown) => {
      throw new Error(`byte ${at} became ${bytes.join(', ')}: ${String(error)}`, { cause: error });
    });
    became[what]++;
    await rm(copy);
  }
  return became;
}

/** One bit changed at each of `places`. */
export function flipBits(
  file: string,
  newFile: () => string,
  sound: string,
  places: (bytes: Buffer) => readonly number[],
): Promise<Became> {
  return alter(file, newFile, sound, (bytes) =>
    places(bytes).map((at, round) => ({ at, bytes: [bytes[at]! ^ (1 << (round % 8))] })),
  );
}

/**
 * In each page with two or more rows, replaces the place of one row by that of another: the first of two neighbours by
 * the second, or the last of all by the first.
 */
export function doubleRows(file: string, newFile: () => string, sound: string, every: number): Promise<Became> {
  return alter(file, newFile, sound, (bytes) =>
    pagesOf(bytes)
      .filter(({ cells }) => cells > 1)
      .flatMap(({ cellsAt, cells }) => {
        const place = (nth: number): number => cellsAt + 2 * nth;
        const middle = cells >> 1;
        return [[cells - 1, 0] as const, [middle - 1, middle] as const].map(([to, from]) => ({
          at: place(to),
          bytes: [...bytes.subarray(place(from), place(from + 1))],
        }));
      })
      .filter((_, nth) => nth % every === 0),
  );
}

/**
 * The header of each page of a tree in a SQLite file: where it begins, the places and number of its rows, and where the
 * rows begin.
 */
export function pagesOf(
  bytes: Buffer,
): { readonly start: number; readonly cellsAt: number; readonly cells: number; readonly contentAt: number }[] {
  return Array.from({ length: bytes.length / PAGE }, (_, page) => page * PAGE).flatMap((start) => {
    // The first page begins with a header of the file.
    const header = start === 0 ? 100 : start;
    // Others are free, or have the end of a long row.
    if (![2, 5, 10, 13].includes(bytes[header]!)) return [];
    const isLeaf = bytes[header]! >= 10;
    return {
      start,
      cellsAt: header + (isLeaf ? 8 : 12),
      cells: bytes.readUInt16BE(header + 3),
      contentAt: start + bytes.readUInt16BE(header + 5),
    };
  });
}

/** Bytes of a page. */
export const PAGE = 4096;
