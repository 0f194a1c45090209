import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../budget.ts';
import { createProgramEngine as createEngine } from '../../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../../src/index.ts';
import { openFolderStore } from '../../../src/stores/sqljs/folder-store.ts';
import { useFolder } from '../../folder.ts';
import { freePort } from '../../free-port.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../../postgres-server.ts';
import { keyFile } from '../key-files.ts';
import { NO_BUDGETS, NO_LIMITS, beginService, post, startForTest, startService } from '../service.ts';

const root = useFolder('readiness');

const hashOf = (n: number): string => n.toString(16).padStart(40, '0');

describe('a start with a long journal', () => {
  const REPORTS = isLong ? 100_000 : 12_000;

  it.each<[string, number, (n: number) => string]>([
    ['as many persons', 1, hashOf],
    ['one person', REPORTS, () => hashOf(1)],
  ])('about %s is alive while it reads, and 503 until it can answer', async (about, reported, hashFor) => {
    const folder = join(root, `reported-${reported}`);
    const query = { _action: 'query', email: hashOf(1) };
    const answer = new RegExp(`^\\d+-${reported}-`);
    const first = await startService(['--data', folder]);
    const apiKey = first.apiKey!;
    await first.stop('SIGTERM');
    const secret = (await readFile(keyFile(folder, 'secret'), 'utf8')).trim();
    const pepper = (await readFile(keyFile(folder, 'pepper'), 'utf8')).trim().split('\n').at(-1)!;
    const store = await openFolderStore(folder);
    const engine = createEngine({
      store,
      secret,
      peppers: [pepper],
      publicUrl: 'http://localhost',
      limits: { report: { requests: 1e9, windowSeconds: 1 } },
      budgets: { identifiers: { verified: 1e9, new: 1e9 } },
    });
    for (let n = 0; n < REPORTS; n += 500) {
      const some = Array.from({ length: 500 }, (_, at) =>
        engine.report({
          apiKey,
          type: 'fraud',
          severity: 7,
          text: `Report ${n + at}`,
          identifiers: [{ kind: 'email', hash: hashFor(n + at) }],
        }),
      );
      for (const outcome of await Promise.all(some)) unwrap(outcome);
    }
    await engine.close();
    expect((await stat(join(folder, 'redflag.journal'))).size).toBeGreaterThan(100 * REPORTS);

    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const seen = { alive: 0, unready: 0, refused: 0, isReady: false };
    const begun = performance.now();
    const started = startForTest(['--data', folder, '--port', String(port)]).then((service) => {
      seen.isReady = true;
      console.info(`ready after ${Math.round(performance.now() - begun)} ms with ${REPORTS} reports about ${about}`);
      return service;
    });
    while (!seen.isReady) {
      const form = { method: 'POST', body: new URLSearchParams({ _api: apiKey, ...query }) };
      const [alive, ready, asked] = await Promise.all(
        ['/healthz', '/readyz', '/api/'].map((path, at) =>
          fetch(origin + path, at === 2 ? form : {}).catch(() => undefined),
        ),
      );
      if (alive?.status === 200) seen.alive++;
      // The process may get ready between the answers.
      if (ready?.status === 503) seen.unready++;
      if (asked?.status === 503 && asked.headers.get('retry-after') === '1') seen.refused++;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(seen.alive).toBeGreaterThan(0);
    expect(seen.unready).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
    const service = await started;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const asked = performance.now();
    expect((await post(service, { _api: apiKey, ...query })).body).toMatch(answer);
    console.info(`first answer after ${Math.round(performance.now() - asked)} ms`);

    // A signal ends the next start before it is ready.
    await service.stop('SIGTERM');
    const stopped = beginService(['--data', folder, '--port', String(port)]);
    const health = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.text();
    await expect.poll(health, { interval: 5 }).toBe('starting\n');
    stopped.process.kill('SIGTERM');
    expect(await stopped.exited).toBe(0);
    expect(stopped.output.out).toBe('');
    const again = await startForTest(['--data', folder]);
    expect((await post(again, { _api: apiKey, ...query })).body).toMatch(answer);
  });
});

const programs = findPostgres();
describe.runIf(programs)('a store that is not available', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs!);
  });
  afterAll(() => server.remove());

  it('takes the readiness away, and gives it back without a request', async () => {
    const { host, user } = await server.createDatabase('readiness');
    const url = `postgres://${user}:never-shown@/readiness?host=${encodeURIComponent(host)}`;
    const limits = ['--limits', NO_LIMITS, '--budgets', NO_BUDGETS];
    const service = await startForTest(['--data', join(root, 'pg'), ...limits], { env: { REDFLAG_STORE: url } });
    const origin = new URL(service.apiUrl).origin;
    const ready = async () => {
      const reply = await fetch(`${origin}/readyz`);
      return `${reply.status} ${await reply.text()}`;
    };
    const ask = () => post(service, { _api: service.apiKey!, _action: 'query', email: hashOf(1) });
    expect((await ask()).status).toBe(200);
    expect(await ready()).toBe('200 ok\n');
    // No request asks: the service itself notices.
    await server.stop();
    await expect.poll(ready).toBe('503 store unavailable\n');
    expect((await ask()).status).toBe(503);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await server.start();
    await expect.poll(ready).toBe('200 ok\n');
    expect((await ask()).status).toBe(200);
    expect(`${service.output.out}${service.output.err}`).not.toContain('never-shown');
  });
});
