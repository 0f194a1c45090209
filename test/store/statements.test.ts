import initSqlJs from 'sql.js';
import { expect, it } from 'vitest';
import { createSqljsStore } from '../../src/store/sqljs/store.ts';
import { storeContract } from '../contract/store.ts';

// Some builds of SQLite return rows as objects only. A name that comes twice would lose a value, and whole numbers come
// before other names.
const SQL = await initSqlJs();
const namesOf = new Map<string, readonly string[]>();
class Recording extends SQL.Database {
  override prepare(text: string) {
    const statement = super.prepare(text);
    namesOf.set(text, statement.getColumnNames());
    return statement;
  }
}

storeContract('sql.js with its statements recorded', () => createSqljsStore({ sqlJs: { Database: Recording } }), null);

it('every statement of the store gives its columns names of their own', () => {
  const several = [...namesOf].filter(([, names]) => names.length > 1);
  expect(several.length).toBeGreaterThan(10);
  for (const [text, names] of several) {
    expect(new Set(names).size, text).toBe(names.length);
    for (const name of names) expect(name, text).not.toMatch(/^\d+$/);
  }
});
