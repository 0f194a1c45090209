import { readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import initSqlJs from 'sql.js';
import type { AuditEntry } from '../../src/operator.ts';
import { SQLITE_NAME } from '../../src/service/data-folder/address.ts';
import { runCli } from './in-process.ts';
import { keyFile } from './key-files.ts';
import { cellsOf, EMAIL, EVERY_WAY, openOperatorFolder, type OperatorFolder } from './operator-folder.ts';

describe.each(EVERY_WAY)('redflag audit, %s', (_, serving, kind) => {
  let open: OperatorFolder;
  beforeAll(async () => {
    open = await openOperatorFolder(serving, kind);
  });
  afterAll(() => open.close());

  const list = async (...args: string[]): Promise<AuditEntry[]> =>
    JSON.parse((await open.run('audit', 'list', '--json', ...args)).out) as AuditEntry[];
  const verify = async (...args: string[]) => {
    const { code, out } = await open.run('audit', 'verify', '--json', ...args);
    return { code, ...(JSON.parse(out) as { entries: number; head: string; firstBad: number | null }) };
  };

  it('lists what was done, and verifies the chain', async () => {
    const known = (await list()).length;
    const reportId = await open.report();
    const by = ['--by', 'Ada'];
    const created = JSON.parse((await open.run('keys', 'create', 'Shop', '--json', ...by)).out) as {
      key: { keyId: string; reporterId: string };
    };
    const { keyId, reporterId } = created.key;
    await open.run('keys', 'revoke', keyId, ...by);
    await open.run('disputes', 'open', reportId, '--reason', 'wrong', ...by);
    await open.run('disputes', 'reject', reportId, ...by);
    await open.run('allow', 'add', 'b2'.repeat(20), '--reason', 'ours', ...by);
    await open.run('pepper', 'add', ...by);
    await open.run('pepper', 'rotate', ...by);
    const paths = ['export', 'backup', 'receipt'].map((name) => `${open.folder}-${name}`);
    try {
      expect(await open.run('export', paths[0]!, ...by)).toMatchObject({ code: 0 });
      if (kind === 'journal' || !serving) expect(await open.run('backup', paths[1]!, ...by)).toMatchObject({ code: 0 });
      else await open.run('backup', paths[1]!, ...by);
      await open.run('erase', '--hash', EMAIL, '--out', paths[2]!, ...by);
      await open.report({ email: 'c4'.repeat(20) });
      expect(await open.run('erase', '--reporter', 'First reporter', ...by)).toMatchObject({
        code: 0,
        out: 'Erased: 1 report.\n',
      });
      // An export that was refused is no export.
      expect(await open.run('export', paths[0]!, ...by)).toMatchObject({ code: 1 });
      const added = (await list()).slice(known);
      expect(added.map(({ action, actor }) => [action, actor])).toEqual(
        [
          'reporter-created',
          'key-issued',
          'key-revoked',
          'dispute-opened',
          'dispute-rejected',
          'allow-list-added',
          'pepper-added',
          'pepper-rotated',
          'exported',
          'backed-up',
          'erased',
          'erased',
        ].map((action) => [action, 'Ada']),
      );
      expect(added[1]).toMatchObject({ reporterId, subject: keyId });
      expect(added[6]!.subject).toMatch(/^[0-9a-f]{16}$/);
      const head = added.at(-1)!.digest;
      expect(await verify()).toEqual({ code: 0, entries: known + 12, head, firstBad: null, hasHead: null });
      expect(await verify('--head', added[3]!.digest)).toMatchObject({ code: 0, hasHead: true });
      expect(await verify('--head', '1'.repeat(64))).toMatchObject({ code: 1, hasHead: false });
      expect(await open.run('audit', 'verify')).toEqual({
        code: 0,
        out: `OK: ${known + 12} entries\nHead: ${head}\n`,
        err: '',
      });
      const cells = cellsOf((await open.run('audit', 'list')).out);
      expect(cells[0]).toEqual(['SEQ', 'TIME', 'BY', 'ACTION', 'REPORTER', 'SUBJECT', 'AMOUNT']);
      expect(cells.at(-1)).toMatchObject({ 2: 'Ada', 3: 'erased', 6: '1' });
      expect(await list('--since', '2000-01-01')).toHaveLength(known + 12);
      expect(await list('--since', '2999-01-01')).toEqual([]);
      expect(await open.run('check')).toMatchObject({ code: 0 });
    } finally {
      for (const path of paths) await rm(path, { recursive: true, force: true });
    }
  });

  it('does nothing for a person whose name it refuses', async () => {
    const before = { log: await list(), pepper: await readFile(keyFile(open.folder, 'pepper'), 'utf8') };
    const file = `${open.folder}-refused`;
    for (const args of [
      ['keys', 'create', 'Refused'],
      ['reporters', 'budget', 'First reporter', '7'],
      ['pepper', 'add'],
      ['pepper', 'rotate'],
      ['allow', 'add', 'c3'.repeat(20), '--reason', 'ours'],
      ['export', file],
      ['backup', file],
      ['webhooks', 'add', 'https://shop.example/hook'],
      ['erase', '--hash', EMAIL, '--out', file],
      ['erase', '--reporter', 'First reporter'],
    ])
      for (const by of ['', 'two\nlines'])
        expect(await open.run(...args, '--by', by), args.join(' ')).toMatchObject({
          code: 1,
          out: '',
          err: expect.stringMatching(/^redflag: The name must [^\n]+\n$/) as string,
        });
    expect(existsSync(file)).toBe(false);
    expect(await readFile(keyFile(open.folder, 'pepper'), 'utf8')).toBe(before.pepper);
    expect(await list()).toEqual(before.log);
  });

  it('has no entry for what changes nothing, and finds a reporter by every way to write its name', async () => {
    const before = (await list()).length;
    await open.run('keys', 'create', 'Café', '--by', 'Ada');
    expect((await open.run('keys', 'create', ' Cafe\u0301 ', '--by', 'Ada')).code).toBe(0);
    for (let n = 0; n < 2; n++)
      expect((await open.run('reporters', 'budget', 'Cafe\u0301', '500', '--by', 'Ada')).code).toBe(0);
    expect((await list()).slice(before).map(({ action }) => action)).toEqual([
      'reporter-created',
      'key-issued',
      'key-issued',
      'budget-set',
    ]);
  });

  it('refuses a wrong command line', async () => {
    for (const args of [
      [],
      ['remove'],
      ['list', 'x'],
      ['list', '--head', '1'.repeat(64)],
      ['verify', '--since', '2030-01-01'],
      ['verify', '--head', 'x'],
      ['list', '--since', 'x'],
    ])
      expect(await open.run('audit', ...args), args.join(' ')).toMatchObject({ code: 2, out: '' });
  });
});

describe('a data folder', () => {
  it('carries its audit log through an export, an import and a migration', async () => {
    const open = await openOperatorFolder(false, 'journal');
    const names = ['export', 'import', 'sqlite'].map((name) => `${open.folder}-${name}`);
    const [file, imported, migrated] = names as [string, string, string];
    const listOf = async (folder: string): Promise<AuditEntry[]> =>
      JSON.parse((await runCli(['audit', 'list', '--json', '--data', folder])).out) as AuditEntry[];
    try {
      await open.run('keys', 'create', 'Shop', '--by', 'Ada');
      await open.run('export', file, '--by', 'Ada');
      const source = await listOf(open.folder);
      const { mkdir } = await import('node:fs/promises');
      await mkdir(`${imported}-keys`);
      for (const name of ['secret', 'pepper'] as const)
        await writeFile(keyFile(imported, name), await readFile(keyFile(open.folder, name)));
      expect(await runCli(['import', file, '--data', imported, '--by', 'Bob'])).toMatchObject({ code: 0 });
      expect(await listOf(imported)).toEqual([
        ...source,
        expect.objectContaining({ action: 'imported', actor: 'Bob', seq: source.length + 1 }),
      ]);
      // Running the import again finds everything there, whatever the log of the target has since.
      const again = await runCli(['import', file, '--data', imported, '--by', 'Bob']);
      expect([again.code, again.err, again.out]).toEqual([0, '', expect.stringMatching(/^Imported: 0 rows/)]);
      const migration = ['migrate', '--from', imported, '--to', `sqlite:${migrated}`, '--by', 'Cleo'];
      expect(await runCli(migration)).toMatchObject({ code: 0 });
      const log = await listOf(migrated);
      expect(log.map(({ action }) => action).slice(source.length)).toEqual(['imported', 'imported', 'migrated']);
      const head = source.at(-1)!.digest;
      expect(await runCli(['audit', 'verify', '--head', head, '--data', migrated])).toMatchObject({ code: 0 });
      // Somebody edits the file.
      const db = new (await initSqlJs()).Database(await readFile(join(migrated, SQLITE_NAME)));
      db.run("UPDATE audit SET actor = 'Ada' WHERE actor = 'Bob'");
      await writeFile(join(migrated, SQLITE_NAME), db.export());
      db.close();
      // The last entry is a damaged one. An operator can still act, copy the folder, and see the damage.
      for (const args of [
        ['keys', 'create', 'Another', '--by', 'Ada'],
        ['backup', `${migrated}-2`, '--by', 'Ada'],
      ])
        expect((await runCli([...args, '--data', migrated])).err, args.join(' ')).not.toMatch(/audit/);
      const listed = await runCli(['audit', 'list', '--since', '2000-01-01', '--data', migrated]);
      expect(listed).toMatchObject({ code: 0, err: '' });
      const shown = cellsOf(listed.out).slice(1);
      expect(shown.slice(0, source.length + 2).map((cells) => cells[3])).toEqual([
        ...source.map(({ action }) => action),
        'damaged',
        'damaged',
      ]);
      expect(shown.slice(source.length + 2).map((cells) => cells[3])).toContain('key-issued');
      expect(await listOf(migrated)).toContainEqual({ seq: source.length + 1, damaged: true });
      const damaged = await runCli(['audit', 'verify', '--data', migrated]);
      expect(damaged).toMatchObject({
        code: 1,
        out: expect.stringContaining(`at entry ${source.length + 1}.`) as string,
      });
      const checked = await runCli(['check', '--data', migrated]);
      expect(checked).toMatchObject({ code: 1, out: expect.stringContaining('audit log') as string });
    } finally {
      await open.close();
      for (const name of names) await rm(name, { recursive: true, force: true });
    }
  });
});
