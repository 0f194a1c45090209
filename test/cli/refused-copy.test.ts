import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { notePlace } from '../../src/service/data-folder/new-place.ts';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { createWasmDriver } from '../../src/stores/sqlite/wasm.ts';
import { openFolderStore } from '../../src/stores/sqljs/folder-store.ts';
import { reporter } from '../contract/stored.ts';
import { useFolder } from '../folder.ts';
import { findPostgres, HASTY, startPostgres } from '../postgres-server.ts';
import { runCli } from './in-process.ts';

// A refused `redflag migrate` or `redflag import` leaves nothing new behind, so the right command finds what it
// expects. The SQLite file is among the slow tests (`slow-refused-copy.test.ts`).
const KINDS = process.env['SLOW'] === '1' ? (['journal', 'sqlite'] as const) : (['journal'] as const);
type Kind = 'journal' | 'sqlite';
const SECRET = '5'.repeat(64);
const PEPPER = '7'.repeat(64);
const TEXT = 'a text that nobody is told';

const root = useFolder('refused');
let count = 0;
/** A data folder with a report; `sqlite:` has the same in its file. */
let journal: string;
let sqlite: string;
let exported: string;
beforeAll(async () => {
  journal = await makeFolder();
  const store = await openFolderStore(journal);
  const engine = createEngine({ store, secret: SECRET, peppers: [PEPPER], publicUrl: 'https://reports.example' });
  const { apiKey } = unwrap(await engine.issueKey(unwrap(await engine.createReporter({ name: 'Shop' }))));
  unwrap(
    await engine.report({
      apiKey,
      type: 'fraud',
      severity: 5,
      text: TEXT,
      identifiers: [{ kind: 'email', hash: 'a1'.repeat(20) }],
    }),
  );
  await engine.close();
  await store.close();
  sqlite = await makeFolder();
  await rm(join(sqlite, 'pepper'));
  await rm(join(sqlite, 'secret'));
  exported = join(root, 'all.ndjson');
  for (const args of [
    ['migrate', '--from', journal, '--to', `sqlite:${sqlite}`],
    ['export', exported, '--data', journal],
  ])
    expect((await runCli(args)).err).toBe('');
});

async function makeFolder(): Promise<string> {
  const folder = join(root, `case-${count++}`);
  await mkdir(folder);
  await writeFile(join(folder, 'secret'), `${SECRET}\n`);
  await writeFile(join(folder, 'pepper'), `${PEPPER}\n`);
  return folder;
}
const copyOf = async (folder: string): Promise<string> => {
  const copy = join(root, `case-${count++}`);
  for (const part of ['', '-keys'])
    if (existsSync(folder + part)) await cp(folder + part, copy + part, { recursive: true });
  return copy;
};
const addressOf = (kind: Kind, folder: string): string => (kind === 'sqlite' ? `sqlite:${folder}` : folder);
const migrate = (from: string, to: string, env = {}) => runCli(['migrate', '--from', from, '--to', to], { env });
const refused = (words: string) => ({
  code: 1,
  out: '',
  err: expect.stringMatching(new RegExp(`^redflag: ${words}[^\\n]*\\n$`)) as string,
});
const done = { code: 0, err: '', out: expect.stringMatching(/^Migrated: (\d+) rows of \1\./) as string };

/** A SQLite file with a report that is not as it was written. */
async function makeDamaged(): Promise<string> {
  const folder = await copyOf(sqlite);
  const driver = createWasmDriver(join(folder, 'redflag.sqlite'));
  driver.exec('PRAGMA locking_mode = EXCLUSIVE; UPDATE report SET severity = 9');
  driver.close();
  return folder;
}

describe.each(KINDS)('redflag migrate to a new place, %s', (kind) => {
  /** Deeper than what is there. */
  const target = (): string => join(root, `new-${count++}`, 'deep', 'in');

  it('makes nothing when the pepper of what is stored is not there, and the right command succeeds', async () => {
    const from = await copyOf(journal);
    const folder = target();
    const to = addressOf(kind, folder);
    expect(await migrate(from, to, { REDFLAG_PEPPER_FILE: join(root, 'nowhere') })).toEqual(
      refused('REDFLAG_PEPPER_FILE names \\S+nowhere, which does not exist, but \\S+/pepper does'),
    );
    const other = join(await makeFolder(), 'pepper');
    await writeFile(other, `${'8'.repeat(64)}\n`);
    expect(await migrate(from, to, { REDFLAG_PEPPER_FILE: other })).toEqual(
      refused('\\S+pepper has other peppers \\(fingerprints [0-9a-f]{16}\\) than the source uses \\([0-9a-f]{16}\\)'),
    );
    await writeFile(other, `${PEPPER}\n${'8'.repeat(64)}\n`);
    expect(await migrate(from, to, { REDFLAG_PEPPER_FILE: other })).toEqual(
      refused('\\S+pepper has a pepper that the source does not use yet; run redflag pepper rotate'),
    );
    await rename(join(from, 'pepper'), join(from, 'away'));
    expect(await migrate(from, to)).toEqual(refused('\\S+pepper is missing'));
    expect(existsSync(dirname(dirname(folder)))).toBe(false);

    await rename(join(from, 'away'), join(from, 'pepper'));
    expect(await migrate(from, to)).toEqual(done);
    expect((await runCli(['check', '--data', folder])).out).toBe('OK: no problems found.\n');
  });

  it('tells a damaged source in a line, and leaves nothing', async () => {
    const from = await makeDamaged();
    const folder = target();
    const told = await runCli(['export', join(root, 'damaged.ndjson'), '--data', from]);
    expect(told).toEqual(refused('a row of report is damaged'));
    expect(await migrate(`sqlite:${from}`, addressOf(kind, folder))).toEqual(told);
    expect(existsSync(dirname(dirname(folder)))).toBe(false);
    expect(await migrate(`sqlite:${sqlite}`, addressOf(kind, folder))).toEqual(done);
  });

  it('goes on in a folder where an earlier version left a secret and no pepper', async () => {
    const folder = await makeFolder();
    await rm(join(folder, 'pepper'));
    await (
      kind === 'journal' ? await openFolderStore(folder) : await openSqliteFile(join(folder, 'redflag.sqlite'))
    ).close();
    // What is refused there, too, leaves it as it is.
    const before = await readdir(folder);
    expect(await migrate(`sqlite:${await makeDamaged()}`, addressOf(kind, folder))).toEqual(
      refused('a row of report is damaged'),
    );
    expect(await readdir(folder)).toEqual(before);
    expect(await migrate(journal, addressOf(kind, folder))).toEqual(done);
    expect(await readFile(join(folder, 'pepper'), 'utf8')).toBe(`${PEPPER}\n`);
  });

  it('takes away only what it made itself', async () => {
    const folder = await makeFolder();
    await rm(join(folder, 'secret'));
    await writeFile(join(folder, 'note'), 'an operator’s');
    expect(await migrate(`sqlite:${await makeDamaged()}`, addressOf(kind, folder))).toEqual(
      refused('a row of report is damaged'),
    );
    expect((await readdir(folder)).sort()).toEqual(['note', 'pepper']);
    // What holds something else has all of it afterwards, and is no pepper's either.
    const full = await copyOf(kind === 'journal' ? journal : sqlite);
    await runCli(['keys', 'create', 'Another', '--data', full]);
    const files = (await readdir(full)).sort();
    expect(await migrate(journal, addressOf(kind, full))).toEqual(refused('the target is not empty'));
    expect((await readdir(full)).sort()).toEqual(files);
    expect((await runCli(['keys', 'list', '--data', full])).out).toContain('Another');
  });
});

describe('a place that was there before', () => {
  it.each(['journal', 'sqlite'] as const)('keeps its %s, and what is in its log', async (kind) => {
    const folder = await copyOf(kind === 'journal' ? journal : sqlite);
    const place = await notePlace(folder, kind);
    const open = async () =>
      kind === 'journal' ? openFolderStore(folder) : openSqliteFile(join(folder, 'redflag.sqlite'));
    const store = await open();
    await store.addReporter(reporter(1));
    await place.leave(store);
    const again = await open();
    expect(await again.listReporters()).toHaveLength(2);
    await again.close();
    // Nor is what somebody else has put into a new one taken away.
    const other = await makeFolder();
    const begun = await notePlace(other, kind);
    const theirs = await (kind === 'journal' ? openFolderStore(other) : openSqliteFile(join(other, 'redflag.sqlite')));
    await theirs.addReporter(reporter(1));
    await begun.leaveEmpty();
    await theirs.close();
    await begun.leaveEmpty();
    expect((await runCli(['reporters', '--data', other])).err).toBe('');
    expect((await readdir(other)).sort()).toContain(kind === 'journal' ? 'redflag.journal' : 'redflag.sqlite');
  });
});

const programs = process.env['SLOW'] === '1' ? findPostgres() : undefined;
describe.skipIf(programs === undefined)('redflag migrate to a server', () => {
  it('leaves no keys for it when it is refused, and the right command succeeds', async () => {
    const server = await startPostgres(programs!, { settings: HASTY });
    try {
      const { host, user } = await server.createDatabase('copied');
      const to = `postgres://${user}@/copied?host=${encodeURIComponent(host)}`;
      const data = join(root, `new-${count++}`, 'keys');
      const migrateTo = (from: string) => runCli(['migrate', '--from', from, '--to', to, '--data', data]);
      expect(await migrateTo(`sqlite:${await makeDamaged()}`)).toEqual(refused('a row of report is damaged'));
      expect(existsSync(dirname(data))).toBe(false);
      expect(await runCli(['migrate', '--from', to, '--to', join(root, 'none'), '--data', data])).toEqual(
        refused('there is no data in the database; set --from to a store with data'),
      );
      expect([existsSync(dirname(data)), existsSync(join(root, 'none'))]).toEqual([false, false]);
      expect(await migrateTo(journal)).toEqual(done);
      expect([existsSync(data), (await readdir(`${data}-keys`)).sort()]).toEqual([false, ['pepper', 'secret']]);
    } finally {
      await server.remove();
    }
  });
});

describe('redflag migrate', () => {
  it('makes no folder for a database that there is not', async () => {
    const data = join(root, `new-${count++}`);
    expect(
      (await runCli(['migrate', '--from', journal, '--to', 'postgres://nobody@127.0.0.1:1/none', '--data', data])).err,
    ).toMatch(/^redflag: the database cannot answer now: [^\n]*ECONNREFUSED[^\n]*\n$/);
    expect(existsSync(data)).toBe(false);
  });
});

describe.each(KINDS)('redflag import into a folder without data, %s', (kind) => {
  const importInto = (folder: string, file = exported) =>
    runCli(['import', file, '--data', folder], { env: { REDFLAG_STORE: kind } });

  it('leaves the secret alone where it is refused, and the right command succeeds', async () => {
    const folder = await makeFolder();
    await rm(join(folder, 'pepper'));
    expect(await importInto(folder)).toEqual(
      refused('the peppers of source \\(fingerprints [0-9a-f]{16}\\) and target \\(none\\) differ'),
    );
    expect(await readdir(folder)).toEqual(['secret']);
    await writeFile(join(folder, 'pepper'), `${PEPPER}\n`);
    // What shows only when the rows are read.
    const cut = join(root, 'cut.ndjson');
    await writeFile(cut, (await readFile(exported, 'utf8')).split('\n').slice(0, -2).join('\n') + '\n');
    expect(await importInto(folder, cut)).toEqual(refused('line \\d+: the file is cut off'));
    expect((await readdir(folder)).sort()).toEqual(['pepper', 'secret']);
    expect(await importInto(folder)).toMatchObject({ code: 0, err: '' });
    expect((await runCli(['check', '--data', folder])).out).toBe('OK: no problems found.\n');
  });
});
