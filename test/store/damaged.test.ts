import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { LogEvent } from '../../src/core/http/failure.ts';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { StoreDamagedError, unwrap } from '../../src/index.ts';
import { CLAIM_RULES } from '../../src/core/store/sql/catalogue.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, report } from '../contract/stored.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { asking } from '../http/asking.ts';
import { damages, expectReported, fillForDamage, type Damage } from './row-damage.ts';
import { createMemoryStore } from '../memory-store.ts';

/** A store after what was done to its rows by nobody who knows checksums. */
async function alter(store: { export(): Uint8Array }, statement: string) {
  const db = new (await initSqlJs()).Database(store.export());
  // As the store does: otherwise the file would keep the values that the statement replaces.
  db.run(`PRAGMA secure_delete = ON; ${statement}`);
  const altered = await createSqljsStore({ bytes: db.export() });
  db.close();
  return altered;
}

const filled = await createMemoryStore();
await fillForDamage(filled);
const bytes = filled.export();
await filled.close();
const makeStore = () => createSqljsStore({ bytes });

describe('a row that is not as it was written', () => {
  it.each([
    ...damages((hex) => `x'${hex}'`),
    ['a checksum that is gone', 'report SET checksum = NULL', (store: Store) => store.findReports([id(1)])] as Damage,
  ])('is in no answer: %s', async (_, change, ask) => {
    const store = await alter(await makeStore(), `PRAGMA foreign_keys = OFF; UPDATE ${change}`);
    const error = await ask(store).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreDamagedError);
    expect((error as Error).message).toMatch(
      /^a row of [a-z_]+ is damaged: its checksum does not match; run redflag check and restore a backup$/,
    );
    await expectReported(store, change);
  });

  it('is passed over in the audit log, which returns only its place', async () => {
    const store = await makeStore();
    for (const name of ['exported', 'backed-up', 'exported'] as const)
      await store.addAuditEntry({ actor: 'Ada', atMs: 1, action: name, reporterId: null, subject: null, amount: null });
    const [first, , , last] = await store.listAudit({ after: 0, limit: 9 });
    const altered = await alter(store, 'UPDATE audit SET at_ms = 7 WHERE seq IN (2, 3)');
    const passed = [2, 3].map((seq) => ({ seq, damaged: true }));
    expect(await altered.listAudit({ after: 0, limit: 9 })).toEqual([first, ...passed, last]);
    expect(await altered.listAudit({ after: 1, limit: 2 })).toEqual(passed);
    expect(await altered.listAudit({ after: 3, limit: 2 })).toEqual([last]);
    expect(await altered.verifyAudit()).toMatchObject({ firstBad: 2 });
  });

  it('can be erased, with all about the person', async () => {
    const store = await alter(await makeStore(), "UPDATE report SET text = 'texf 1'");
    await expect(store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 })).rejects.toBeInstanceOf(
      StoreDamagedError,
    );
    expect(await store.erase({ hashes: [hash(1)], erasedAt: 9 })).toMatchObject({
      reports: [{ reportId: id(1) }],
      links: 1,
    });
    // Deleted report 2 and report 3 had their texts written over, too.
    expect(
      (await store.check()).find(({ problem }) => problem === 'rows of report that do not match their checksum'),
    ).toMatchObject({ count: 2 });
  });

  it.each([
    ['whose reporter is gone', 'DELETE FROM reporter WHERE reporter_id', ''],
    ['that says of itself that it was deleted', 'UPDATE report SET removed_at = 3 WHERE report_id', ''],
    [
      'whose text is another and whose reporter is gone',
      'DELETE FROM reporter WHERE reporter_id',
      "UPDATE report SET text = 'texf 1'",
    ],
  ])('is erased: a report %s', async (_, statement, other) => {
    const store = await alter(await makeStore(), `PRAGMA foreign_keys = OFF; ${other}; ${statement} = x'${id(1)}'`);
    expect(await store.erase({ hashes: [hash(1)], erasedAt: 9 })).toMatchObject({
      reports: [{ reportId: id(1), reporterId: id(1), identifiers: [{ kind: 'email', hash: hash(1) }] }],
      links: 1,
    });
    expect(await store.findMatches([hash(1)])).toEqual([]);
    expect(Buffer.from(store.export()).includes('text 1')).toBe(false);
  });

  it('is erased: of a claim, and stays in no part of it that protects the person', async () => {
    const store = await makeStore();
    for (const n of [10, 11]) {
      const identifiers = [91, 92, 93].map((one) => ({ kind: 'email', hash: hash(n * 1000 + one) }));
      await store.addReport(report(n, { identifiers, generation: 1 }), 0);
      await store.openDispute({ reportId: id(n), openedAt: 5, openedBy: 'Ada', reason: 'why' });
    }
    await store.removeReport({ reportId: id(10), reporterId: id(1), removedAt: 9, keepsClaim: true });
    const damaged = [10_091, 10_092, 11_092].map((n) => `x'${hash(n)}'`).join();
    const altered = await alter(
      store,
      `UPDATE claim SET kind = 'ip' WHERE hash IN (${damaged}); UPDATE identifier SET kind = 'ip' WHERE hash IN (${damaged})`,
    );
    const hashes = [10_091, 11_091].map(hash);
    expect(await altered.erase({ hashes, erasedAt: 9, claimRules: CLAIM_RULES })).toMatchObject({
      reports: [{ reportId: id(11) }],
    });
    // Of the live report, no part is kept, because it is damaged.
    const isLeft = (n: number): boolean => Buffer.from(altered.export()).includes(Buffer.from(hash(n), 'hex'));
    expect([10_091, 10_092, 10_093, 11_091, 11_092, 11_093].filter(isLeft)).toEqual([10_093]);
  });

  it('is deleted for its reporter although the reporter’s own row is gone', async () => {
    const store = await alter(
      await makeStore(),
      `PRAGMA foreign_keys = OFF; DELETE FROM reporter WHERE reporter_id = x'${id(1)}'`,
    );
    expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 })).toMatchObject({
      outcome: 'removed',
    });
  });

  it('and is all that is left of a report is erased, and counts as none', async () => {
    const store = await alter(
      await makeStore(),
      `PRAGMA foreign_keys = OFF; DELETE FROM report WHERE report_id = x'${id(1)}'`,
    );
    expect(await store.erase({ hashes: [hash(1)], erasedAt: 9 })).toMatchObject({ reports: [] });
    expect(await store.findMatches([hash(1)])).toEqual([]);
  });

  it('that is changed elsewhere stays one', async () => {
    const store = await alter(
      await makeStore(),
      `UPDATE identifier SET severity = 7; UPDATE protection SET reason = 'hers'`,
    );
    await store.rehash(
      [
        { from: hash(1), to: hash(51) },
        { from: hash(7), to: hash(57) },
      ],
      1,
    );
    await expect(store.findMatches([hash(51)])).rejects.toBeInstanceOf(StoreDamagedError);
    await expect(store.findProtections([hash(57)])).rejects.toBeInstanceOf(StoreDamagedError);
  });

  it('is answered 500, and the operator is told its kind and nothing that is stored', async () => {
    const sound = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store: sound });
    unwrap(
      await engine.report({
        apiKey,
        type: 'fraud',
        severity: 5,
        text: 'words',
        identifiers: [{ kind: 'email', hash: hashOf(1) }],
      }),
    );
    const damaged = await alter(sound, 'UPDATE identifier SET severity = 9');
    const service = createEngine({
      store: damaged,
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START,
    });
    const events: LogEvent[] = [];
    const answer = createAnswer(service, { log: (event) => events.push(event) });
    const reply = await answer(asking({ text: `_api=${apiKey}&_action=query&email=${hashOf(1)}` }));
    expect(reply.status).toBe(500);
    expect(events).toMatchObject([
      {
        event: 'internal-error',
        error: expect.stringMatching(
          /^StoreDamagedError: a row of identifier is damaged: its checksum does not match; run redflag check and restore a backup\n/,
        ) as string,
      },
    ]);
    expect(JSON.stringify([reply, events])).not.toContain(hashOf(1));
  });
});
