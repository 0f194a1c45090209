import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientFolder } from '../../../src/sealed/client/client-folder.ts';
import { openClientFolder } from '../../../src/sealed/client/folder.ts';
import type { SealedClientOptions } from '../../../src/sealed/client/client-options.ts';
import { toBase64Url } from '../../../src/sealed/encoding.ts';
import { seededRandom } from '../group-samples.ts';
import { memoryFiles, randomKey } from './memory-files.ts';
import { BEGIN, hashFor, HOUR, plainReport } from './operator.ts';
import { openSetting, refusalOf, type Setting } from './service.ts';

const EMAIL = { kind: 'email', hash: hashFor('email') };
const EPOCH = toBase64Url(seededRandom('epoch')(32));
const OPERATOR = toBase64Url(seededRandom('operator')(32));
const element = seededRandom('element')(32);
const ONE = new Map([[EMAIL.hash, element]]);

let root: string;
let folder: string;
let setting: Setting;
const opened = () => openClientFolder(folder);
const inFolder = async (more: Partial<SealedClientOptions> = {}) =>
  setting.another({ folder: await opened(), ...more });
const publishMore = (id: number): void => {
  setting.advance(HOUR);
  setting.operator.reports.push(plainReport(id, [EMAIL]));
  setting.operator.publish();
};

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'redflag-sealed-'));
  folder = path.join(root, 'client');
  setting = openSetting();
  setting.operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
  setting.operator.reports = [plainReport(1, [EMAIL])];
  setting.operator.publish();
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('evaluations in a folder', () => {
  it('are sealed under a key beside it, and all files have mode 600', async () => {
    const kept = await opened();
    kept.add(EPOCH, ONE);
    await kept.save();
    expect(await readdir(folder)).toEqual(['state']);
    expect((await readdir(root)).sort()).toEqual(['client', 'client.key']);
    const bytes = await readFile(path.join(folder, 'state'));
    for (const secret of [Buffer.from(element), Buffer.from(EMAIL.hash, 'hex'), Buffer.from(EMAIL.hash)])
      expect(bytes.includes(secret.subarray(0, 8))).toBe(false);
    for (const file of ['client/state', 'client.key'])
      expect((await stat(path.join(root, file))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await (await opened()).read(EPOCH, [EMAIL.hash, hashFor('other')])).toEqual(ONE);
    expect((await (await opened()).read(OPERATOR, [EMAIL.hash])).size).toBe(0);
  });

  it('of another key, cut or changed anywhere, are refused and left as they are', async () => {
    const kept = await opened();
    kept.add(EPOCH, ONE);
    await kept.save();
    const file = path.join(folder, 'state');
    const whole = await readFile(file);
    const damages = [
      ...[0, 1, 11, 12, 13, 28, 60, whole.length - 1].map((length) => whole.subarray(0, length)),
      ...[0, 11, 12, 60, whole.length - 1].map((at) => whole.map((byte, one) => (one === at ? byte ^ 1 : byte))),
    ];
    for (const damage of damages) {
      await writeFile(file, damage);
      const damaged = await opened();
      expect(await refusalOf(damaged.read(EPOCH, [EMAIL.hash]))).toBe('unreadable-state');
      damaged.add(EPOCH, ONE);
      expect(await refusalOf(damaged.save())).toBe('unreadable-state');
      expect(await refusalOf(setting.another({ folder: damaged }).query([EMAIL]))).toBe('unreadable-state');
      expect(await readFile(file)).toEqual(Buffer.from(damage));
    }
    await writeFile(file, whole);
    const keyFile = path.join(root, 'other');
    await writeFile(keyFile, 'ab'.repeat(32));
    const other = await openClientFolder(folder, { keyFile });
    expect(await refusalOf(other.state(OPERATOR))).toBe('unreadable-state');
    await writeFile(keyFile, 'ab'.repeat(31));
    await expect(openClientFolder(folder, { keyFile })).rejects.toThrow('"keyFile" expected a file with 64 hex');
    // A lost key is not replaced: the state would be lost, too.
    await rm(path.join(root, 'client.key'));
    await expect(opened()).rejects.toThrow('"keyFile" expected a file with 64 hex');
  });

  it('are written over nothing that another process writes at the same time', async () => {
    const { files, control } = memoryFiles();
    const key = randomKey();
    const other = new ClientFolder(files, key);
    let races = 3;
    const raced = new ClientFolder(
      {
        ...files,
        async write(...[name, bytes, isCurrent]) {
          if (races-- > 0) {
            other.add(EPOCH, new Map([[hashFor(`race ${races}`), element]]));
            await other.save();
          }
          return files.write(name, bytes, isCurrent);
        },
      },
      key,
    );
    raced.add(EPOCH, ONE);
    await raced.save();
    const hashes = [EMAIL.hash, ...[0, 1, 2].map((at) => hashFor(`race ${at}`))];
    expect((await new ClientFolder(files, key).read(EPOCH, hashes)).size).toBe(4);
    expect(control.writes).toBe(4);
  });

  it('that could not be written are written by the next call', async () => {
    const { files, control } = memoryFiles();
    const key = randomKey();
    const client = setting.another({ folder: new ClientFolder(files, key) });
    await client.refresh();
    control.isFull = true;
    await expect(client.prepare([EMAIL])).rejects.toThrow('the disk is full');
    control.isFull = false;
    expect(await client.prepare([EMAIL])).toMatchObject({ evaluated: 0 });
    await client.close();
    const again = setting.another({ folder: new ClientFolder(files, key) });
    expect(await again.prepare([EMAIL])).toMatchObject({ evaluated: 0 });
  });

  it('are written once for many, and what came before an error is kept', async () => {
    const { files, control } = memoryFiles();
    const key = randomKey();
    const client = setting.another({ folder: new ClientFolder(files, key) });
    await client.refresh();
    const { writes } = control;
    const hashes = Array.from({ length: 100 }, (_, at) => hashFor(`many ${at}`));
    let requests = 0;
    setting.service.before = (asked) =>
      asked === 'evaluate' && ++requests === 4 ? new Response('', { status: 400 }) : undefined;
    expect(await refusalOf(client.prepare(hashes))).toBe('invalid-request');
    expect(control.writes).toBe(writes + 1);
    const again = setting.another({ folder: new ClientFolder(files, key) });
    expect(await again.prepare(hashes)).toMatchObject({ evaluated: 4 });
  });
});

describe('a client in a folder', () => {
  it('answers after a restart without a request, and goes on', async () => {
    const oldest = setting.operator.signed!;
    const first = await inFolder();
    const answer = await first.query([EMAIL]);
    await first.close();
    setting.service.seen.length = 0;
    const second = await inFolder();
    expect(await second.query([EMAIL])).toEqual(answer);
    expect(setting.service.seen).toEqual([]);
    publishMore(2);
    expect(await second.refresh()).toMatchObject({ how: 'snapshot' });
    await second.close();
    // The manifest that was seen is kept: an older one is refused by the next process.
    const third = await inFolder();
    const newest = setting.operator.signed!;
    setting.operator.signed = oldest;
    expect(await refusalOf(third.refresh())).toBe('rollback');
    setting.operator.signed = newest;
    const file = path.join(folder, 'state');
    const { mtimeMs, ino } = await stat(file);
    expect(await third.refresh()).toMatchObject({ how: 'unchanged' });
    expect(await third.query([EMAIL])).toMatchObject({ reported: 2 });
    // What is known is not written again.
    expect(await stat(file)).toMatchObject({ mtimeMs, ino });
  });

  it('whose rows are damaged or lost fetches them anew, and never answers from them', async () => {
    const answer = await (await inFolder()).query([EMAIL]);
    const names = (await readdir(folder)).sort();
    expect(names).toEqual([expect.stringMatching(/^rows-[0-9a-f]{64}$/), 'state']);
    const file = path.join(folder, names[0]!);
    const whole = await readFile(file);
    const flipped = whole.map((byte, at) => (at === whole.length - 3 ? byte ^ 1 : byte));
    for (const damage of [flipped, whole.subarray(0, whole.length - 5), Buffer.alloc(0), undefined]) {
      await (damage === undefined ? rm(file) : writeFile(file, damage));
      setting.service.seen.length = 0;
      const again = await inFolder();
      expect(await again.query([EMAIL])).toEqual(answer);
      expect(setting.service.seen.map(({ path: asked }) => asked)).toEqual(['manifest', '1/1/snapshot']);
      expect((await readdir(folder)).sort()).toEqual(names);
      expect(await readFile(file)).toEqual(whole);
    }
  });

  it('of another operator is refused, and left as it is', async () => {
    await (await inFolder()).refresh();
    const other = openSetting();
    other.operator.keys = { ...other.operator.keys, operatorKey: seededRandom('other operator')(32) };
    other.operator.publish();
    const client = other.another({ folder: await opened(), operatorKey: other.operator.operatorKey });
    await expect(client.query([EMAIL])).rejects.toThrow('belongs to another operator');
    expect(await refusalOf(client.refresh())).toBe('other-folder');
    expect(other.service.seen).toEqual([]);
    expect(await (await inFolder()).query([EMAIL])).toMatchObject({ answer: 'score', reported: 1 });
  });

  it('serves two processes at once, whichever is behind', async () => {
    const [left, right] = [await inFolder(), await inFolder()];
    for (let turn = 2; turn < 8; turn++) {
      await Promise.all(turn % 3 === 0 ? [right.refresh()] : [left.refresh(), right.refresh()]);
      publishMore(turn);
    }
    await left.refresh();
    // The other process uses the rows that are there.
    const before = setting.service.count(/snapshot/);
    expect(await right.refresh()).toMatchObject({ how: 'unchanged' });
    expect(setting.service.count(/snapshot/)).toBe(before);
    for (const client of [left, right, await inFolder()])
      expect(await client.query([EMAIL])).toMatchObject({ reported: 7 });
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('that is killed between rows and state answers from the older rows', async () => {
    const { files, contents } = memoryFiles();
    const key = randomKey();
    const open = (given = files) => setting.another({ folder: new ClientFolder(given, key) });
    await open().query([EMAIL]);
    publishMore(2);
    const killed = {
      ...files,
      async write(...[name, bytes, isCurrent]: Parameters<typeof files.write>) {
        const known = contents.has(name) ? new TextDecoder().decode(bytes) : undefined;
        if (name === 'state' && known !== undefined && contents.size > 2) throw new Error('killed');
        return files.write(name, bytes, isCurrent);
      },
    };
    await expect(open(killed).refresh()).rejects.toThrow('killed');
    expect(contents.size).toBe(3);
    expect(await open().query([EMAIL])).toMatchObject({ reported: 1 });
    expect(await open().refresh()).toMatchObject({ how: 'unchanged' });
    expect(await open().query([EMAIL])).toMatchObject({ reported: 2 });
    expect(contents.size).toBe(2);
  });

  it.each(['query', 'refresh'] as const)('whose folder could not be read once is read again by %s', async (call) => {
    const { files } = memoryFiles();
    let fails = true;
    const folderThatFails = new ClientFolder(
      {
        ...files,
        async version(name) {
          if (fails) throw new Error('EIO');
          return files.version(name);
        },
      },
      randomKey(),
    );
    const client = setting.another({ folder: folderThatFails });
    const ask = () => (call === 'query' ? client.query([EMAIL]) : client.refresh());
    await expect(ask()).rejects.toThrow('EIO');
    await expect(ask()).rejects.toThrow('EIO');
    fails = false;
    expect(await ask()).toMatchObject({ asOf: BEGIN });
  });

  it('loses the drafts of crashed processes, not those of running ones', async () => {
    await opened();
    const [old, older] = ['state.0123abcd', `rows-${'1'.repeat(64)}.0123abcd`];
    const young = `rows-${'0'.repeat(64)}.0123abcd`;
    for (const name of [old, older, young, 'another']) await writeFile(path.join(folder, name), '');
    for (const name of [old, older]) await utimes(path.join(folder, name), 1000, 1000);
    await opened();
    expect((await readdir(folder)).sort()).toEqual(['another', young]);
    const client = await inFolder();
    await client.refresh();
    expect(await readdir(folder)).toContain(young);
  });

  it('cannot be a file', async () => {
    await writeFile(folder, '');
    await expect(opened()).rejects.toThrow(/FolderError|not a directory|exists|EEXIST/i);
  });
});
