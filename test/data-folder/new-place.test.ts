import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notePlace } from '../../src/service/data-folder/new-place.ts';
import { openStore } from '../../src/service/data-folder/open-store.ts';
import { reporter } from '../contract/stored.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-place-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe.each([
  ['journal', 'redflag.journal'],
  ['sqlite', 'redflag.sqlite'],
] as const)('a place for a %s', (kind, file) => {
  it('that is new is removed with its folders and all that was written', async () => {
    const folder = join(root, kind, 'deep', 'in');
    const place = await notePlace(folder, kind);
    const store = await openStore(folder, kind);
    await writeFile(join(folder, 'secret'), 'x');
    place.wrote(join(folder, 'secret'));
    expect(await readdir(folder)).toContain(file);
    await place.leave(store);
    expect(await readdir(root)).not.toContain(kind);
  });

  it('in a folder that exists is removed alone', async () => {
    const folder = join(root, `${kind}-with-note`);
    await mkdir(folder);
    await writeFile(join(folder, 'note'), 'an operator’s');
    const place = await notePlace(folder, kind);
    await place.leave(await openStore(folder, kind));
    expect(await readdir(folder)).toEqual(['note']);
  });

  it('that exists keeps its rows', async () => {
    const folder = join(root, `${kind}-with-rows`);
    const first = await openStore(folder, kind);
    await first.addReporter(reporter(1));
    await first.close();
    const place = await notePlace(folder, kind);
    await place.leave(await openStore(folder, kind));
    const again = await openStore(folder, kind);
    expect(await again.listReporters()).toHaveLength(1);
    await again.close();
  });

  it('that other code opened and closed is removed only without rows', async () => {
    for (const rows of [0, 1]) {
      const folder = join(root, `${kind}-closed-${rows}`);
      const place = await notePlace(folder, kind);
      const store = await openStore(folder, kind);
      if (rows > 0) await store.addReporter(reporter(1));
      await store.close();
      await place.leaveEmpty();
      expect((await readdir(root)).includes(`${kind}-closed-${rows}`)).toBe(rows > 0);
    }
  });
});
