import { describe, it } from 'vitest';
import type { OpenedDatabase } from '../../src/stores/sqlite/opened.ts';
import { openedContract } from './opened-sqlite.ts';

// `node:sqlite` of the running Node. Node 20 has none: slow-node-sqlite.test.ts runs this file on later versions.
const builtin = process.getBuiltinModule?.('node:sqlite' as 'node:fs') as unknown as
  { DatabaseSync: new (file: string, options?: object) => OpenedDatabase } | undefined;

if (builtin) {
  openedContract('node:sqlite', (file) => new builtin.DatabaseSync(file));
  // As Node gave rows before 22.16.
  openedContract('node:sqlite with rows as objects', (file) => withoutArrays(new builtin.DatabaseSync(file)));
} else {
  console.warn(`test/store/node-sqlite.test.ts: skipped, Node ${process.version} has no node:sqlite`);
  describe('node:sqlite', () => it.skip('is not in this Node', () => undefined));
}

function withoutArrays(database: OpenedDatabase): OpenedDatabase {
  return {
    prepare: (text) => Object.assign(database.prepare(text), { setReturnArrays: undefined }),
    exec: (text) => database.exec(text),
    close: () => database.close(),
  };
}
