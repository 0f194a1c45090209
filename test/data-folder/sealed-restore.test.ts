import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { askFolder } from '../../src/service/data-folder/ask-folder.ts';
import { copyStore } from '../../src/service/data-folder/copy-store.ts';
import { readSealedKeys } from '../../src/service/data-folder/sealed/keys-file.ts';
import { sequenceAt } from '../../src/sealed/keys.ts';
import { backUpFolder, checkFolder, importInto } from '../../src/service/data-folder/whole-folder.ts';
import { unwrap } from '../../src/index.ts';
import { ClientFolder } from '../../src/sealed/client/client-folder.ts';
import { useFolder } from '../folder.ts';
import { readPads } from './pads.ts';
import { identifiersOf, initSealed, type OpenedService, openService } from './sealed-service.ts';
import { createVirtualTime } from './virtual-time.ts';

const root = useFolder('sealed-restore');
const MINUTE = 60_000;
const KEYS = ['secret', 'pepper', 'sealed-keys'];
afterEach(() => vi.useRealTimers());

const report = async ({ engine, apiKey }: OpenedService & { readonly apiKey: string }, person: number, n = 0) =>
  unwrap(
    await engine.report({
      apiKey,
      type: 'fraud',
      severity: 5,
      text: `Text ${person} ${n}.`,
      identifiers: identifiersOf(person),
    }),
  );

/** A sealed folder with a report about the person 1. No process has it open. */
async function createSealedFolder(name: string): Promise<{ folder: string; apiKey: string }> {
  const folder = join(root, name);
  await initSealed(folder);
  const service = await openService(folder, undefined);
  await report(service, 1);
  await service.stop();
  return { folder, apiKey: service.apiKey };
}

const copyKeys = async (from: string, to: string, names = KEYS): Promise<void> => {
  await mkdir(`${to}-keys`, { recursive: true, mode: 0o700 });
  for (const name of names) await cp(join(`${from}-keys`, name), join(`${to}-keys`, name));
};

describe('a sealed folder that is restored from a backup', () => {
  it('uses no pad again, and its clients refuse it until they are told', async () => {
    // Only the date, which goes on: the minutes between publications pass at once.
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
    const start = Math.ceil(Date.now() / MINUTE) * MINUTE;
    vi.setSystemTime(start);
    const folder = join(root, 'lost');
    await initSealed(folder);
    const pads = new Map<string, string>();
    let service = await openService(folder, undefined);
    const { apiKey } = service;
    for (const person of [1, 2, 3]) await report(service, person);
    const kept = { folder: new ClientFolder() };
    await service.publish();
    const backup = join(root, 'restored');
    const { notIncluded } = await service.calls.backUp({ path: backup, by: 'Ada' });
    expect(notIncluded.map((path) => path.split('/').at(-1))).toEqual(KEYS);
    await copyKeys(folder, backup);
    // Other reports follow, which the backup lacks.
    for (const person of [1, 2, 4]) await report(service, person, 1);
    await service.stop();
    vi.setSystemTime(start + 5 * MINUTE);
    service = await openService(folder, apiKey);
    await service.publish();
    const client = service.client(kept);
    const { sequence } = await client.refresh();
    expect(await client.query(identifiersOf(4))).toMatchObject({ reported: 1 });
    await service.stop();
    expect(await readPads(folder, pads)).toBeDefined();

    vi.setSystemTime(start + 6 * MINUTE);
    service = await openService(backup, apiKey);
    for (const person of [2, 5]) await report(service, person, 2);
    await service.publish();
    await expect(service.client(kept).refresh()).rejects.toMatchObject({ code: 'fork' });
    const { link } = await service.client().refresh();
    await service.client({ ...kept, acceptLink: link }).refresh();
    const later = service.client(kept);
    const refreshed = await later.refresh();
    expect(refreshed).toMatchObject({ link, how: 'unchanged' });
    expect(refreshed.sequence).toBeGreaterThan(sequence);
    for (const [at, reported] of [1, 2, 1, 0, 1].entries())
      expect(await later.query(identifiersOf(at + 1))).toMatchObject({ answer: 'score', reported });
    expect(await readPads(backup, pads)).toBeDefined();
    await service.stop();
    expect(service.notices).toEqual([]);
  });

  it('publishes once a minute at most: no sequence is ahead of the clock', async () => {
    const { folder, apiKey } = await createSealedFolder('often');
    const used = () => readPads(folder, new Map());
    let time = createVirtualTime(Math.ceil(Date.now() / MINUTE + 1) * MINUTE);
    const first = sequenceAt(time.clock());
    for (let start = 0; start < 3; start++) {
      const service = await openService(folder, apiKey);
      await service.publishBy(time);
      await time.untilPaused();
      // A start within a minute that has a publication, half a second before the next one, waits for that.
      expect(await used()).toBe(first + Math.max(0, start - 1));
      await time.advance(start === 0 ? MINUTE - 500 : 500);
      expect(await used()).toBe(first + start);
      await service.stop();
      expect(service.notices).toEqual([]);
      time = createVirtualTime(time.clock() + (start === 0 ? 0 : MINUTE - 500));
    }
  });
});

describe('sealed keys that do not fit the store', () => {
  it('are named by redflag check and by each start, and nothing is changed', async () => {
    const { folder, apiKey } = await createSealedFolder('unfit');
    expect(await checkFolder(folder)).toEqual([]);
    const backup = join(root, 'unfit-backup');
    await backUpFolder(folder, backup, 'Ada');
    await copyKeys(folder, backup, ['secret', 'pepper']);
    const missing = /unfit-backup-keys\/sealed-keys is missing, but the store is sealed.*restore the file/;
    await expect(checkFolder(backup)).rejects.toThrow(missing);
    await expect(openService(backup, apiKey)).rejects.toThrow(missing);
    // Those of another folder.
    const other = await createSealedFolder('unfit-other');
    await copyKeys(other.folder, backup, ['sealed-keys']);
    const wrong = /sealed-keys has another sealing key \(fingerprint [0-9a-f]{16}\) than the store uses/;
    await expect(checkFolder(backup)).rejects.toThrow(wrong);
    await expect(openService(backup, apiKey)).rejects.toThrow(wrong);
  });

  it('are refused by an import, and come along with a migration', async () => {
    const { folder } = await createSealedFolder('source');
    const file = join(root, 'export.jsonl');
    await askFolder(folder, (calls) => calls.exportData({ path: file, by: 'Ada' }));
    const target = join(root, 'target');
    await copyKeys(folder, target, ['secret', 'pepper']);
    await expect(importInto(target, file, 'Ada')).rejects.toThrow(
      /sealing keys of source \(fingerprint [0-9a-f]{16}\) and target \(none\) differ/,
    );
    const other = await createSealedFolder('source-other');
    await copyKeys(other.folder, target, ['sealed-keys']);
    await expect(importInto(target, file, 'Ada')).rejects.toThrow('sealing keys of source');
    await copyKeys(folder, target, ['sealed-keys']);
    expect(await importInto(target, file, 'Ada')).toMatchObject({ added: expect.any(Number) as number });
    expect(await checkFolder(target)).toEqual([]);

    const moved = join(root, 'moved');
    await copyStore(folder, `sqlite:${moved}`, moved, 'Ada');
    const path = join(`${moved}-keys`, 'sealed-keys');
    expect(await readSealedKeys(path)).toEqual(await readSealedKeys(join(`${folder}-keys`, 'sealed-keys')));
    expect(await checkFolder(moved)).toEqual([]);
    // A target with another sealing key is refused, and the keys stay as they were.
    const taken = join(root, 'taken');
    await copyKeys(other.folder, taken, ['sealed-keys']);
    await expect(copyStore(folder, `sqlite:${taken}`, taken, 'Ada')).rejects.toThrow('sealing keys of source');
    expect(await readdir(`${taken}-keys`)).toContain('sealed-keys');
    await rm(path);
    await expect(copyStore(`sqlite:${moved}`, join(root, 'again'), moved, 'Ada')).rejects.toThrow(
      'is missing, but the store is sealed',
    );
  });
});
