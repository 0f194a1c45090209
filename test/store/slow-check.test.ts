import fc from 'fast-check';
import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { CHECKED_TABLES, STORED_TABLES as TABLES } from '../../src/core/store/sql/catalogue.ts';
import { createSqljsStore, type SqljsStore } from '../../src/core/store/sqljs/store.ts';
import { budget, isLong } from '../budget.ts';
import { hash, id, key, report, reporter } from '../contract/stored.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

/**
 * The bytes of a sound store. Report 1 is disputed, report 2 was deleted after a dispute, reports 3 and 4 name hash 3,
 * which is in a link.
 */
async function soundBytes(): Promise<Uint8Array> {
  const store = await createMemoryStore();
  await store.addPepper({ generation: 1, fingerprint: id(500), addedAt: 1 });
  await store.finishPepper({ generation: 1, finishedAt: 2 });
  for (const n of [1, 2]) await store.addReporter(reporter(n));
  await store.addKey(key(1));
  await store.addUsage({ keys: [], days: [{ reporterId: id(2), dayAt: 5, identifiers: 6 }], since: 0 });
  await store.spend({ reporterId: id(2), budget: 6, cost: 1, nowMs: 5 });
  await store.addWebhook({ webhookId: id(70), url: 'https://shop.example', reporterId: id(2), createdAt: 1 });
  for (const atMs of [1, 2, 3])
    await store.updateReporter({ reporterId: id(1), suspended: atMs % 2 === 1 }, { actor: 'Ada', atMs });
  for (const n of [1, 2, 3]) await store.addReport(report(n, { generation: 1 }), 0);
  await store.addReport(
    report(4, { generation: 1, reporterId: id(2), identifiers: [{ kind: 'email', hash: hash(3) }] }),
    0,
  );
  for (const n of [1, 2])
    await store.openDispute({ reportId: id(n), openedAt: 10 + n, openedBy: 'Ada', reason: 'why' });
  await store.decideDispute({ reportId: id(2), upheld: true, decidedAt: 20, decidedBy: 'Bob' });
  await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 21 });
  await store.putLink({ linkHash: hash(900), identifiers: [{ kind: 'email', hash: hash(3) }], createdAt: 3 }, 10);
  await store.addProtection({ hash: hash(7), reason: 'ours', addedBy: 'Ada', addedAt: 1, endsAt: null, generation: 1 });
  expect(await store.check()).toEqual([]);
  return store.export();
}

const SOUND = await soundBytes();

async function storeAfter(statement: string): Promise<SqljsStore> {
  const db = new (await initSqlJs()).Database(SOUND);
  db.run(`PRAGMA foreign_keys = OFF; ${statement}`);
  const store = await createSqljsStore({ bytes: db.export() });
  db.close();
  return store;
}

async function problemsAfter(statement: string): Promise<[string, number][]> {
  return (await (await storeAfter(statement)).check()).map(({ problem, count }) => [problem, count]);
}

const ALTERED = /^rows of (\w+) that do not match their checksum$/;

const x = (text: string): string => `x'${text}'`;
const report1 = `WHERE report_id = ${x(id(1))}`;
const nth = (table: string): number => CHECKED_TABLES.findIndex(({ name }) => name === table);

/** Another value in SQL; undefined where there is none of this kind. */
function altered(
  value: string | number | Uint8Array | null,
  change: 'one bit' | 'as bytes' | 'other' | 'null',
): string | undefined {
  if (change === 'null') return value === null ? undefined : 'NULL';
  if (change === 'as bytes') return typeof value === 'string' ? x(Buffer.from(value).toString('hex')) : undefined;
  if (value === null) return change === 'other' ? '5' : undefined;
  if (typeof value === 'number') return String(change === 'other' ? value * 2 + 4_294_967_296 : value ^ 1);
  if (typeof value === 'string')
    return `'${change === 'other' ? `${value}x` : `${String.fromCharCode(value.charCodeAt(0) ^ 1)}${value.slice(1)}`}'`;
  const bytes = value.map((byte, at) => (change === 'other' ? byte ^ 255 : at === 3 ? byte ^ 16 : byte));
  return x(Buffer.from(bytes).toString('hex'));
}

const marked = ['identifiers marked as disputed that have no dispute', 1] as const;

describe('check()', () => {
  it.each<[string, (readonly [string, number])[]]>([
    [
      `DELETE FROM report ${report1}`,
      [
        ['identifiers whose report is missing', 1],
        ['disputes whose report is missing', 1],
      ],
    ],
    [
      `INSERT INTO identifier SELECT hash, kind, reporter_id, created_at, ${x(id(2))}, 0, type, severity, 1, generation, checksum, element, seal FROM identifier ${report1}`,
      [['identifiers of deleted reports', 1]],
    ],
    [`UPDATE identifier SET reporter_id = ${x(id(2))} ${report1}`, [['identifiers that differ from their report', 1]]],
    [`UPDATE identifier SET type = 'other' ${report1}`, [['identifiers that differ from their report', 1]]],
    [`UPDATE identifier SET severity = 9 WHERE disputed = 0`, [['identifiers that differ from their report', 2]]],
    [`UPDATE report SET created_at = created_at + 1 ${report1}`, [['identifiers that differ from their report', 1]]],
    [`DELETE FROM identifier ${report1}`, [['reports without identifiers', 1]]],
    ...['nonce', 'fingerprint', 'type', 'severity', 'text', 'created_at'].map(
      (column): [string, (readonly [string, number])[]] => [
        `UPDATE report SET ${column} = NULL ${report1}`,
        [['reports without a required value', 1]],
      ],
    ),
    ...['nonce', 'type', 'severity', 'text', 'created_at', 'fingerprint'].map(
      (column): [string, (readonly [string, number])[]] => [
        `UPDATE report SET ${column} = (SELECT ${column} FROM report ${report1}) WHERE report_id = ${x(id(2))}`,
        [['deleted reports whose content is not erased', 1]],
      ],
    ),
    [
      `UPDATE dispute SET answer = 'no', answered_at = 9 WHERE report_id = ${x(id(2))}`,
      [['disputes of deleted reports whose answer is not erased', 1]],
    ],
    [`UPDATE dispute SET answer = 'no' ${report1}`, [['disputes with an incomplete answer', 1]]],
    [
      `UPDATE dispute SET reason = 'why' WHERE report_id = ${x(id(2))}`,
      [['disputes of deleted reports whose reason is not erased', 1]],
    ],
    [
      `DELETE FROM reporter WHERE reporter_id = ${x(id(1))}`,
      [
        ['keys whose reporter is missing', 1],
        ['reports whose reporter is missing', 3],
      ],
    ],
    [`UPDATE api_key SET scope = 'view'`, [['keys with an unknown scope', 1]]],
    [
      `UPDATE reporter SET created_at = 8640000000000005`,
      [['rows of reporter with a moment that is no date, or control characters', 2]],
    ],
    [
      `UPDATE report SET text = char(27) || '[2J' ${report1}`,
      [['rows of report with a moment that is no date, or control characters', 1]],
    ],
    [`UPDATE reporter SET identifiers_per_day = 0`, [['reporters with a budget below 1', 2]]],
    [`UPDATE reporter_usage SET reporter_id = ${x(id(9))}`, [['counts of identifiers whose reporter is missing', 1]]],
    [`DELETE FROM audit WHERE seq = 2`, [['entries of the audit log that do not continue its chain', 1]]],
    [`UPDATE audit SET actor = 'Bob' WHERE seq = 3`, [['entries of the audit log that do not continue its chain', 1]]],
    [`UPDATE webhook SET reporter_id = ${x(id(9))}`, [['webhooks whose reporter is missing', 1]]],
    [`UPDATE link_identifier SET hash = ${x(hash(99))}`, [['identifiers in links that are in no report', 1]]],
    [
      `UPDATE dispute SET reporter_id = ${x(id(2))}`,
      [['disputes whose reporter differs from the reporter of the report', 2]],
    ],
    [
      `INSERT INTO dispute (report_id, reporter_id, opened_at, opened_by, reason) SELECT report_id, reporter_id, opened_at + 1, opened_by, reason FROM dispute ${report1}`,
      [['reports with more than one open dispute', 1]],
    ],
    [`UPDATE dispute SET upheld = NULL WHERE report_id = ${x(id(2))}`, [['disputes with an incomplete decision', 1]]],
    [`UPDATE dispute SET decided_by = 'Bob' ${report1}`, [['disputes with an incomplete decision', 1]]],
    [`DELETE FROM dispute ${report1}`, [marked]],
    [`UPDATE identifier SET disputed = 0`, [['disputed identifiers that are not marked as disputed', 1]]],
    [
      `UPDATE report SET severity = 11 ${report1}; UPDATE identifier SET severity = 11 ${report1}`,
      [
        ['reports with a severity outside 1 to 10', 1],
        ['identifiers with a severity outside 1 to 10', 1],
      ],
    ],
    [
      `UPDATE identifier SET generation = 2 ${report1}`,
      [['rows of identifier with a generation that no pepper has', 1]],
    ],
    [
      `UPDATE protection SET generation = -1`,
      [
        ['rows of protection with a generation that no pepper has', 1],
        ['rows of protection that a finished pepper rotation did not change', 1],
      ],
    ],
    [
      `UPDATE identifier SET generation = 0`,
      [['rows of identifier that a finished pepper rotation did not change', 3]],
    ],
    [`UPDATE identifier SET generation = 0; UPDATE pepper SET finished_at = NULL`, []],
    [`UPDATE pepper SET generation = 3`, [['peppers with a generation out of sequence', 1]]],
    [
      `UPDATE protection SET hash = ${x('00ff')}`,
      [['rows of protection with an id, hash or digest of the wrong length', 1]],
    ],
    [`UPDATE api_key SET key_id = ${x('')}`, [['rows of api_key with an id, hash or digest of the wrong length', 1]]],
    [
      `UPDATE report SET nonce = ${x('00')} WHERE nonce IS NOT NULL`,
      [['rows of report with an id, hash or digest of the wrong length', 3]],
    ],
    [
      `UPDATE pepper SET fingerprint = ${x('00')}`,
      [['rows of pepper with an id, hash or digest of the wrong length', 1]],
    ],
    [
      `UPDATE link_identifier SET link_hash = ${x('00')}`,
      [['rows of link_identifier with an id, hash or digest of the wrong length', 1]],
    ],
  ])('after %s', async (statement, problems) => {
    const found = await problemsAfter(statement);
    // Rows that do not fit together, and rows that differ from what was written.
    expect(found.filter(([problem]) => !ALTERED.test(problem))).toEqual(problems);
    const altered = found.flatMap(([problem]) => ALTERED.exec(problem)?.[1] ?? []);
    expect(altered).toEqual(
      [...new Set([...statement.matchAll(/(?:UPDATE|INSERT INTO) (\w+)/g)].map(([, table]) => table!))].sort(
        (a, b) => nth(a) - nth(b),
      ),
    );
  });

  it('finds any column of any row that is not what was written, and no answer has it', async () => {
    // A value near the stored one, the bytes of a text, a distant value and an absent one.
    const changes = ['one bit', 'as bytes', 'other', 'null'] as const;
    const places = TABLES.flatMap((table) =>
      [...table.columns, { name: 'checksum', type: 'whole', nullable: true }].flatMap((column) =>
        changes.map((change) => ({ table, column, change })),
      ),
    );
    const db = new (await initSqlJs()).Database(SOUND);
    const read = (text: string) => db.exec(text)[0]?.values ?? [];
    let tried = 0;
    for (const { table, column, change } of places) {
      const required = read(`SELECT name FROM pragma_table_info('${table.name}') WHERE "notnull"`).flat();
      if (change === 'null' && required.includes(column.name)) continue;
      for (const row of read(
        `SELECT ${table.key.map((part) => `quote(${part})`).join(', ')}, ${column.name} FROM ${table.name}`,
      ).slice(0, isLong ? Infinity : 1)) {
        const value = row.at(-1)!;
        const to = altered(value, change);
        if (to === undefined) continue;
        // Another row has this key: the statement would change nothing.
        const isKey = table.key.length === 1 && table.key.includes(column.name);
        if (isKey && read(`SELECT 1 FROM ${table.name} WHERE ${column.name} = ${to}`).length > 0) continue;
        const where = table.key.map((part, at) => `${part} = ${String(row[at])}`).join(' AND ');
        const statement = `UPDATE OR IGNORE ${table.name} SET ${column.name} = ${to} WHERE ${where}`;
        const store = await storeAfter(statement);
        expect(
          (await store.check()).map(({ problem }) => problem),
          statement,
        ).toContain(`rows of ${table.name} that do not match their checksum`);
        const copy = (async () => {
          const snapshot = await store.snapshot();
          await snapshot.readRows(table.name, undefined, 100);
        })();
        await expect(copy, statement).rejects.toMatchObject({ name: 'StoreDamagedError' });
        await store.close();
        tried++;
      }
    }
    db.close();
    expect(tried).toBeGreaterThan(isLong ? 200 : 100);
  });

  it('finds nothing after anything that an engine did', async () => {
    const person = fc.array(fc.nat(4), { minLength: 1, maxLength: 3 });
    const step = fc.oneof(
      fc.record({
        do: fc.constant('report' as const),
        by: fc.nat(1),
        of: person,
        severity: fc.integer({ min: 1, max: 10 }),
      }),
      fc.record({ do: fc.constant('remove' as const), nth: fc.nat(5) }),
      fc.record({ do: fc.constant('open' as const), nth: fc.nat(5) }),
      fc.record({ do: fc.constant('decide' as const), nth: fc.nat(5), upheld: fc.boolean() }),
      fc.record({ do: fc.constant('protect' as const), of: fc.nat(4) }),
      fc.record({ do: fc.constant('query' as const), of: person }),
      fc.record({ do: fc.constant('erase' as const), of: person }),
      fc.record({ do: fc.constant('rotate' as const), n: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 5, maxLength: 25 }), async (peppered, steps) => {
        const store = await createMemoryStore();
        const { engine, apiKey, otherKey, clock } = await createTestEngine({
          store,
          peppers: peppered ? ['a pepper that is long enough'] : [],
        });
        const identifiers = (of: readonly number[]) =>
          [...new Set(of)].map((n) => ({ kind: 'email', hash: hashOf(n) }));
        const receipts: { apiKey: string; reportId: string; deletionCode: string }[] = [];
        for (const [n, taken] of steps.entries()) {
          clock.nowMs += 1000;
          const receipt = 'nth' in taken ? receipts[taken.nth] : undefined;
          if (taken.do === 'report') {
            const by = taken.by === 0 ? apiKey : otherKey;
            receipts.push({
              apiKey: by,
              ...unwrap(
                await engine.report({
                  apiKey: by,
                  type: 'fraud',
                  severity: taken.severity,
                  text: `t${n}`,
                  identifiers: identifiers(taken.of),
                }),
              ),
            });
          } else if (taken.do === 'query') unwrap(await engine.query({ apiKey, identifiers: identifiers(taken.of) }));
          else if (taken.do === 'protect') await engine.protect({ hash: hashOf(taken.of), reason: 'r', by: 'Ada' });
          else if (taken.do === 'erase')
            unwrap(await engine.eraseIdentifiers({ hashes: identifiers(taken.of).map((one) => one.hash), by: 'Ada' }));
          else if (taken.do === 'rotate') await engine.rotatePepper({ pepper: `another pepper, number ${n}` });
          else if (receipt && taken.do === 'remove') await engine.remove(receipt);
          else if (receipt && taken.do === 'open')
            await engine.openDispute({ reportId: receipt.reportId, reason: 'r', by: 'Ada' });
          else if (receipt && taken.do === 'decide')
            await engine.decideDispute({ reportId: receipt.reportId, upheld: taken.upheld, by: 'Bob' });
          expect(await store.check()).toEqual([]);
        }
        await engine.close();
      }),
      { numRuns: budget(6) },
    );
  });
});
