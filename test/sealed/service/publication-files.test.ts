import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPublicationReader, openPublicationFiles } from '../../../src/sealed/service/publications.ts';
import { useFolder } from '../../folder.ts';
import { createWorld, DAY, HOUR, NO_HEADS } from './publishing.ts';
import type { Head } from '../../../src/sealed/history.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { ROW_BYTES } from '../../../src/sealed/rows.ts';
import { nextEpoch } from '../../../src/sealed/keys.ts';

const root = useFolder('publications');
let folders = 0;

async function openWorld() {
  const folder = join(root, String(folders++));
  const store = await openPublicationFiles(folder, NO_HEADS);
  const world = createWorld(store, folder);
  world.reports.push({ id: 1, reporter: 0, persons: [1, 2], disputeOpen: false });
  return { folder, store, world, publisher: world.start() };
}

describe('the folder of publications', () => {
  it('keeps what was published, and continues after a restart', async () => {
    const { folder, world, publisher } = await openWorld();
    const first = await publisher.publish();
    world.reports.push({ id: 2, reporter: 1, persons: [3], disputeOpen: false });
    const second = await createWorld(await openPublicationFiles(folder, NO_HEADS), folder)
      .start()
      .publish();
    expect(second.sequence).toBe(first.sequence + 1);
    const names = (await readdir(join(folder, `1-${second.sequence}`))).sort();
    expect(names).toEqual(['manifest', 'signature', 'snapshot']);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('takes no publication after another process has published', async () => {
    const { folder, store, world } = await openWorld();
    const other = createWorld(await openPublicationFiles(folder, NO_HEADS), folder);
    let published: string[] = [];
    const late = createWorld(
      {
        ...store,
        async add(...added) {
          await other.start().publish();
          published = await readdir(folder);
          return store.add(...added);
        },
      },
      folder,
    );
    await expect(late.start().publish()).rejects.toThrow('another process has published meanwhile');
    expect(await readdir(folder)).toEqual(published);
    const { sequence } = await world.start().publish();
    expect((await readdir(folder)).sort()).toEqual([...published, `1-${sequence}`].sort());
  });

  it('keeps the head before a publication is visible, and continues the later one of both', async () => {
    const folder = join(root, String(folders++));
    let head: Head | undefined;
    let fails = false;
    const heads = {
      read: () => head,
      async keep(next: Head) {
        expect(await readdir(folder)).not.toContain(`1-${next.sequence}`);
        if (fails) throw new Error('the disk is full');
        head = next;
      },
    };
    const world = createWorld(await openPublicationFiles(folder, heads), folder);
    const publisher = world.start();
    const historyOf = async (sequence: number) =>
      parseManifest(await readFile(join(folder, `1-${sequence}`, 'manifest')))!.history;
    const first = await publisher.publish();
    const older = head!;
    expect(older.sequence).toBe(first.sequence);
    fails = true;
    await expect(publisher.publish()).rejects.toThrow('the disk is full');
    expect(await readdir(folder)).toEqual([`1-${first.sequence}`]);
    fails = false;
    const second = await publisher.publish();
    expect(await historyOf(second.sequence)).toEqual(older.history);
    // Lost publications, and then keys of an older copy.
    await rm(folder, { recursive: true });
    await openPublicationFiles(folder, NO_HEADS);
    const third = await publisher.publish();
    expect(await historyOf(third.sequence)).toMatchObject({ manifests: { length: 2 } });
    head = older;
    const fourth = await publisher.publish();
    expect(fourth.sequence).toBe(third.sequence + 1);
    expect(await historyOf(fourth.sequence)).toMatchObject({ manifests: { length: 3 } });
  });

  it('is read by another process, whole', async () => {
    const { folder, world, publisher } = await openWorld();
    let now = 0;
    const reader = createPublicationReader(folder, () => now);
    expect(await reader.newest()).toBeUndefined();
    const { sequence } = await publisher.publish();
    expect(await reader.newest()).toBeUndefined();
    now += 1000;
    expect(await reader.newest()).toMatchObject({ epoch: 1, sequence });
    expect(await reader.lengthOf(1, sequence)).toBe(80 * ROW_BYTES);
    const whole = await reader.read(1, sequence);
    expect(whole).toHaveLength(80 * ROW_BYTES);
    world.now += HOUR;
    const second = await publisher.publish();
    now += 1000;
    expect(await reader.newest()).toMatchObject({ sequence: second.sequence });
    expect(await reader.read(1, sequence)).toEqual(whole);
    for (const [epoch, sequence] of [
      [1, 7],
      [2, 1],
    ] as const) {
      expect(await reader.lengthOf(epoch, sequence)).toBeUndefined();
      expect(await reader.read(epoch, sequence)).toBeUndefined();
    }
  });

  it('has one copy of a snapshot in memory for all downloads, also of an older one', async () => {
    const folder = join(root, String(folders++));
    const bytes = 3_000_000;
    for (const sequence of [1, 2, 3, 4]) {
      await mkdir(join(folder, `1-${sequence}`), { recursive: true });
      for (const name of ['manifest', 'signature', 'snapshot'])
        await writeFile(join(folder, `1-${sequence}`, name), new Uint8Array(bytes).fill(sequence));
    }
    const reader = createPublicationReader(folder, () => 0);
    await reader.newest();
    for (const sequence of [4, 3, 2, 1, 3]) {
      const copies = await Promise.all([0, 1].map(() => reader.read(1, sequence)));
      expect(new Set(copies.map((copy) => copy!.buffer)).size).toBe(1);
      expect(copies.map((copy) => [copy!.length, copy![0]])).toEqual([
        [bytes, sequence],
        [bytes, sequence],
      ]);
    }
    await rm(join(folder, '1-1'), { recursive: true });
    expect(await reader.lengthOf(1, 1)).toBeUndefined();
  });

  it('removes what a killed process left, and old publications and epochs', async () => {
    const { folder, world, publisher } = await openWorld();
    await publisher.publish();
    await mkdir(join(folder, 'draft-0123456789abcdef'));
    await writeFile(join(folder, 'draft-0123456789abcdef', 'snapshot'), 'half');
    await openPublicationFiles(folder, NO_HEADS);
    expect(await readdir(folder)).toHaveLength(1);
    world.now += HOUR;
    await publisher.publish();
    world.now += HOUR;
    const last = await publisher.publish();
    expect((await readdir(folder)).sort()).toHaveLength(2);
    const { endsAt } = world.keys.epochs[0]!;
    world.keys = nextEpoch(world.keys, endsAt - DAY, world.random);
    world.now = endsAt;
    const next = await publisher.publish();
    expect((await readdir(folder)).sort()).toEqual([`2-${next.sequence}`]);
    expect(next.sequence).toBeGreaterThan(last.sequence);
  });
});
