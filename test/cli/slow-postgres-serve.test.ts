import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budget, isLong } from '../budget.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { beClient, personOf, startServices, type Account, type Services } from './postgres-services.ts';
import { post, runCli } from './service.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('three service processes over one PostgreSQL', () => {
  let server: PostgresServer;
  let services: Services;
  beforeAll(async () => {
    server = await startPostgres(programs!);
    services = await startServices(server, 'served', 3);
  });
  afterAll(async () => {
    await services?.close();
    await server.remove();
  });

  it('take everything that clients send once, lose nothing that they acknowledged, and count exactly, whatever is killed meanwhile', async () => {
    const account: Account = { live: new Map(), acknowledged: { reports: 0, removals: 0, unavailable: 0 } };
    const state = { seed: 7, goesOn: true };
    const random = (): number => {
      state.seed = (state.seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state.seed / 2_147_483_648;
    };
    const clients = Promise.all(
      Array.from({ length: 6 }, (_, n) => beClient(services, account, `client ${n}`, random, () => state.goesOn)),
    );
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    for (let round = 0; round < budget(2); round++) {
      await wait(1_000);
      await services.replace(round % 3);
      await wait(500);
      await server.kill();
      await wait(500);
      await server.start();
    }
    // Gone for seconds: 503 with Retry-After meanwhile, and then all goes on without a restart.
    await server.stop();
    await wait(isLong ? 10_000 : 3_000);
    // The log of each says why, in a line each time.
    for (const { output } of services.all) {
      expect(output.err).toMatch(
        /"event":"store-unavailable","error":"StoreUnavailableError: the database cannot answer now","cause":"Error \((ENOENT|ECONNREFUSED)\)"/,
      );
      expect(output.err).not.toMatch(/internal-error|never-shown|\bclient \d/);
    }
    const before = account.acknowledged.reports;
    await server.start();
    await expect.poll(() => account.acknowledged.reports).toBeGreaterThan(before);
    await wait(1_000);
    state.goesOn = false;
    await clients;

    expect(account.acknowledged.reports).toBeGreaterThan(10);
    expect(account.acknowledged.removals).toBeGreaterThan(0);
    expect(account.acknowledged.unavailable).toBeGreaterThan(0);
    for (const [person, codes] of account.live) {
      for (const service of services.all) {
        const { body } = await post(service, { _api: services.apiKey, _action: 'query', email: personOf(person) });
        expect(Number(body.split('-')[1]), `person ${person}`).toBe(codes.size);
      }
    }
    expect(await services.run('check')).toEqual({ code: 0, out: 'OK: no problems found.\n', err: '' });
  });

  it('take an operator’s commands from any process, and see what another one did', async () => {
    const created = await services.run('keys', 'create', 'Another Shop');
    const key = /API key: ([0-9a-f]{16})/.exec(created.out)![1]!;
    for (const service of services.all)
      expect((await post(service, { _api: key, _action: 'query', email: personOf(7000) })).status).toBe(200);
    const reported = await post(services.all[0]!, {
      _api: key,
      _action: 'report',
      _type: 'fraud',
      _value: '8',
      _text: 'To be disputed',
      email: personOf(7000),
    });
    const points = async () =>
      new Set(
        await Promise.all(
          services.all.map(async (service) =>
            (await post(service, { _api: services.apiKey, _action: 'query', email: personOf(7000) })).body
              .split('-')
              .slice(0, 3)
              .join('-'),
          ),
        ),
      );
    await expect.poll(async () => [...(await points())]).toEqual([expect.stringMatching(/^[1-9]\d*-1-/)]);
    expect(
      (await services.run('disputes', 'open', reported.headers.get('x-report-id')!, '--reason', 'wrong', '--by', 'Ada'))
        .code,
    ).toBe(0);
    expect((await services.run('disputes', 'uphold', reported.headers.get('x-report-id')!, '--by', 'Ada')).code).toBe(
      0,
    );
    expect(await points()).toEqual(new Set(['0-0-0.0']));
    expect((await services.run('pepper', 'rotate')).err).toMatch(/first run redflag pepper add/);
    expect((await services.run('pepper', 'status', '--json')).out).toMatch(/"generation":1/);
  });

  it('refuse a process that has another secret’s folder', async () => {
    const folder = `${services.folder}-other`;
    const other = await runCli(['serve', '--port', '0', '--data', folder], { env: services.env });
    expect(other).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^redflag: \S+-other-keys\/secret is missing, but the store has data/),
    });
    expect(existsSync(folder)).toBe(false);
  });

  it('count requests together: what three are asked at once is answered as often as one would answer it', async () => {
    const limited = await startServices(server, 'limited', 3, { limits: 'query=30' });
    const key = /API key: ([0-9a-f]{16})/.exec((await limited.run('keys', 'create', 'Another Shop')).out)![1]!;
    try {
      /** Asks all of them at once, many times. */
      const burst = (apiKey: string, each: number) =>
        Promise.all(
          limited.all.flatMap((service) =>
            Array.from({ length: each }, (_, n) =>
              post(service, { _api: apiKey, _action: 'query', email: personOf(n) }),
            ),
          ),
        );
      for (const apiKey of [limited.apiKey, key]) {
        // Thirty at once, then another one every two seconds. A slow machine answers more requests, and each one
        // counts.
        const began = Date.now();
        const most = () => 30 + Math.floor((Date.now() - began) / 2_000);
        const answers = await burst(apiKey, 40);
        const answered = () => answers.filter(({ status }) => status === 200).length;
        expect(answered()).toBeGreaterThanOrEqual(30);
        expect(answered()).toBeLessThanOrEqual(most());
        for (const { status, body, headers } of answers.filter((answer) => answer.status !== 200)) {
          expect({ status, body, policy: headers.get('ratelimit-policy') }).toEqual({
            status: 429,
            body: expect.stringMatching(/^ERROR: /) as string,
            policy: '"query";q=30;w=60',
          });
          expect(headers.get('retry-after')).toMatch(/^[12]$/);
        }
        // A client that retries as advised is answered by any process. A new process does not begin to count anew.
        await limited.replace(apiKey === key ? 0 : 1);
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        const before = answered();
        answers.push(...(await burst(apiKey, 10)));
        expect(answered()).toBeGreaterThan(before);
        expect(answered()).toBeLessThanOrEqual(most());
        // A report is counted by itself.
        expect(
          (
            await post(limited.all[2]!, {
              _api: apiKey,
              _action: 'report',
              _type: 'fraud',
              _value: '5',
              _text: 'not limited',
              email: personOf(0),
            })
          ).status,
        ).toBe(200);
      }
    } finally {
      await limited.close();
    }
  });
});
