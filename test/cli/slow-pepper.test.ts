import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pepperFingerprint } from '../../src/index.ts';
import { askFolder } from '../../src/service/data-folder/ask-folder.ts';
import type { FolderCalls } from '../../src/service/data-folder/folder-calls.ts';
import { JOURNAL_NAME } from '../../src/stores/journal/file.ts';
import { keyFile } from './key-files.ts';
import { SLOW_WAYS, EMAIL, openOperatorFolder, verdictOf, type OperatorFolder } from './operator-folder.ts';
import { startService } from './service.ts';

describe.each(SLOW_WAYS)('redflag pepper, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  const query = async () => verdictOf((await open.ask({ _action: 'query', email: EMAIL })).body);
  const holds = async (): Promise<boolean> => {
    const names = (await readdir(open.folder)).filter(
      (name) => name.startsWith('redflag.') && !/\.(holder|lock)$/.test(name),
    );
    const files = await Promise.all(names.map((name) => readFile(join(open.folder, name))));
    return files.some((bytes) => bytes.includes(EMAIL) || bytes.includes(Buffer.from(EMAIL, 'hex')));
  };
  beforeAll(async () => {
    open = await openOperatorFolder(serving, kind);
    await open.report();
  });
  afterAll(() => open.close());

  it('stores nothing as it was sent, and puts another pepper on top without losing anything', async () => {
    const file = keyFile(open.folder, 'pepper');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await query();
    expect(before.reported).toBe(1);
    expect(await holds()).toBe(false);
    const status = JSON.parse((await open.run('pepper', 'status', '--json')).out) as { fingerprints: string[] };
    expect(status).toEqual({
      generation: 1,
      fingerprints: [expect.stringMatching(/^[0-9a-f]{16}$/)],
      moving: false,
      spare: 0,
    });
    const rotated = await open.run('pepper', 'rotate');
    expect(rotated).toEqual({
      code: 0,
      out: expect.stringMatching(/^Rotated to the pepper [0-9a-f]{16}; identifiers moved to this pepper: 1\.\n$/),
      err: '',
    });
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
    expect((await open.run('pepper', 'status')).out).toMatch(
      new RegExp(`^1  ${status.fingerprints[0]}\n2  [0-9a-f]{16}\n$`),
    );
    expect(await query()).toEqual(before);
  });

  it('loses no pepper if two commands rotate at once', async () => {
    const before = await query();
    const rotate = (calls: Pick<FolderCalls, 'rotatePepperFile'>) => calls.rotatePepperFile({ by: 'test' });
    // Without a service, the second command would wait for the folder.
    if (serving) await Promise.all([askFolder(open.folder, rotate), askFolder(open.folder, rotate)]);
    else await askFolder(open.folder, async (calls) => Promise.all([rotate(calls), rotate(calls)]));
    const { fingerprints } = JSON.parse((await open.run('pepper', 'status', '--json')).out) as {
      fingerprints: string[];
    };
    const peppers = (await readFile(keyFile(open.folder, 'pepper'), 'utf8')).trim().split('\n');
    expect(peppers.map((pepper) => pepperFingerprint(pepper))).toEqual(fingerprints);
    expect(await query()).toEqual(before);
  });
});

describe('a data folder', () => {
  it('whose peppers are missing or wrong is not served, and not changed', async () => {
    const open = await openOperatorFolder(false);
    const file = keyFile(open.folder, 'pepper');
    await open.report();
    const peppers = await readFile(file, 'utf8');
    const journal = await readFile(join(open.folder, JOURNAL_NAME));
    const refused = async (words: RegExp) => {
      const started = await open.run('serve', '--port', '0');
      expect(started).toMatchObject({ code: 1, out: '' });
      expect(started.err).toMatch(words);
      expect((await readFile(join(open.folder, JOURNAL_NAME))).equals(journal)).toBe(true);
    };
    await rm(file);
    await refused(/pepper is missing, but the store uses its peppers/);
    await expect(stat(file)).rejects.toThrow('ENOENT');
    expect((await open.run('explain', `email=${EMAIL}`)).err).toMatch(
      /pepper is missing, but the store uses its peppers/,
    );
    await writeFile(file, `${'ab'.repeat(32)}\n`);
    await refused(/pepper 1 has the fingerprint [0-9a-f]{16}, but the store expects [0-9a-f]{16}; give/);
    await writeFile(file, 'nonsense\n');
    await refused(/is not a list of peppers/);
    await writeFile(file, peppers);
    expect(verdictOf((await open.ask({ _action: 'query', email: EMAIL })).body).reported).toBe(1);
    await open.close();
  });

  it('of before there were peppers is put under one when it is served', async () => {
    const open = await openOperatorFolder(false);
    const file = join(open.folder, 'pepper');
    // As an older version left it: no pepper in the store, no file.
    const { createEngine } = await import('../../src/index.ts');
    const { openFolderStore } = await import('../../src/stores/sqljs/folder-store.ts');
    for (const made of [open.folder, `${open.folder}-keys`]) await rm(made, { recursive: true });
    const store = await openFolderStore(open.folder);
    const secret = 'cd'.repeat(32);
    await writeFile(join(open.folder, 'secret'), `${secret}\n`);
    const engine = createEngine({ store, secret, publicUrl: 'http://localhost' });
    const { reporterId } = ((await engine.createReporter({ name: 'Shop' })) as { value: { reporterId: string } }).value;
    const { apiKey } = ((await engine.issueKey({ reporterId })) as { value: { apiKey: string } }).value;
    await engine.report({
      apiKey,
      type: 'fraud',
      severity: 5,
      text: 't',
      identifiers: [{ kind: 'email', hash: EMAIL }],
    });
    await engine.close();
    const service = await startService(['--data', open.folder]);
    const { post } = await import('./service.ts');
    expect(verdictOf((await post(service, { _api: apiKey, _action: 'query', email: EMAIL })).body).reported).toBe(1);
    await service.stop('SIGTERM');
    expect((await readFile(file, 'utf8')).trim()).toMatch(/^[0-9a-f]{64}$/);
    expect((await readFile(join(open.folder, JOURNAL_NAME))).toString('latin1')).not.toContain(EMAIL);
    expect((await readFile(join(open.folder, JOURNAL_NAME))).includes(Buffer.from(EMAIL, 'hex'))).toBe(false);
    await open.close();
  });
});
