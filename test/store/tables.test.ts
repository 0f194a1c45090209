import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { DERIVED_TABLES, TABLES, tableOf } from '../../src/store/sql/tables.ts';
import { createSqljsStore } from '../../src/store/sqljs/store.ts';

const TYPES: Readonly<Record<string, string>> = { BLOB: 'bytes', INTEGER: 'whole', TEXT: 'text' };

describe('the catalogue of tables', () => {
  it('names every column of every table, but for what is learnt from them', async () => {
    const db = new (await initSqlJs()).Database((await createSqljsStore()).export());
    const read = (sql: string) => db.exec(sql)[0]?.values ?? [];
    const names = read("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").map(
      ([name]) => String(name),
    );
    expect([...TABLES.map(({ name }) => name), ...DERIVED_TABLES].sort()).toEqual(names.sort());
    for (const { name, columns, key } of TABLES) {
      const info = read(`PRAGMA table_info(${name})`).map(([, column, type, notNull, , inKey]) => ({
        column: String(column),
        type: String(type),
        notNull,
        inKey: Number(inKey),
      }));
      const byName = (a: { column: string }, b: { column: string }) => (a.column < b.column ? -1 : 1);
      // Its checksum is made of the others wherever a row is written, and is in no export.
      expect(
        info.map(({ column }) => column),
        name,
      ).toContain('checksum');
      expect(
        columns.map((column) => ({ column: column.name, type: column.type, nullable: column.nullable })).sort(byName),
        name,
      ).toEqual(
        info
          .filter(({ column }) => column !== 'checksum')
          .map(({ column, type, notNull }) => ({ column, type: TYPES[type], nullable: notNull === 0 }))
          .sort(byName),
      );
      const primary = info
        .filter(({ inKey }) => inKey > 0)
        .sort((a, b) => a.inKey - b.inKey)
        .map(({ column }) => column);
      // Reports lie in the order of their coming, and are told apart by their id.
      expect(key, name).toEqual(name === 'report' ? ['report_id'] : primary);
      // Nothing refers to what comes later.
      for (const [, , parent] of read(`PRAGMA foreign_key_list(${name})`))
        expect(TABLES.indexOf(tableOf(String(parent)))).toBeLessThan(TABLES.indexOf(tableOf(name)));
    }
    db.close();
  });

  it('says how long bytes are, and of nothing else', () => {
    for (const { columns } of TABLES)
      for (const { type, bytes } of columns) expect(bytes !== undefined).toBe(type === 'bytes');
  });
});
