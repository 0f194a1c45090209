import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import type { StoredRow } from '../../src/core/store/upkeep.ts';
import { EXPORT_SCHEMA } from '../../src/core/store/sql/schema.ts';
import { STORED_TABLES } from '../../src/core/store/sql/catalogue.ts';
import { copyRows } from '../../src/stores/transfer/copy-rows.ts';
import { readSnapshot, type RowSource } from '../../src/stores/transfer/row-source.ts';
import { answersOf, KEYS, live, type History } from './stores.ts';
import { createMemoryStore } from '../memory-store.ts';

const HISTORY: History = [
  { do: 'report', by: 0, of: [0, 1], severity: 7, text: 'first' },
  { do: 'report', by: 1, of: [1, 2], severity: 3, text: 'second' },
  { do: 'query', of: [0, 1] },
  { do: 'open', nth: 0, reason: 'why' },
  { do: 'protect', of: 2 },
];

/** The rows of a store as an older version exports them: without the tables and columns that were added since. */
async function olderSource(store: Store, schema: number): Promise<RowSource> {
  const snapshot = await store.snapshot();
  const newest = readSnapshot(snapshot, { secret: KEYS.secret, at: '2026-01-02T03:04:05.678Z' });
  const tables = new Map(STORED_TABLES.map((table) => [table.name, table]));
  return {
    head: async () => ({ ...(await newest.head()), schema }),
    async *rows() {
      for await (const { table: name, row } of newest.rows()) {
        const table = tables.get(name)!;
        if (table.since > schema) continue;
        const kept = table.columns.filter(({ since = 0 }) => since <= schema);
        yield {
          table: name,
          row: Object.fromEntries(kept.map((column) => [column.name, row[column.name]!])) as StoredRow,
        };
      }
    },
  };
}

describe('an export of an older version', () => {
  it.each([6, 7, 8, 9, 10])('of schema %i is copied, and what was added since is null', async (schema) => {
    const { store, apiKey, deletionCodes } = await live(HISTORY);
    const target = await createMemoryStore();
    const source = await olderSource(store, schema);
    await copyRows(source, target, KEYS);
    expect(await target.check()).toEqual([]);
    // Again: all rows are there.
    expect((await copyRows(source, target, KEYS)).added).toBe(0);
    expect(await answersOf(target, apiKey, deletionCodes)).toEqual(await answersOf(store, apiKey, deletionCodes));
  });

  it('is refused if it is older than the catalogue knows, or if a row has a newer column', async () => {
    const { store } = await live(HISTORY);
    const target = await createMemoryStore();
    await expect(copyRows(await olderSource(store, 5), target, KEYS)).rejects.toMatchObject({
      problem: 'schema',
      message: expect.stringMatching(/schema version 5.*export it again/) as string,
    });
    const mixed = await olderSource(store, EXPORT_SCHEMA);
    const older = { ...mixed, head: async () => ({ ...(await mixed.head()), schema: 10 }) };
    await expect(copyRows(older, target, KEYS)).rejects.toMatchObject({ problem: 'source' });
    expect((await target.count()).reports).toBe(0);
  });
});
