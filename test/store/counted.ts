import { createStoreOn } from '../../src/stores/sqlite/store.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import type { Store } from '../../src/core/store/store.ts';

/** An empty store of SQLite in memory that says how many rows each reading statement returns, and when one writes. */
export function createCountedStore(read: (rows: number) => void, written: () => void = () => undefined): Store {
  const driver = createWasmDriver(':memory:');
  const counted: typeof driver = {
    ...driver,
    prepare(text) {
      const statement = driver.prepare(text);
      return {
        ...statement,
        all(values) {
          const rows = statement.all(values);
          read(rows.length);
          return rows;
        },
        run(values) {
          written();
          return statement.run(values);
        },
      };
    },
  };
  return createStoreOn(counted, { exclusive: true }).store;
}
