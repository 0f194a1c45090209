import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { REPORTER, STORED_TABLES, TABLES } from '../../src/core/store/sql/catalogue.ts';
import { MIGRATIONS } from '../../src/core/store/sql/schema.ts';
import { sqlName } from '../../src/core/store/sql/columns.ts';
import { readPage } from '../../src/core/store/sql/pages.ts';
import { change, find, put } from '../../src/core/store/sql/rows.ts';
import { pick } from '../../src/core/store/sql/table.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';

const SQL_TYPES = { bytes: 'BLOB', whole: 'INTEGER', flag: 'INTEGER', real: 'REAL', text: 'TEXT' };

describe('the catalogue of tables', () => {
  it('names every column of every table', async () => {
    const db = new (await initSqlJs()).Database((await createSqljsStore()).export());
    const read = (sql: string) => db.exec(sql)[0]?.values ?? [];
    const names = read("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").map(
      ([name]) => String(name),
    );
    expect(TABLES.map(({ name }) => name).sort()).toEqual(names.sort());
    for (const { name, columns, key, holds } of TABLES) {
      const info = read(`PRAGMA table_info(${name})`).map(([, column, type, notNull, , inKey]) => ({
        column: String(column),
        type: String(type),
        notNull,
        inKey: Number(inKey),
      }));
      const byName = (a: { column: string }, b: { column: string }) => (a.column < b.column ? -1 : 1);
      // Computed from the other columns wherever a row is written, and in no export.
      expect(
        info.some(({ column }) => column === 'checksum'),
        name,
      ).toBe(holds !== 'learnt');
      expect(
        Object.entries(columns)
          .map(([column, { type, nullable }]) => ({ column: sqlName(column), type: SQL_TYPES[type], nullable }))
          .sort(byName),
        name,
      ).toEqual(
        info
          .filter(({ column }) => column !== 'checksum')
          .map(({ column, type, notNull }) => ({ column, type, nullable: notNull === 0 }))
          .sort(byName),
      );
      const primary = info
        .filter(({ inKey }) => inKey > 0)
        .sort((a, b) => a.inKey - b.inKey)
        .map(({ column }) => column);
      // Reports are stored in the order of their arrival and identified by their id.
      expect(key.map(sqlName), name).toEqual(name === 'report' ? ['report_id'] : primary);
      // A row refers only to tables before its own.
      const place = (table: string): number => TABLES.findIndex((one) => one.name === table);
      for (const [, , parent] of read(`PRAGMA foreign_key_list(${name})`))
        expect(place(String(parent))).toBeLessThan(place(name));
    }
    db.close();
  });

  it('says with each later column the step that adds it: an export of an earlier program lacks it', () => {
    for (const { name, columns } of STORED_TABLES)
      for (const { name: column, since } of columns)
        if (since !== undefined)
          expect(MIGRATIONS[since - 1], `${name}.${column}`).toMatch(new RegExp(`ADD COLUMN ${column}\\b`));
  });

  it('gives a length to columns of bytes and to no others', () => {
    for (const { columns } of STORED_TABLES)
      for (const { type, bytes } of columns) expect(bytes !== undefined).toBe(type === 'bytes');
  });

  it('does not compile with a wrong column name or type', () => {
    const wrong = [
      // @ts-expect-error `reporter` has no such column
      () => find(REPORTER, 'reporterID', ['00']),
      // @ts-expect-error the value is a boolean
      () => change(REPORTER, { reporterId: '00' }, { suspended: [0, true] }),
      // @ts-expect-error `reporter` has no such column
      () => change(REPORTER, { reporterId: '00' }, { suspendet: [false, true] }),
      // @ts-expect-error the condition names a column that is missing
      () => change(REPORTER, { id: '00' }, { suspended: [false, true] }),
      // @ts-expect-error a row needs every column
      () => put(REPORTER, [{ reporterId: '00', name: 'Shop' }]),
      // @ts-expect-error `reporter` has no such column
      () => pick(REPORTER, 'reporterId', 'severity'),
      // @ts-expect-error rows can only be sorted by columns
      () => readPage(REPORTER, { by: ['created_at'], after: undefined, limit: 1 }),
      function* () {
        const [reporter] = yield* find(pick(REPORTER, 'reporterId', 'name'), 'reporterId', ['00']);
        // @ts-expect-error the column was not selected
        return reporter?.suspended;
      },
    ];
    expect(wrong).toHaveLength(8);
  });
});
