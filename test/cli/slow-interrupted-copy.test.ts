import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/service/data-folder/open-store.ts';
import { report, reporter } from '../contract/stored.ts';
import { useFolder } from '../folder.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { runCli, startService } from './service.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const REPORTS = 6000;
const INTERRUPTED = /was interrupted, so this store has only a part of its rows: run the same command again/;
const programs = findPostgres();
const root = useFolder('interrupted');
let server: PostgresServer | undefined;
beforeAll(async () => {
  if (programs) server = await startPostgres(programs, { settings: HASTY });
  const source = await openStore(join(root, 'source'), 'sqlite');
  await source.addReporter(reporter(1));
  await Promise.all(Array.from({ length: REPORTS }, (_, n) => source.addReport(report(n + 1), 0)));
  await source.close();
  const from = ['--data', join(root, 'source')];
  await writeFile(join(root, 'source', 'secret'), '5'.repeat(64));
  expect((await runCli(['export', join(root, 'all.ndjson'), ...from])).code).toBe(0);
}, 120_000);
afterAll(() => server?.remove());

/** Runs a command, and kills it after some milliseconds. Returns true if it was killed. */
async function kill(args: readonly string[], env: NodeJS.ProcessEnv, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: 'ignore', env: { ...process.env, ...env } });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const [code] = await ended;
  clearTimeout(timer);
  return code === null;
}

const secretOf = (): NodeJS.ProcessEnv => ({ REDFLAG_SECRET_FILE: join(root, 'source', 'secret') });

describe.each(['folder', 'sqlite', 'postgres'] as const)('an interrupted copy into a store of kind %s', (kind) => {
  it.skipIf(kind === 'postgres' && !programs).each(['import', 'migrate'] as const)(
    'by %s is not served or read before the same command has ended',
    async (command) => {
      const folder = join(root, `${kind}-${command}`);
      const database = `${kind}_${command}`;
      if (kind === 'postgres') await server!.createDatabase(database);
      const url =
        kind === 'postgres'
          ? `postgres://${server!.connection.user}@/${database}?host=${encodeURIComponent(server!.connection.host)}`
          : kind === 'sqlite'
            ? `sqlite:${folder}`
            : folder;
      const store = kind === 'folder' ? {} : { REDFLAG_STORE: kind === 'sqlite' ? 'sqlite' : url };
      // With another secret, looking at a store without rows would give it one of its own.
      const env = { ...store, ...secretOf() };
      const args =
        command === 'import'
          ? ['import', join(root, 'all.ndjson'), '--data', folder]
          : ['migrate', '--from', `sqlite:${join(root, 'source')}`, '--to', url, '--data', folder];
      const refused = { by: 0 };
      // A step is shorter than the copy takes, and the second refusal ends the search for its time.
      for (let afterMs = 300; refused.by < 2 && (await kill(args, env, afterMs)); afterMs = Math.ceil(1.15 * afterMs)) {
        const { code, out, err } = await runCli(['check', '--data', folder], { env });
        if (INTERRUPTED.test(err)) {
          expect(code).toBe(1);
          // The others open a store in the same way.
          if (refused.by++ > 0) continue;
          for (const other of [
            ['serve', '--port', '0'],
            ['export', join(root, 'part.ndjson')],
            ['disputes', 'list'],
          ])
            expect((await runCli([...other, '--data', folder], { env })).err).toMatch(INTERRUPTED);
        } else if (code === 0) expect(out).toBe('OK: no problems found.\n');
      }
      expect(refused.by).toBeGreaterThan(0);
      expect((await runCli(args, { env })).code).toBe(0);
      expect(await runCli(['check', '--data', folder], { env })).toMatchObject({ code: 0 });
      const service = await startService(['--data', folder, '--port', '0'], { env });
      expect((await service.stop('SIGTERM')).code).toBe(0);
    },
    120_000,
  );
});
