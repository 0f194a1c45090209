import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryEvaluations } from '../../../src/sealed/client/evaluations.ts';
import { openEvaluationFile, openFolderReplica } from '../../../src/sealed/client/folder.ts';
import { createMemoryReplica } from '../../../src/sealed/client/replica-store.ts';
import { fromBase64Url, toBase64Url } from '../../../src/sealed/encoding.ts';
import { evaluationStoreContract, replicaStoreContract } from '../../contract/sealed-stores.ts';
import { seededRandom } from '../group-samples.ts';
import { BEGIN, hashFor, HOUR, plainReport, type PlainReport } from './operator.ts';
import { openSetting, refusalOf, type Setting } from './service.ts';

const key = seededRandom('file key')(32);

evaluationStoreContract('memory', async () => ({
  open: async () => createMemoryEvaluations(),
  survivesClose: false,
  remove: async () => undefined,
}));
replicaStoreContract('memory', async () => ({
  open: async () => createMemoryReplica(),
  survivesClose: false,
  remove: async () => undefined,
}));

async function temporaryFolder(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'redflag-sealed-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

evaluationStoreContract('file', async () => {
  const { folder, remove } = await temporaryFolder();
  const file = path.join(folder, 'evaluations');
  return { open: () => openEvaluationFile(file, { key }), survivesClose: true, remove };
});
replicaStoreContract('folder', async () => {
  const { folder, remove } = await temporaryFolder();
  return { open: () => openFolderReplica(path.join(folder, 'replica')), survivesClose: true, remove };
});

const EMAIL = { kind: 'email', hash: hashFor('email') };
const report = (id: number): PlainReport => plainReport(id, [EMAIL]);

/** Runs `test` in a folder, with a published report. */
async function inFolder(test: (setting: Setting, folder: string) => Promise<void>): Promise<void> {
  const { folder, remove } = await temporaryFolder();
  try {
    const setting = openSetting();
    setting.operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
    setting.operator.reports = [report(1)];
    setting.operator.publish();
    await test(setting, folder);
  } finally {
    await remove();
  }
}

/** A file of version 1. A version that writes another form has another number, and need not read this one. */
const VERSION_1 =
  'cmVkZmxhZ0UBNKaf4_6-M56DHtNIfQSqBO826ovQQMHAfQKDaQt9kBuhiQVYa1GtnbOFrPjays4egtx_p6AKZfFpnp0seDt_NHgFeCxyQbLl' +
  'tKfmgpZjEM3uO1W9imMpKtThyzZEnBiDlw6lJByxZqqD7vS9DvNR2WE-lokkjd2WMJmyyBF6U9dWAkWuGNyPWZkjv5clxVZ_KLZK23zRtt6d' +
  '4Q2zDPGqzxT4B-E2bzUxmG5Qq7ajI6wOMJlJspst3ecxbOAYtOjDLvfC_ERzvaRO4w12dwyZeomeeHOk9KBDxHaO_xv4dPLyMOKp_XV5TTtc' +
  'As8';

describe('an encrypted file of evaluations', () => {
  const EPOCH = toBase64Url(seededRandom('epoch')(32));

  it('has the form of version 1', () =>
    inFolder(async (_, folder) => {
      const file = path.join(folder, 'evaluations');
      await writeFile(file, fromBase64Url(VERSION_1)!);
      const store = await openEvaluationFile(file, { key: new Uint8Array(32).fill(1) });
      const bytesOf = (byte: number) => new Uint8Array(32).fill(byte);
      expect(await store.read(toBase64Url(bytesOf(2)), ['03'.repeat(20)])).toEqual([bytesOf(4)]);
      const seen = { sequence: 6, link: '08'.repeat(32), epochKey: toBase64Url(bytesOf(7)), epochEndsAt: 9 };
      expect(await store.readSeen(toBase64Url(bytesOf(5)))).toEqual(seen);
    }));

  it('contains neither hash nor element, and has mode 600', () =>
    inFolder(async (_, folder) => {
      const file = path.join(folder, 'evaluations');
      const store = await openEvaluationFile(file, { key });
      const element = seededRandom('element')(32);
      await store.keep(EPOCH, new Map([[EMAIL.hash, element]]));
      await store.close();
      const bytes = await readFile(file);
      for (const secret of [Buffer.from(element), Buffer.from(EMAIL.hash, 'hex'), Buffer.from(EMAIL.hash)])
        expect(bytes.includes(secret.subarray(0, 8))).toBe(false);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(['evaluations']);
    }));

  it('is refused under another key, and left as it is', () =>
    inFolder(async (_, folder) => {
      const file = path.join(folder, 'evaluations');
      const store = await openEvaluationFile(file, { key });
      await store.keep(EPOCH, new Map([[EMAIL.hash, seededRandom('element')(32)]]));
      const before = await readFile(file);
      expect(await refusalOf(openEvaluationFile(file, { key: seededRandom('other')(32) }))).toBe('wrong-key');
      await expect(openEvaluationFile(file, { key: new Uint8Array(31) })).rejects.toThrow('"key" expected 32 random');
      expect(await readFile(file)).toEqual(before);
      await store.close();
      expect(await refusalOf(store.read(EPOCH, []))).toBe('closed');
    }));

  it.each([0, 2, 255])('of version %i is refused, whatever its key, and left as it is', (version) =>
    inFolder(async (_, folder) => {
      const file = path.join(folder, 'evaluations');
      const store = await openEvaluationFile(file, { key });
      await store.keep(EPOCH, new Map([[EMAIL.hash, seededRandom('element')(32)]]));
      const other = await readFile(file);
      // The version follows the eight letters of the name.
      expect(other.subarray(0, 9).toString('latin1')).toBe('redflagE\u0001');
      other[8] = version;
      for (const bytes of [other, other.subarray(0, 9)]) {
        await writeFile(file, bytes);
        for (const given of [key, seededRandom('other')(32)])
          expect(await refusalOf(openEvaluationFile(file, { key: given }))).toBe('other-version');
        // Also one that replaces a file in use.
        expect(await refusalOf(store.keep(EPOCH, new Map([[hashFor('next'), new Uint8Array(32)]])))).toBe(
          'other-version',
        );
        expect(await readFile(file)).toEqual(bytes);
      }
      await store.close();
    }),
  );

  it('that is cut anywhere counts as empty', () =>
    inFolder(async (_, folder) => {
      const file = path.join(folder, 'evaluations');
      const element = seededRandom('element')(32);
      const store = await openEvaluationFile(file, { key });
      await store.keep(EPOCH, new Map([[EMAIL.hash, element]]));
      await store.close();
      const whole = await readFile(file);
      for (let length = 0; length < whole.length; length++) {
        await writeFile(file, whole.subarray(0, length));
        const cut = await openEvaluationFile(file, { key });
        expect(await cut.read(EPOCH, [EMAIL.hash])).toEqual([undefined]);
        await cut.close();
      }
      await writeFile(file, whole);
      expect(await (await openEvaluationFile(file, { key })).read(EPOCH, [EMAIL.hash])).toEqual([element]);
    }));

  it('that is damaged counts as empty: identifiers are evaluated again', () =>
    inFolder(async (setting, folder) => {
      const file = path.join(folder, 'evaluations');
      const open = () => openEvaluationFile(file, { key });
      const first = setting.another({ evaluations: await open() });
      const answer = await first.query([EMAIL]);
      await first.close();
      const whole = await readFile(file);
      for (const damage of [
        whole.subarray(0, 40),
        Buffer.alloc(0),
        whole.map((byte, at) => (at === 60 ? byte ^ 1 : byte)),
      ]) {
        await writeFile(file, damage);
        setting.service.seen.length = 0;
        const again = setting.another({ evaluations: await open() });
        expect(await again.query([EMAIL])).toEqual(answer);
        expect(setting.service.count(/evaluate/)).toBe(1);
        await again.close();
      }
      const last = setting.another({ evaluations: await open() });
      expect(await last.prepare([EMAIL])).toMatchObject({ evaluated: 0 });
      await last.close();
    }));
});

describe('after a restart with rows in memory', () => {
  it('a manifest that goes back is refused, if evaluations are in a file', () =>
    inFolder(async (setting, folder) => {
      const open = async () =>
        setting.another({ evaluations: await openEvaluationFile(path.join(folder, 'evaluations'), { key }) });
      const first = setting.operator.signed!;
      setting.advance(HOUR);
      setting.operator.publish();
      const newest = setting.operator.signed!;
      const client = await open();
      await client.refresh();
      await client.close();
      setting.operator.signed = first;
      expect(await refusalOf((await open()).refresh())).toBe('rollback');
      expect(await refusalOf((await open()).query([EMAIL]))).toBe('rollback');
      // A store in memory forgets.
      expect(await refusalOf(setting.another().refresh())).toBe('none');
      setting.operator.signed = newest;
      const { mtimeMs, ino } = await stat(path.join(folder, 'evaluations'));
      expect(await refusalOf((await open()).refresh())).toBe('none');
      // What is known is not written again.
      expect(await stat(path.join(folder, 'evaluations'))).toMatchObject({ mtimeMs, ino });
    }));
});

describe('a replica whose manifest could not be read once', () => {
  it.each(['query', 'refresh'] as const)('is read again by the next %s', async (call) => {
    const setting = openSetting();
    setting.operator.publish();
    const whole = createMemoryReplica();
    let fails = true;
    const replica = {
      ...whole,
      async readManifest() {
        if (fails) throw new Error('EIO');
        return whole.readManifest();
      },
    };
    const client = setting.another({ replica });
    const ask = () => (call === 'query' ? client.query([EMAIL]) : client.refresh());
    await expect(ask()).rejects.toThrow('EIO');
    await expect(ask()).rejects.toThrow('EIO');
    fails = false;
    expect(await ask()).toMatchObject({ asOf: BEGIN });
    fails = true;
    expect(await ask()).toMatchObject({ asOf: BEGIN });
  });
});

describe('a replica in a folder', () => {
  it('answers after a restart without a request, and goes on', () =>
    inFolder(async (setting, folder) => {
      const stores = async () => ({
        replica: await openFolderReplica(path.join(folder, 'replica')),
        evaluations: await openEvaluationFile(path.join(folder, 'evaluations'), { key }),
      });
      const oldest = setting.operator.signed!;
      const first = setting.another(await stores());
      const answer = await first.query([EMAIL]);
      await first.close();
      setting.service.seen.length = 0;
      const second = setting.another(await stores());
      expect(await second.query([EMAIL])).toEqual(answer);
      expect(setting.service.seen).toEqual([]);
      setting.advance(HOUR);
      setting.operator.reports.push(report(2));
      setting.operator.publish();
      expect(await second.refresh()).toMatchObject({ how: 'snapshot' });
      await second.close();

      // The manifest that was seen is kept: an older one is refused by the next process.
      const third = setting.another(await stores());
      const newest = setting.operator.signed!;
      setting.operator.signed = oldest;
      expect(await refusalOf(third.refresh())).toBe('rollback');
      setting.operator.signed = newest;
      expect(await third.query([EMAIL])).toMatchObject({ reported: 2 });
      await third.close();
    }));

  it('whose files are damaged or lost is fetched anew, and never answers from them', () =>
    inFolder(async (setting, folder) => {
      const open = async () => setting.another({ replica: await openFolderReplica(folder) });
      const first = await open();
      const answer = await first.query([EMAIL]);
      const names = (await readdir(folder)).sort();
      const part = expect.stringMatching(/^part-/);
      expect(names).toEqual(['manifest-0000000001', part]);
      for (const name of names) {
        const file = path.join(folder, name);
        const whole = await readFile(file);
        const damages: (() => Promise<void>)[] = [
          () =>
            writeFile(
              file,
              whole.map((byte, at) => (at === whole.length - 3 ? byte ^ 1 : byte)),
            ),
          () => writeFile(file, whole.subarray(0, whole.length - 5)),
          () => writeFile(file, ''),
          () => rm(file),
        ];
        for (const damage of damages) {
          await damage();
          setting.service.seen.length = 0;
          const again = await open();
          expect(await again.query([EMAIL])).toEqual(answer);
          expect(setting.service.count(/manifest/)).toBe(1);
          await again.refresh();
          expect((await readdir(folder)).sort()).toEqual(names);
        }
      }
      setting.service.seen.length = 0;
      await (await open()).refresh();
      expect(setting.service.count(/snapshot/)).toBe(0);
    }));

  it('of another operator is refused, and left as it is', () =>
    inFolder(async (setting, folder) => {
      await setting.another({ replica: await openFolderReplica(folder) }).refresh();
      const other = openSetting();
      other.operator.random(1);
      other.operator.keys = { ...other.operator.keys, operatorKey: seededRandom('other operator')(32) };
      other.operator.publish();
      const client = other.another({
        replica: await openFolderReplica(folder),
        operatorKey: other.operator.operatorKey,
      });
      await expect(client.query([EMAIL])).rejects.toThrow('another operator signed the kept rows; check operatorKey');
      expect(await refusalOf(client.refresh())).toBe('wrong-operator-key');
      expect(other.service.seen).toEqual([]);
      const first = setting.another({ replica: await openFolderReplica(folder) });
      expect(await first.query([EMAIL])).toMatchObject({ answer: 'score', reported: 1 });
    }));

  it('serves two processes at once, whichever is behind', () =>
    inFolder(async (setting, folder) => {
      const open = async () => setting.another({ replica: await openFolderReplica(folder) });
      const [left, right] = [await open(), await open()];
      for (let turn = 2; turn < 8; turn++) {
        await Promise.all(turn % 3 === 0 ? [right.refresh()] : [left.refresh(), right.refresh()]);
        setting.advance(HOUR);
        setting.operator.reports.push(report(turn));
        setting.operator.publish();
      }
      await left.refresh();
      for (const client of [left, await open()]) expect(await client.query([EMAIL])).toMatchObject({ reported: 7 });
      expect(await right.query([EMAIL])).toMatchObject({ answer: 'score' });
      expect(await readdir(folder)).toHaveLength(2);
    }));

  it('loses the drafts of crashed processes, not those of running ones', () =>
    inFolder(async (_, folder) => {
      const [old, older] = ['manifest-0000000001.0123abcd', `part-${'1'.repeat(64)}.0123abcd`];
      const young = `part-${'0'.repeat(64)}.0123abcd`;
      for (const name of [old, older, young, 'another']) await writeFile(path.join(folder, name), '');
      for (const name of [old, older]) await utimes(path.join(folder, name), 1000, 1000);
      await openFolderReplica(folder);
      expect((await readdir(folder)).sort()).toEqual(['another', young]);
    }));

  it('that cannot be one is refused', () =>
    inFolder(async (_, folder) => {
      const file = path.join(folder, 'file');
      await writeFile(file, '');
      await expect(openFolderReplica(file)).rejects.toThrow(/FolderError|not a directory|exists|EEXIST/i);
    }));
});
