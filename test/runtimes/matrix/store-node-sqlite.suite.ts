import type { OpenedDatabase } from '../../../src/stores/sqlite/opened.ts';
import { createSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { placedContract } from './store-files.ts';

// esbuild and @types/node 20 do not know the module.
const { DatabaseSync } = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as {
  readonly DatabaseSync: new (file: string) => OpenedDatabase;
};

placedContract('createSqliteStore', (place) => createSqliteStore({ database: new DatabaseSync(place) }));
