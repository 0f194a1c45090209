import pg from 'pg';
import { expect } from 'vitest';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { hash, id, report } from '../contract/stored.ts';
import type { PostgresServer } from '../postgres-server.ts';
import { startWriter } from './sqlite-child.ts';

/**
 * Kills a process that writes to a PostgreSQL store, `rounds` times at random moments, a third of them while it starts.
 * Asserts each time that acknowledged writes exist, no write is partial, no lock is held, and a retry stores an
 * unacknowledged report once.
 */
export async function killClientsAndLook(
  server: PostgresServer,
  program: string,
  rounds: number,
): Promise<{ readonly reports: number; readonly removals: number; readonly unknown: number }> {
  const schema = 'clients';
  const pool = new pg.Pool({ ...server.connection, max: 4 });
  const store = await createPostgresStore({ pool, schema });
  const numberOf = async (text: string): Promise<number> =>
    Number(((await pool.query({ text: `SELECT ${text}`, rowMode: 'array' })).rows as unknown[][])[0]![0]);
  const total = { reports: 0, removals: 0, unknown: 0 };

  for (let round = 0; round < rounds; round++) {
    const first = 1 + round * 100_003;
    const writer = startWriter(program, JSON.stringify({ connection: server.connection, schema }), first);
    if (round % 3 < 2) await writer.ready();
    // All its connections have to be made first: every third time it is at full speed, which is when most is under way.
    while (round % 3 === 0 && writer.said().length < 10) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (round % 3 < 2 ? 150 : 300)));
    await writer.kill();
    const said = writer.said();
    const [added, removed, linked] = ['+', '-', '='].map(
      (sign) => new Set(said.filter((line) => line[0] === sign).map((line) => Number(line.slice(1)))),
    ) as [Set<number>, Set<number>, Set<number>];

    // The server ends each of its connections when it next listens to it, and undoes what was under way.
    await expect
      .poll(() => numberOf("count(*) FROM pg_stat_activity WHERE application_name = 'writer'"), { interval: 5 })
      .toBe(0);
    expect(await numberOf("count(*) FROM pg_locks WHERE locktype = 'advisory'")).toBe(0);
    const lease = await store.shared!.lease('writer');
    expect(lease).toBeDefined();
    await lease!.release();

    // The last ones may have been written and not yet said.
    const sent = Array.from({ length: Math.max(first, ...added) + 20 - first }, (_, at) => first + at);
    const texts = new Map((await store.findReports(sent.map(id))).map(({ reportId, text }) => [reportId, text]));
    const found = await store.findMatches([
      ...sent.flatMap((n) => [hash(3 * n), hash(3 * n + 1)]),
      hash(3 * first + 2),
    ]);
    for (const n of sent) {
      const text = texts.get(id(n));
      if (text !== undefined) expect(text).toBe(`text ${n} `.repeat(n % 300));
      expect(
        found.filter(({ reportId }) => reportId === id(n)),
        `report ${n}`,
      ).toHaveLength(text === undefined ? 0 : 3);
      if (removed.has(n)) expect(text, `report ${n}, removed`).toBeUndefined();
      else if (added.has(n) && n % 3 > 0) expect(text, `report ${n}`).toBeDefined();
      const link = n % 5 === 0 ? await store.findLink(hash(3 * n)) : undefined;
      if (link) expect(link, `link ${n}`).toHaveLength(2);
      if (linked.has(n) && n % 3 > 0) expect(link, `link ${n}`).toBeDefined();
      if (text === undefined) expect(link, `link ${n}, of nobody`).toBeUndefined();
    }
    // Counted within the same transactions: each report once, once more for its removal, and once for each retry.
    const written = await numberOf(`coalesce(sum(writes), 0) FROM ${schema}.reporter_writes`);
    expect(total.unknown + (await numberOf(`count(*) + count(removed_at) FROM ${schema}.report`))).toBe(written);
    const { reports, identifiers } = await store.count();
    expect(identifiers).toBe(3 * reports);

    if (added.size > 0) {
      for (const n of sent.filter((one) => !added.has(one))) {
        // Under another id, as the engine would draw one. A removed report has no fingerprint any more.
        const again = await store.addReport(report(n, { reportId: id(500_000_000 + n) }), 0);
        expect(again).toMatchObject(texts.has(id(n)) ? { outcome: 'same', reportId: id(n) } : { outcome: 'added' });
        if (again.outcome === 'added')
          await store.removeReport({ reportId: id(500_000_000 + n), reporterId: id(1), removedAt: 5 });
        else total.unknown++;
      }
    }
    if (round % 20 === 0 || round === rounds - 1) expect(await store.check()).toEqual([]);
    total.reports += added.size;
    total.removals += removed.size;
  }
  await store.close();
  await pool.end();
  return total;
}
