import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { runCli } from './in-process.ts';
import { NO_BUDGETS, NO_LIMITS, post, startService, type RunningService } from './service.ts';

// Everything stored moves from one kind of store to the next and back, by the built program. A service at each stop
// gives the same answers.
const programs = findPostgres();
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const REPORTS = isLong ? 1500 : 400;
/** Each kill comes by this factor later than the one before. */
const LATER = isLong ? 1.2 : 2;
const hashOf = (n: number): string => (n + 1).toString(16).padStart(40, 'c');
const sumOf = (json: string) => JSON.parse(json) as { rows: number; added: number };

describe.skipIf(programs === undefined)(
  'redflag migrate, from a folder to a SQLite file to PostgreSQL to a folder',
  () => {
    let root: string;
    let server: PostgresServer;
    let url: string;
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'redflag-migrate-'));
      server = await startPostgres(programs!, { settings: HASTY });
      await server.createDatabase('moved');
      url = `postgres://${server.connection.user}@/moved?host=${encodeURIComponent(server.connection.host)}`;
    }, 60_000);
    afterAll(async () => {
      await server?.remove();
      await rm(root, { recursive: true, force: true });
    });

    /** What a service on a store answers to every kind of question. */
    async function answersOf(apiKey: string, ...options: string[]): Promise<unknown> {
      const service = await startService([
        ...options,
        '--public-url',
        'https://reports.example',
        '--budgets',
        NO_BUDGETS,
        '--limits',
        NO_LIMITS,
      ]);
      try {
        const queries: string[] = [];
        for (let n = 0; n < REPORTS; n += 37)
          queries.push(
            (await post(service, { _api: apiKey, _action: 'query', email: hashOf(n), phone: hashOf(n + 1) })).body,
          );
        const viewed = await Promise.all(
          queries
            .slice(0, 10)
            .map(async (body) => (await fetch(`${service.apiUrl}?showreport=${body.slice(-40)}`)).text()),
        );
        return { queries, viewed };
      } finally {
        expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
      }
    }

    /**
     * Starts a migration and kills it after a while, until one ends. Then runs it once more, when nothing is left to
     * do.
     */
    async function migrateAndKill(from: string, to: string, data: string): Promise<number> {
      const args = ['migrate', '--from', from, '--to', to, '--data', data, '--json'];
      let killed = 0;
      for (let wait = 400; ; wait = Math.ceil(LATER * wait)) {
        const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
        const output = { out: '', err: '' };
        child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
        const ended = once(child, 'close');
        const timer = setTimeout(() => child.kill('SIGKILL'), wait);
        const [code, signal] = (await ended) as [number | null, string | null];
        clearTimeout(timer);
        if (signal === 'SIGKILL') {
          killed++;
          continue;
        }
        expect({ code, err: output.err }).toEqual({ code: 0, err: '' });
        const again = await runCli(args);
        expect(sumOf(again.out)).toEqual({ rows: sumOf(output.out).rows, added: 0 });
        expect(killed).toBeGreaterThan(0);
        return sumOf(again.out).rows;
      }
    }

    it('loses and changes nothing, killed in the middle of each', async () => {
      const first = join(root, 'first');
      const service: RunningService = await startService([
        '--data',
        first,
        '--limits',
        NO_LIMITS,
        '--budgets',
        NO_BUDGETS,
      ]);
      const apiKey = service.apiKey!;
      const next = { n: 0 };
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (next.n < REPORTS) {
            const n = next.n++;
            const { body, headers } = await post(service, {
              _api: apiKey,
              _action: 'report',
              _type: 'fraud',
              _value: String(1 + (n % 10)),
              _text: `Report ${n}: “ö” 𝄞`,
              email: hashOf(n),
              phone: hashOf(n + 1),
              ip: hashOf(n % 7),
            });
            expect(body).toBe('OK');
            if (n % 11 === 0)
              expect(
                (await post(service, { _api: apiKey, _action: 'delete', _code: headers.get('x-deletion-code')! })).body,
              ).toBe('OK');
            else if (n % 100 === 1)
              expect(
                (
                  await runCli([
                    'disputes',
                    'open',
                    headers.get('x-report-id')!,
                    '--reason',
                    'wrong',
                    '--by',
                    'Ada',
                    '--data',
                    first,
                  ])
                ).code,
              ).toBe(0);
          }
        }),
      );
      expect((await runCli(['allow', 'add', hashOf(3), '--reason', 'ours', '--by', 'Ada', '--data', first])).code).toBe(
        0,
      );
      expect((await runCli(['pepper', 'rotate', '--data', first])).code).toBe(0);
      // Another service on either end is in the way.
      const inTheWay = await runCli(['migrate', '--from', first, '--to', `sqlite:${join(root, 'second')}`]);
      expect(inTheWay).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^redflag: the folder \S+ is in use: this or another process has it open\n$/),
      });
      await service.stop('SIGTERM');
      const answers = await answersOf(apiKey, '--data', first);

      const second = join(root, 'second');
      const rows = await migrateAndKill(first, `sqlite:${second}`, second);
      expect(rows).toBeGreaterThan(REPORTS * 3);
      expect(await answersOf(apiKey, '--data', second, '--store', 'sqlite')).toEqual(answers);

      // Of a server there are only the keys here.
      const third = join(root, 'third');
      const counted = await migrateAndKill(`sqlite:${second}`, url, third);
      expect(await answersOf(apiKey, '--data', third, '--store', url)).toEqual(answers);

      const fourth = join(root, 'fourth');
      const back = await migrateAndKill(url, fourth, third);
      // Each migration adds an entry to the audit log of its target; one that was killed at its end, another.
      expect(back).toBeGreaterThan(counted);
      expect(back).toBeLessThan(counted + 10);
      expect(await answersOf(apiKey, '--data', fourth)).toEqual(answers);
      expect(await runCli(['check', '--data', fourth])).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });
      // A folder moves within itself, too.
      const fifth = join(root, 'fifth');
      await cp(first, fifth, { recursive: true, filter: (name) => !name.endsWith('.sock') });
      await cp(`${first}-keys`, `${fifth}-keys`, { recursive: true });
      expect((await runCli(['migrate', '--from', fifth, '--to', `sqlite:${fifth}`])).code).toBe(0);
      await rm(join(fifth, 'redflag.journal'));
      expect(await answersOf(apiKey, '--data', fifth)).toEqual(answers);
    });
  },
);
