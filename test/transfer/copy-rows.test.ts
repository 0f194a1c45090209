import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { copyRows } from '../../src/stores/transfer/copy-rows.ts';
import { readExport } from '../../src/stores/transfer/read-export.ts';
import { readSnapshot } from '../../src/stores/transfer/row-source.ts';
import { budget } from '../budget.ts';
import { answersOf, exportOf, histories, KEYS, live, type History } from './stores.ts';
import { createMemoryStore } from '../memory-store.ts';

const HISTORY: History = [
  { do: 'report', by: 0, of: [0, 1], severity: 7, text: 'first' },
  { do: 'report', by: 1, of: [1, 2], severity: 3, text: '“second”\n👩‍💻' },
  { do: 'report', by: 0, of: [3], severity: 9, text: 'third' },
  { do: 'query', of: [0, 1] },
  { do: 'open', nth: 0, reason: 'why' },
  { do: 'open', nth: 1, reason: 'why' },
  { do: 'decide', nth: 1, upheld: true },
  { do: 'remove', nth: 2 },
  { do: 'protect', of: 4 },
];
const sourceOf = (lines: readonly string[]) =>
  readExport(async function* () {
    yield* lines;
  });
/** An export in chunks of the given size. */
const piecesOf = (bytes: Uint8Array, size: number) =>
  readExport(async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  });
const empty = async (store: Store): Promise<boolean> =>
  Object.values(await store.count()).every((count) => count === 0) && (await store.findPeppers()).length === 0;

/** A store that fails after `pages` rows, like a killed process. */
function failing(store: Store, pages: number): Store {
  const left = { pages };
  return new Proxy(store, {
    get: (target, name: keyof Store) =>
      name === 'putRows'
        ? async (table: string, rows: Parameters<Store['putRows']>[1]) => {
            // Row by row, so that it can fail at any row.
            for (const row of rows) {
              if (left.pages-- <= 0) throw new Error('killed');
              await target.putRows(table, [row]);
            }
          }
        : target[name],
  });
}

describe('an imported export', () => {
  it('answers as the original store, and exports the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 5000 }), async (history, pieceSize) => {
        const { store, apiKey, deletionCodes } = await live(history);
        const lines = await exportOf(store);
        const target = await createMemoryStore();
        const { rows, added } = await copyRows(piecesOf(Buffer.from(lines.join('')), pieceSize), target, KEYS);
        expect(added).toBe(lines.length - 2);
        expect(JSON.parse(lines.at(-1)!).rows).toEqual(
          Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0)),
        );
        expect(await exportOf(target)).toEqual(lines);
        expect(await target.check()).toEqual([]);
        expect(await answersOf(target, apiKey, deletionCodes)).toEqual(await answersOf(store, apiKey, deletionCodes));
        await Promise.all([store.close(), target.close()]);
      }),
      { numRuns: budget(6) },
    );
  });

  it('is written in pages, with fewer rows if texts are long', async () => {
    const { store } = await live(HISTORY);
    const [{ reporterId }] = (await store.listReporters()) as [{ reporterId: string }, ...object[]];
    const id = (n: number, length = 16): string => n.toString(16).padStart(length, '0');
    for (let n = 0; n < 450; n++) {
      const identifiers = [{ kind: 'email', hash: id(n, 40) }];
      await store.addReport(
        {
          reportId: id(n),
          nonce: id(n),
          fingerprint: id(n, 32),
          reporterId,
          type: 'fraud',
          severity: 5,
          text: n < 40 ? 'x'.repeat(100_000) : 'x',
          createdAt: n,
          identifiers,
          generation: 1,
        },
        n,
      );
    }
    const target = await createMemoryStore();
    const pages: [string, number, number][] = [];
    await copyRows(
      sourceOf(await exportOf(store)),
      new Proxy(target as Store, {
        get: (kept, name: keyof Store) =>
          name === 'putRows'
            ? (table: string, rows: Parameters<Store['putRows']>[1]) => (
                pages.push([table, rows.length, JSON.stringify(rows).length]),
                kept.putRows(table, rows)
              )
            : kept[name],
      }),
      KEYS,
    );
    expect(
      pages
        .filter(([table]) => table === 'identifier')
        .map(([, rows]) => rows)
        .slice(0, 2),
    ).toEqual([200, 200]);
    for (const [, rows, length] of pages) {
      expect(rows).toBeLessThanOrEqual(200);
      expect(length).toBeLessThan(1_300_000);
    }
  });

  it('resumes wherever it was interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(60), fc.nat(60), async (history, first, second) => {
        const { store } = await live(history);
        const lines = await exportOf(store);
        const target = await createMemoryStore();
        let done = 0;
        for (const pages of [first, second]) {
          const copied = await copyRows(sourceOf(lines), failing(target, pages), KEYS).catch(
            (error: Error) => void expect(error.message).toBe('killed'),
          );
          done = Math.min(lines.length - 2, done + pages);
          expect(copied === undefined).toBe(done < lines.length - 2);
        }
        expect((await copyRows(sourceOf(lines), target, KEYS)).added).toBe(lines.length - 2 - done);
        expect(await exportOf(target)).toEqual(lines);
        expect((await copyRows(sourceOf(lines), target, KEYS)).added).toBe(0);
        await Promise.all([store.close(), target.close()]);
      }),
      { numRuns: budget(5) },
    );
  });

  it('is refused with nothing written if one bit is wrong or the file is cut off, anywhere', async () => {
    const bytes = Buffer.from((await exportOf((await live(HISTORY)).store)).join(''));
    const target = await createMemoryStore();
    const refuse = async (damaged: Uint8Array): Promise<void> => {
      await expect(copyRows(piecesOf(damaged, 1 << 16), target, KEYS)).rejects.toSatisfy(
        (error: Error) =>
          error.name === 'ExportError' ||
          (error.name === 'TransferError' &&
            ['schema', 'secret', 'peppers', 'target'].includes((error as Error & { problem: string }).problem)),
      );
      expect(await empty(target)).toBe(true);
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at]! ^= 1 << bit;
        await refuse(damaged);
      }),
      { numRuns: 250 },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), (length) => refuse(bytes.subarray(0, length))),
      { numRuns: 80 },
    );
    await refuse(bytes.subarray(0, -1));
    await refuse(Buffer.concat([bytes, Buffer.from('\n')]));
    await refuse(Buffer.concat([bytes, bytes]));
    await copyRows(piecesOf(bytes, 1 << 16), target, KEYS);
  });

  it('is reported as damaged even if a part of it was imported before', async () => {
    const lines = await exportOf((await live(HISTORY)).store);
    const target = await createMemoryStore();
    await expect(copyRows(sourceOf(lines), failing(target, 9), KEYS)).rejects.toThrow('killed');
    const damaged = lines.map((line, at) => (at === 3 ? line.replace('Shop', 'Shup') : line));
    await expect(copyRows(sourceOf(damaged), target, KEYS)).rejects.toMatchObject({
      name: 'ExportError',
      line: lines.length,
    });
  });
});

describe('a target', () => {
  const targets: [string, (store: Store) => Promise<unknown>][] = [
    [
      'another reporter',
      (store) =>
        store.addReporter({ reporterId: 'f'.repeat(16), name: 'Z', verified: true, suspended: false, createdAt: 1 }),
    ],
    [
      'a reporter before all others',
      (store) =>
        store.addReporter({ reporterId: '0'.repeat(16), name: 'A', verified: true, suspended: false, createdAt: 1 }),
    ],
    [
      'an entry of the allow-list',
      (store) => store.addProtection({ hash: 'f'.repeat(40), reason: 'r', addedBy: 'Ada', addedAt: 1, endsAt: null }),
    ],
    ['another pepper', (store) => store.addPepper({ generation: 1, fingerprint: '0'.repeat(16), addedAt: 1 })],
    [
      'a link of its own',
      (store) =>
        store.putRows('link_identifier', [
          { link_hash: '0'.repeat(40), hash: '0'.repeat(40), kind: 'email', created_at: 1 },
        ]),
    ],
  ];

  it.each(targets)(
    'with %s is refused before a row is written, whether empty otherwise or half full',
    async (_, put) => {
      const lines = await exportOf((await live(HISTORY)).store);
      for (const pages of [0, 10, 1000]) {
        const target = await createMemoryStore();
        await copyRows(sourceOf(lines), failing(target, pages), KEYS).catch((error: Error) =>
          expect(error.message).toBe('killed'),
        );
        if ((await put(target)) === 'taken') continue;
        const before = await exportOf(target);
        await expect(copyRows(sourceOf(lines), target, KEYS)).rejects.toMatchObject({
          name: 'TransferError',
          problem: 'target',
        });
        expect(await exportOf(target)).toEqual(before);
      }
    },
  );

  it('with another value in the same row is refused', async () => {
    const lines = await exportOf((await live(HISTORY)).store);
    const target = await createMemoryStore();
    await copyRows(sourceOf(lines), target, KEYS);
    const [first] = await target.listReporters();
    await target.updateReporter({ reporterId: first!.reporterId, suspended: true });
    await expect(copyRows(sourceOf(lines), target, KEYS)).rejects.toMatchObject({
      problem: 'target',
      message: expect.stringContaining('table reporter'),
    });
  });

  it('that another process writes to fails verification', async () => {
    const lines = await exportOf((await live(HISTORY)).store);
    const target = await createMemoryStore();
    const meddled: Store = new Proxy(target, {
      get: (store, name: keyof Store) =>
        name === 'putRows'
          ? async (table: string, rows: Parameters<Store['putRows']>[1]) => {
              await store.putRows(table, rows);
              if (table === 'protection')
                await store.addProtection({
                  hash: 'f'.repeat(40),
                  reason: 'r',
                  addedBy: 'Ada',
                  addedAt: 1,
                  endsAt: null,
                });
            }
          : store[name],
    });
    await expect(copyRows(sourceOf(lines), meddled, KEYS)).rejects.toMatchObject({
      problem: 'verification',
      message: expect.stringContaining('the table protection has 2 rows, expected 1'),
    });
  });

  it('drops standings learnt from fewer reports', async () => {
    const { store } = await live(HISTORY);
    const learnt = (await store.findTrust())!;
    const target = await createMemoryStore();
    await target.putTrust({ ...learnt, records: [] });
    await copyRows(sourceOf(await exportOf(store)), target, KEYS);
    expect((await target.findTrustEpoch())?.rules).not.toBe(learnt.rules);
  });
});

describe('a source', () => {
  it('of another secret, other peppers or another schema is refused, with their fingerprints and nothing else', async () => {
    const { store } = await live(HISTORY);
    const lines = await exportOf(store);
    const target = await createMemoryStore();
    const other = '0123456789abcdef';
    for (const [keys, problem, words] of [
      [{ ...KEYS, secret: other }, 'secret', `${KEYS.secret}) and target (${other})`],
      [{ ...KEYS, secret: null }, 'secret', 'and target (unknown)'],
      [{ ...KEYS, peppers: [other] }, 'peppers', `${KEYS.peppers[0]}) and target (fingerprints ${other})`],
      [{ ...KEYS, peppers: [] }, 'peppers', 'and target (none)'],
      [{ ...KEYS, peppers: [...KEYS.peppers, other] }, 'peppers', `, ${other})`],
    ] as const) {
      await expect(copyRows(sourceOf(lines), target, keys)).rejects.toMatchObject({
        name: 'TransferError',
        problem,
        message: expect.stringContaining(words),
      });
    }
    const newer = lines.map((line, at) => (at === 0 ? line.replace(/"schema":\d+/, '"schema":99') : line));
    await expect(copyRows(sourceOf(newer), target, KEYS)).rejects.toMatchObject({
      problem: 'schema',
      message: expect.stringContaining('schema version 99'),
    });
    expect(await empty(target)).toBe(true);
  });

  it('may be a store', async () => {
    const { store } = await live(HISTORY);
    const snapshot = await store.snapshot();
    const target = await createMemoryStore();
    await copyRows(readSnapshot(snapshot, { secret: KEYS.secret, at: '2026-01-01T00:00:00.000Z' }), target, KEYS);
    await snapshot.close();
    expect(await exportOf(target)).toEqual(await exportOf(store));
  });

  it('with a damaged row is refused without repeating the row', async () => {
    const { store } = await live(HISTORY);
    await store.putRows('protection', [
      { hash: 'abcd', added_at: 1, added_by: 'Ada', reason: 'r', ends_at: null, ended_by: null, generation: 1 },
    ]);
    const snapshot = await store.snapshot();
    const target = await createMemoryStore();
    await expect(
      copyRows(readSnapshot(snapshot, { secret: KEYS.secret, at: '2026-01-01T00:00:00.000Z' }), target, KEYS),
    ).rejects.toMatchObject({
      problem: 'source',
      message:
        'the source is damaged: a row of protection is not valid: protection.hash is not 20 bytes as lowercase hex; ' +
        'run redflag check on the source and restore a backup',
    });
    expect(await empty(target)).toBe(true);
  });
});
