import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli as runHere } from './in-process.ts';
import { keyFile } from './key-files.ts';
import { runCli, startService } from './service.ts';

const REFUSAL = /^redflag: the store belongs to the secret with the fingerprint [0-9a-f]{16}, but [^\n]+\n$/;

describe.each(['journal', 'sqlite'] as const)('a data folder (%s) with another secret', (kind) => {
  let base: string;
  let folder: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'redflag-secret-'));
    folder = join(base, 'data');
    const service = await startService(['--data', folder, '--store', kind]);
    await service.stop('SIGTERM');
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  /** The rows of the folder without entries of exports: an export without its first line, which names the time. */
  const readRows = async (name: string): Promise<string[]> => {
    const file = join(base, name);
    expect(await runHere(['export', file, '--data', folder])).toMatchObject({ code: 0, err: '' });
    const rows = (await readFile(file, 'utf8')).split('\n').slice(1, -2);
    return rows.filter((row) => !row.includes('"action":"exported"'));
  };

  it('is refused by serve and by every command in one line, and stays as it is', async () => {
    const rows = await readRows('before');
    expect(rows.length).toBeGreaterThan(1);
    const secret = keyFile(folder, 'secret');
    const right = await readFile(secret, 'utf8');
    await writeFile(secret, `${'5'.repeat(64)}\n`);
    const names = await readdir(folder);

    const served = await runCli(['serve', '--port', '0', '--data', folder], { timeoutMs: 60_000 });
    expect(served).toEqual({ code: 1, out: '', err: expect.stringMatching(REFUSAL) });
    for (const args of [
      ['keys', 'list'],
      ['keys', 'create', 'A shop'],
      ['reporters'],
      ['disputes', 'list'],
      ['allow', 'list'],
      ['explain', 'a1'.repeat(20)],
      ['pepper', 'rotate'],
      ['check'],
      ['backup', join(base, 'backup')],
      ['export', join(base, 'export')],
      ['erase', '--hash', 'a1'.repeat(20), '--out', join(base, 'receipt')],
    ])
      expect(await runHere([...args, '--data', folder]), args.join(' ')).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(REFUSAL),
      });
    const from = kind === 'sqlite' ? `sqlite:${folder}` : folder;
    expect(await runHere(['migrate', '--from', from, '--to', join(base, 'target')])).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(REFUSAL),
    });

    expect(await readdir(folder)).toEqual(names);
    expect((await readdir(base)).sort()).toEqual(['before', 'data', 'data-keys']);
    await writeFile(secret, right);
    expect(await readRows('after')).toEqual(rows);
  });
});
