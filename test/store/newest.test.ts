import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStoreOn } from '../../src/stores/sqlite/store.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import { hash, id, report, reporter, reportRow } from '../contract/stored.ts';
import { createCountedStore } from './counted.ts';

const LIMIT = 1_000;
const PAGE = 250;
const VIEW = { identifiers: [{ kind: 'email', hash: hash(1) }], exactKinds: false, limit: LIMIT };

function identifierRow(n: number, over: { hash?: string; kind?: string; of: number; at: number }) {
  return {
    hash: over.hash ?? hash(1),
    kind: over.kind ?? 'email',
    reporter_id: id(over.of),
    created_at: over.at,
    report_id: id(n),
    position: 0,
    type: 'fraud',
    severity: 5,
    disputed: 0,
    generation: 0,
  };
}

/** A store with many reports of one hash, each with a moment of its own. */
async function filled(reports: number, reporters: number, whose: (n: number) => number) {
  const count = { rows: 0 };
  const store = createCountedStore((rows) => (count.rows += rows));
  for (let n = 0; n < reporters; n++) await store.addReporter(reporter(n));
  for (let from = 0; from < reports; from += 1_000)
    await store.putRows(
      'identifier',
      Array.from({ length: 1_000 }, (_, at) => identifierRow(from + at, { of: whose(from + at), at: 1 + from + at })),
    );
  return { store, count };
}

/** Rows that a call reads, in all and at most in one turn of the event loop. */
async function rowsOf(count: { rows: number }, call: () => Promise<unknown>) {
  const from = count.rows;
  const state = { last: from, most: 0, calling: true };
  // The store pauses by such a timer, too, so the two take turns. Two of its turns may come before `setImmediate`.
  const look = (): void => {
    state.most = Math.max(state.most, count.rows - state.last);
    state.last = count.rows;
    if (state.calling) setTimeout(look);
  };
  setTimeout(look);
  await call();
  state.calling = false;
  return { all: count.rows - from, inOneTurn: Math.max(state.most, count.rows - state.last) };
}

/** Each reporter's newest report, then each one's second newest, and so on: written without the code under test. */
function inRounds(reports: number, whose: (n: number) => number): string[] {
  const rounds: string[][] = [];
  const counted = new Map<number, number>();
  for (let n = reports - 1; n >= 0; n--) {
    const round = counted.get(whose(n)) ?? 0;
    counted.set(whose(n), round + 1);
    (rounds[round] ??= []).push(id(n));
  }
  return rounds.flat();
}

describe('the newest reports of a set', () => {
  it.each([
    ['one reporter', 1, () => 0],
    ['reporters in turn', 50, (n: number) => n % 50],
    ['reporters one after the other', 50, (n: number) => Math.floor(n / 400)],
    // All new reports are those of one reporter.
    ['one reporter, after many', 200, (n: number) => (n < 4_000 ? n % 199 : 199)],
  ])('are read without the older ones, a page in a turn: %s', async (_, reporters, whose) => {
    const { store, count } = await filled(20_000, reporters, whose);
    const expected = inRounds(20_000, whose).slice(0, LIMIT);
    const read = await rowsOf(count, async () => {
      expect(await store.findNewest(VIEW)).toEqual(expected);
    });
    expect(read.all).toBeLessThanOrEqual(5 * LIMIT + 6 * reporters);
    expect(read.inOneTurn).toBeLessThanOrEqual(PAGE);
    await store.close();
  });

  it('are found among runs of more kinds than are read at once', async () => {
    const { store, count } = await filled(0, 2, () => 0);
    const rows = Array.from({ length: 1_000 }, (_, n) => identifierRow(n, { of: n % 2, at: 1 + n, kind: `k_${n}x` }));
    await store.putRows('identifier', rows);
    const expected = inRounds(1_000, (n) => n % 2);
    expect(await store.findNewest(VIEW)).toEqual(expected);
    expect(await store.findNewest({ ...VIEW, limit: 70 })).toEqual(expected.slice(0, 70));
    // A report reads few of these kinds, and adds none.
    const from = count.rows;
    const identifiers = [{ kind: 'new', hash: hash(1) }];
    const added = await store.addReport(report(2_000, { reporterId: id(0), identifiers, knownKinds: ['email'] }), 0);
    expect(added).toEqual({ outcome: 'added', identifiers: [{ kind: 'other', hash: hash(1) }] });
    expect(count.rows - from).toBeLessThanOrEqual(2 + 32);
    await store.close();
  });

  it('are found among upheld ones', async () => {
    const { store } = await filled(2_000, 1, () => 0);
    for (let n = 1_990; n < 2_000; n++) {
      await store.putRows('report', [reportRow(n, { reporter_id: id(0), created_at: 1 + n })]);
      await store.openDispute({ reportId: id(n), openedAt: 1, openedBy: 'Ada', reason: 'why' });
      await store.decideDispute({ reportId: id(n), upheld: true, decidedAt: 2, decidedBy: 'Ada' });
    }
    expect(await store.findNewest({ ...VIEW, limit: 2 })).toEqual([id(1_989), id(1_988)]);
    await store.close();
  });
});

describe('a list that is cut', () => {
  it('has the newest report of each reporter, whatever one of them did, and is what sorting all of them gives', async () => {
    const rowOf = fc.record({
      hash: fc.constantFrom(1, 2),
      kind: fc.constantFrom('email', 'phone'),
      whose: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 4),
      at: fc.integer({ min: 1, max: 9_999 }),
    });
    const world = fc.record({
      rows: fc.uniqueArray(rowOf, { maxLength: 160, selector: ({ at }) => at, size: 'max' }),
      verified: fc.subarray([0, 1, 2, 3, 4]),
      suspended: fc.subarray([0, 1, 2, 3, 4]),
      limit: fc.integer({ min: 5, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ rows, verified, suspended, limit }) => {
        const { store } = createStoreOn(createWasmDriver(':memory:'), { exclusive: true });
        for (let n = 0; n < 5; n++) {
          await store.addReporter({ ...reporter(n), verified: verified.includes(n) });
          await store.updateReporter({ reporterId: id(n), suspended: suspended.includes(n) });
        }
        await store.putRows(
          'identifier',
          rows.map(({ hash: of, kind, whose, at }) => identifierRow(at, { hash: hash(of), kind, of: whose, at })),
        );
        const identifiers = [1, 2].map((n) => ({ kind: 'email', hash: hash(n) }));
        const found = await store.findNewest({ identifiers, exactKinds: false, limit });
        const groupOf = (n: number): number => (suspended.includes(n) ? 2 : verified.includes(n) ? 0 : 1);
        const sorted = [...rows].sort((a, b) => b.at - a.at);
        const keys = sorted.map((row) => {
          const nth = sorted.filter((one) => one.whose === row.whose && one.at >= row.at).length;
          const group = groupOf(row.whose);
          return { row, key: [group === 2 && nth > 1 ? 1 : 0, nth, group, -row.at] };
        });
        keys.sort((a, b) => a.key.map((x, at) => x - b.key[at]!).find((x) => x !== 0) ?? 0);
        expect(found).toEqual(keys.slice(0, limit).map(({ row }) => id(row.at)));
        for (const whose of new Set(rows.map((row) => row.whose)))
          expect(found).toContain(id(sorted.find((row) => row.whose === whose)!.at));
        const own = await store.findNewest({ identifiers, exactKinds: false, limit, reporterId: id(1) });
        expect(own).toEqual(
          sorted
            .filter(({ whose }) => whose === 1)
            .slice(0, limit)
            .map(({ at }) => id(at)),
        );
        await store.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe('the stamp of a set', () => {
  it('grows with each write that may change its newest reports, and only then', async () => {
    const { store } = await filled(1_000, 2, (n) => n % 2);
    const stamp = (): number => store.stampOf!([hash(1)]);
    const grows = async (write: () => Promise<unknown>): Promise<boolean> => {
      const before = stamp();
      await write();
      return stamp() > before;
    };
    const add = (n: number, of: string) =>
      store.addReport(report(n, { reporterId: id(0), identifiers: [{ kind: 'email', hash: of }] }), 0);
    expect(await grows(() => add(5_000, hash(1)))).toBe(true);
    expect(await grows(() => add(5_001, 'f'.repeat(40)))).toBe(false);
    expect(
      await grows(() => store.putLink({ linkHash: hash(9), identifiers: VIEW.identifiers, createdAt: 1 }, 5)),
    ).toBe(false);
    // A cut leaves out reports of suspended reporters first.
    expect(await grows(() => store.updateReporter({ reporterId: id(1), suspended: true }))).toBe(true);
    const dispute = { reportId: id(5_000), openedAt: 6, openedBy: 'Ada', reason: 'why' };
    expect(await grows(() => store.openDispute(dispute))).toBe(true);
    const decision = { reportId: id(5_000), upheld: true, decidedAt: 7, decidedBy: 'Ada' };
    expect(await grows(() => store.decideDispute(decision))).toBe(true);
    const removal = { reportId: id(5_001), reporterId: id(0), removedAt: 8 };
    expect(await grows(() => store.removeReport(removal))).toBe(true);
    expect(await grows(() => store.rehash([{ from: hash(1), to: hash(2) }], 1))).toBe(true);
    expect(await grows(() => store.erase({ hashes: [hash(2)], erasedAt: 9 }))).toBe(true);
    await store.close();
  });
});
