import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealedClient } from '../../src/sealed.ts';
import { eventually } from '../eventually.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { clockAhead } from './clock-ahead.ts';
import { post, runCli, startEvaluator, startService, type RunningService } from './service.ts';

const programs = findPostgres();
const identifiers = [{ kind: 'email', hash: 'ab'.repeat(20) }];

describe.skipIf(programs === undefined)('a separate evaluator, and two services over one PostgreSQL', () => {
  let server: PostgresServer;
  let base: string;
  let evaluator: Awaited<ReturnType<typeof startEvaluator>> | undefined;
  const services: RunningService[] = [];

  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    await server.createDatabase('evaluated');
    base = await mkdtemp(join(tmpdir(), 'redflag-evaluator-'));
  });
  afterAll(async () => {
    await Promise.all([...services.map((service) => service.stop('SIGKILL')), evaluator?.stop('SIGKILL')]);
    await server?.remove();
    await rm(base, { recursive: true, force: true });
  });

  it('answer alike from init to query', async () => {
    const { user, host } = server.connection;
    const env = { REDFLAG_STORE: `postgres://${user}@/evaluated?host=${encodeURIComponent(host)}` };
    const [keys, data] = [join(base, 'evaluator'), join(base, 'data')];
    const made = await runCli(['evaluator', 'init', '--data', keys]);
    const evaluatorKey = /^Public key, for clients: (\S{43})$/m.exec(made.out)![1]!;
    evaluator = await startEvaluator(['serve', '--data', keys, '--port', '0', '--daily', '1000']);
    const run = (...args: string[]) => runCli([...args, '--data', data], { env });
    const access = ['--evaluator', evaluator.url, '--evaluator-file', join(keys, 'for-operator')];
    expect(await run('sealed', 'init', ...access)).toMatchObject({ code: 0, err: '' });
    const start = async (ahead = 0): Promise<RunningService> => {
      const service = await startService(['--data', data], { env: { ...env, ...clockAhead(ahead) } });
      services.push(service);
      return service;
    };
    const [first, second] = [await start(), await start(60_000)];
    const apiKey = first.apiKey!;
    const { operatorKey } = JSON.parse((await run('sealed', 'status', '--json')).out) as { operatorKey: string };
    const baseUrlOf = ({ apiUrl }: RunningService): string => apiUrl.replace(/\/api\/$/, '');
    const clientOf = (service: RunningService) =>
      createSealedClient({ baseUrl: baseUrlOf(service), apiKey, operatorKey, evaluatorKey });
    // A sealed report needs the manifest.
    await eventually(async () => expect((await fetch(`${baseUrlOf(second)}/sealed/manifest`)).status).toBe(200));
    const draft = { type: 'fraud', severity: 8, text: 'The goods were not paid.', identifiers };
    await clientOf(first).report(draft);
    const plain = { _api: apiKey, _action: 'query', email: identifiers[0]!.hash };
    for (const service of [first, second]) expect((await post(service, plain)).status).toBe(400);
    // The other process publishes next, with the report.
    await first.stop('SIGKILL');
    const client = clientOf(second);
    await expect
      .poll(() => client.refresh().then(() => client.query(identifiers)), { timeout: 80_000, interval: 1_000 })
      .toMatchObject({ answer: 'score', reported: 1 });
    expect((await run('check')).out).toBe('OK: no problems found.\n');
  });
});
