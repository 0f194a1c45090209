import initSqlJs from 'sql.js';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/core/store/sql/schema.ts';
import { withoutSteps } from '../../src/core/store/sqlite/new-schema.ts';

/** Returns the schema as SQLite keeps it. Only the tables that a step renamed have quotes. */
async function schemaOf(...statements: readonly string[]): Promise<unknown[]> {
  const { Database } = await initSqlJs();
  const database = new Database();
  for (const sql of statements) database.exec(sql);
  const [found] = database.exec('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name');
  database.close();
  return found!.values.map((row) => row.map((value) => (value === null ? value : `${value}`.replace(/["\s]/g, ''))));
}

it('a new database has the schema that all steps make', async () => {
  const stepped = await schemaOf(...MIGRATIONS);
  expect(stepped.length).toBeGreaterThan(30);
  expect(await schemaOf(withoutSteps(MIGRATIONS))).toEqual(stepped);
  // Each version could be the newest.
  for (const version of MIGRATIONS.keys()) {
    const steps = MIGRATIONS.slice(0, version + 1);
    expect(await schemaOf(withoutSteps(steps)), `version ${version + 1}`).toEqual(await schemaOf(...steps));
  }
});

it('refuses a step that it cannot repeat', () => {
  expect(() => withoutSteps([...MIGRATIONS, 'UPDATE report SET text = NULL;'])).toThrow('UPDATE report');
  expect(() => withoutSteps([...MIGRATIONS, 'ALTER TABLE report DROP COLUMN text;'])).toThrow('DROP COLUMN');
});
