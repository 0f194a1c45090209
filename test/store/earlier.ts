import { expect } from 'vitest';
import { POSTGRES_MIGRATIONS } from '../../src/stores/postgres/schema.ts';
import { MIGRATIONS } from '../../src/core/store/sql/schema.ts';
import type { StoredTrust } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isLong } from '../budget.ts';
import { DAY, hash, id, key, report, reporter, trust } from '../contract/stored.ts';

/** The versions of the schema before this program's. */
export const EARLIER_VERSIONS: readonly number[] = MIGRATIONS.slice(0, -1).map((_, index) => index + 1);
/**
 * Every third one in long runs, else every ninth, from the first: enough for tests that take long, because migrations
 * follow each other.
 */
export const SOME_EARLIER_VERSIONS = EARLIER_VERSIONS.filter((version) => version % (isLong ? 3 : 9) === 1);

/** What makes an empty SQLite database as a program of an earlier schema left it. */
export const emptyEarlier = (version: number): string =>
  `${MIGRATIONS.slice(0, version).join('')} PRAGMA user_version = ${version};`;

/** The same, with {@link earlierRows}. */
export const earlier = (version: number): string => `${emptyEarlier(version)} ${rowsOf(version)}`;

/** {@link earlierRows} for SQLite. */
function rowsOf(version: number): string {
  return earlierRows(version, (hex) => `x'${hex}'`);
}

/** Statements that make an empty schema of an earlier version on PostgreSQL. They set `search_path` to this schema. */
export const emptyEarlierOnPostgres = (schema: string, version: number): string => `
  CREATE SCHEMA ${schema}; SET search_path = ${schema};
  CREATE TABLE redflag_version (version BIGINT NOT NULL); INSERT INTO redflag_version VALUES (${version});
  ${POSTGRES_MIGRATIONS.slice(0, version).join('')}`;

/** The same, with {@link earlierRows}. */
export const earlierOnPostgres = (schema: string, version: number): string =>
  `${emptyEarlierOnPostgres(schema, version)} ${earlierRows(version, (hex) => `'\\x${hex}'`)}`;

const TRUST: StoredTrust = {
  ...trust,
  learntAt: 0,
  sums: { establishedClaims: 5, establishedCorroborated: 1.5 },
  records: [{ ...trust.records[0]!, corroborated: 0.75 }],
};
const IDENTIFIERS = [
  { kind: 'email', hash: hash(1) },
  { kind: 'ip', hash: hash(11) },
];

/**
 * Statements that write a row of every kind that an earlier version knew: two reporters, keys, reports (the first has
 * two identifiers and a decided dispute, the third is deleted), a link, an entry of the allow-list, the standings of a
 * day, a finished pepper. `bytes` formats bytes. From version 6 on, rows have the checksums that version 6 computed.
 */
function earlierRows(version: number, bytes: (hex: string) => string): string {
  // The checksum, which is written last.
  const none = version >= 6 ? ', NULL' : '';
  const identifier = (
    n: number,
    position: number,
    { kind, hash: of }: { kind: string; hash: string },
    owner: number,
  ): string =>
    `INSERT INTO identifier (hash, report_id, position, kind, reporter_id, type, severity, created_at) VALUES (${bytes(of)}, ${bytes(id(n))}, ${position}, '${kind}', ${bytes(id(owner))}, 'fraud', 6, ${n * DAY});`;
  const live = (n: number, owner: number): string =>
    `INSERT INTO report VALUES (${bytes(id(n))}, ${bytes(id(owner))}, ${bytes(id(1000 + n))}, ${bytes(report(n).fingerprint)}, 'fraud', 6, 'text ${n}', ${n * DAY}, NULL${none});`;
  const shop = (values: string): string =>
    `INSERT INTO reporter (reporter_id, name, verified, suspended, created_at) VALUES (${values});`;
  const issued = (values: string): string =>
    `INSERT INTO api_key (digest, key_id, reporter_id, created_at, ends_at) VALUES (${values});`;
  const linked = (kind: string, of: string): string =>
    `INSERT INTO link_identifier (link_hash, hash, kind, created_at) VALUES (${bytes(hash(900))}, ${bytes(of)}, '${kind}', 3);`;
  const statements = [
    `
    ${shop(`${bytes(id(1))}, 'Shop 1', 1, 0, 1`)}
    ${shop(`${bytes(id(2))}, 'Ünïcode “shop”', 0, 1, 2`)}
    ${issued(`${bytes(key(5).digest)}, ${bytes(id(5))}, ${bytes(id(1))}, 5, NULL`)}
    ${issued(`${bytes(key(6).digest)}, ${bytes(id(6))}, ${bytes(id(2))}, 6, 99`)}
    ${live(1, 1)} ${IDENTIFIERS.map((one, position) => identifier(1, position, one, 1)).join(' ')}
    ${live(2, 2)} ${identifier(2, 0, { kind: 'email', hash: hash(1) }, 2)}
    INSERT INTO report VALUES (${bytes(id(3))}, ${bytes(id(1))}, NULL, NULL, NULL, NULL, NULL, NULL, 77${none});
    ${linked('email', hash(1))} ${linked('ip', hash(11))}`,
  ];
  const [record] = TRUST.records;
  if (version >= 2)
    statements.push(`
    UPDATE identifier SET disputed = 1 WHERE report_id = ${bytes(id(1))};
    INSERT INTO dispute (report_id, reporter_id, opened_at, opened_by, reason, decided_at, decided_by, upheld) VALUES (${bytes(id(1))}, ${bytes(id(1))}, 1, 'Ada', 'r', 1, 'Bob', 0);
    INSERT INTO protection (hash, added_at, added_by, reason, ends_at, ended_by) VALUES (${bytes(hash(7))}, 5, 'Ada', 'ours', NULL, NULL);
    INSERT INTO trust_epoch (rules, epoch_at, claims, preceded, established_claims, established_corroborated) VALUES ('${TRUST.rules}', ${TRUST.epochAt}, 7, 2, 5, 1.5);
    INSERT INTO trust_record (reporter_id, verified, claims, preceded, lost, corroborated, confirmable, led, echoed, mature_claims, mature_preceded)
      VALUES (${bytes(id(1))}, 1, ${record!.claims}, ${record!.preceded}, ${record!.lost}, 0.75, ${record!.confirmable}, ${record!.led}, ${record!.echoed}, ${record!.matureClaims}, ${record!.maturePreceded});`);
  if (version >= 4)
    statements.push(
      `INSERT INTO pepper VALUES (1, ${bytes(id(101))}, 10, 20${none}); UPDATE identifier SET generation = 1; UPDATE protection SET generation = 1;`,
    );
  if (version >= 6)
    statements.push(
      ...checksums(bytes).map(
        ([table, where, checksum]) => `UPDATE ${table} SET checksum = ${checksum} WHERE ${where};`,
      ),
    );
  return statements.join('');
}

const checksums = (bytes: (hex: string) => string): [table: string, where: string, checksum: number][] => [
  ['pepper', 'generation = 1', 298458375],
  ['reporter', `reporter_id = ${bytes(id(1))}`, 776515772],
  ['reporter', `reporter_id = ${bytes(id(2))}`, -1468711957],
  ['api_key', `key_id = ${bytes(id(5))}`, 1357470258],
  ['api_key', `key_id = ${bytes(id(6))}`, 820886463],
  ['report', `report_id = ${bytes(id(1))}`, -1588556829],
  ['report', `report_id = ${bytes(id(2))}`, -1241296934],
  ['report', `report_id = ${bytes(id(3))}`, 1921192064],
  ['identifier', `report_id = ${bytes(id(1))} AND position = 0`, -1863770589],
  ['identifier', `report_id = ${bytes(id(1))} AND position = 1`, 804187257],
  ['identifier', `report_id = ${bytes(id(2))}`, -291400500],
  ['link_identifier', `hash = ${bytes(hash(1))}`, 37887453],
  ['link_identifier', `hash = ${bytes(hash(11))}`, -460422597],
  ['dispute', 'opened_at = 1', -1750027110],
  ['protection', 'added_at = 5', -1134736169],
];

/**
 * The first version, those with more rows than the one before, and the last; all in long runs. From these, each step of
 * the schema meets each kind of row. sql.js begins at every version.
 */
export const ROW_VERSIONS = EARLIER_VERSIONS.filter(
  (version) => isLong || [1, EARLIER_VERSIONS.length].includes(version) || rowsOf(version) !== rowsOf(version - 1),
);

/** That a store holds all that {@link earlier} put into it and works with it. */
export async function expectBroughtUpToDate(store: Store, version: number): Promise<void> {
  expect(await store.check()).toEqual([]);
  expect(await store.count()).toEqual({ reports: 2, removed: 1, identifiers: 3, links: 1, reporters: 2 });
  const second = reporter(2, { name: 'Ünïcode “shop”', verified: false, suspended: true });
  expect(await store.listReporters()).toEqual([reporter(1), second]);
  expect(await store.findKey(key(5))).toEqual({ key: key(5), reporter: reporter(1) });
  expect(await store.findKey(key(6))).toEqual({ key: key(6, { reporterId: id(2), endsAt: 99 }), reporter: second });
  expect(await store.findReports([id(1), id(2), id(3)])).toMatchObject([
    { reportId: id(2), text: 'text 2', reporter: second.name },
    { reportId: id(1), text: 'text 1' },
  ]);
  const facts = (n: number) => ({
    reportId: id(n),
    reporterId: id(n),
    type: 'fraud',
    severity: 6,
    createdAt: n * DAY,
    disputed: n === 1 && version >= 2,
  });
  expect(
    (await store.findMatches([hash(1), hash(11)])).sort((a, b) => (a.hash + a.reportId < b.hash + b.reportId ? -1 : 1)),
  ).toEqual([
    { kind: 'email', hash: hash(1), ...facts(1) },
    { kind: 'email', hash: hash(1), ...facts(2) },
    { kind: 'ip', hash: hash(11), ...facts(1) },
  ]);
  expect((await store.findLink(hash(900)))!.sort((a, b) => (a.hash < b.hash ? -1 : 1))).toEqual(IDENTIFIERS);
  const decided = {
    reportId: id(1),
    reporterId: id(1),
    openedAt: 1,
    openedBy: 'Ada',
    reason: 'r',
    decidedAt: 1,
    decidedBy: 'Bob',
    upheld: false,
    merged: false,
    answer: null,
    answeredAt: null,
  };
  expect(await store.listDisputes()).toEqual(version >= 2 ? [decided] : []);
  expect(await store.listProtections()).toEqual(
    version >= 2 ? [{ hash: hash(7), addedAt: 5, addedBy: 'Ada', reason: 'ours', endsAt: null, endedBy: null }] : [],
  );
  expect(await store.findTrust()).toEqual(version >= 2 ? TRUST : undefined);
  expect(await store.findPeppers()).toEqual(
    version >= 4 ? [{ generation: 1, fingerprint: id(101), addedAt: 10, finishedAt: 20 }] : [],
  );
  expect(await store.readOldHashes({ generation: 1, after: '', limit: 10 })).toHaveLength(
    version >= 4 ? 0 : version >= 2 ? 3 : 2,
  );

  // The links of these rows have no owner, like those from before version 8. No reporter's links evict them.
  const owned = [{ ...IDENTIFIERS[0]!, owner: id(9) }];
  for (const n of [902, 903]) await store.putLink({ linkHash: hash(n), identifiers: owned, createdAt: n }, 1);
  expect(await store.findLink(hash(902))).toBeUndefined();
  expect(await store.findLink(hash(903))).toEqual(IDENTIFIERS.slice(0, 1));
  expect(await store.findLink(hash(900))).toHaveLength(2);

  // Before version 9, keys had no scope and reporters no budget.
  const used = { keys: [{ keyId: id(5), dayAt: DAY }], days: [{ reporterId: id(1), dayAt: DAY, identifiers: 3 }] };
  expect(await store.addUsage({ ...used, since: 0 })).toMatchObject([{ before: 0, identifiers: 3 }]);
  expect(await store.updateReporter({ reporterId: id(1), identifiersPerDay: 7 })).toBe('updated');
  expect(await store.findKey(key(5))).toEqual({
    key: key(5, { lastUsedAt: DAY }),
    reporter: reporter(1, { identifiersPerDay: 7 }),
  });

  // Before version 12, budgets were in memory.
  const spend = async () => store.spend({ reporterId: id(1), budget: 2, cost: 1, nowMs: DAY, storeMs: DAY });
  expect([await spend(), await spend(), await spend()]).toEqual([0, 0, DAY]);

  // Each kind of row is changed, which is where a wrong checksum would be seen.
  const generation = version >= 4 ? 1 : 0;
  expect(
    await store.addReport(report(2, { reportId: id(20), fingerprint: report(2).fingerprint, generation }), 0),
  ).toMatchObject({ outcome: 'same', reportId: id(2) });
  expect(await store.addReport(report(4, { generation }), 0)).toEqual({ outcome: 'added' });
  expect(await store.updateReporter({ reporterId: id(2), suspended: false })).toBe('updated');
  expect(await store.endKey({ keyId: id(5), endsAt: 50 })).toBe('ended');
  expect(await store.openDispute({ reportId: id(1), openedAt: 2, openedBy: 'Ada', reason: 'wrong' })).toBe('opened');
  expect(await store.decideDispute({ reportId: id(1), upheld: true, decidedAt: 3, decidedBy: 'Bob' })).toBe('decided');
  expect(await store.endProtection({ hash: hash(7), endsAt: 9, endedBy: 'Bob' })).toBe(version >= 2 ? 'ended' : 'none');
  expect(await store.removeReport({ reportId: id(3), reporterId: id(1), removedAt: 80 })).toMatchObject({
    outcome: 'already-removed',
  });
  expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 90 })).toEqual({
    outcome: 'removed',
    createdAt: DAY,
    identifiers: IDENTIFIERS,
  });
  expect(await store.findLink(hash(900))).toEqual(IDENTIFIERS.slice(0, 1));
  expect(await store.addPepper({ generation: generation + 1, fingerprint: id(102), addedAt: 30 })).toBe('added');
  expect(
    await store.rehash(
      [
        { from: hash(1), to: hash(51) },
        { from: hash(4), to: hash(54) },
        { from: hash(7), to: hash(57) },
      ],
      generation + 1,
    ),
  ).toBe(version >= 2 ? 3 : 2);
  expect((await store.findMatches([hash(51), hash(54)])).map(({ reportId }) => reportId)).toEqual([id(2), id(4)]);

  // Before version 11, nothing was sealed.
  expect(await store.findElementKeys()).toEqual([]);

  await store.putTrust(trust);
  expect(await store.findTrust()).toEqual(trust);
  expect(await store.count()).toEqual({ reports: 2, removed: 2, identifiers: 2, links: 2, reporters: 2 });
  expect(await store.check()).toEqual([]);
}
