import { mkdtemp, open, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFolderStore } from '../../src/store/sqljs/folder-store.ts';
import { runCli } from './in-process.ts';
import { post, startService, type RunningService } from './service.ts';

// A data folder whose reports are in a SQLite file, and what the program makes of it when something happened to it.
const HASH = 'a'.repeat(40);
const REPORTS = 40;
let root: string;
let apiKey: string;
let count = 0;
/** The files of a folder whose service was stopped. */
const stopped = new Map<string, Buffer>();

const reportTo = (service: RunningService, text: string) => post(service, { _api: apiKey, _action: 'report', _type: 'fraud', _value: '7', _text: text, email: HASH });
const reported = async (service: RunningService) => Number((await post(service, { _api: apiKey, _action: 'query', email: HASH })).body.split('-')[1]);
const serveIn = (folder: string, ...options: string[]) => runCli(['serve', '--port', '0', '--data', folder, ...options]);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-sqlite-folder-'));
  const folder = join(root, 'first');
  const service = await startService(['--data', folder, '--store', 'sqlite']);
  apiKey = service.apiKey!;
  await Promise.all(Array.from({ length: REPORTS }, (_, n) => reportTo(service, `Report ${n} `.repeat(20))));
  await service.stop('SIGTERM');
  for (const name of ['redflag.sqlite', 'secret', 'pepper']) stopped.set(name, await readFile(join(folder, name)));
});
afterAll(() => rm(root, { recursive: true, force: true }));

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
    for (const name of ['redflag.sqlite', 'redflag.sqlite-wal', 'secret', 'pepper']) expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
    const report = { _api: key, _action: 'report', _type: 'fraud', _value: '7', _text: 'Paid with a stolen card', email: HASH };
    expect((await post(first, report)).body).toBe('OK');
    const second = await serveIn(folder);
    expect(second).toEqual({ code: 1, out: '', err: expect.stringMatching(/^redflag: the file \S+redflag\.sqlite is in use: another process serves it\n$/) });
    await first.stop('SIGKILL');
    const again = await startService(['--data', folder]);
    expect(again.output).toEqual({ out: expect.stringMatching(/^Listening on \S+\n$/), err: '' });
    expect((await post(again, { _api: key, _action: 'query', email: HASH })).body).toMatch(/^[1-9]\d*-1-/);
    expect(await again.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await readdir(folder)).filter((name) => name !== 'redflag.sqlite.holder').sort()).toEqual(['pepper', 'redflag.sqlite', 'secret']);
  });

  it('begins no empty store beside a full one', async () => {
    const folder = await copy();
    expect(await serveIn(folder, '--store', 'journal')).toEqual({ code: 1, out: '', err: expect.stringMatching(/^redflag: \S+ keeps its reports in the SQLite file redflag\.sqlite, and a store of the kind journal would begin empty: [^\n]+redflag migrate --from sqlite:\S+ --to \S+\n$/) });
    expect((await readdir(folder)).sort()).toEqual([...stopped.keys()].sort());
    const other = join(root, 'journal');
    await (await openFolderStore(other)).close();
    expect(await serveIn(other, '--store', 'sqlite')).toEqual({ code: 1, out: '', err: expect.stringMatching(/^redflag: \S+ keeps its reports in the journal redflag\.journal, [^\n]+\n$/) });
    expect(await readdir(other)).toEqual(['redflag.journal']);
  });

  it('makes no new secret beside what is stored', async () => {
    const folder = await copy();
    await rm(join(folder, 'secret'));
    for (const answer of [await serveIn(folder), await runCli(['keys', 'list', '--data', folder]), await runCli(['migrate', '--from', `sqlite:${folder}`, '--to', join(root, 'nowhere')])]) {
      expect(answer).toEqual({ code: 1, out: '', err: expect.stringMatching(/^redflag: there is no secret in \S+, and the store has reporters: [^\n]+\n$/) });
    }
    expect(await readdir(folder)).not.toContain('secret');
  });
});

describe('a damaged SQLite file', () => {
  const damages: readonly [string, (file: string, size: number) => Promise<void>][] = [
    ['whose first bytes are others', async (file) => overwrite(file, 0, Buffer.from('something else'))],
    ['that was cut in half', async (file, size) => truncate(file, size >> 1)],
    ['that is another text', async (file) => writeFile(file, 'a text that is no database '.repeat(1000))],
  ];
  it.each(damages)('%s is refused in a line, by the service and by commands', async (_, damage) => {
    const folder = await copy();
    await damage(join(folder, 'redflag.sqlite'), stopped.get('redflag.sqlite')!.length);
    for (const answer of [await serveIn(folder), await runCli(['check', '--data', folder])]) {
      expect(answer).toEqual({ code: 1, out: '', err: expect.stringMatching(/^redflag: it is not a SQLite database, or a damaged one[^\n]*\n$/) });
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
    for (const { status, body } of [await post(service, { _api: apiKey, _action: 'query', email: HASH }), await reportTo(service, 'Another')]) {
      expect(`${status} ${body}`).toMatch(new RegExp(`^(503 ERROR: [^\n]+|200 OK|200 \\d+-${REPORTS}-.*)$`));
    }
    await service.stop('SIGTERM');
    for (const line of service.output.err.split('\n').filter((text) => text !== '')) expect(line).toMatch(/^redflag: \{.*\}$/);
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
