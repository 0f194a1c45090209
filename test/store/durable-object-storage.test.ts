import { expect, it } from 'vitest';
import { createDurableObjectStore } from '../../src/stores/durable-object/store.ts';

// test/runtimes/matrix/store-durable-object.suite.ts runs the contract of a store in workerd.
it.each(['sql', 'transactionSync', 'sync'])('a storage without "%s" is refused before it is used', async (missing) => {
  const unused = (): never => {
    throw new Error('the storage was used');
  };
  const storage = { sql: { exec: unused }, transactionSync: unused, sync: unused, [missing]: undefined };
  await expect(createDurableObjectStore({ storage } as never)).rejects.toThrow(
    new TypeError(
      '"storage" expected ctx.storage of a Durable Object that uses SQLite (new_sqlite_classes), got object',
    ),
  );
});
