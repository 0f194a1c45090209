import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { openFolderStore } from '../../src/stores/sqljs/folder-store.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';
// Into a SQLite file, too.
import './refused-copy.test.ts';

const canMount = process.getuid?.() === 0;
if (!canMount && process.env['CI']) throw new Error('this test mounts a file system, for which it must be root');

describe.skipIf(!canMount)('redflag migrate to a disk that gets full', () => {
  const keys = { secret: '5'.repeat(64), peppers: ['7'.repeat(64)] };
  const REPORTS = 2_000;
  const root = useFolder('full');
  let disk: string;
  beforeAll(async () => {
    disk = await mkdtemp(join(root, 'disk-'));
    await writeFile(join(root, 'secret'), keys.secret);
    await writeFile(join(root, 'pepper'), keys.peppers[0]!);
    const store = await openFolderStore(root);
    const engine = createEngine({
      store,
      ...keys,
      publicUrl: 'https://reports.example',
      limits: { report: { requests: 1e9, windowSeconds: 60 } },
    });
    const { apiKey } = unwrap(await engine.issueKey(unwrap(await engine.createReporter({ name: 'Shop' }))));
    await Promise.all(
      Array.from({ length: REPORTS }, async (_, n) =>
        unwrap(
          await engine.report({
            apiKey,
            type: 'fraud',
            severity: 5,
            text: 'x'.repeat(1_500),
            identifiers: [{ kind: 'email', hash: n.toString(16).padStart(40, '0') }],
          }),
        ),
      ),
    );
    await engine.close();
    await store.close();
    // Room for some of it.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'pipe' });
  });
  afterAll(async () => {
    if (disk) execFileSync('umount', ['-l', disk]);
  });

  it('says so in a line, keeps what it has, and goes on with the same command', async () => {
    const args = ['migrate', '--from', root, '--to', join(disk, 'to'), '--json'];
    expect(await runCli(args)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^(redflag: \{"event":[^\n]+\n)*redflag: the write could not be made durable and was rolled back; check the disk, then retry: [^\n]+ENOSPC[^\n]+\n$/,
      ),
    });
    for (const name of ['to-keys/secret', 'to-keys/pepper', 'to/redflag.journal'])
      expect(existsSync(join(disk, name)), name).toBe(true);
    execFileSync('mount', ['-o', 'remount,size=64m', disk], { stdio: 'pipe' });
    const { code, out, err } = await runCli(args);
    expect([code, err]).toEqual([0, '']);
    const { rows, added } = JSON.parse(out) as { rows: number; added: number };
    expect(rows).toBeGreaterThan(2 * REPORTS);
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(rows);
    expect((await runCli(['check', '--data', join(disk, 'to')])).out).toBe('OK: no problems found.\n');
  });
});
