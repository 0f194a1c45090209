import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/http/answer.ts';
import type { LogEvent } from '../../src/http/failure.ts';
import { createEngine, StoreDamagedError, unwrap } from '../../src/index.ts';
import { createSqljsStore } from '../../src/store/sqljs/store.ts';
import type { Store } from '../../src/store/store.ts';
import { hash, id, key, report, reporter } from '../contract/stored.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { asking } from '../http/asking.ts';

/** A store after what was done to its rows by nobody who knows checksums. */
async function alter(store: { export(): Uint8Array }, statement: string) {
  const db = new (await initSqlJs()).Database(store.export());
  db.run(statement);
  const altered = await createSqljsStore({ bytes: db.export() });
  db.close();
  return altered;
}

async function makeStore() {
  const store = await createSqljsStore();
  await store.addPepper({ generation: 1, fingerprint: id(9), addedAt: 1 });
  await store.addReporter(reporter(1));
  await store.addKey(key(1));
  for (const n of [1, 2]) await store.addReport(report(n), 0);
  await store.openDispute({ reportId: id(1), openedAt: 5, openedBy: 'Ada', reason: 'why' });
  await store.addProtection({ hash: hash(7), reason: 'ours', addedBy: 'Ada', addedAt: 1, endsAt: null });
  await store.putLink({ linkHash: hash(900), identifiers: [{ kind: 'email', hash: hash(1) }], createdAt: 3 }, 10);
  await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 9 });
  return store;
}

describe('a row that is not as it was written', () => {
  it.each<[string, string, (store: Store) => Promise<unknown>]>([
    ['a text', "report SET text = 'texf 1'", (store) => store.findReports([id(1)])],
    ['a deleted report that is live', 'report SET removed_at = NULL', (store) => store.findReports([id(2)])],
    ['a live report that is deleted', 'report SET removed_at = 3', (store) => store.findReports([id(1)])],
    ['a nonce', `report SET nonce = x'${id(5)}'`, (store) => store.addReport(report(1, { reportId: id(8) }), 0)],
    ['an owner', `report SET reporter_id = x'${id(3)}'`, (store) => store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 })],
    ['the report of a dispute', `report SET reporter_id = x'${id(3)}'`, (store) => store.openDispute({ reportId: id(1), openedAt: 9, openedBy: 'Ada', reason: 'r' })],
    ['a report among the new ones', 'report SET created_at = created_at + 1', (store) => store.readReports({ from: 0, after: undefined, limit: 5 })],
    ['a report among the deleted ones', 'report SET removed_at = removed_at + 1', (store) => store.findRemovedAfter(0)],
    ...['kind', 'type', 'severity', 'created_at', 'disputed', 'generation', 'position', 'report_id', 'reporter_id'].map((column): [string, string, (store: Store) => Promise<unknown>] => [
      `the ${column} of an identifier`, `identifier SET ${column} = ${column.endsWith('_id') ? `x'${id(6)}'` : '7'}`, (store) => store.findMatches([hash(1)]),
    ]),
    ['an identifier of the walk', 'identifier SET severity = 7', (store) => store.readIdentifiers(undefined, 5)],
    ['an identifier of a report', 'identifier SET severity = 7', (store) => store.findIdentifiers([id(1)])],
    ['an identifier that is erased', `identifier SET report_id = x'${id(6)}'`, (store) => store.erase({ hashes: [hash(1)], erasedAt: 9 })],
    ['the end of a key', 'api_key SET ends_at = 99999', (store) => store.findKey(key(1).digest)],
    ['a suspension', 'reporter SET suspended = 1', (store) => store.findKey(key(1).digest)],
    ['a name', "reporter SET name = 'Shop 2'", (store) => store.findReporters([id(1)])],
    ['a reporter that changes', 'reporter SET verified = 0', (store) => store.updateReporter({ reporterId: id(1), suspended: true })],
    ['an identifier in a link', `link_identifier SET kind = 'emaim'`, (store) => store.findLink(hash(900))],
    ['a dispute', 'dispute SET upheld = 1', (store) => store.findDisputes([id(1)])],
    ['a dispute that is decided', "dispute SET opened_by = 'Bob'", (store) => store.decideDispute({ reportId: id(1), upheld: true, decidedAt: 9, decidedBy: 'Bob' })],
    ['an entry of the allow-list', 'protection SET ends_at = 2', (store) => store.findProtections([hash(7)])],
    ['a pepper', 'pepper SET finished_at = 2', (store) => store.findPeppers()],
    ['a checksum that is gone', 'report SET checksum = NULL', (store) => store.findReports([id(1)])],
  ])('is in no answer: %s', async (_, change, ask) => {
    const store = await alter(await makeStore(), `PRAGMA foreign_keys = OFF; UPDATE ${change}`);
    const error = await ask(store).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreDamagedError);
    expect((error as Error).message).toMatch(/^a row of [a-z_]+ is damaged: its checksum is of something else$/);
    expect((await store.check()).map(({ problem }) => problem)).toContain(`rows of ${/^\w+/.exec(change)![0]} that are not as they were written`);
  });

  it('can be erased, with all about the person', async () => {
    const store = await alter(await makeStore(), "UPDATE report SET text = 'texf 1'");
    await expect(store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 })).rejects.toBeInstanceOf(StoreDamagedError);
    expect(await store.erase({ hashes: [hash(1)], erasedAt: 9 })).toMatchObject({ reports: [{ reportId: id(1) }], links: 1 });
    // Deleted report 2 had its text written over, too.
    expect((await store.check()).find(({ problem }) => problem === 'rows of report that are not as they were written')).toMatchObject({ count: 1 });
  });

  it('that is changed elsewhere stays one', async () => {
    const store = await alter(await makeStore(), `UPDATE identifier SET severity = 7; UPDATE protection SET reason = 'hers'`);
    await store.rehash([{ from: hash(1), to: hash(51) }, { from: hash(7), to: hash(57) }], 1);
    await expect(store.findMatches([hash(51)])).rejects.toBeInstanceOf(StoreDamagedError);
    await expect(store.findProtections([hash(57)])).rejects.toBeInstanceOf(StoreDamagedError);
  });

  it('is answered 500, and the operator is told its kind and nothing that is stored', async () => {
    const sound = await createSqljsStore();
    const { engine, apiKey } = await createTestEngine({ store: sound });
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'words', identifiers: [{ kind: 'email', hash: hashOf(1) }] }));
    const damaged = await alter(sound, 'UPDATE identifier SET severity = 9');
    const service = createEngine({ store: damaged, secret: 'a secret of more than sixteen bytes', publicUrl: 'https://reports.example', clock: () => START });
    const events: LogEvent[] = [];
    const answer = createAnswer(service, { log: (event) => events.push(event) });
    const reply = await answer(asking({ text: `_api=${apiKey}&_action=query&email=${hashOf(1)}` }));
    expect(reply.status).toBe(500);
    expect(events).toMatchObject([{ event: 'internal-error', error: expect.stringMatching(/^StoreDamagedError: a row of identifier is damaged: its checksum is of something else\n/) as string }]);
    expect(JSON.stringify([reply, events])).not.toContain(hashOf(1));
  });
});
