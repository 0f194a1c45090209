import { expect } from 'vitest';
import { StoreDamagedError } from '../../src/index.ts';
import { EXPORTED_TABLES } from '../../src/core/store/sql/catalogue.ts';
import type { Store } from '../../src/core/store/store.ts';
import { element } from '../contract/store-seals.ts';
import {
  caseMessageRow,
  disputeRequestRow,
  hash,
  id,
  key,
  personCaseRow,
  report,
  reporter,
} from '../contract/stored.ts';
import { findSealed } from '../../src/sealed/engine/stored.ts';
import { findUsage, listReportsOf } from '../../src/operator/own-report-reads.ts';

/** What was damaged, how (what follows UPDATE), and an operation that would answer from it. */
export type Damage = readonly [name: string, change: string, ask: (store: Store) => Promise<unknown>];

/** Something of every kind, in an empty store. */
export async function fillForDamage(store: Store): Promise<void> {
  await store.addPepper({ generation: 1, fingerprint: id(9), addedAt: 1 });
  await store.addElementKey({ fingerprint: id(8), addedAt: 1 });
  await store.adoptSecretFingerprint({ fingerprint: id(4), adoptedAt: 1 });
  await store.addReporter(reporter(1));
  await store.addKey(key(1, { lastUsedAt: 5 }), { actor: 'Ada', atMs: 1 });
  await store.addUsage({ keys: [], days: [{ reporterId: id(1), dayAt: 5, identifiers: 6 }], since: 0 });
  await store.spend({ reporterId: id(1), budget: 6, cost: 1, nowMs: 5, storeMs: 5 });
  await store.addWebhook({ webhookId: id(70), url: 'https://shop.example', reporterId: null, createdAt: 1 });
  for (const n of [1, 2, 3]) {
    const identifiers = [{ kind: 'email', hash: hash(n), element: element(n) }];
    await store.addReport(report(n, { identifiers, generation: 1, seal: 1 }), 0);
  }
  await store.openDispute({ reportId: id(1), openedAt: 5, openedBy: 'Ada', reason: 'why' });
  await store.putRows('dispute_request', [disputeRequestRow(3)]);
  await store.putRows('person_case', [personCaseRow(3)]);
  await store.putRows('case_message', [caseMessageRow(3)]);
  const session = { kind: 'session', reporterId: null, name: 'Ada', createdAt: 1, endsAt: 9 } as const;
  await store.addSignIn({ ...session, digest: id(5).repeat(4) });
  const protection = { hash: hash(7), reason: 'ours', addedBy: 'Ada', addedAt: 1, endsAt: null };
  await store.addProtection({ ...protection, element: element(7), generation: 1, seal: 1 });
  await store.putLink({ linkHash: hash(900), identifiers: [{ kind: 'email', hash: hash(1) }], createdAt: 3 }, 10);
  await store.openDispute({ reportId: id(2), openedAt: 5, openedBy: 'Ada', reason: 'why' });
  await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 9, keepsClaim: true });
}

const SAID = { fromOperator: true, text: 'a', atMs: 9, most: 9, endedBefore: 0 };
const VIEWED = { identifiers: [{ kind: 'email', hash: hash(1) }], exactKinds: false, limit: 5 };

/** Changes of one column of the rows of {@link fillForDamage}, without their checksums. `bytes` formats bytes. */
export const damages = (bytes: (hex: string) => string): readonly Damage[] => [
  ['a text', "report SET text = 'texf 1'", (store) => store.findReports([id(1)])],
  ['a deleted report that is live', 'report SET removed_at = NULL', (store) => store.findReports([id(2)])],
  ['a live report that is deleted', 'report SET removed_at = 3', (store) => store.findReports([id(1)])],
  ['a nonce', `report SET nonce = ${bytes(id(5))}`, (store) => store.addReport(report(1, { reportId: id(8) }), 0)],
  [
    'an owner',
    `report SET reporter_id = ${bytes(id(3))}`,
    (store) => store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 }),
  ],
  [
    'the report of a dispute',
    `report SET reporter_id = ${bytes(id(3))}`,
    (store) => store.openDispute({ reportId: id(1), openedAt: 9, openedBy: 'Ada', reason: 'r' }),
  ],
  [
    'a report among the new ones',
    'report SET created_at = created_at + 1',
    (store) => store.readReports({ from: 0, after: undefined, limit: 5 }),
  ],
  ['a report among the deleted ones', 'report SET removed_at = removed_at + 1', (store) => store.findRemovedAfter(0)],
  ...['kind', 'type', 'severity', 'created_at', 'disputed', 'generation', 'position', 'report_id', 'reporter_id'].map(
    (column): Damage => [
      `the ${column} of an identifier`,
      `identifier SET ${column} = ${column.endsWith('_id') ? bytes(id(6)) : '7'}`,
      (store) => store.findMatches([hash(1)]),
    ],
  ),
  ['an identifier of a view', 'identifier SET severity = 7', (store) => store.findNewest(VIEWED)],
  ['a dispute of a view', 'dispute SET upheld = 1', (store) => store.findNewest(VIEWED)],
  ['an identifier of the walk', 'identifier SET severity = 7', (store) => store.readIdentifiers(undefined, 5)],
  ['an identifier of a report', 'identifier SET severity = 7', (store) => store.findIdentifiers([id(1)])],
  [
    'an identifier that is erased',
    `identifier SET report_id = ${bytes(id(6))}`,
    (store) => store.erase({ hashes: [hash(1)], erasedAt: 9 }),
  ],
  ['the end of a key', 'api_key SET ends_at = 99999', (store) => store.findKey(key(1))],
  ['what a key may do', "api_key SET scope = 'query'", (store) => store.findKey(key(1))],
  ['the name of a key', "api_key SET key_name = 'Checkout'", (store) => store.listKeys()],
  ['the last use of a key', 'api_key SET last_used_at = 3', (store) => store.listKeys()],
  ['a budget', 'reporter SET identifiers_per_day = 1000000', (store) => store.findKey(key(1))],
  [
    'the identifiers of a day',
    'reporter_usage SET identifiers = 0',
    (store) => store.addUsage({ keys: [], days: [{ reporterId: id(1), dayAt: 5, identifiers: 1 }], since: 0 }),
  ],
  [
    'what was used of a budget',
    "budget SET spans = ''",
    async (store) => store.spend({ reporterId: id(1), budget: 6, cost: 1, nowMs: 5, storeMs: 5 }),
  ],
  [
    'an actor of the audit log',
    "audit SET actor = 'Bob'",
    (store) =>
      store.addAuditEntry(
        { actor: 'engine', atMs: 9, action: 'ended-key-used', reporterId: null, subject: id(1), amount: null },
        0,
      ),
  ],
  ['the address of a webhook', "webhook SET url = 'https://evil.example'", (store) => store.listWebhooks()],
  [
    'how far a webhook is',
    'webhook SET position = 0',
    (store) =>
      store.moveWebhook({ webhookId: id(70), position: 5, failures: 0, failingSince: null, nextAt: 0, endedAt: null }),
  ],
  ['a suspension', 'reporter SET suspended = 1', (store) => store.findKey(key(1))],
  ['a contact', "reporter SET contact = 'evil@shop.example'", (store) => store.listReporters()],
  ['a name', "reporter SET name = 'Shop 2'", (store) => store.findReporters([id(1)])],
  [
    'a reporter that changes',
    'reporter SET verified = 0',
    (store) => store.updateReporter({ reporterId: id(1), suspended: true }),
  ],
  ['an identifier in a link', `link_identifier SET kind = 'emaim'`, (store) => store.findLink(hash(900))],
  ['a dispute', 'dispute SET upheld = 1', (store) => store.findDisputes([id(1)])],
  ['an answer', "dispute SET answer = 'yes', answered_at = 7", (store) => store.listDisputes()],
  [
    'a dispute that is answered',
    'dispute SET opened_at = opened_at + 1',
    (store) => store.answerDispute({ reportId: id(1), reporterId: id(1), answer: 'a', answeredAt: 9 }),
  ],
  [
    'a request for a dispute',
    "dispute_request SET reason = 'evil'",
    (store) => listReportsOf(store, { reporterId: id(1), limit: 5 }),
  ],
  [
    'a case of a person',
    'person_case SET received_at = 1',
    (store) => store.openDispute({ reportId: id(3), openedAt: 9, openedBy: 'Ada', reason: 'r' }),
  ],
  [
    'a message of a case',
    "case_message SET text = 'evil'",
    (store) => store.addCaseMessage({ ...SAID, caseIds: [id(803)] }),
  ],
  [
    'a nonce of a list',
    `report SET nonce = ${bytes(id(5))}`,
    (store) => listReportsOf(store, { reporterId: id(1), limit: 5 }),
  ],
  ['a count of a list of days', 'reporter_usage SET identifiers = 0', (store) => findUsage(store, id(1), 0)],
  [
    'a dispute that is decided',
    "dispute SET opened_by = 'Bob'",
    (store) => store.decideDispute({ reportId: id(1), upheld: true, decidedAt: 9, decidedBy: 'Bob' }),
  ],
  [
    'what is kept of a deleted report',
    "claim SET kind = 'ip'",
    (store) =>
      store.decideDispute({ reportId: id(2), upheld: true, decidedAt: 9, decidedBy: 'Bob', weakKinds: ['ip'] }),
  ],
  ['an entry of the allow-list', 'protection SET ends_at = 2', (store) => store.findProtections([hash(7)])],
  [
    'the fingerprint of the secret',
    `store_secret SET fingerprint = ${bytes(id(5))}`,
    (store) => store.findSecretFingerprint(),
  ],
  ['a pepper', 'pepper SET finished_at = 2', (store) => store.findPeppers()],
  ['a seal', 'seal SET complete_at = 2', (store) => store.findElementKeys()],
  ['an element', `identifier SET element = ${bytes(element(4))}`, (store) => findSealed(store, [id(3)])],
  ['an element that is lost', 'identifier SET element = NULL', (store) => findSealed(store, [id(3)])],
];

/** The table that a change is of is reported by the check, and no copy of it is made; those of the other tables are. */
export async function expectReported(store: Store, change: string): Promise<void> {
  const damaged = /^\w+/.exec(change)![0];
  expect((await store.check()).map(({ problem }) => problem)).toContain(
    `rows of ${damaged} that do not match their checksum`,
  );
  const snapshot = await store.snapshot();
  for (const { name } of EXPORTED_TABLES) {
    const rows = snapshot.readRows(name, undefined, 100);
    if (name === damaged) await expect(rows).rejects.toBeInstanceOf(StoreDamagedError);
    else expect((await rows).length).toBeGreaterThan(0);
  }
  await snapshot.close();
}
