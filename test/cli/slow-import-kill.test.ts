import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { secretFingerprint } from '../../src/index.ts';
import { readSnapshot } from '../../src/stores/transfer/row-source.ts';
import { writeExport } from '../../src/stores/transfer/write-export.ts';
import { budget, isLong } from '../budget.ts';
import { report, reporter } from '../contract/stored.ts';
import { runCli } from './service.ts';
import { createMemoryStore } from '../memory-store.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SECRET = '5'.repeat(64);
const REPORTS = isLong ? 6000 : 1500;
const KILLS = budget(3);

it(`an import that is killed ${KILLS} times goes on each time, and is whole at the end`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'redflag-import-'));
  try {
    const store = await createMemoryStore();
    await store.addReporter(reporter(1));
    for (let n = 1; n <= REPORTS; n++) await store.addReport(report(n), 0);
    const lines: string[] = [];
    for await (const line of writeExport(
      readSnapshot(await store.snapshot(), { secret: secretFingerprint(SECRET), at: '2026-01-01T00:00:00.000Z' }),
    ))
      lines.push(line);
    await writeFile(join(folder, 'all.ndjson'), lines.join(''));
    await writeFile(join(folder, 'secret'), SECRET);

    const killed = { running: 0 };
    for (let n = 0; n < KILLS; n++) {
      const child = spawn(process.execPath, [CLI, 'import', join(folder, 'all.ndjson'), '--data', folder], {
        stdio: 'ignore',
      });
      const ended = once(child, 'close') as Promise<[number | null]>;
      await new Promise((resolve) => setTimeout(resolve, 150 + (1000 / KILLS) * n));
      child.kill('SIGKILL');
      const [code] = await ended;
      if (code === null) killed.running++;
      else expect(code).toBe(0);
    }
    expect(killed.running).toBeGreaterThan(0);
    expect(await runCli(['import', join(folder, 'all.ndjson'), '--data', folder])).toMatchObject({ code: 0, err: '' });
    expect((await runCli(['check', '--data', folder])).out).toBe('OK: no problems found.\n');
    await runCli(['export', join(folder, 'again.ndjson'), '--data', folder]);
    const rows = (await readFile(join(folder, 'again.ndjson'), 'utf8')).split('\n').slice(1, -2);
    // The audit log has the imports, and the export itself.
    const log = rows.filter((row) => row.startsWith('{"table":"audit"'));
    for (const row of log) expect(row).toMatch(/"action":"(imported|exported)"/);
    expect(log.some((row) => row.includes('"action":"imported"'))).toBe(true);
    expect(rows.filter((row) => !log.includes(row)).join('\n')).toBe(
      lines.join('').split('\n').slice(1, -2).join('\n'),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
