import { chmod, link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderError } from '../../src/service/data-folder/errors.ts';
import { findExposedKeys, findKeyFiles, keysFolderOf } from '../../src/service/data-folder/key-files.ts';
import { addPepper, createPeppers } from '../../src/service/data-folder/pepper-file.ts';
import { createSecret, readSecret } from '../../src/service/data-folder/secret.ts';
import { openKeys } from '../../src/service/data-folder/store-keys.ts';
import { createMemoryStore } from '../memory-store.ts';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];
let root: string;
let folder: string;
let keys: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-key-files-'));
});
beforeEach(async () => {
  folder = join(root, `data-${count++}`);
  keys = `${folder}-keys`;
  await mkdir(folder);
});
afterEach(() => {
  delete process.env['REDFLAG_SECRET_FILE'];
  delete process.env['REDFLAG_PEPPER_FILE'];
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function put(place: string, name: string, text = A): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, name), `${text}\n`);
}

describe('the keys folder', () => {
  it.each([
    ['redflag-data', 'redflag-data-keys'],
    ['redflag-data/', 'redflag-data-keys'],
    ['/srv/redflag', '/srv/redflag-keys'],
    ['a/../b', 'b-keys'],
  ])('of %s is %s', (data, expected) => expect(keysFolderOf(data)).toBe(expected));

  it('is beside the working directory for the folder .', () =>
    expect(join(keysFolderOf('.'))).toBe(`../${process.cwd().split('/').at(-1)}-keys`));

  it('is made for its owner alone, with the first key', async () => {
    const deep = join(folder, 'not/there');
    await createSecret(deep);
    await createPeppers(deep, [A]);
    for (const [path, mode] of [
      [`${deep}-keys`, 0o700],
      [join(`${deep}-keys`, 'secret'), 0o600],
      [join(`${deep}-keys`, 'pepper'), 0o600],
    ] as const)
      expect((await stat(path)).mode & 0o777, path).toBe(mode);
    expect(await readSecret(deep)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('that cannot be made is an error that names the variables', async () => {
    await writeFile(keys, 'a file');
    await expect(createSecret(folder)).rejects.toThrow(
      new DataFolderError(
        `cannot keep data in ${keys}: it is not a directory; name other places with REDFLAG_SECRET_FILE and REDFLAG_PEPPER_FILE, or another data folder`,
      ),
    );
  });
});

it('new keys belong to the store at once: another folder gets none', async () => {
  const store = await createMemoryStore();
  const found = await openKeys(folder, store, () => undefined);
  expect(await openKeys(folder, store, () => undefined)).toEqual(found);
  const other = join(root, 'other');
  const opened = () => openKeys(other, store, () => undefined);
  await expect(opened()).rejects.toThrow(/^\S+other-keys\/secret is missing, but the store has data/);
  await expect(stat(`${other}-keys`)).rejects.toThrow('ENOENT');
  await createSecret(other, found.secret);
  await expect(opened()).rejects.toThrow(/^\S+other-keys\/pepper is missing, but the store uses its peppers/);
  await store.close();
});

describe('findKeyFiles', () => {
  it.each(['the same path', 'another path', 'a link', 'a link to a link', 'a hard link'])(
    'refuses one file for both keys, named by %s, before and after it exists',
    async (way) => {
      const vault = join(root, `vault-${count}`);
      await mkdir(vault);
      const [secret, pepper] = [join(vault, 'secret'), join(vault, 'pepper')];
      process.env['REDFLAG_SECRET_FILE'] = secret;
      process.env['REDFLAG_PEPPER_FILE'] = pepper;
      if (way === 'the same path') process.env['REDFLAG_PEPPER_FILE'] = secret;
      if (way === 'another path') process.env['REDFLAG_PEPPER_FILE'] = `${vault}/../vault-${count}/secret`;
      if (way === 'a link') await symlink('secret', pepper);
      if (way === 'a link to a link') {
        await symlink(join(vault, 'second'), pepper);
        await symlink('secret', join(vault, 'second'));
      }
      if (way === 'a hard link') {
        await put(vault, 'secret');
        await link(secret, pepper);
      } else
        await expect(findKeyFiles(folder)).rejects.toThrow(/ are the same file: secret and pepper need a file each/);
      await put(vault, 'secret');
      await expect(findKeyFiles(folder)).rejects.toThrow(DataFolderError);
      await expect(addPepper(folder, 0)).rejects.toThrow(/ are the same file/);
      await expect(readSecret(folder)).rejects.toThrow(/ are the same file/);
      expect(await readFile(secret, 'utf8')).toBe(`${A}\n`);
    },
  );

  it('refuses the default file of the other key', async () => {
    await put(keys, 'secret');
    process.env['REDFLAG_PEPPER_FILE'] = join(keys, 'secret');
    await expect(findKeyFiles(folder)).rejects.toThrow(/ are the same file/);
  });

  it('names the keys folder for a new data folder', async () =>
    expect(await findKeyFiles(folder)).toEqual({ secret: join(keys, 'secret'), pepper: join(keys, 'pepper') }));

  it.each(['secret', 'pepper'])('finds both in a folder of an older version, also with only the %s', async (name) => {
    await put(folder, name);
    expect(await findKeyFiles(folder)).toEqual({ secret: join(folder, 'secret'), pepper: join(folder, 'pepper') });
  });

  it('finds each file after a move of one', async () => {
    await put(keys, 'secret');
    await put(folder, 'pepper');
    expect(await findKeyFiles(folder)).toEqual({ secret: join(keys, 'secret'), pepper: join(folder, 'pepper') });
  });

  it('takes the one in the data folder of two equal files, and refuses two that differ', async () => {
    await put(folder, 'secret');
    await put(keys, 'secret');
    expect((await findKeyFiles(folder)).secret).toBe(join(folder, 'secret'));
    await put(keys, 'secret', B);
    const error = await findKeyFiles(folder).catch((reason: Error) => reason);
    expect(error).toEqual(
      new DataFolderError(
        `${join(folder, 'secret')} and ${join(keys, 'secret')} differ: keep the one that belongs to the data, and move the other one away`,
      ),
    );
  });

  it.each([
    ['secret', 'REDFLAG_SECRET_FILE'],
    ['pepper', 'REDFLAG_PEPPER_FILE'],
  ] as const)('takes the %s that %s names, whatever else there is', async (name, variable) => {
    const named = join(root, `named-${name}`);
    process.env[variable] = named;
    expect((await findKeyFiles(folder))[name]).toBe(named);
    await put(folder, name);
    await expect(findKeyFiles(folder)).rejects.toThrow(
      new DataFolderError(
        `${variable} names ${named}, which does not exist, but ${join(folder, name)} does: move it there, or unset the variable`,
      ),
    );
    await put(root, `named-${name}`, B);
    expect((await findKeyFiles(folder))[name]).toBe(named);
    process.env[variable] = '';
    expect((await findKeyFiles(folder))[name]).toBe(join(folder, name));
  });

  it('never takes a folder that cannot be read for an empty one', async () => {
    await symlink(keys, keys);
    await expect(findKeyFiles(folder)).rejects.toThrow('ELOOP');
  });
});

describe('a new pepper', () => {
  it('is never written beside an equal copy, nor over a list that lacks peppers', async () => {
    await put(folder, 'pepper');
    await put(keys, 'pepper');
    await expect(addPepper(folder, 1)).rejects.toThrow(
      new DataFolderError(`${join(folder, 'pepper')} and ${join(keys, 'pepper')} are equal: remove one of them first`),
    );
    await rm(join(folder, 'pepper'));
    await expect(addPepper(folder, 2)).rejects.toThrow(
      new DataFolderError(`${join(keys, 'pepper')} has 1 of the 2 peppers in use; restore the file`),
    );
    const added = await addPepper(folder, 1);
    expect(await readFile(join(keys, 'pepper'), 'utf8')).toBe(`${A}\n${added}\n`);
  });
});

describe.skipIf(process.platform === 'win32')('keys that other users can read or replace', () => {
  const found = async () => (await findExposedKeys(await findKeyFiles(folder))).map((one) => one.replace(root, ''));

  it('are named, with what to do', async () => {
    expect(await found()).toEqual([]);
    const text = await createSecret(folder);
    expect(await found()).toEqual([]);
    for (const mode of [0o666, 0o644, 0o604, 0o620, 0o660, 0o606, 0o601]) {
      await chmod(join(keys, 'secret'), mode);
      expect((await found()).length, mode.toString(8)).toBe(1);
    }
    expect(await found()).toEqual([expect.stringMatching(/^other users can read or change .* run chmod 600 /)]);
    // The service goes on with them.
    expect(await readSecret(folder)).toBe(text);
    for (const mode of [0o600, 0o640]) {
      await chmod(join(keys, 'secret'), mode);
      expect(await found()).toEqual([]);
    }
    for (const mode of [0o777, 0o770, 0o702]) {
      await chmod(keys, mode);
      expect(await found()).toEqual([expect.stringMatching(/^other users can replace files in .* run chmod 700 /)]);
    }
    for (const mode of [0o1777, 0o755, 0o700]) {
      await chmod(keys, mode);
      expect(await found()).toEqual([]);
    }
  });
});
