import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOURNAL_NAME } from '../../src/stores/journal/file.ts';
import { encodeRecordsFrame, encodeSnapshotFile } from '../../src/stores/journal/format.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { POSTGRES_MIGRATIONS } from '../../src/stores/postgres/schema.ts';
import { CLAIM_RULES } from '../../src/core/store/sql/catalogue.ts';
import { MIGRATIONS } from '../../src/core/store/sql/schema.ts';
import { RECORDED_WRITES, WRITES } from '../../src/core/store/sql/store.ts';
import { openDurableStore } from '../../src/stores/sqljs/durable.ts';
import { openFolderStore } from '../../src/stores/sqljs/folder-store.ts';
import { DAY, hash, id, key, report, reporter, trust } from '../contract/stored.ts';
import { earlier, expectBroughtUpToDate, ROW_VERSIONS } from './earlier.ts';

/** The SHA-256 of each step's text. Whoever adds a step adds the line of the one before, which is closed by then. */
const FROZEN: Readonly<Record<string, { readonly steps: readonly string[]; readonly frozen: readonly string[] }>> = {
  SQLite: {
    steps: MIGRATIONS,
    frozen: [
      'dd1f58d27164e1bc2a0410fc10073cca7f233e8a7f2445a330a4360bde479d5e',
      '64d2e5d299d2788fcfcb0d6e2f5dd41f5ddee05d3c5998d9bb4528692d2b91fa',
      '74c94dcbee7fc83ee45ee9d537650a85fcbc952997a6efbfc35f3062d3119f82',
      'a42bbe29d8705b6f52930f250597cb2da583373eed5a95ba32c7c9dc6e2d16d3',
      '3b3fd0f9b57145c158d1ac6080ad487180fc78b849c76cbb369928333d6bf6d5',
      'd4e90cfbae80d96ab8f7553bbd9262833362a6c2f48da245f5b20c4a54f9e7c4',
      'f7449bcaf9f6c2c3f5a9a8d7135b7e4c27e2e9ae29080767f8b6b5838f59d12e',
      'eb7ee3430c9917f5e456fc25e41f2b71e279fcf7c4b55ef14333a3dd0c11f114',
      'e6838bad9e7cdc0a3a661d5662c43bcd8f7b72c0def4e2b0c81132b58f508850',
      '6c0f86fa78d983c26bd2178e90e1e897e373422e186f4ea4dcb078b608309bc7',
      '4b3dd7a24d828e09279d92c1dc153363af2d7a3fb91a44926c7c40102d8a9993',
      '59c07fb3d1ece2d16a7c02c469c6ed482c6616718a574bd57df4e9ef0f7eec46',
      '24bb27290e58f76948aa0c5c7397bdba3d339c5abb6c88426469a92f19b82da1',
      'b9898043be3c96a03f0df6bf02ea68f078cbc75c096ce25ffe2ade7f5aabe818',
      'c0a9d6c0396d38cb4240f298bc8eb1145cc6672811f8af0cc06667ba021ba6cb',
    ],
  },
  PostgreSQL: {
    steps: POSTGRES_MIGRATIONS,
    frozen: [
      '30807886e3f505a44f84357a76d8de3db56da052f65cbe1d507707a2c93fb4a5',
      'c905d1cfda21e01dfb756c420e0d0c1a91515e039157a5a41f874e061cf1650d',
      '7a5aa76f23c09878f85d26a983b282a4e72560f4bdb7a7e3367ddbcb458b3b5b',
      'c5d285ca8bc98587ccf21f816f56fa6e54c49bf4d623c72d9ab4248338240774',
      'c44d7fbf5877acc594ee81baa318b934508c4a96435c14b7a3b1bc6c48154f80',
      'ca9c1bbfd88e7417b855a7c0a178ec64c0ddcd2e774004bf5e3c2b0736839ecc',
      '0b43f6f54e5b2b5249543d04f6f7664e83cde5de1ed077666011b6b3c0b191fb',
      '6c8aa4034a15fc813b7852539bb08f3a0fb4fc66b9cbbb0c09448f24baa799c5',
      '381df259d607b98528ccb2c9c155a5c66688726ba456aad14bb86f75d9719a2c',
      'efef2a29afa3d0c3203f8cefb82c72dcb222c95a2051e868d92363b134f53c5b',
      '5c6670dcab98e4c057f37076e2bc5f140caa2393918a7b32ae238b5024bc31be',
      '68e6417b527a49723e54d42f19b29c925a6a774860bc6c4bc44f66c48f86c2f4',
      '1ed1163c8d196683e87363b4f09eacf15bd8a107d311810f0dbc554724460b8d',
      '90c4f227417702918852c90ad7f2ae91d21bacfc9e5855805a150924b6b812db',
      'a1baf846ff11e5660ce5aa76e97536d5fbe046435cf07a66a99ccc38278e8c7b',
    ],
  },
};

/** The names of writes in journals. Append new ones; never change or remove one. */
const RECORDED =
  'addReporter updateReporter addKey endKey addUsage addReport removeReport putLink openDispute answerDispute decideDispute addDisputeRequest removeDisputeRequests addProtection endProtection putTrust addPepper finishPepper rehash addSeal adoptSecretFingerprint addAuditEntry addWebhook removeWebhook moveWebhook addSignIn startSession renewSession endSignIns putRows erase takeBudget addCaseMessage reopenDispute';

it('a journal of an earlier program has no write that this one does not know', () => {
  expect([...RECORDED_WRITES.keys()].sort()).toEqual(RECORDED.split(' ').sort());
  expect(RECORDED_WRITES.size).toBe(Object.keys(WRITES).length);
});

describe.each(Object.entries(FROZEN))('the steps of the schema for %s', (dialect, { steps, frozen }) => {
  it('are as they were when stores were made by them', () => {
    for (const [at, known] of frozen.entries()) {
      const found = createHash('sha256')
        .update(steps[at] ?? '')
        .digest('hex');
      expect(
        found,
        `the text of step ${at + 1} for ${dialect} has changed. There are stores that were made by the old one, and they would never get the change: undo it, and add a new step at the end instead`,
      ).toBe(known);
    }
  });

  it('are frozen, all but the last', () => {
    const open = steps.slice(frozen.length).map((text) => createHash('sha256').update(text).digest('hex'));
    expect(open, `a step was added: add the line of each before it to the frozen ones for ${dialect}`).toHaveLength(1);
  });
});

describe('a journal of an earlier program', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'redflag-earlier-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** The journal's bytes after a snapshot, and the chain that the next frame goes on from. */
  const snapshotOf = async (version: number): Promise<{ readonly bytes: Buffer; readonly chain: number }> => {
    const old = new (await initSqlJs()).Database();
    old.run(earlier(version));
    const { chunks, chain } = encodeSnapshotFile([old.export()]);
    old.close();
    return { bytes: Buffer.concat(chunks), chain };
  };

  it.each(ROW_VERSIONS)('in a folder, with a snapshot of schema %i, opens, answers and goes on', async (version) => {
    const folder = join(root, `schema-${version}`);
    await mkdir(folder);
    await writeFile(join(folder, JOURNAL_NAME), (await snapshotOf(version)).bytes);
    const store = await openFolderStore(folder);
    await expectBroughtUpToDate(store, version);
    await store.addReport(report(5), 0);
    await store.close();
    const again = await openFolderStore(folder);
    expect((await again.findReports([2, 4, 5].map(id))).map(({ reportId }) => reportId)).toEqual([5, 4, 2].map(id));
    expect(await again.findTrust()).toEqual(trust);
    await again.close();
  });

  it.each(ROW_VERSIONS)(
    'with records after a snapshot of schema %i has what they say, after another crash too',
    async (version) => {
      const { bytes, chain } = await snapshotOf(version);
      const generation = version >= 4 ? { generation: 1 } : {};
      const { learntAt, ...before4 } = trust;
      const { identifiersPerDay: _budget, contact: _contact, ...before9 } = reporter(8);
      const {
        scope: _scope,
        issuedUntil: _until,
        lastUsedAt: _used,
        keyName: _name,
        ...keyBefore9
      } = key(8, { reporterId: id(8) });
      // As the programs of those versions wrote them.
      const records: [string, ...unknown[]][] = [
        ['addReporter', before9],
        ['addKey', keyBefore9],
        ['addReport', { ...report(8), ...generation }, 0],
        ['addReport', { ...report(9), ...generation }, 0],
        ['removeReport', { reportId: id(9), reporterId: id(1), removedAt: 9 }],
        ['putLink', { linkHash: hash(901), identifiers: report(8).identifiers, createdAt: 8 }, 10],
        ...(version >= 2
          ? ([
              ['openDispute', { reportId: id(8), openedAt: 9, openedBy: 'Ada', reason: 'wrong' }],
              ['putTrust', version >= 4 ? { ...before4, learntAt } : before4],
            ] as [string, ...unknown[]][])
          : []),
      ];
      const frame = encodeRecordsFrame(
        records.map((record) => Buffer.from(JSON.stringify(record))),
        chain,
      );
      const medium = createMemoryMedium(Buffer.concat([bytes, frame.bytes]));
      const store = await openDurableStore({ medium });
      await store.addReport(report(10, generation), 0);
      const crashed = await openDurableStore({ medium: createMemoryMedium(medium.bytes()) });
      for (const one of [store, crashed]) {
        expect((await one.findReports([8, 9, 10].map(id))).map(({ reportId }) => reportId)).toEqual([10, 8].map(id));
        expect(await one.findKey(key(8))).toEqual({ key: key(8, { reporterId: id(8) }), reporter: reporter(8) });
        expect(await one.findMatches([hash(8)])).toMatchObject([{ reportId: id(8), disputed: version >= 2 }]);
        expect(await one.findLink(hash(901))).toEqual(report(8).identifiers);
        expect(await one.findTrust()).toEqual(
          version >= 4 ? trust : version >= 2 ? { ...trust, learntAt: 0 } : undefined,
        );
        expect(await one.count()).toMatchObject({ reports: 4, removed: 2, links: 2 });
        expect(await one.check()).toEqual([]);
        await one.close();
      }
    },
  );

  it('with claims has what its rules made of them, and what newer rules made since, after a crash too', async () => {
    const version = 13;
    const { bytes, chain } = await snapshotOf(version);
    const claim = (n: number, ...hashes: number[]) =>
      report(n, {
        identifiers: hashes.map((one, at) => ({ kind: at === 0 ? 'domain' : 'email', hash: hash(one) })),
        generation: 1,
        weakKinds: ['ip'],
        knownKinds: [],
      });
    const opening = (n: number) => ({ reportId: id(n), openedAt: 1, openedBy: 'Ada', reason: 'wrong' });
    const decision = (n: number, claimRules: number) => ({
      reportId: id(n),
      upheld: true,
      decidedAt: 99 * DAY,
      decidedBy: 'Ada',
      weakKinds: ['ip'],
      claimRules,
    });
    const records: [string, ...unknown[]][] = [
      ['addReport', claim(30, 301, 302), 0],
      ['openDispute', opening(30)],
      ['addReport', claim(31, 301, 303), 0],
      ['decideDispute', decision(30, 2)],
      ['addReport', claim(32, 301, 304), 0],
      ['erase', { hashes: [hash(302)], erasedAt: 9 }],
    ];
    const frame = encodeRecordsFrame(
      records.map((record) => Buffer.from(JSON.stringify(record))),
      chain,
    );
    const medium = createMemoryMedium(Buffer.concat([bytes, frame.bytes]));
    const store = await openDurableStore({ medium });
    await store.addReport(claim(40, 401, 402), 0);
    await store.openDispute(opening(40));
    await store.addReport(claim(41, 401, 403), 0);
    await store.decideDispute(decision(40, CLAIM_RULES));
    await store.addReport(claim(42, 401, 404), 0);
    await store.erase({ hashes: [hash(402)], erasedAt: 9, claimRules: CLAIM_RULES });
    const crashed = await openDurableStore({ medium: createMemoryMedium(medium.bytes()) });
    for (const one of [store, crashed]) {
      const wrong = await one.findDisputes([31, 32, 41, 42].map(id));
      expect(wrong.map(({ reportId }) => reportId).sort()).toEqual([41, 42].map(id));
      const snapshot = await one.snapshot();
      const kept = await snapshot.readRows('claim', undefined, 10);
      await snapshot.close();
      expect(kept).toHaveLength(2);
      expect(kept).toContainEqual(expect.objectContaining({ hash: hash(401), report_id: id(40), position: 1 }));
      expect(await one.check()).toEqual([]);
      await one.close();
    }
  });
});
