import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectToFolder } from '../../src/stores/holds/control-socket.ts';
import { openFolderStore } from '../../src/stores/sqljs/folder-store.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';
import { keyFile } from './key-files.ts';
import { logOf, post, startService, type RunningService } from './service.ts';

// A data folder whose reports are in a SQLite file, and what the program makes of it when something happened to it.
const HASH = 'a'.repeat(40);
const REPORTS = 40;
const root = useFolder('sqlite-folder');
let apiKey: string;
let count = 0;
/** The files of a folder whose service was stopped. */
const stopped = new Map<string, Buffer>();

const reportTo = (service: RunningService, text: string) =>
  post(service, { _api: apiKey, _action: 'report', _type: 'fraud', _value: '7', _text: text, email: HASH });
const reported = async (service: RunningService) =>
  Number((await post(service, { _api: apiKey, _action: 'query', email: HASH })).body.split('-')[1]);
const serveIn = (folder: string, ...options: string[]) =>
  runCli(['serve', '--port', '0', '--data', folder, ...options]);

beforeAll(async () => {
  const folder = join(root, 'first');
  const service = await startService(['--data', folder, '--store', 'sqlite']);
  apiKey = service.apiKey!;
  await Promise.all(Array.from({ length: REPORTS }, (_, n) => reportTo(service, `Report ${n} `.repeat(20))));
  await service.stop('SIGTERM');
  stopped.set('redflag.sqlite', await readFile(join(folder, 'redflag.sqlite')));
  for (const name of ['secret', 'pepper'] as const) stopped.set(name, await readFile(keyFile(folder, name)));
});

/** A folder with its keys inside, as older versions keep them. */
async function copy(): Promise<string> {
  const folder = await mkdtemp(join(root, `copy-${count++}-`));
  for (const [name, bytes] of stopped) await writeFile(join(folder, name), bytes, { mode: 0o600 });
  return folder;
}

describe('redflag serve --store sqlite', () => {
  it('makes files for its owner alone, starts again by itself, after kill -9 too, and takes one service at a time', async () => {
    const folder = join(root, 'again');
    const first = await startService(['--data', folder, '--store', 'sqlite']);
    const key = first.apiKey!;
    for (const name of ['redflag.sqlite', 'redflag.sqlite-wal'])
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
    const report = {
      _api: key,
      _action: 'report',
      _type: 'fraud',
      _value: '7',
      _text: 'Paid with a stolen card',
      email: HASH,
    };
    expect((await post(first, report)).body).toBe('OK');
    const second = await serveIn(folder);
    expect(second).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^redflag: the file \S+redflag\.sqlite is in use: this or another process has it open\n$/,
      ),
    });
    await first.stop('SIGKILL');
    const again = await startService(['--data', folder]);
    expect(again.output).toEqual({ out: expect.stringMatching(/^Listening on \S+\n$/), err: '' });
    expect((await post(again, { _api: key, _action: 'query', email: HASH })).body).toMatch(/^[1-9]\d*-1-/);
    expect(await again.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await readdir(folder)).filter((name) => name !== 'redflag.sqlite.holder').sort()).toEqual([
      'redflag.sqlite',
    ]);
  });

  it('begins no empty store beside a full one', async () => {
    const folder = await copy();
    for (const [store, to] of [
      ['journal', folder],
      ['postgres://localhost/nowhere', `postgres://… --data ${folder}`],
    ] as const) {
      const kind = store.split(':')[0]!;
      const refused = `redflag: ${folder} keeps its reports in the SQLite file redflag.sqlite, not in ${kind}: omit --store (and REDFLAG_STORE), or run redflag migrate --from sqlite:${folder} --to ${to} and then move redflag.sqlite away\n`;
      expect(await serveIn(folder, '--store', store)).toEqual({ code: 1, out: '', err: refused });
      const command = await runCli(['erase', '--hash', HASH, '--out', join(root, 'no-receipt'), '--data', folder], {
        env: { REDFLAG_STORE: store },
      });
      expect(command).toEqual({ code: 1, out: '', err: refused });
    }
    expect((await readdir(folder)).sort()).toEqual([...stopped.keys()].sort());
    const other = join(root, 'journal');
    await (await openFolderStore(other)).close();
    expect(await serveIn(other, '--store', 'sqlite')).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^redflag: \S+ keeps its reports in the journal redflag\.journal, [^\n]+\n$/),
    });
    expect(await readdir(other)).toEqual(['redflag.journal']);
  });

  it('and commands refuse a folder with two stores, as a migration leaves it, until one is put away', async () => {
    const folder = await copy();
    expect((await runCli(['migrate', '--from', `sqlite:${folder}`, '--to', folder])).out).toMatch(/^Migrated: /);
    const refused = {
      code: 1,
      out: '',
      err: `redflag: ${folder} has two stores, redflag.journal and redflag.sqlite: move the unused one away\n`,
    };
    for (const store of ['journal', 'sqlite']) expect(await serveIn(folder, '--store', store)).toEqual(refused);
    expect(await serveIn(folder)).toEqual(refused);
    expect(await runCli(['keys', 'list', '--data', folder])).toEqual(refused);
    await rm(join(folder, 'redflag.sqlite'));
    expect(await runCli(['check', '--data', folder])).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });
  });

  it('makes no new secret beside what is stored', async () => {
    const folder = await copy();
    await rm(join(folder, 'secret'));
    for (const answer of [
      await serveIn(folder),
      await runCli(['keys', 'list', '--data', folder]),
      await runCli(['migrate', '--from', `sqlite:${folder}`, '--to', join(root, 'nowhere')]),
    ]) {
      expect(answer).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^redflag: \S+\/secret is missing, but the store has data: [^\n]+\n$/),
      });
    }
    expect(await readdir(folder)).not.toContain('secret');
  });
});

describe('a SQLite file beside its service', () => {
  it('that was deleted or replaced is saved by export alone', async () => {
    const folder = await copy();
    const file = join(folder, 'redflag.sqlite');
    const service = await startService(['--data', folder]);
    expect((await reportTo(service, 'One more')).body).toBe('OK');
    const out = (name: string) => join(folder, name);
    for (const [what, happens] of [
      [
        'replaced',
        () => writeFile(out('other'), stopped.get('redflag.sqlite')!).then(() => rename(out('other'), file)),
      ],
      ['deleted', () => rm(file)],
    ] as const) {
      await happens();
      const cause = new RegExp(
        `^redflag: the file \\S+ cannot be copied: \\S+ was ${what} while it was in use[^\\n]*\\n$|^redflag: the file \\S+ cannot be copied: ENOENT[^\\n]*\\n$`,
      );
      expect(await runCli(['backup', out(`backup-${what}`), '--data', folder])).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(cause),
      });
      expect(await runCli(['check', '--data', folder])).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(cause),
      });
      expect(await runCli(['export', out(`${what}.ndjson`), '--data', folder])).toMatchObject({
        code: 0,
        out: expect.stringMatching(
          /^Exported: \d+ rows\.\nThe audit log has no entry of this, because the store accepts no writes\.\n$/,
        ),
        err: '',
      });
      const rows = (await readFile(out(`${what}.ndjson`), 'utf8')).split('\n');
      expect(rows.filter((row) => row.includes('"text":'))).toHaveLength(REPORTS + 1);
    }
    await service.stop('SIGTERM');
  });

  it('is found by commands when its name is a link', async () => {
    const folder = await copy();
    await mkdir(join(folder, 'elsewhere'));
    await rename(join(folder, 'redflag.sqlite'), join(folder, 'elsewhere/real.sqlite'));
    await symlink('elsewhere/real.sqlite', join(folder, 'redflag.sqlite'));
    const service = await startService(['--data', folder]);
    expect(await runCli(['check', '--data', folder])).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });
    expect((await runCli(['keys', 'list', '--data', folder])).code).toBe(0);
    await service.stop('SIGTERM');
  });

  it('leaves no copy to anybody who looks after an erasure, and none for a command that was stopped', async () => {
    const folder = await copy();
    const service = await startService(['--data', folder]);
    const copies = async () =>
      (await readdir(join(folder, 'redflag.sqlite.holder'))).filter((name) => name.startsWith('copy-'));
    // Nobody reads the answer: as a command that is stopped does.
    const socket = (await connectToFolder(join(folder, 'redflag.sqlite.holder')))!;
    socket.write(
      `${JSON.stringify({ do: 'check', with: { copy: join(folder, 'redflag.sqlite.holder/copy-00000000') } })}\n`,
    );
    await once(socket, 'data');
    socket.destroy();
    await writeFile(join(folder, 'redflag.sqlite.holder/copy-0badcafe'), 'what somebody left');
    expect((await runCli(['erase', '--hash', HASH, '--out', join(folder, 'receipt'), '--data', folder])).out).toMatch(
      /^Erased: 40 reports/,
    );
    await expect.poll(copies).toEqual([]);
    await service.stop('SIGTERM');
  });
});

describe('a damaged SQLite file', () => {
  it('is backed up as it is, and the command says so', async () => {
    const folder = await copy();
    const bytes = Buffer.from(stopped.get('redflag.sqlite')!);
    bytes.write('X', bytes.indexOf('Report 7 Report 7'));
    await writeFile(join(folder, 'redflag.sqlite'), bytes);
    expect(await runCli(['backup', join(folder, 'backup'), '--data', folder])).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^redflag: the backup was made, but the source and the backup are damaged; [^\n]+\n$/),
    });
    expect((await runCli(['check', '--data', join(folder, 'backup')])).out).toMatch(
      /^COUNT  WHAT IS WRONG\n1 +rows of report that do not match their checksum\n$/,
    );
  });

  const damages: readonly [string, (file: string, size: number) => Promise<void>][] = [
    ['whose first bytes are others', async (file) => overwrite(file, 0, Buffer.from('something else'))],
    ['that was cut in half', async (file, size) => truncate(file, size >> 1)],
    ['that is another text', async (file) => writeFile(file, 'a text that is no database '.repeat(1000))],
  ];
  it.each(damages)('%s is refused in a line, by the service and by commands', async (_, damage) => {
    const folder = await copy();
    await damage(join(folder, 'redflag.sqlite'), stopped.get('redflag.sqlite')!.length);
    for (const answer of [await serveIn(folder), await runCli(['check', '--data', folder])]) {
      expect(answer).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^redflag: the file is not a SQLite database, or it is damaged[^\n]*\n$/),
      });
    }
  });

  it('with damaged pages is told by check, while a service runs and while none does, and answers no client with anything but a line', async () => {
    const folder = await copy();
    const file = join(folder, 'redflag.sqlite');
    const service = await startService(['--data', folder]);
    expect(await reported(service)).toBe(REPORTS);
    const size = stopped.get('redflag.sqlite')!.length;
    // What says of what kind a page is, of all pages but the first.
    for (let page = 1; page * 4096 < size; page++) await overwrite(file, page * 4096, Buffer.from([0x55]));
    const checked = await runCli(['check', '--data', folder]);
    expect(checked).toMatchObject({ code: 1, out: expect.stringMatching(/^COUNT  WHAT IS WRONG\n/), err: '' });
    expect(checked.out).not.toMatch(/^ +at /m);
    // The pages that it holds in memory are sound; what it must read again is not.
    for (const { status, body } of [
      await post(service, { _api: apiKey, _action: 'query', email: HASH }),
      await reportTo(service, 'Another'),
    ]) {
      expect(`${status} ${body}`).toMatch(new RegExp(`^(503 ERROR: [^\n]+|200 OK|200 \\d+-${REPORTS}-.*)$`));
    }
    await service.stop('SIGTERM');
    for (const line of logOf(service)) expect(line).toHaveProperty('event');
    const alone = await runCli(['check', '--data', folder]);
    expect([alone.code, alone.err.split('\n').length]).toEqual([1, expect.any(Number)]);
    expect(`${alone.out}${alone.err}`).not.toMatch(/^ +at /m);
  });
});

async function overwrite(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}
