import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { POSTGRES_MIGRATIONS } from '../../src/stores/postgres/schema.ts';
import { SCALE_DDL, SPREAD, STAYING } from './scale-ddl.ts';

describe('the DDL in docs/scale.md', async () => {
  const store = await createSqljsStore();
  const db = new (await initSqlJs()).Database(store.export());
  const rows = (text: string): string[] => (db.exec(text)[0]?.values ?? []).map(([value]) => value as string);
  const tables = rows("SELECT name FROM sqlite_schema WHERE type = 'table'");

  it('places every table', () => {
    expect(SPREAD.map(({ table }) => table).sort()).toEqual([...tables].sort());
    // A server has more tables than a file, minus renamed ones and partitions.
    const made = POSTGRES_MIGRATIONS.flatMap((text) =>
      [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+) \(/g)].map(([, table]) => table!),
    );
    const renamed = POSTGRES_MIGRATIONS.flatMap((text) =>
      [...text.matchAll(/ALTER TABLE (\w+) RENAME TO \w+/g)].map(([, table]) => table!),
    );
    const onServer = [...made.filter((table) => !renamed.includes(table)), 'redflag_version'];
    expect([...SPREAD.map(({ table }) => table), ...STAYING].sort()).toEqual(onServer.sort());
    expect(SCALE_DDL.match(/create_\w+_table/g)).toHaveLength(SPREAD.length);
  });

  it('distributes by columns that exist and are in every unique index', () => {
    for (const { how, table, column, beside } of SPREAD) {
      if (how === 'reference') {
        expect(column).toBeUndefined();
        continue;
      }
      expect(rows(`SELECT name FROM pragma_table_info('${table}')`), table).toContain(column);
      for (const index of rows(`SELECT name FROM pragma_index_list('${table}') WHERE "unique" = 1`)) {
        expect(rows(`SELECT name FROM pragma_index_info('${index}')`), index).toContain(column);
      }
      if (beside !== undefined && beside !== 'none')
        expect(SPREAD.find((other) => other.table === beside)?.column).toBe(column);
    }
  });

  it('has foreign keys only to reference tables', () => {
    const everywhere = SPREAD.filter(({ how }) => how === 'reference').map(({ table }) => table);
    for (const table of tables) {
      for (const target of rows(`SELECT "table" FROM pragma_foreign_key_list('${table}')`))
        expect(everywhere, table).toContain(target);
    }
  });
});
