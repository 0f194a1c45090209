import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkFolder, importInto } from '../../src/service/data-folder/whole-folder.ts';
import { askFolder } from '../../src/service/data-folder/ask-folder.ts';
import { copyStore } from '../../src/service/data-folder/copy-store.ts';
import { openAny } from '../../src/service/data-folder/open-any.ts';
import { createProgramEngine } from '../../src/service/data-folder/program-engine.ts';
import { openStore } from '../../src/service/data-folder/open-store.ts';
import { unwrap } from '../../src/index.ts';
import { useFolder } from '../folder.ts';

// A copy that is killed before its first row leaves an empty store, perhaps with its keys. Looking at it changes
// nothing that the same copy needs.
const SECRET = '5'.repeat(64);
const PEPPER = '7'.repeat(64);
const root = useFolder('cut');
const exported = join(root, 'all.ndjson');
const source = join(root, 'source');

async function writeKeys(folder: string): Promise<void> {
  await mkdir(`${folder}-keys`, { recursive: true });
  await writeFile(join(`${folder}-keys`, 'secret'), `${SECRET}\n`);
  await writeFile(join(`${folder}-keys`, 'pepper'), `${PEPPER}\n`);
}

beforeAll(async () => {
  await writeKeys(source);
  const store = await openStore(source, 'journal');
  const engine = createProgramEngine({ store, secret: SECRET, peppers: [PEPPER], publicUrl: 'http://localhost' });
  const { apiKey } = unwrap(await engine.issueKey(unwrap(await engine.createReporter({ name: 'Shop' }))));
  const identifiers = [{ kind: 'email', hash: 'a1'.repeat(20) }];
  unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A text', identifiers }));
  await engine.close();
  await store.close();
  await askFolder(source, (calls) => calls.exportData({ path: exported, by: 'Ada' }));
});

describe.each(['journal', 'sqlite'] as const)('an empty %s that a killed copy leaves', (kind) => {
  const addressOf = (folder: string): string => (kind === 'sqlite' ? `sqlite:${folder}` : folder);

  it.each(['check', 'list'] as const)('has no keys after %s, and the copy goes on', async (look) => {
    const folder = join(root, `${kind}-${look}-none`);
    await (await openAny(addressOf(folder), { create: true, data: folder })).close();
    const looked = look === 'check' ? checkFolder(folder) : askFolder(folder, (calls) => calls.listReporters());
    await expect(looked).rejects.toThrow(/has no secret and no data/);
    expect(existsSync(`${folder}-keys`)).toBe(false);
    expect((await copyStore(source, addressOf(folder), folder, 'Ada')).added).toBeGreaterThan(0);
    expect(await checkFolder(folder)).toEqual([]);
  });

  it.each(['migrate', 'import'] as const)('with its keys is checked, and %s goes on', async (command) => {
    const folder = join(root, `${kind}-${command}-keys`);
    await writeKeys(folder);
    await (await openAny(addressOf(folder), { create: true, data: folder })).close();
    expect(await checkFolder(folder)).toEqual([]);
    const { added } = await (command === 'migrate'
      ? copyStore(source, addressOf(folder), folder, 'Ada')
      : importInto(folder, exported, 'Ada'));
    expect(added).toBeGreaterThan(0);
    expect(await checkFolder(folder)).toEqual([]);
  });
});
