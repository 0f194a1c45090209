import { existsSync, readFileSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { createStoreOn, type SqliteNotice } from '../../src/stores/sqlite/store.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import type { Store } from '../../src/core/store/store.ts';
import { budget } from '../budget.ts';
import { id, report, reporter } from '../contract/stored.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();
const TEXT = 'a text that must not stay';

/** The bytes of a database and of its log. */
const bytesOf = (file: string): Buffer =>
  Buffer.concat(['', '-wal'].filter((end) => existsSync(file + end)).map((end) => readFileSync(file + end)));
const remove = (store: Store, n: number) => store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 9 });

describe('what is removed from a SQLite file', () => {
  it('leaves the log within the time that is given', async () => {
    const file = newFile();
    const store = await openSqliteFile(file, { eraseWithinSeconds: 0 });
    await store.addReporter(reporter(1));
    await store.addReport(report(1, { text: TEXT }), 0);
    expect(bytesOf(file).includes(TEXT)).toBe(true);
    await remove(store, 1);
    await expect.poll(() => bytesOf(file).includes(TEXT)).toBe(false);
    expect((await stat(`${file}-wal`)).size).toBe(0);
    await store.close();
  });

  it('is also a hash under an earlier pepper', async () => {
    const file = newFile();
    const store = await openSqliteFile(file, { eraseWithinSeconds: 0 });
    const [from, to] = ['ab'.repeat(20), 'cd'.repeat(20)];
    await store.addReporter(reporter(1));
    await store.addReport(report(1, { identifiers: [{ kind: 'email', hash: from }] }), 0);
    const held = () => bytesOf(file).includes(Buffer.from(from, 'hex'));
    expect(held()).toBe(true);
    expect(await store.rehash([{ from, to }], 1)).toBe(1);
    await expect.poll(held).toBe(false);
    await store.close();
  });

  it('has left when the store is closed, and when it is opened again after a crash', async () => {
    const file = newFile();
    const store = await openSqliteFile(file);
    await store.addReporter(reporter(1));
    await store.addReport(report(1, { text: TEXT }), 0);
    await remove(store, 1);
    const crashed = newFile();
    for (const end of ['', '-wal']) await copyFile(file + end, crashed + end);
    expect(bytesOf(crashed).includes(TEXT)).toBe(true);
    const again = await openSqliteFile(crashed);
    expect(bytesOf(crashed).includes(TEXT)).toBe(false);
    await again.close();
    await store.close();
    expect(bytesOf(file).includes(TEXT)).toBe(false);
  });

  it('is tried again when the log cannot be emptied', async () => {
    const file = newFile();
    const notices: SqliteNotice[] = [];
    const driver = createWasmDriver(file);
    const state = { busy: false };
    const { store } = createStoreOn(
      {
        ...driver,
        prepare: (text) =>
          state.busy && text.includes('wal_checkpoint')
            ? { all: () => [[1, 0, 0]], run: () => undefined, free: () => undefined }
            : driver.prepare(text),
      },
      { exclusive: true, eraseWithinSeconds: 0, onNotice: (notice) => notices.push(notice) },
    );
    await store.addReporter(reporter(1));
    await store.addReport(report(1, { text: TEXT }), 0);
    state.busy = true;
    await remove(store, 1);
    await expect.poll(() => notices.map(({ event }) => event)).toContain('erasure-failed');
    expect(bytesOf(file).includes(TEXT)).toBe(true);
    state.busy = false;
    await expect.poll(() => bytesOf(file).includes(TEXT)).toBe(false);
    await store.close();
  });

  it('is nowhere in the file, however reports of many lengths come and go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            length: fc.integer({ min: 1, max: 12_000 }),
            removedAfter: fc.option(fc.integer({ min: 0, max: 40 })),
          }),
          { minLength: 20, maxLength: 80 },
        ),
        async (plan) => {
          const file = newFile();
          const store = await openSqliteFile(file);
          await store.addReporter(reporter(1));
          const unique = (n: number): string => `<text ${n}>`;
          const hashOf = (n: number): string => (n * 7919 + 13).toString(16).padStart(8, '0').repeat(5);
          for (const [n, { length }] of plan.entries()) {
            await store.addReport(
              report(n, {
                text: unique(n).repeat(1 + length / 10),
                identifiers: [
                  { kind: 'email', hash: hashOf(n) },
                  { kind: 'ip', hash: hashOf(n + 1000) },
                ],
              }),
              0,
            );
            await store.putLink(
              { linkHash: hashOf(n + 2000), identifiers: [{ kind: 'email', hash: hashOf(n) }], createdAt: n },
              10,
            );
            for (const [earlier, { removedAfter }] of plan.entries())
              if (removedAfter !== null && earlier + removedAfter === n) await remove(store, earlier);
          }
          const removed = plan.flatMap(({ removedAfter }, n) =>
            removedAfter !== null && n + removedAfter < plan.length ? [n] : [],
          );
          expect((await store.count()).removed).toBe(removed.length);
          expect(await store.check()).toEqual([]);
          await store.close();
          const bytes = bytesOf(file);
          for (const n of removed) {
            expect(bytes.includes(unique(n)), unique(n)).toBe(false);
            for (const hash of [hashOf(n), hashOf(n + 1000), hashOf(n + 2000)])
              expect(bytes.includes(Buffer.from(hash, 'hex')), hash).toBe(false);
          }
        },
      ),
      { numRuns: budget(3) },
    );
  });
});
