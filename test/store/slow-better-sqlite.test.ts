import { createRequire } from 'node:module';
import { describe, it } from 'vitest';
import type { OpenedDatabase } from '../../src/stores/sqlite/opened.ts';
import { openedContract } from './opened-sqlite.ts';

// better-sqlite3 is compiled where it is installed; libsql has the same interface and comes compiled. Both are
// installed with the other versions of Node.
const require = createRequire(new URL('../runtimes/package.json', import.meta.url));
type Native = new (
  file: string,
  options?: { timeout?: number },
) => OpenedDatabase & { defaultSafeIntegers(on: boolean): unknown };

for (const name of ['better-sqlite3', 'libsql']) {
  try {
    const Database = require(name) as Native;
    new Database(':memory:').close();
    openedContract(name, (file) => new Database(file, { timeout: 0 }));
    openedContract(`${name} with BigInts by default`, (file) => {
      const database = new Database(file, { timeout: 0 });
      database.defaultSafeIntegers(true);
      return database;
    });
  } catch (error) {
    // In CI one of the two must be there: libsql needs no compiler.
    if (process.env['CI'] && name === 'libsql') throw error;
    console.warn(
      `test/store/slow-better-sqlite.test.ts, ${name}: skipped, it is not installed (npm install --prefix test/runtimes)`,
    );
    describe(name, () => it.skip('is not installed', () => undefined));
  }
}
