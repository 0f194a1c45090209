import fc from 'fast-check';
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { describe, expect, it } from 'vitest';
import { isSoundEntry } from '../../src/core/domain/audit.ts';
import type { AuditNote } from '../../src/core/domain/audit.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { openDurableStore } from '../../src/stores/sqljs/durable.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { budget } from '../budget.ts';
import { hash, id, key, report, reporter } from '../contract/stored.ts';
import { createMemoryStore } from '../memory-store.ts';

/** Does one of many actions, some of which change nothing, about the subject `n`. */
async function act(store: Store, which: number, n: number, note: AuditNote): Promise<void> {
  const { actor: by, atMs } = note;
  const actions = [
    () => store.addReporter(reporter(n + 1), note),
    () => store.updateReporter({ reporterId: id(n + 1), suspended: atMs % 2 === 0 }, note),
    () => store.addKey(key(n, { reporterId: id(1) }), note),
    () => store.endKey({ keyId: id(n), endsAt: atMs % 2 === 0 ? 0 : 9, replaced: atMs % 2 === 1 }, note),
    () => store.openDispute({ reportId: id(n), openedAt: atMs + 1, openedBy: by, reason: 'r' }, note),
    () => store.decideDispute({ reportId: id(n), upheld: atMs % 2 === 0, decidedAt: atMs, decidedBy: by }, note),
    () => store.addProtection({ hash: hash(n), reason: 'r', addedBy: by, addedAt: atMs, endsAt: null }, note),
    () => store.endProtection({ hash: hash(n), endsAt: atMs, endedBy: by }, note),
    () => store.erase({ hashes: [hash(n)], erasedAt: atMs }, note),
  ];
  await actions[which % actions.length]!();
}

const NOTE = fc.record({
  actor: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
  atMs: fc.integer({ min: 0, max: 2 ** 45 }),
});
const STEPS = fc.array(fc.tuple(fc.nat(8), fc.nat(4), NOTE), { minLength: 6, maxLength: 25 });

async function fill(store: Store, steps: readonly (readonly [number, number, AuditNote])[]): Promise<void> {
  await store.addReporter(reporter(1), { actor: 'Ada', atMs: 0 });
  for (const n of [1, 2]) await store.addReport(report(n), 0);
  for (const [which, n, note] of steps) await act(store, which, n, note);
  // At least three entries, whatever came before.
  for (const atMs of [1, 2, 3])
    await store.updateReporter({ reporterId: id(1), suspended: atMs % 2 === 0 }, { actor: 'Bob', atMs });
}

/** A statement of somebody who can write to the database, as text for the rows `a` and `b`. */
const tampering: readonly ((a: number, b: number) => string)[] = [
  (a) => `DELETE FROM audit WHERE seq = ${a}`,
  (a, b) =>
    `UPDATE audit SET seq = -1 WHERE seq = ${a}; UPDATE audit SET seq = ${a} WHERE seq = ${b}; UPDATE audit SET seq = ${b} WHERE seq = -1`,
  (a) => `UPDATE audit SET seq = seq + 100 WHERE seq = ${a}`,
  (a) => `UPDATE audit SET at_ms = at_ms + 1 WHERE seq = ${a}`,
  (a) => `UPDATE audit SET actor = actor || 'x' WHERE seq = ${a}`,
  (a) => `UPDATE audit SET action = CASE action WHEN 'erased' THEN 'exported' ELSE 'erased' END WHERE seq = ${a}`,
  (a) => `UPDATE audit SET reporter_id = x'${id(77)}' WHERE seq = ${a}`,
  (a) => `UPDATE audit SET subject = x'${id(77)}' WHERE seq = ${a}`,
  (a) => `UPDATE audit SET amount = coalesce(amount, 0) + 1 WHERE seq = ${a}`,
  (a) => `UPDATE audit SET previous = zeroblob(31) || x'01' WHERE seq = ${a}`,
  (a) => `UPDATE audit SET digest = zeroblob(32) WHERE seq = ${a}`,
  (a) => `UPDATE audit SET actor = CAST(actor AS BLOB) WHERE seq = ${a}`,
];

async function after(SQL: SqlJsStatic, bytes: Uint8Array, statement: string): Promise<Store> {
  const db: Database = new SQL.Database(bytes);
  db.run(statement);
  const store = await createSqljsStore({ bytes: db.export() });
  db.close();
  return store;
}

describe('the audit log', () => {
  it('shows every change, removal and swap of a row, if the head was noted', async () => {
    const SQL = await initSqlJs();
    await fc.assert(
      fc.asyncProperty(STEPS, fc.nat(), fc.nat(), fc.nat(tampering.length - 1), async (steps, one, other, which) => {
        const store = await createMemoryStore();
        await fill(store, steps);
        const { entries, head, firstBad } = await store.verifyAudit();
        expect(firstBad).toBeNull();
        const a = (one % entries) + 1;
        const b = (((one % entries) + 1 + (other % (entries - 1))) % entries) + 1;
        const statement = tampering[which]!(a, b);
        const altered = await after(SQL, store.export(), statement);
        const found = await altered.verifyAudit(head);
        expect([found.firstBad !== null || found.hasHead === false, statement]).toEqual([true, statement]);
        // Without a head, only the removal of the last row remains unseen.
        const alone = await altered.verifyAudit();
        if (which === 0 && a === entries) expect(alone.firstBad).toBeNull();
        else expect([alone.firstBad, statement]).toEqual([which === 1 ? Math.min(a, b) : a, statement]);
        await Promise.all([store.close(), altered.close()]);
      }),
      { numRuns: budget(2) },
    );
  });

  it('is the same after the journal was replayed', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const medium = createMemoryMedium();
        const store = await openDurableStore({ medium });
        await fill(store, steps);
        const expected = (await store.listAudit({ after: 0, limit: 1000 })).filter(isSoundEntry);
        const crashed = await openDurableStore({ medium: createMemoryMedium(medium.bytes()) });
        expect(await crashed.listAudit({ after: 0, limit: 1000 })).toEqual(expected);
        expect(await crashed.verifyAudit(expected.at(-1)!.digest)).toMatchObject({ firstBad: null, hasHead: true });
        await Promise.all([store.close(), crashed.close()]);
      }),
      { numRuns: budget(2) },
    );
  });

  it('is verified in pages', async () => {
    const store = await createMemoryStore();
    await store.addReporter(reporter(1));
    for (let n = 1; n <= 1_203; n++)
      await store.updateReporter({ reporterId: id(1), suspended: n % 2 === 1 }, { actor: 'Ada', atMs: n });
    const sound = await store.verifyAudit();
    expect(sound).toMatchObject({ entries: 1_203, firstBad: null });
    const altered = await after(await initSqlJs(), store.export(), 'DELETE FROM audit WHERE seq = 1001');
    expect(await altered.verifyAudit(sound.head)).toMatchObject({ firstBad: 1_001 });
    await Promise.all([store.close(), altered.close()]);
  });
});
