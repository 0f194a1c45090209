import { link, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityOf, requireName, watchNames } from '../../src/stores/holds/watch-names.ts';

let folder: string;
let file: string;
let other: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redflag-names-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  [file, other] = [join(folder, 'data'), join(folder, 'other')];
  for (const name of [file, other]) {
    await rm(name, { force: true });
    await writeFile(name, 'text');
  }
});

describe('the identity of a file', () => {
  it('is the same by name, by another name and by descriptor, and differs between files', async () => {
    const handle = await open(file);
    try {
      const identity = identityOf(file);
      expect(identity).toMatch(/^\d+\/\d+$/);
      expect(identityOf(handle.fd)).toBe(identity);
      await link(file, `${file}-link`);
      expect(identityOf(`${file}-link`)).toBe(identity);
      await rm(`${file}-link`);
      expect(identityOf(other)).not.toBe(identity);
    } finally {
      await handle.close();
    }
  });

  it('is missing without a file', () => expect(identityOf(join(folder, 'none'))).toBeUndefined());
});

describe('watched names', () => {
  const message = (name: string, what: string): string =>
    `${name} was ${what} while it was in use: new writes would be lost; stop the program and restore the file`;

  it('are in order while their files stay, whatever is written to them', async () => {
    const probe = watchNames([file, other]);
    await writeFile(file, 'another text');
    expect(probe).not.toThrow();
  });

  it('say which file was deleted or replaced, until it is back', async () => {
    const probe = watchNames([file, other]);
    await rename(other, join(folder, 'away'));
    expect(probe).toThrow(new Error(message(other, 'deleted')));
    await writeFile(other, 'text');
    expect(probe).toThrow(new Error(message(other, 'replaced')));
    await rename(join(folder, 'away'), other);
    expect(probe).not.toThrow();
    await rm(file);
    expect(probe).toThrow(new Error(message(file, 'deleted')));
  });

  it('hold for an open file, too', async () => {
    const handle = await open(file);
    try {
      const opened = identityOf(handle.fd);
      expect(() => requireName(file, opened)).not.toThrow();
      expect(() => requireName(other, opened)).toThrow(new Error(message(other, 'replaced')));
      await rm(file);
      expect(() => requireName(file, opened)).toThrow(new Error(message(file, 'deleted')));
    } finally {
      await handle.close();
    }
  });
});
