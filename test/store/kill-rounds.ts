import pg from 'pg';
import { expect } from 'vitest';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import type { IdentifierPosition } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import type { PostgresServer } from '../postgres-server.ts';

const WRITERS = 6;

/**
 * Kills the server `rounds` times while reports are stored and removed, and starts it again. Asserts each time that
 * every acknowledged write exists, that no write is partial, and that a retry stores an unacknowledged report once.
 */
export async function killRounds(server: PostgresServer, schema: string, rounds: number): Promise<void> {
  const pool = new pg.Pool({ ...server.connection, max: 4 });
  const store = await createPostgresStore({ pool, schema });
  await store.addReporter(reporter(1));
  // By number of the report. `sent` is what nobody knows the fate of.
  const state = {
    stored: new Set<number>(),
    removed: new Set<number>(),
    sent: new Set<number>(),
    removing: new Set<number>(),
    last: 0,
  };
  const reportOf = (n: number) =>
    report(n, { identifiers: [0, 1, 2].map((at) => ({ kind: 'email', hash: hash(3 * n + at) })) });

  const writeUntilGone = async (): Promise<void> => {
    for (;;) {
      const n = ++state.last;
      try {
        state.sent.add(n);
        await store.addReport(reportOf(n), 0);
        state.sent.delete(n);
        state.stored.add(n);
        if (n % 3 !== 0) continue;
        state.removing.add(n);
        await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 5 });
        state.removing.delete(n);
        state.stored.delete(n);
        state.removed.add(n);
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailableError);
        return;
      }
    }
  };

  for (let round = 0; round < rounds; round++) {
    const before = state.stored.size;
    const writing = Promise.all(Array.from({ length: WRITERS }, writeUntilGone));
    while (state.stored.size < before + 20 + 7 * round) await new Promise((resolve) => setTimeout(resolve, 1));
    await server.kill();
    await writing;
    await expect(store.count()).rejects.toBeInstanceOf(StoreUnavailableError);
    await server.start();

    const found = new Set(
      (await store.findReports(Array.from({ length: state.last }, (_, at) => id(at + 1)))).map(({ reportId }) =>
        Number(`0x${reportId}`),
      ),
    );
    for (const n of state.stored)
      if (!state.removing.has(n)) expect(found, `report ${n} was acknowledged`).toContain(n);
    for (const n of state.removed) expect(found, `report ${n} was removed`).not.toContain(n);
    for (const n of found) expect(state.stored.has(n) || state.sent.has(n), `report ${n} was sent`).toBe(true);
    expect((await identifiersOf(store)).sort()).toEqual(
      [...found].flatMap((n) => reportOf(n).identifiers.map((one) => `${id(n)} ${one.hash}`)).sort(),
    );

    for (const n of state.sent) {
      // Under another id, as the engine would draw one.
      const again = await store.addReport({ ...reportOf(n), reportId: id(1_000_000 + n) }, 0);
      expect(again).toMatchObject(found.has(n) ? { outcome: 'same', reportId: id(n) } : { outcome: 'added' });
      if (again.outcome === 'added')
        await store.removeReport({ reportId: id(1_000_000 + n), reporterId: id(1), removedAt: 5 });
      else state.stored.add(n);
    }
    for (const n of state.removing) {
      expect(await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 5 })).toMatchObject({
        outcome: found.has(n) ? 'removed' : 'already-removed',
      });
      state.stored.delete(n);
      state.removed.add(n);
    }
    state.sent.clear();
    state.removing.clear();
  }
  await store.close();
  await pool.end();
}

async function identifiersOf(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (let after: IdentifierPosition | undefined; ;) {
    const page = await store.readIdentifiers(after, 1000);
    found.push(...page.map((one) => `${one.reportId} ${one.hash}`));
    after = page.at(-1);
    if (page.length < 1000) return found;
  }
}
