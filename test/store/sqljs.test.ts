import { describe, expect, it } from 'vitest';
import { createSqljsStore, type SqljsStore } from '../../src/core/store/sqljs/store.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';
import { reporter } from '../contract/stored.ts';
import { earlier, EARLIER_VERSIONS, expectBroughtUpToDate } from './earlier.ts';

const empty = (await createSqljsStore()).export();

storeContract(
  'sql.js in memory',
  () => createSqljsStore({ bytes: empty }),
  async (store) => {
    const bytes = (store as SqljsStore).export();
    await store.close();
    return createSqljsStore({ bytes });
  },
  // The store with a journal runs all cases on the same SQLite.
  VARIANT_CASES,
);

describe('sql.js store', () => {
  const report = {
    reportId: '00000000000000aa',
    nonce: '00000000000000bb',
    fingerprint: '0'.repeat(32),
    reporterId: '0000000000000001',
    type: 'fraud',
    severity: 5,
    text: 'a text that must not stay',
    createdAt: 1,
    identifiers: [{ kind: 'email', hash: 'c0ffee'.repeat(6) + 'c0ff' }],
  };

  it('has a snapshot that stays as it is, also once the store is closed', async () => {
    const store = await createSqljsStore();
    await store.addReporter(reporter(1));
    const snapshot = await store.snapshot();
    await store.addReporter(reporter(2));
    await store.close();
    const rows = await snapshot.readRows('reporter', undefined, 10);
    expect(rows.map(({ name }) => name)).toEqual([reporter(1).name]);
    await snapshot.close();
  });

  it('answers nothing once it is closed', async () => {
    const store = await createSqljsStore();
    await store.close();
    await store.close();
    const unavailable = { name: 'StoreUnavailableError' };
    const calls = [
      () => store.snapshot(),
      () => store.check(),
      () => store.erased(),
      () => store.count(),
      () => store.putRows('report', []),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(unavailable);
    expect(() => store.export()).toThrow(expect.objectContaining(unavailable));
  });

  it('leaves nothing of an erased report in the bytes, free pages included', async () => {
    const store = await createSqljsStore();
    await store.addReporter({
      reporterId: report.reporterId,
      name: 'Shop',
      verified: true,
      suspended: false,
      createdAt: 0,
    });
    // Enough reports that pages split and are freed again.
    for (let n = 0; n < 500; n++)
      await store.addReport(
        { ...report, reportId: n.toString(16).padStart(16, '0'), fingerprint: n.toString(16).padStart(32, '0') },
        0,
      );
    const find = () => Buffer.from(store.export());
    expect(find().includes(report.text)).toBe(true);
    for (let n = 0; n < 500; n++)
      await store.removeReport({
        reportId: n.toString(16).padStart(16, '0'),
        reporterId: report.reporterId,
        removedAt: 2,
      });
    expect(find().includes(report.text)).toBe(false);
    expect(find().includes(Buffer.from(report.identifiers[0]!.hash, 'hex'))).toBe(false);
  });

  it('stores identifiers as 20 bytes and never as text', async () => {
    const store = await createSqljsStore();
    await store.addReporter({
      reporterId: report.reporterId,
      name: 'Shop',
      verified: true,
      suspended: false,
      createdAt: 0,
    });
    await store.addReport(report, 0);
    const bytes = Buffer.from(store.export());
    expect(bytes.includes(Buffer.from(report.identifiers[0]!.hash, 'hex'))).toBe(true);
    expect(bytes.includes(report.identifiers[0]!.hash)).toBe(false);
  });

  it('lets others have their turns while it reads a hash that very many reports have, and tells what they change or not', async () => {
    const store = await createSqljsStore();
    const { hash } = report.identifiers[0]!;
    const row = (n: number) => ({
      hash,
      kind: 'email',
      reporter_id: report.reporterId,
      created_at: n,
      report_id: n.toString(16).padStart(16, '0'),
      position: 0,
      type: 'fraud',
      severity: 5,
      disputed: 0,
      generation: 0,
    });
    await store.addReporter({
      reporterId: report.reporterId,
      name: 'Shop',
      verified: true,
      suspended: false,
      createdAt: 0,
    });
    await store.putRows(
      'identifier',
      Array.from({ length: 10_000 }, (_, n) => row(n)),
    );
    const state = { reading: true, turns: 0 };
    const others = (async () => {
      while (state.reading) {
        await new Promise((resolve) => setImmediate(resolve));
        state.turns++;
        if (state.turns === 2) await store.putRows('identifier', [row(10_500), row(20_000)]);
      }
    })();
    const found = await store.findMatches([hash]);
    state.reading = false;
    await others;
    expect(state.turns).toBeGreaterThan(4);
    const ids = new Set(found.map(({ reportId }) => reportId));
    expect(ids.size).toBe(found.length);
    for (let n = 0; n < 10_000; n++) expect(ids.has(row(n).report_id)).toBe(true);
    expect(await store.findMatches([hash])).toHaveLength(10_002);
  });

  it('leaves the bytes that it was opened from as they are, a Buffer of Node too', async () => {
    const first = await createSqljsStore();
    await first.addReporter({
      reporterId: report.reporterId,
      name: 'Shop',
      verified: true,
      suspended: false,
      createdAt: 0,
    });
    const bytes = Buffer.from(first.export());
    const before = Buffer.from(bytes);
    const second = await createSqljsStore({ bytes });
    await second.addReport(report, 0);
    expect(bytes.equals(before)).toBe(true);
  });

  it.each(EARLIER_VERSIONS)('brings a store of schema %i up to date', async (version) => {
    const { default: initSqlJs } = await import('sql.js');
    const old = new (await initSqlJs()).Database();
    old.run(earlier(version));
    const store = await createSqljsStore({ bytes: old.export() });
    await expectBroughtUpToDate(store, version);
  });

  it('undoes the whole method when a statement of it fails', async () => {
    const store = await createSqljsStore();
    // No such reporter: the report's own row fails on its foreign key; with a good row before it nothing may stay.
    await expect(store.addReport(report, 0)).rejects.toThrow();
    expect((await store.count()).reports).toBe(0);
    await store.addReporter({
      reporterId: report.reporterId,
      name: 'Shop',
      verified: true,
      suspended: false,
      createdAt: 0,
    });
    const broken = {
      ...report,
      identifiers: [...report.identifiers, { kind: null as unknown as string, hash: 'a'.repeat(40) }],
    };
    await expect(store.addReport(broken, 0)).rejects.toThrow();
    expect(await store.count()).toMatchObject({ reports: 0, identifiers: 0 });
    expect(await store.addReport(report, 0)).toEqual({ outcome: 'added' });
  });

  it.each([
    ['not a database', Buffer.from('x'.repeat(5000))],
    ['nothing but a header', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4080)])],
  ])('refuses bytes that are %s', async (_, bytes) => {
    await expect(createSqljsStore({ bytes })).rejects.toMatchObject({ name: 'StoreFormatError' });
  });

  it('refuses a newer schema and another program’s database', async () => {
    const { default: initSqlJs } = await import('sql.js');
    const SQL = await initSqlJs();
    const newer = new SQL.Database((await createSqljsStore()).export());
    newer.run('PRAGMA user_version = 99');
    await expect(createSqljsStore({ bytes: newer.export() })).rejects.toThrow(/schema version 99/);
    const foreign = new SQL.Database();
    foreign.run('CREATE TABLE t (x)');
    await expect(createSqljsStore({ bytes: foreign.export() })).rejects.toThrow(/another program/);
  });
});
