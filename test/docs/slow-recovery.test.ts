import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { post, runCli, startService, type RunningService } from '../cli/service.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { readPage } from './page.ts';
import { ROOT } from './terminal.ts';

const programs = findPostgres();
const EMAIL = 'a1'.repeat(20);

/** The text from a heading to the next one of the same level. */
function sectionOf(page: string, heading: string): string {
  const from = page.indexOf(heading) + heading.length;
  const to = page.indexOf('\n## ', from);
  return page.slice(from, to === -1 ? undefined : to);
}

// The commands of the page, between two real servers. All parts of the first one are removed before the restore.
it.skipIf(programs === undefined)(
  'docs/recovery.md: a dump and the two keys are enough for a service on a new server',
  async () => {
    const page = await readFile(join(ROOT, 'docs/recovery.md'), 'utf8');
    const [dump, restore, ...more] = readPage(sectionOf(page, '## PostgreSQL\n')).flatMap((block) =>
      block.kind === 'code' && block.language === 'sh' ? [block.text] : [],
    );
    expect(more).toEqual([]);
    const root = await mkdtemp(join(tmpdir(), 'redflag-recovery-'));
    const servers: PostgresServer[] = [];
    const services: RunningService[] = [];
    try {
      const startServer = async (database: string): Promise<[PostgresServer, string]> => {
        const server = await startPostgres(programs!);
        servers.push(server);
        const { user, host } = await server.createDatabase(database);
        return [server, `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`];
      };
      const startOn = async (url: string, folder: string): Promise<RunningService> => {
        const place = ['--public-url', 'https://reports.example', '--trust-proxies', '1'];
        const service = await startService(['--data', folder, ...place], { env: { REDFLAG_STORE: url } });
        services.push(service);
        return service;
      };
      const bin = join(root, 'bin');
      await mkdir(bin);
      await writeFile(
        join(bin, 'npx'),
        `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(ROOT, 'dist/cli.js')}' "$@"\n`,
      );
      await chmod(join(bin, 'npx'), 0o755);
      const run = (commands: string, cwd: string, env: NodeJS.ProcessEnv): string =>
        execFileSync('bash', ['-euc', commands], {
          cwd,
          env: { ...process.env, ...env, PATH: `${bin}:${programs}:${process.env['PATH']}` },
          encoding: 'utf8',
        });

      const old = join(root, 'old');
      await mkdir(old);
      const [oldServer, OLD] = await startServer('before');
      const before = await startOn(OLD, join(old, 'data'));
      const api = { _api: before.apiKey! };
      const report = { ...api, _action: 'report', _type: 'fraud', _value: '7', _text: 'Paid with a stolen card' };
      const code = (await post(before, { ...report, email: EMAIL })).headers.get('x-deletion-code')!;
      const reply = (await post(before, { ...api, _action: 'query', email: EMAIL })).body;
      expect(reply).toMatch(/^[1-9]\d*-1-/);
      // While the service runs.
      run(dump!, old, { OLD });
      const place = join(root, 'new');
      await mkdir(place);
      await cp(join(old, 'redflag.sql'), join(place, 'redflag.sql'));
      await cp(join(old, 'data-keys'), join(place, 'data-keys'), { recursive: true });
      await before.stop('SIGKILL');
      await oldServer.remove();
      await rm(old, { recursive: true });

      const [, NEW] = await startServer('after');
      expect(run(restore!, place, { NEW })).toBe('OK: no problems found.\n');
      const after = await startOn(NEW, join(place, 'data'));
      expect(after.output).toEqual({ out: expect.stringMatching(/^Listening on \S+\n$/), err: '' });
      expect((await post(after, { ...api, _action: 'query', email: EMAIL })).body).toBe(reply);
      const shown = await fetch(`${after.apiUrl}?showreport=${reply.slice(-40)}`);
      expect(await shown.json()).toMatchObject({ count: 1, ReportAdvanceds: [{ description: report._text }] });
      expect((await post(after, { ...api, _action: 'delete', _code: code })).body).toBe('OK');
      // Without the keys there is no service on the restored rows.
      const bare = await runCli(['serve', '--port', '0', '--data', join(place, 'bare')], {
        env: { REDFLAG_STORE: NEW },
        timeoutMs: 60_000,
      });
      expect(bare.err).toMatch(/^redflag: \S+\/bare-keys\/secret is missing, but the store has data: [^\n]+\n$/);
    } finally {
      await Promise.all(services.map((service) => service.stop('SIGKILL')));
      for (const server of servers) await server.remove();
      await rm(root, { recursive: true, force: true });
    }
  },
  120_000,
);
