import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/service/data-folder/open-store.ts';
import { askFolder } from '../../src/service/data-folder/ask-folder.ts';
import { backUpFolder, checkFolder } from '../../src/service/data-folder/whole-folder.ts';
import { addOrphans, report, reporter } from '../contract/stored.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-whole-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe.each([
  ['journal', 'redflag.journal'],
  ['sqlite', 'redflag.sqlite'],
] as const)('a data folder with a %s that no service has open', (kind, name) => {
  const folder = (): string => join(root, kind);
  beforeAll(async () => {
    const store = await openStore(folder(), kind);
    await store.addReporter(reporter(1));
    await store.addReport(report(1), 0);
    await store.close();
    await writeFile(join(folder(), 'secret'), '5'.repeat(64));
    await writeFile(join(folder(), 'pepper'), `${'7'.repeat(64)}\n`);
  });

  it('is checked', async () => {
    expect(await checkFolder(folder())).toEqual([]);
  });

  it('is copied with its keys', async () => {
    const copy = join(root, `${kind}-copy`);
    const { bytes, head } = await backUpFolder(folder(), copy, 'Ada');
    expect((await readdir(copy)).sort()).toEqual(['pepper', name, 'secret']);
    expect((await stat(join(copy, name))).size).toBe(bytes);
    for (const key of ['secret', 'pepper'])
      expect((await readFile(join(copy, key), 'utf8')).trim()).toBe(
        (await readFile(join(folder(), key), 'utf8')).trim(),
      );
    const store = await openStore(copy, kind);
    expect((await store.listReporters()).map(({ name: own }) => own)).toEqual([reporter(1).name]);
    await store.close();
    for (const one of [folder(), copy])
      expect(await askFolder(one, (calls) => calls.verifyAudit({ head: head! }))).toMatchObject({
        head,
        hasHead: true,
      });
  });

  it('has its problems counted', async () => {
    const store = await openStore(folder(), kind);
    await addOrphans(store);
    await store.close();
    expect(await checkFolder(folder())).toContainEqual({ problem: 'identifiers whose report is missing', count: 2 });
  });
});
