import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryEvaluations } from '../../src/sealed/client/evaluations.ts';
import { createMemoryReplica } from '../../src/sealed/client/replica-store.ts';
import { createSealedClient, type SealedClient } from '../../src/sealed/client/sealed-client.ts';
import type { SealedClientOptions } from '../../src/sealed/client/client-options.ts';
import { isLong } from '../budget.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { clockAhead } from './clock-ahead.ts';
import { personOf } from './postgres-services.ts';
import { NO_BUDGETS, NO_LIMITS, post, runCli, startService, type RunningService } from './service.ts';

const programs = findPostgres();
const identifiersOf = (person: number) => [{ kind: 'email', hash: personOf(person) }];

describe.skipIf(programs === undefined)('two services with a sealed look-up over one PostgreSQL', () => {
  let server: PostgresServer;
  let base: string;
  let env: NodeJS.ProcessEnv;
  const services: RunningService[] = [];
  const start = async (aheadMs = 0): Promise<RunningService> => {
    const args = ['--data', join(base, 'data'), '--limits', NO_LIMITS, '--budgets', NO_BUDGETS];
    const service = await startService(args, { env: { ...env, ...clockAhead(aheadMs) } });
    services.push(service);
    return service;
  };
  const run = (...args: string[]) => runCli([...args, '--data', join(base, 'data')], { env });
  beforeAll(async () => {
    server = await startPostgres(programs!);
    await server.createDatabase('sealed');
    base = await mkdtemp(join(tmpdir(), 'redflag-sealed-'));
    const { user, host } = server.connection;
    env = { REDFLAG_STORE: `postgres://${user}@/sealed?host=${encodeURIComponent(host)}` };
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    await server?.remove();
    await rm(base, { recursive: true, force: true });
  });

  it('publish one after the other, and answer while the publisher is killed and the sealing key replaced', async () => {
    expect((await run('sealed', 'init')).code).toBe(0);
    // As if there had been publications here: the first one does not wait for the next minute.
    await mkdir(join(base, 'data', 'sealed'), { recursive: true, mode: 0o700 });
    await writeFile(join(base, 'data', 'sealed', 'sequence'), '1\n');
    const first = await start();
    const apiKey = first.apiKey!;
    for (let person = 0; person < 300; person++) {
      const fields = { _api: apiKey, _action: 'report', _type: 'fraud', _value: '5', _text: `Text ${person}` };
      expect((await post(first, { ...fields, email: personOf(person) })).status).toBe(200);
    }
    const manifestOf = async (service: RunningService) => {
      const reply = await fetch(`${service.apiUrl.replace('/api/', '')}/sealed/manifest`);
      return reply.ok ? ((await reply.json()) as { sequence: number; rows: number; operatorKey: string }) : undefined;
    };
    await expect.poll(() => manifestOf(first), { timeout: 30_000 }).toBeDefined();
    // Later publishers need not wait for the next minute.
    const second = await start(60_000);
    const published = (await manifestOf(second))!;
    expect(published).toEqual(await manifestOf(first));
    const clientOf = (service: RunningService, options: Pick<SealedClientOptions, 'replica' | 'evaluations'>) =>
      createSealedClient({
        baseUrl: service.apiUrl.replace('/api/', ''),
        apiKey,
        operatorKey: published.operatorKey,
        ...options,
      });
    const reportedBy = async (client: SealedClient, person: number): Promise<unknown> => {
      const answer = await client.query(identifiersOf(person));
      return answer.answer === 'score' ? answer.reported : answer;
    };
    const kept = { replica: createMemoryReplica(), evaluations: createMemoryEvaluations() };
    const persons = [0, 3, 77, 299];
    await clientOf(first, kept).prepare(persons.flatMap(identifiersOf));
    const draft = (text: string) => ({ type: 'fraud', severity: 4, text });
    const reporting = (service: RunningService) => clientOf(service, { replica: createMemoryReplica() });
    await reporting(first).report({ ...draft('To the first one.'), identifiers: identifiersOf(500) });
    await reporting(second).report({ ...draft('To the second one.'), identifiers: identifiersOf(501) });
    const plainly = async (service: RunningService, person: number): Promise<string | undefined> => {
      const { body } = await post(service, { _api: apiKey, _action: 'query', email: personOf(person) });
      return body.split('-')[1];
    };
    expect([await plainly(first, 501), await plainly(second, 500)]).toEqual(['1', '1']);

    await first.stop('SIGKILL');
    const keysBefore = await readFile(join(base, 'data-keys', 'sealed-keys'), 'utf8');
    const state = { isReplaced: false };
    const replacing = run('sealed', 'replace-key', '--by', 'Ada').finally(() => (state.isReplaced = true));
    const third = await start(60_000);
    const local = [second, third].map((service) => clientOf(service, { replica: createMemoryReplica() }));
    let rounds = 0;
    while (!state.isReplaced) {
      const person = persons[rounds++ % persons.length]!;
      for (const [at, service] of [second, third].entries()) {
        expect(await plainly(service, person)).toBe('1');
        // The rows are of the first publication, and may be older than the reports.
        expect(await local[at]!.query(identifiersOf(person))).toMatchObject({ answer: 'score' });
      }
      // The command takes a minute. Leave the processor to other tests.
      if (!isLong && rounds > 20) await pause(200);
    }
    expect(rounds).toBeGreaterThan(20);
    const { code, out, err } = await replacing;
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Replaced the sealing key: its fingerprint is [0-9a-f]{16}; converted identifiers: \d+\.\n/);
    const keysNow = await readFile(join(base, 'data-keys', 'sealed-keys'), 'utf8');
    expect(keysNow).not.toContain('previousKey');
    expect(keysNow).not.toContain(/"sealingKey":"([^"]+)"/.exec(keysBefore)![1]);

    // The other one has taken over: a higher sequence, with the reports of both, under the same public key.
    await expect
      .poll(async () => (await manifestOf(second))?.sequence, { timeout: 70_000 })
      .toBeGreaterThan(published.sequence);
    await expect.poll(async () => (await manifestOf(third))?.rows).toBeGreaterThan(302);
    expect(await manifestOf(third)).toEqual(await manifestOf(second));
    const later = clientOf(third, kept);
    await later.refresh();
    for (const person of [...persons, 500, 501]) expect(await reportedBy(later, person)).toBe(1);
    expect(await reportedBy(later, 9_000)).toBe(0);
    expect((await run('check')).out).toBe('OK: no problems found.\n');
    expect((await run('audit', 'list', '--json')).out).toContain('sealing-key-replaced');
    for (const { output } of services) expect(output.err).not.toMatch(/sealed-publication-failed|SealError|internal/);
  }, 180_000);
});
