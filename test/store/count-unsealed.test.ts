import { afterEach, expect, it } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import { countUnsealed } from '../../src/sealed/engine/stored.ts';
import { createMemoryStore } from '../memory-store.ts';

/** More rows than a store counts at once. */
const MANY = 4_200;
const MOVED = 20;
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));
/** A count begins at `00`. */
const hashAt = (first: string, n: number): string => `${first}${hash(n).slice(2)}`;

let store: Store;
afterEach(() => store.close());

async function fill(rows: number): Promise<void> {
  store = await createMemoryStore();
  await store.addReporter(reporter(1));
  const identifiers = Array.from({ length: rows }, (_, n) => ({ kind: 'email', hash: hashAt('ff', n) }));
  await store.addReport(report(1, { identifiers }), 0);
}

it('counts few rows without a pause', async () => {
  await fill(MOVED);
  const ended: string[] = [];
  const counting = countUnsealed(store).then((count) => ended.push(`${count} rows`));
  const timer = turn().then(() => ended.push('timer'));
  await Promise.all([counting, timer]);
  expect(ended).toEqual([`${MOVED} rows`, 'timer']);
});

it('lets other work run while it counts many rows, and counts those that rotations of peppers move', async () => {
  await fill(MANY);
  for (const generation of [1, 2]) {
    const ended: string[] = [];
    const count = () => countUnsealed(store).finally(() => ended.push('count'));
    const startRotation = () => store.addPepper({ generation, fingerprint: id(generation + 100), addedAt: generation });
    // The second rotation starts while the count runs.
    if (generation === 1) await startRotation();
    const counting = count();
    await turn();
    if (generation === 2) await startRotation();
    const moves = Array.from({ length: MOVED }, (_, n) => MOVED * generation + n).map((n) => ({
      from: hashAt('ff', n),
      to: hashAt('00', n),
    }));
    expect(await store.rehash(moves, generation)).toBe(MOVED);
    ended.push('moves');
    expect(await counting).toBeGreaterThanOrEqual(MANY);
    expect(ended).toEqual(['moves', 'count']);
    expect(await countUnsealed(store)).toBe(MANY);
    await store.finishPepper({ generation, finishedAt: 50 });
  }
});
