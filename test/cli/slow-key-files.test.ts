import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../folder.ts';
import { runCli as runHere } from './in-process.ts';
import { keyFile } from './key-files.ts';
import { post, runCli, startForTest, type RunningService } from './service.ts';

// Where secret, pepper and first key are, seen from the commands.
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const HASH = 'a1'.repeat(20);
const KINDS = ['journal', 'sqlite'] as const;
const root = useFolder('places');
let count = 0;

const freshFolder = (): string => join(root, `data-${count++}`);
const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !/^control\.|\.holder$/.test(name)).sort();

const start = (folder: string, args: readonly string[] = [], env = {}) =>
  startForTest(['--data', folder, ...args], { env });

const report = (apiKey: string): Record<string, string> => ({
  _api: apiKey,
  _action: 'report',
  _type: 'fraud',
  _value: '7',
  _text: 'Paid with a stolen card',
  email: HASH,
});
const reported = async (service: RunningService, apiKey: string): Promise<number> =>
  Number((await post(service, { _api: apiKey, _action: 'query', email: HASH })).body.split('-')[1]);

interface Older {
  readonly folder: string;
  readonly apiKey: string;
}
const older = new Map<string, Promise<Older>>();

/** A copy of a stopped folder with one report, with its keys inside, as older versions keep them. */
async function makeOlder(kind: (typeof KINDS)[number]): Promise<Older> {
  if (!older.has(kind)) older.set(kind, makeFirstOlder(kind));
  const first = await older.get(kind)!;
  const folder = freshFolder();
  await cp(first.folder, folder, { recursive: true, filter: (name) => !/control\.|\.holder$/.test(name) });
  return { folder, apiKey: first.apiKey };
}

async function makeFirstOlder(kind: (typeof KINDS)[number]): Promise<Older> {
  const folder = freshFolder();
  const service = await start(folder, ['--store', kind]);
  const apiKey = service.apiKey!;
  expect((await post(service, report(apiKey))).body).toBe('OK');
  await service.stop('SIGTERM');
  for (const name of ['secret', 'pepper'] as const) await rename(keyFile(folder, name), join(folder, name));
  await rm(`${folder}-keys`, { recursive: true });
  return { folder, apiKey };
}

describe.each(KINDS)('a folder of an older version (%s), with its keys inside', (kind) => {
  const data = kind === 'sqlite' ? 'redflag.sqlite' : 'redflag.journal';

  it('works as it is, and its backup has the keys', async () => {
    const { folder, apiKey } = await makeOlder(kind);
    const service = await start(folder);
    expect(service.output).toEqual({ out: expect.stringMatching(/^Listening on \S+\n$/), err: '' });
    expect(await reported(service, apiKey)).toBe(1);
    const copy = `${folder}-backup`;
    for (const serving of [true, false]) {
      if (!serving) await service.stop('SIGTERM');
      expect(await runHere(['backup', copy, '--data', folder])).toEqual({
        code: 0,
        out: expect.stringMatching(/^Backed up: \d+ bytes of data\.\nHead of the audit log: [0-9a-f]{64}\n$/),
        err: '',
      });
      expect(await namesIn(copy)).toEqual(['pepper', data, 'secret']);
      expect(await runHere(['check', '--data', copy])).toMatchObject({ code: 0, out: 'OK: no problems found.\n' });
      await rm(copy, { recursive: true });
    }
    expect((await runHere(['pepper', 'rotate', '--data', folder])).code).toBe(0);
    expect((await readFile(join(folder, 'pepper'), 'utf8')).trim().split('\n')).toHaveLength(2);
    expect(await namesIn(root)).not.toContain(`${folder.slice(root.length + 1)}-keys`);
  });

  it('works on after the move of both files, also when the service runs meanwhile', async () => {
    const { folder, apiKey } = await makeOlder(kind);
    const service = await start(folder);
    await mkdir(`${folder}-keys`, { mode: 0o700 });
    for (const name of ['secret', 'pepper'] as const) await rename(join(folder, name), keyFile(folder, name));
    expect(await runHere(['pepper', 'rotate', '--data', folder])).toMatchObject({ code: 0, err: '' });
    expect((await readFile(keyFile(folder, 'pepper'), 'utf8')).trim().split('\n')).toHaveLength(2);
    const { out } = await runHere(['backup', `${folder}-backup`, '--json', '--data', folder]);
    expect(JSON.parse(out)).toMatchObject({
      bytes: expect.any(Number),
      notIncluded: [keyFile(folder, 'secret'), keyFile(folder, 'pepper')],
    });
    expect(await namesIn(`${folder}-backup`)).toEqual([data]);
    await service.stop('SIGTERM');
    expect(await namesIn(folder)).toEqual([data]);
    expect(await reported(await start(folder), apiKey)).toBe(1);
  });

  it('is refused by every command, in one line and unchanged, if the keys folder has another secret', async () => {
    const { folder } = await makeOlder(kind);
    await mkdir(`${folder}-keys`, { mode: 0o700 });
    await writeFile(keyFile(folder, 'secret'), `${'5'.repeat(64)}\n`);
    const before = await namesIn(folder);
    const refused = {
      code: 1,
      out: '',
      err: `redflag: ${join(folder, 'secret')} and ${keyFile(folder, 'secret')} differ: keep the one that belongs to the data, and move the other one away\n`,
    };
    expect(await runHere(['serve', '--port', '0', '--data', folder])).toEqual(refused);
    for (const args of [
      ['keys', 'list'],
      ['pepper', 'status'],
      ['pepper', 'add'],
      ['check'],
      ['backup', join(root, 'none')],
      ['export', join(root, 'none')],
      ['erase', '--hash', HASH, '--out', join(root, 'none')],
    ])
      expect(await runHere([...args, '--data', folder]), args.join(' ')).toEqual(refused);
    const from = kind === 'sqlite' ? `sqlite:${folder}` : folder;
    expect(await runHere(['migrate', '--from', from, '--to', join(root, 'none')])).toEqual(refused);
    expect(await namesIn(folder)).toEqual(before);
    expect(await namesIn(root)).not.toContain('none');
  });
});

it('a backup needs a pepper file that is not older', async () => {
  const folder = freshFolder();
  const service = await start(folder);
  expect((await post(service, report(service.apiKey!))).body).toBe('OK');
  const copies = [`${folder}-before`, `${folder}-after`] as const;
  const older = await readFile(keyFile(folder, 'pepper'));
  expect((await runHere(['backup', copies[0], '--data', folder])).code).toBe(0);
  expect((await runHere(['pepper', 'rotate', '--data', folder])).code).toBe(0);
  expect((await runHere(['backup', copies[1], '--data', folder])).code).toBe(0);
  await service.stop('SIGTERM');
  for (const copy of copies) await cp(`${folder}-keys`, `${copy}-keys`, { recursive: true });
  expect(await reported(await start(copies[0]), service.apiKey!)).toBe(1);
  await writeFile(keyFile(copies[1], 'pepper'), older);
  expect((await runHere(['check', '--data', copies[1]])).err).toMatch(
    /^redflag: the store needs 2 peppers, but got 1; [^\n]+\n$/,
  );
});

describe('REDFLAG_SECRET_FILE and REDFLAG_PEPPER_FILE', () => {
  it('name the files for the service and for every command', async () => {
    const folder = freshFolder();
    const place = await mkdtemp(join(root, 'vault-'));
    const env = { REDFLAG_SECRET_FILE: join(place, 's'), REDFLAG_PEPPER_FILE: join(place, 'p') };
    const service = await start(folder, [], env);
    expect(await namesIn(place)).toEqual(['p', 's']);
    expect(await namesIn(`${folder}-keys`)).toEqual(['first-key']);
    const apiKey = service.apiKey!;
    expect((await post(service, report(apiKey))).body).toBe('OK');
    // The service has the keys; a command that asks it needs none.
    expect((await runHere(['export', join(place, 'all'), '--data', folder])).code).toBe(0);
    const { out } = await runHere(['backup', `${folder}-backup`, '--json', '--data', folder]);
    expect(JSON.parse(out)).toMatchObject({ notIncluded: [env.REDFLAG_SECRET_FILE, env.REDFLAG_PEPPER_FILE] });
    await service.stop('SIGTERM');
    expect((await runHere(['check', '--data', `${folder}-backup`], { env })).out).toBe('OK: no problems found.\n');
    const other = freshFolder();
    expect((await runHere(['migrate', '--from', folder, '--to', other], { env })).err).toBe('');
    expect(await namesIn(root)).not.toContain(`${other.slice(root.length + 1)}-keys`);
    expect((await runHere(['check', '--data', other], { env })).out).toBe('OK: no problems found.\n');
    const third = freshFolder();
    expect((await runHere(['import', join(place, 'all'), '--data', third], { env })).err).toBe('');
    expect((await runHere(['check', '--data', folder])).err).toMatch(
      /^redflag: \S+-keys\/secret is missing, but the store has data: [^\n]+\n$/,
    );
    expect(await reported(await start(third, [], env), apiKey)).toBe(1);
  });

  it('never let a command make a second secret', async () => {
    const folder = freshFolder();
    await (await start(folder)).stop('SIGTERM');
    const secret = await readFile(keyFile(folder, 'secret'));
    const env = { REDFLAG_SECRET_FILE: join(root, 'absent') };
    for (const args of [['serve', '--port', '0'], ['keys', 'list'], ['check']])
      expect(await runHere([...args, '--data', folder], { env })).toEqual({
        code: 1,
        out: '',
        err: `redflag: REDFLAG_SECRET_FILE names ${env.REDFLAG_SECRET_FILE}, which does not exist, but ${keyFile(folder, 'secret')} does: move it there, or unset the variable\n`,
      });
    expect(await namesIn(root)).not.toContain('absent');
    expect(await readFile(keyFile(folder, 'secret'))).toEqual(secret);
  });
});

describe('REDFLAG_SECRET', () => {
  const SECRET = '5e'.repeat(32);
  const env = { REDFLAG_SECRET: `${SECRET}\n` };

  it('holds the secret for the service and for every command, and no file has it', async () => {
    const folder = freshFolder();
    const service = await start(folder, [], env);
    const apiKey = service.apiKey!;
    expect((await post(service, report(apiKey))).body).toBe('OK');
    const backup = ['backup', `${folder}-backup`, '--json', '--data', folder];
    expect(JSON.parse((await runHere(backup)).out)).toMatchObject({
      notIncluded: ['REDFLAG_SECRET', keyFile(folder, 'pepper')],
    });
    expect((await runHere(['export', `${folder}-all`, '--data', folder])).code).toBe(0);
    await service.stop('SIGTERM');
    expect(await namesIn(`${folder}-keys`)).toEqual(['first-key', 'pepper']);
    const [copy, imported] = [freshFolder(), freshFolder()];
    await cp(`${folder}-keys`, `${imported}-keys`, { recursive: true });
    for (const args of [
      ['check', '--data', folder],
      ['pepper', 'rotate', '--data', folder],
      ['migrate', '--from', folder, '--to', copy],
      ['import', `${folder}-all`, '--data', imported],
      ['check', '--data', copy],
      ['check', '--data', imported],
    ])
      expect(await runCli(args, { env, timeoutMs: 60_000 }), args.join(' ')).toMatchObject({ code: 0, err: '' });
    expect(await namesIn(`${copy}-keys`)).toEqual(['pepper']);
    expect(await namesIn(`${imported}-keys`)).toEqual(['first-key', 'pepper']);
    expect((await runHere(['check', '--data', folder])).err).toMatch(/^redflag: \S+-keys\/secret is missing, /);
    expect(await reported(await start(copy, [], env), apiKey)).toBe(1);
    const files = await readdir(root, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile()))
      expect((await readFile(join(file.parentPath, file.name))).includes(SECRET), file.name).toBe(false);
  });

  it('is refused beside a file of the secret, and with another content, in one line and unshown', async () => {
    const [fresh, folder] = [freshFolder(), freshFolder()];
    await (await start(folder)).stop('SIGTERM');
    const file = keyFile(folder, 'secret');
    const word = 'a word that is no secret';
    for (const [data, given, message] of [
      [folder, env, `REDFLAG_SECRET is set, but ${file} exists: unset the variable, or move the file away`],
      [
        fresh,
        { ...env, REDFLAG_SECRET_FILE: file },
        'REDFLAG_SECRET and REDFLAG_SECRET_FILE are both set; set only one',
      ],
      [
        fresh,
        { REDFLAG_SECRET: word },
        'REDFLAG_SECRET is not a secret of 64 hex characters; set it to the right secret',
      ],
    ] as const)
      for (const [code, command] of [
        [1, ['serve', '--port', '0']],
        [2, ['config', 'check']],
      ] as const)
        expect(await runCli([...command, '--data', data], { env: given, timeoutMs: 60_000 })).toEqual({
          code,
          out: '',
          err: `redflag: ${message}\n`,
        });
    expect(await namesIn(root)).not.toContain(fresh.slice(root.length + 1));
  });

  it('counts as unset if it is empty', async () => {
    const folder = freshFolder();
    await start(folder, [], { REDFLAG_SECRET: '' });
    expect(await namesIn(`${folder}-keys`)).toEqual(['first-key', 'pepper', 'secret']);
  });

  it('is validated by redflag config check, which does not show it', async () => {
    const { code, out, err } = await runCli(['config', 'check', '--json', '--data', freshFolder()], { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toContainEqual({
      name: 'secret-file',
      value: null,
      from: 'variable',
      source: 'REDFLAG_SECRET',
    });
    expect(out).not.toContain(SECRET);
  });

  it('is not in the environment that child processes inherit', async () => {
    const print = 'process.on("exit", () => console.error(process.env.REDFLAG_SECRET, process.env.REDFLAG_DATA))';
    const options = `--import=data:text/javascript,${encodeURIComponent(print)}`;
    const given = { ...env, REDFLAG_DATA: 'inherited', NODE_OPTIONS: options };
    expect((await runCli(['--version'], { env: given })).err).toBe('undefined inherited\n');
  });
});

const noTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
  ? undefined
  : 'the program script of util-linux is not here';
if (noTerminal) console.warn(`test/cli/slow-key-files.test.ts, the terminal: skipped, ${noTerminal}`);

describe('the first API key', () => {
  it.skipIf(noTerminal !== undefined)('is shown on a terminal, and is in no file', async () => {
    const folder = freshFolder();
    const shell = `'${process.execPath}' '${CLI}' serve --port 0 --data '${folder}'`;
    // SIGTERM after the service has shown the key. Its exit ends the terminal.
    const watch = `${shell} & for i in $(seq 100); do sleep 0.1; [ -s '${root}/shown' ] && grep -q 'API key' '${root}/shown' && break; done; kill $!; wait`;
    const { status } = spawnSync('script', ['-qefc', watch, join(root, 'shown')], { input: '', encoding: 'utf8' });
    expect(status).toBe(0);
    const shown = await readFile(join(root, 'shown'), 'utf8');
    const key = /^API key: ([0-9a-f]{16})\r?$/m.exec(shown)?.[1];
    expect(key, shown).toBeDefined();
    expect(await namesIn(`${folder}-keys`)).toEqual(['pepper', 'secret']);
    expect(await reported(await start(folder), key!)).toBe(0);
  });

  it('that cannot be saved is not created: the service runs, and the operator creates one', async () => {
    const folder = freshFolder();
    const place = await mkdtemp(join(root, 'vault-'));
    const env = { REDFLAG_SECRET_FILE: join(place, 's'), REDFLAG_PEPPER_FILE: join(place, 'p') };
    await writeFile(`${folder}-keys`, 'a file in the way');
    const service = await start(folder, [], env);
    expect(service.output.out).toMatch(
      /^Listening on \S+\nNo API key was written to \S+-keys\/first-key: \S[^\n]+\. Create one with redflag keys create\n$/,
    );
    expect((await runHere(['keys', 'list', '--json', '--data', folder])).out).toBe('[]\n');
    const { out } = await runHere(['keys', 'create', 'Shop', '--json', '--data', folder]);
    const { apiKey } = (JSON.parse(out) as { key: { apiKey: string } }).key;
    expect(await reported(service, apiKey)).toBe(0);
    await service.stop('SIGTERM');
    expect((await start(folder, [], env)).output.out).toMatch(/^Listening on \S+\n$/);
  });

  it('is written by the next start if a start was killed between the key and its file', async () => {
    const folder = freshFolder();
    await (await start(folder)).stop('SIGKILL');
    // The key is in the store; its file has no name yet.
    await rename(keyFile(folder, 'first-key'), join(`${folder}-keys`, 'first-key.part'));
    const service = await start(folder);
    expect(await reported(service, service.apiKey!)).toBe(0);
    expect(await namesIn(`${folder}-keys`)).toEqual(['first-key', 'pepper', 'secret']);
  });

  it('appears in no output of a service without a terminal', async () => {
    const folder = freshFolder();
    const service = await start(folder);
    expect(service.apiKey).toMatch(/^[0-9a-f]{16}$/);
    expect(service.output.out + service.output.err).not.toContain(service.apiKey);
    await service.stop('SIGTERM');
    const again = await start(folder);
    expect(again.output).toEqual({ out: expect.stringMatching(/^Listening on \S+\n$/), err: '' });
    expect(await reported(again, service.apiKey!)).toBe(0);
  });
});
