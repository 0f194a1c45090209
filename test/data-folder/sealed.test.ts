import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRandom } from '../../src/core/crypto/crypto.ts';
import { askFolder } from '../../src/service/data-folder/ask-folder.ts';
import { openStore } from '../../src/service/data-folder/open-store.ts';
import { createFolderCalls } from '../../src/service/data-folder/folder-calls.ts';
import {
  changeSealedKeys,
  readSealedKeys,
  removeLeftKeys,
  sealedKeysPath,
  watchSealedKeys,
} from '../../src/service/data-folder/sealed/keys-file.ts';
import { answerLookUp, openLookUp } from '../../src/service/data-folder/sealed/look-up.ts';
import { startPublishing } from '../../src/service/data-folder/sealed/publishing.ts';
import { openKeys } from '../../src/service/data-folder/store-keys.ts';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import { retryHeaders } from '../../src/core/http/status.ts';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { parseKeys, serialiseKeys } from '../../src/sealed/key-file.ts';
import { NO_HISTORY } from '../../src/sealed/history.ts';
import { createKeys, destroyEpoch, nextEpoch, scheduleOf, toPresent, sequenceAt } from '../../src/sealed/keys.ts';
import { eventually } from '../eventually.ts';
import { useFolder } from '../folder.ts';
import { createTestEvaluator } from '../sealed/test-evaluator.ts';
import { initSealed } from './sealed-service.ts';

const root = useFolder('sealed');
const quiet = (): void => undefined;
const { access } = createTestEvaluator();
const DAY = 86_400_000;
let folders = 0;
let folder: string;
beforeEach(async () => {
  folder = join(root, `data-${folders++}`);
  await mkdir(folder);
});
afterEach(() => vi.unstubAllEnvs());

/** Opens the folder as `redflag serve` does. */
async function serve() {
  const store = await openStore(folder, 'journal', undefined, quiet);
  const keys = await openKeys(folder, store, quiet);
  const publicUrl = 'https://reports.example';
  const engine = createEngine({ store, ...keys, publicUrl });
  await engine.ready();
  return { store, engine };
}

/**
 * Makes the next reader of a file read other bytes, and the reader after it the right ones: as if another process
 * replaced and overwrote the file once it was opened. Returns a function that waits for this process.
 */
async function replaceOnceRead(path: string): Promise<() => Promise<unknown[]>> {
  await rename(path, `${path}.next`);
  execFileSync('mkfifo', ['-m', '600', path]);
  // Opens the pipe together with the reader, and only then replaces it and writes.
  const script = 'exec 3> "$1"; mv "$1.next" "$1"; printf overwritten >&3';
  const exit = once(spawn('sh', ['-c', script, 'sh', path]), 'exit');
  return () => exit;
}

const rules = {
  kinds: ['email'],
  types: ['fraud'],
  model: { name: 'link-claim/3', constants: {} },
  matchKinds: 'any' as const,
};

describe('a sealed folder', () => {
  it('starts again with its keys, and is refused without them', async () => {
    const path = await initSealed(folder);
    for (let start = 0; start < 2; start++) await (await serve()).store.close();
    await rm(path);
    const store = await openStore(folder, 'journal', undefined, quiet);
    await expect(openKeys(folder, store, quiet)).rejects.toThrow('sealed-keys is missing, but the store is sealed');
    await store.close();
  });
});

describe('the file of the sealed keys', () => {
  it('is created once, private, beside the pepper', async () => {
    const path = await initSealed(folder);
    expect(path).toBe(join(`${folder}-keys`, 'sealed-keys'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readSealedKeys(path))?.epochs).toHaveLength(1);
    await expect(initSealed(folder)).rejects.toThrow('already exists');
  });

  it.each([
    ['other users can read it', (path: string) => chmod(path, 0o640), 'run chmod 600'],
    ['it is empty', (path: string) => writeFile(path, ''), 'restore the right file'],
    [
      'it has other content',
      (path: string) => writeFile(path, '{"operatorKey":"secret-part"}'),
      'restore the right file',
    ],
  ])('is refused in one line if %s', async (_, damage, expected) => {
    const path = await initSealed(folder);
    await damage(path);
    const error: unknown = await readSealedKeys(path).catch((reason: unknown) => reason);
    expect((error as Error).message).toContain(expected);
    expect((error as Error).message).not.toMatch(/\n|secret-part/);
    expect(() => watchSealedKeys(path)()).toThrow(expected);
  });

  it('keeps all of several changes at once, and leaves no other file', async () => {
    const path = await initSealed(folder);
    const present = watchSealedKeys(path);
    const before = present();
    expect(present()).toBe(before);
    const add = () => changeSealedKeys(path, (keys) => nextEpoch(keys, Date.now(), createRandom()));
    await Promise.all([add(), add(), add()]);
    expect(present().epochs).toHaveLength(4);
    await changeSealedKeys(path, (keys) => destroyEpoch(keys, 2));
    expect(present().epochs[1]?.key).toBeNull();
    expect((await readdir(`${folder}-keys`)).filter((name) => name.startsWith('sealed-keys'))).toEqual(['sealed-keys']);
  });

  it.each([
    ['a command', readSealedKeys],
    ['a running service', (path: string) => watchSealedKeys(path)()],
  ])('is read again by %s that has opened it before another process replaced and overwrote it', async (_, read) => {
    const path = await initSealed(folder);
    const keys = await readSealedKeys(path);
    const replaced = await replaceOnceRead(path);
    expect(await read(path)).toEqual(keys);
    expect(await replaced()).toEqual([0, null]);
  });

  it('is whole in a backup that has opened it before another process replaced and overwrote it', async () => {
    vi.stubEnv('REDFLAG_SEALED_FILE', join(folder, 'sealed-keys'));
    const path = await initSealed(folder);
    const text = await readFile(path, 'utf8');
    const { store, engine } = await serve();
    const replaced = await replaceOnceRead(path);
    const backup = join(root, `backup-${folders}`);
    const place = { engine, store, folder, secret: 'a'.repeat(64), serves: true };
    await createFolderCalls(place).backUp({ path: backup, by: 'Ada' });
    expect(await replaced()).toEqual([0, null]);
    expect(await readFile(join(backup, 'sealed-keys'), 'utf8')).toBe(text);
    await engine.close();
  });

  it('survives a kill at any moment of a change: old keys are overwritten, present ones never', async () => {
    const path = await initSealed(folder);
    const text = await readFile(path, 'utf8');
    // Killed before the old file was overwritten, and before the new one took its name.
    await writeFile(`${path}.old-01234567`, text, { mode: 0o600 });
    await link(`${path}.old-01234567`, join(root, `witness-${folders}`));
    await link(path, `${path}.old-89abcdef`);
    await writeFile(`${path}.01234567`, text);
    await writeFile(`${path}.01234567.89abcdef`, 'half');
    await rm(join(root, `witness-${folders}`));
    await removeLeftKeys(path);
    expect((await readdir(`${folder}-keys`)).filter((name) => name.startsWith('sealed-keys'))).toEqual(['sealed-keys']);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('adds an epoch eight days before the end, destroys what has ended, and always has an open epoch', () => {
    const start = Date.UTC(2030, 0, 1);
    let keys = createKeys(access, start, createRandom());
    for (let day = 0; day < 100; day++) {
      const now = start + day * DAY;
      keys = toPresent(keys, now, createRandom());
      expect(toPresent(keys, now, createRandom())).toBe(keys);
      const { current, ended, next } = scheduleOf(keys.epochs, now);
      expect(current).toBeDefined();
      expect(ended).toEqual([]);
      expect(next !== undefined).toBe(now >= current!.endsAt - 8 * DAY);
    }
    const now = start + 100 * DAY;
    const { current } = scheduleOf(keys.epochs, now);
    const destroyed = destroyEpoch(keys, current!.number);
    expect(scheduleOf(toPresent(destroyed, now, createRandom()).epochs, now).current).toBeDefined();
    // Also if the next epoch was already added, and would begin later: it is replaced.
    const both = nextEpoch(keys, now, createRandom());
    const begun = toPresent(destroyEpoch(both, current!.number), now, createRandom());
    expect(scheduleOf(begun.epochs, now).current?.number).toBe(both.epochs.length + 1);
    expect(parseKeys(serialiseKeys(begun))).toEqual(begun);
  });

  it('never moves an epoch that has begun, because the clock is behind', () => {
    const start = Date.UTC(2030, 0, 1);
    const one = createKeys(access, start, createRandom());
    for (const now of [60_000, start - 31 * DAY, start - 1]) expect(toPresent(one, now, createRandom())).toBe(one);
    const two = destroyEpoch(nextEpoch(one, start, createRandom()), 1);
    const begun = { ...two, head: { sequence: sequenceAt(two.epochs[1]!.startsAt + DAY), history: NO_HISTORY } };
    for (const now of [60_000, start, two.epochs[1]!.startsAt - 1])
      expect(toPresent(begun, now, createRandom())).toBe(begun);
  });
});

describe('the sealed look-up of a data folder', () => {
  it('publishes at the start, answers, and follows the commands of the operator', async () => {
    await initSealed(folder);
    const { store, engine } = await serve();
    const reporter = unwrap(await engine.createReporter({ name: 'Shop', verified: true }));
    const { apiKey } = unwrap(await engine.issueKey({ reporterId: reporter.reporterId }));
    const hash = 'ab'.repeat(20);
    const identifiers = [{ kind: 'email', hash }];
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'Not paid.', identifiers }));
    const lookUp = (await openLookUp(folder, undefined, store))!;
    const notices: unknown[] = [];
    const beside = answerLookUp(lookUp, engine, { retryHeaders, onError: (error) => notices.push(error) });
    const handle = createFetchHandler(engine, { beside });
    const ask = (path: string) => handle(new Request(`https://reports.example/sealed/${path}`));
    expect((await ask('manifest')).status).toBe(503);
    const publishing = startPublishing({ lookUp, engine, store, rules, onNotice: (notice) => notices.push(notice) });
    await eventually(async () => expect((await ask('manifest')).status).toBe(200));
    expect(await (await ask('manifest')).json()).toMatchObject({ rows: 80, epoch: { number: 1 } });
    await publishing.stop();
    await engine.close();
    expect(notices).toEqual([]);

    const status = await askFolder(folder, (calls) => calls.sealedStatus({}));
    expect(status).toMatchObject({ epochs: [{ number: 1, state: 'current' }], published: { epoch: 1 } });
    expect(await askFolder(folder, (calls) => calls.rotateSealed({}))).toMatchObject({ number: 2 });
    await expect(askFolder(folder, (calls) => calls.destroySealed({ epoch: 9 }))).rejects.toThrow(
      'no key has the epoch 9',
    );
    // The later epoch has not begun, and would leave a time without one.
    expect(await askFolder(folder, (calls) => calls.destroySealed({ epoch: 1 }))).toMatchObject({
      alsoDestroyed: [2],
      current: { number: 3 },
    });
    expect(await askFolder(folder, (calls) => calls.sealedStatus({}))).toMatchObject({
      epochs: [{ state: 'destroyed' }, { state: 'destroyed' }, { number: 3, state: 'current' }],
      published: null,
    });
    const keys = await readSealedKeys(await sealedKeysPath(folder));
    expect(keys?.epochs[0]?.key).toBeNull();
    expect((await readdir(join(folder, 'sealed'))).filter((name) => name.includes('-'))).toEqual([]);
  });

  it('is off without keys', async () => {
    const { store, engine } = await serve();
    expect(await openLookUp(folder, undefined, store)).toBeUndefined();
    await engine.close();
    await expect(askFolder(folder, (calls) => calls.rotateSealed({}))).rejects.toThrow('run redflag sealed init');
    await expect(askFolder(folder, (calls) => calls.sealedStatus({}))).rejects.toThrow('run redflag sealed init');
  });
});
