import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataFolderError } from '../../src/service/data-folder/errors.ts';
import { openAny } from '../../src/service/data-folder/open-any.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-any-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it.each([
  ['a folder', () => join(root, 'a'), () => join(root, 'a', 'redflag.journal')],
  ['sqlite:FOLDER', () => `sqlite:${join(root, 'b')}`, () => join(root, 'b', 'redflag.sqlite')],
])('%s is opened as its kind of store', async (_, url, file) => {
  await expect(openAny(url(), { create: false, data: root })).rejects.toThrow(
    new DataFolderError(`there is no data in ${url()}; set --from to a store with data`),
  );
  const { close, keys, pepperFile } = await openAny(url(), { create: true, data: root });
  expect(existsSync(file())).toBe(true);
  expect(keys).toBeUndefined();
  expect(pepperFile).toBe(join(`${join(file(), '..')}-keys`, 'pepper'));
  await close();
});

it.each(['postgres', 'postgresql'])(
  '%s:// is a server, which keeps its keys in the folder of --data',
  async (scheme) => {
    const data = join(root, 'keys');
    const url = `${scheme}://nobody@127.0.0.1:1/none`;
    const refused = await openAny(url, { create: false, data }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DataFolderError);
    expect((refused as Error).message).toMatch(/^the database cannot answer now: .*ECONNREFUSED/);
    expect(existsSync(data)).toBe(false);
  },
);

it.each(['mysql://x', 'sqlite:', 'postgres:x', 'C:'])('%s is refused', async (url) => {
  await expect(openAny(url, { create: true, data: root })).rejects.toThrow(
    new DataFolderError('unknown kind of store: expected a folder, sqlite:FOLDER or postgres://…'),
  );
});
