import { describe, expect, it } from 'vitest';
import type { StoredReport } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { indexIdentifiers, type IndexedStore } from '../../src/lab/identifier-index.ts';
import { createRandom } from '../../src/lab/random.ts';
import { createMemoryStore } from '../memory-store.ts';

const REPORTERS = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(8));
const HASHES = Array.from({ length: 12 }, (_, at) => (at * 21).toString(16).padStart(2, '0').repeat(20));

async function openStore(): Promise<Store> {
  const store = await createMemoryStore();
  for (const reporterId of REPORTERS)
    await store.addReporter({ reporterId, name: reporterId, verified: false, suspended: false, createdAt: 0 });
  return store;
}

async function readAll(store: Store, limit: number, withoutKinds?: readonly string[]) {
  const all: Awaited<ReturnType<Store['readIdentifiers']>> = [];
  for (;;) {
    const page = await store.readIdentifiers(all.at(-1), limit, withoutKinds);
    all.push(...page);
    if (page.length < limit) return all;
  }
}

/** Adds, deletes and disputes reports. */
async function writeRandomly(store: Store, seed: number): Promise<void> {
  const random = createRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const live: StoredReport[] = [];
  for (let number = 0; number < 120; number++) {
    const choice = random();
    if (choice < 0.6 || live.length === 0) {
      const report: StoredReport = {
        reportId: `${seed.toString(16).padStart(2, '0')}${below(2 ** 30)
          .toString(16)
          .padStart(10, '0')}${number.toString(16).padStart(4, '0')}`,
        nonce: number.toString(16).padStart(16, '0'),
        fingerprint: (seed * 1000 + number).toString(16).padStart(32, '0'),
        reporterId: REPORTERS[below(3)]!,
        type: 'fraud',
        severity: 5,
        text: 'text',
        createdAt: below(5),
        identifiers: Array.from({ length: 1 + below(4) }, () => ({
          kind: ['email', 'ip', 'phone'][below(3)]!,
          hash: HASHES[below(HASHES.length)]!,
        })),
      };
      live.push(report);
      expect(await store.addReport(report, 0)).toEqual({ outcome: 'added' });
    } else if (choice < 0.8) {
      const { reportId, reporterId } = live.splice(below(live.length), 1)[0]!;
      await store.removeReport({ reportId, reporterId, removedAt: 10 });
    } else {
      const { reportId } = live[below(live.length)]!;
      await store.openDispute({ reportId, openedAt: number, openedBy: 'ada', reason: 'wrong' });
    }
  }
}

async function expectSameReads(indexed: IndexedStore, plain: Store): Promise<void> {
  for (const limit of [1, 3, 1000])
    for (const withoutKinds of [undefined, [], ['ip'], ['email', 'ip']])
      expect(await readAll(indexed, limit, withoutKinds)).toEqual(await readAll(plain, limit, withoutKinds));
  for (const hashes of [[], ['ff'.repeat(20)], HASHES.slice(0, 2), ['ff'.repeat(20), ...HASHES].reverse()])
    expect(await indexed.findFacts({ hashes })).toEqual(await plain.findFacts({ hashes }));
}

describe('a store with an index of its identifiers', () => {
  it.each([1, 2, 3, 4])('answers like the plain store after random writes (seed %i)', async (seed) => {
    const plain = await openStore();
    const indexed = await indexIdentifiers(plain);
    await expectSameReads(indexed, plain);
    await writeRandomly(indexed, seed);
    indexed.includeReports();
    await expectSameReads(indexed, plain);
    await plain.close();
  });

  it('begins with the identifiers of the store', async () => {
    const plain = await openStore();
    await writeRandomly(plain, 5);
    const indexed = await indexIdentifiers(plain);
    await expectSameReads(indexed, plain);
    await writeRandomly(indexed, 6);
    indexed.includeReports();
    await expectSameReads(indexed, plain);
    await plain.close();
  });

  it('reads reports only once they are included, but finds their facts at once', async () => {
    const plain = await openStore();
    const indexed = await indexIdentifiers(plain);
    const report: StoredReport = {
      reportId: '01'.repeat(8),
      nonce: '02'.repeat(8),
      fingerprint: '03'.repeat(16),
      reporterId: REPORTERS[0]!,
      type: 'fraud',
      severity: 5,
      text: 'text',
      createdAt: 1,
      identifiers: [{ kind: 'email', hash: HASHES[0]! }],
    };
    await indexed.addReport(report, 0);
    // A retry is stored once.
    expect(await indexed.addReport(report, 0)).toMatchObject({ outcome: 'same' });
    expect(await readAll(indexed, 10)).toEqual([]);
    expect((await indexed.findFacts({ hashes: [HASHES[0]!] })).matches).toHaveLength(1);
    indexed.includeReports();
    expect(await readAll(indexed, 10)).toHaveLength(1);
    await plain.close();
  });
});
