import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { personOf, startServices, type Services } from './postgres-services.ts';
import { post, runCli, type RunningService } from './service.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('two service processes over a primary and its replica', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let services: Services;
  let other: string;
  const ask = async (server: PostgresServer, text: string, database = 'replicated'): Promise<string> => {
    const client = new pg.Client({ ...server.connection, database });
    await client.connect();
    try {
      return String(Object.values((await client.query<Record<string, unknown>>(text)).rows[0] ?? {})[0]);
    } finally {
      await client.end();
    }
  };
  const caughtUp = async (): Promise<void> => {
    const place = await ask(primary, 'SELECT pg_current_wal_flush_lsn()::text');
    await expect
      .poll(() => ask(standby, `SELECT pg_last_wal_replay_lsn() >= '${place}'`, 'postgres').catch(() => 'not yet'))
      .toBe('true');
  };
  const reported = async (service: RunningService, key: string, person: number): Promise<number> => {
    const { status, body } = await post(service, { _api: key, _action: 'query', email: personOf(person) });
    expect(status).toBe(200);
    return Number(body.split('-')[1]);
  };
  const report = async (service: RunningService, key: string, person: number): Promise<string> => {
    const { status, headers } = await post(service, {
      _api: key,
      _action: 'report',
      _type: 'fraud',
      _value: '5',
      _text: `about ${person}`,
      email: personOf(person),
    });
    expect(status).toBe(200);
    return headers.get('x-deletion-code')!;
  };
  const noticesOf = ({ output }: RunningService): string[] =>
    [...output.err.matchAll(/"event":"(replica-\w+)"/g)].map((match) => match[1]!);

  beforeAll(async () => {
    primary = await startPostgres(programs!);
    standby = await primary.startStandby();
    services = await startServices(primary, 'replicated', 2, { standby });
    other = /API key: ([0-9a-f]{16})/.exec((await services.run('keys', 'create', 'Another Shop')).out)![1]!;
  });
  afterAll(async () => {
    await services?.close();
    await standby?.remove();
    await primary?.remove();
  });

  it('answer queries by the replica; what a reporter did it sees at once by the other process', async () => {
    const [first, second] = services.all as [RunningService, RunningService];
    const code = await report(first, services.apiKey, 1);
    // When they began, the database was new and the replica may not have had it.
    await expect
      .poll(
        async () => {
          await caughtUp();
          for (const service of services.all) await reported(service, other, 1);
          return ask(
            standby,
            "SELECT count(*) >= 2 FROM pg_stat_activity WHERE query LIKE '%reporter_writes%identifier%' AND pid <> pg_backend_pid()",
          );
        },
        { interval: 500 },
      )
      .toBe('true');
    await ask(standby, 'SELECT pg_wal_replay_pause()');
    await report(first, services.apiKey, 2);
    expect([await reported(second, services.apiKey, 2), await reported(first, services.apiKey, 2)]).toEqual([1, 1]);
    expect((await post(second, { _api: services.apiKey, _action: 'delete', _code: code })).body).toBe('OK');
    expect([await reported(first, services.apiKey, 1), await reported(second, services.apiKey, 1)]).toEqual([0, 0]);
    await ask(standby, 'SELECT pg_wal_replay_resume()');
    await caughtUp();
    for (const service of services.all)
      expect([await reported(service, other, 1), await reported(service, other, 2)]).toEqual([0, 1]);
  });

  it('answer when it is killed, and use it again, each with a notice', async () => {
    const before = services.all.map((service) => noticesOf(service).length);
    await standby.kill();
    for (let n = 0; n < 10; n++) {
      for (const [at, service] of services.all.entries()) {
        await report(service, services.apiKey, 100 + n * 2 + at);
        for (const asked of services.all)
          expect([
            await reported(asked, services.apiKey, 100 + n * 2 + at),
            await reported(asked, other, 100 + n * 2 + at),
          ]).toEqual([1, 1]);
      }
    }
    await standby.start();
    await expect
      .poll(
        async () => {
          for (const service of services.all) await reported(service, other, 100);
          return services.all.map((service, at) => noticesOf(service).slice(before[at]));
        },
        { interval: 200 },
      )
      .toEqual([
        ['replica-left', 'replica-used'],
        ['replica-left', 'replica-used'],
      ]);
    for (const { output } of services.all) expect(`${output.out}${output.err}`).not.toContain('never-shown');
  });

  it('do not begin with a replica that is none', async () => {
    const { code, out, err } = await runCli(['serve', '--port', '0', '--data', services.folder], {
      env: { ...services.env, REDFLAG_READ_REPLICA: services.env['REDFLAG_STORE'] },
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^redflag: "replica" expected a standby, got a server that accepts writes\n$/);
  });
});
