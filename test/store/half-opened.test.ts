import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useFolder } from '../folder.ts';

// Each call of the file system fails once while a store is opened. A fault that nothing handles is an error of the run.
// A file of its own, because the replaced module is one for all tests of a file.
const { faults } = vi.hoisted(() => ({ faults: { left: Infinity, failed: '' } }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs/promises')>();
  const failing =
    (name: string, call: (...given: unknown[]) => unknown) =>
    async (...given: unknown[]): Promise<unknown> => {
      if (faults.left-- === 0) {
        faults.failed = name;
        throw Object.assign(new Error(`EIO: ${name}`), { code: 'EIO' });
      }
      return call(...given);
    };
  const failingHandle = (handle: object): object =>
    new Proxy(handle, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const bound = value.bind(target) as (...given: unknown[]) => unknown;
        return name === 'close' ? bound : failing(String(name), bound);
      },
    });
  const replaced = Object.entries(original).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, failing(name, value as never)] as const] : [],
  );
  const open = failing('open', async (...given) => failingHandle(await original.open(...(given as [string]))));
  return { ...original, ...Object.fromEntries(replaced), open };
});

// Files share a process, so what another file has loaded is loaded again, with the replaced module.
vi.resetModules();
const { openFolderStore } = await import('../../src/stores/sqljs/folder-store.ts');
const { openSqliteFile } = await import('../../src/stores/sqlite/file-store.ts');
afterAll(() => vi.resetModules());

const folder = useFolder('half-opened');
const OPENERS = {
  'a folder': { open: openFolderStore, place: (n: number) => join(folder, `folder${n}`) },
  'a SQLite file': { open: openSqliteFile, place: (n: number) => join(folder, `file${n}`, 'store.db') },
};

/** Names that hold a place: sockets, and what node-sqlite3-wasm and its hold leave while the file is open. */
async function heldIn(place: string): Promise<string[]> {
  const names = await readdir(dirname(place), { recursive: true }).catch(() => []);
  return names.filter(
    (name) => name.startsWith(basename(place)) && /\.sock$|\.lock$|lock-directory|copy-|\.new$/.test(name),
  );
}

describe.each(Object.entries(OPENERS))('%s', (_, { open, place }) => {
  // sql.js starts once, and reads its file then.
  beforeAll(async () => (await open(place(1000))).close());

  it('that is opened half-way leaves no lock behind', { timeout: 60_000 }, async () => {
    const failed = new Set<string>();
    const places: string[] = [];
    let opened = 0;
    for (let nth = 0; opened < 3; nth++) {
      Object.assign(faults, { left: nth, failed: '' });
      const store = await open(place(nth)).catch((error: unknown) => error as Error);
      const { failed: name } = faults;
      faults.left = Infinity;
      if (store instanceof Error) failed.add(name);
      else {
        await store.close();
        // Some calls may fail without harm. After the last call, none does.
        opened = name === '' ? opened + 1 : 0;
      }
      expect(await heldIn(place(nth)), `call ${nth}, ${name}`).toEqual([]);
      places.push(place(nth));
    }
    // All of them can be opened again.
    await Promise.all(places.map(async (one) => (await open(one)).close()));
    expect(failed.size).toBeGreaterThan(3);
  });
});
