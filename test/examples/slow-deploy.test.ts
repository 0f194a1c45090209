import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../cli/service.ts';
import { useFolder } from '../folder.ts';
import { findProgram } from './deploy.ts';
import { SPEAKS_FOR_OTHERS, startCaddy, startNginx, type Proxy } from './proxies.ts';

// Real proxies, as examples/deploy sets them up, in front of the built program. Clients have addresses of their own in
// 127.0.0.0/8, which only Linux gives without asking.
const PROXIES = { nginx: startNginx, caddy: startCaddy };
const VIEWS = 3;
const EMAIL = 'e6046ea1e61328d5ad100fdf7507b841b5112932';

describe.each(Object.entries(PROXIES))('behind %s', (name, startProxy) => {
  const isThere = process.platform === 'linux' && findProgram(name) && findProgram('openssl');
  const root = useFolder(name);
  let service: RunningService;
  let proxy: Proxy;
  let _api: string;
  const serve = (port: string) =>
    startService(
      ['--data', join(root, 'data'), '--port', port, '--trust-proxies', '1', '--limits', `viewer=${VIEWS}`].concat([
        '--public-url',
        'https://reports.example',
        '--classic-path',
        '/classic',
      ]),
    );
  beforeAll(async () => {
    if (!isThere) return;
    service = await serve('0');
    _api = service.apiKey!;
    proxy = await startProxy(join(root, name), Number(new URL(service.apiUrl).port));
  });
  afterAll(async () => {
    await proxy?.stop();
    await service?.stop('SIGKILL');
  });

  const query = () => proxy.send('/api/', { form: { _api, _action: 'query', email: EMAIL } });
  const linkOf = async (): Promise<string> => /https:\/\/reports\.example(\/\S+)$/.exec((await query()).body)![1]!;
  // Of redflag: a proxy answers with words.
  const over = { status: 429, body: '{"ReportAdvanceds":[],"count":0}' };

  describe.skipIf(!isThere)('the service', () => {
    it('takes reports, answers queries with links of the site, and shows and deletes reports', async () => {
      const report = { _api, _action: 'report', _type: 'fraud', _value: '6', _text: 'Never paid', email: EMAIL };
      const reported = await proxy.send('/api/', { form: report });
      expect(reported).toMatchObject({ status: 200, body: 'OK' });
      expect(reported.headers['strict-transport-security']).toBe('max-age=31536000');
      expect((await query()).body).toMatch(/^\d+-1-\d/);
      const view = await proxy.send(await linkOf(), { from: '127.0.0.20' });
      expect(JSON.parse(view.body)).toMatchObject({ ReportAdvanceds: [{ description: 'Never paid' }], count: 1 });
      const _code = `${reported.headers['x-deletion-code']}`;
      expect((await proxy.send('/api/', { form: { _api, _action: 'delete', _code } })).body).toBe('OK');
      expect((await query()).body).toMatch(/^0-0-/);
      expect(await proxy.send('/api/', { form: { ...report, _api: '0'.repeat(16) } })).toMatchObject({ status: 401 });
      await proxy.send('/api/', { form: { ...report, _text: 'Never paid, twice' } });
    });

    it('counts views by the address of the client', async () => {
      const link = await linkOf();
      for (let n = 0; n < VIEWS; n++) expect((await proxy.send(link, { from: '127.0.0.2' })).status).toBe(200);
      expect(await proxy.send(link, { from: '127.0.0.2' })).toMatchObject(over);
      expect((await proxy.send(link, { from: '127.0.0.3' })).status).toBe(200);
    });

    it('does not believe an address that the client wrote into the header', async () => {
      const link = await linkOf();
      const forged = (from: string, address: string) =>
        proxy.send(link, { from, headers: { 'x-forwarded-for': address, forwarded: `for=${address}` } });
      // Another address each time gives no further views.
      for (let n = 0; n < VIEWS; n++) expect((await forged('127.0.0.4', `10.0.0.${n}`)).status).toBe(200);
      expect(await forged('127.0.0.4', '10.0.0.99')).toMatchObject(over);
      expect(await forged('127.0.0.4', '127.0.0.6, 10.0.0.99')).toMatchObject(over);
      // The address of another client takes none of its views.
      for (let n = 0; n < VIEWS; n++) expect((await forged('127.0.0.5', '127.0.0.6')).status).toBe(200);
      expect((await proxy.send(link, { from: '127.0.0.6' })).status).toBe(200);
    });

    it.each([66_000, 300_000])('refuses a form of %i bytes with words of the protocol', async (bytes) => {
      const large = await proxy.send('/api/', { form: { _api, _action: 'report', _text: 'x'.repeat(bytes) } });
      expect(large).toMatchObject({ status: 413, body: 'ERROR: The request body is larger than 32768 bytes.' });
    });

    it.each([66_000, 300_000])('refuses a form of %i bytes with a word of the classic dialect', async (bytes) => {
      const large = await proxy.send('/classic/api/', { form: { _api, _action: 'report', _text: 'x'.repeat(bytes) } });
      expect(large).toMatchObject({ status: 200, body: 'ERR:DATA' });
    });

    it('shows its health, but neither its metrics nor its readiness', async () => {
      expect((await proxy.send('/healthz')).status).toBe(200);
      for (const path of ['/metrics', '/readyz']) expect((await proxy.send(path)).status).toBe(404);
    });

    it('is not reached without TLS', async () => {
      const link = await linkOf();
      const moved = await proxy.sendPlain(link, 'GET');
      expect([301, 308]).toContain(moved.status);
      expect(moved.headers['location']).toMatch(new RegExp(`^https://reports\\.example(:\\d+)?${link}$`));
      expect((await proxy.sendPlain('/api/', 'POST')).status).toBe(name === 'nginx' ? 403 : 308);
    });

    it('does not wait for slow clients; their connections are cut', async () => {
      const head = 'POST /api/ HTTP/1.1\r\nHost: reports.example\r\nContent-Length: 100\r\n';
      const slow = await Promise.all(
        [head, `${head}Content-Type: application/x-www-form-urlencoded\r\n\r\n_api=`].map(async (part) => {
          const socket = await proxy.open();
          socket.write(part);
          // Some proxies reset the connection.
          return new Promise((resolve) => socket.resume().once('close', resolve));
        }),
      ).then((closed) => closed.length);
      expect(slow).toBe(2);
      expect((await query()).status).toBe(200);
    });

    it.runIf(name === 'nginx')('does not get a flood of one address, and others do not notice the flood', async () => {
      const flood = await Promise.all(
        Array.from({ length: 300 }, () => proxy.send('/api/', { from: '127.0.0.7', form: { _action: 'query' } })),
      );
      const shed = flood.filter(({ status }) => status === 429);
      expect(shed.length).toBeGreaterThan(0);
      expect(shed[0]).toMatchObject({ body: 'ERROR: Too many requests. Try again in 5 seconds.' });
      expect(shed[0]!.headers['retry-after']).toBe('5');
      const older = await Promise.all(
        Array.from({ length: 300 }, () =>
          proxy.send('/classic/api/', { from: '127.0.0.8', form: { _action: 'query' } }),
        ),
      );
      expect([...new Set(older.map(({ status }) => status))]).toEqual([200]);
      expect(older.filter(({ body }) => body === 'ERR:LIMIT')[0]?.headers['retry-after']).toBe('5');
      expect((await query()).status).toBe(200);
    });

    it.runIf(name === 'nginx')('counts a network of IPv6 (/64) as one client, and others as others', async () => {
      const shed = async (addressOf: (n: number) => string) => {
        const answers = await Promise.all(
          Array.from({ length: 300 }, (_, n) =>
            proxy.send('/api/', {
              from: SPEAKS_FOR_OTHERS,
              headers: { 'x-seen-from': addressOf(n) },
              form: { _action: 'query' },
            }),
          ),
        );
        return answers.filter(({ body }) => body === 'ERROR: Too many requests. Try again in 5 seconds.').length;
      };
      expect(await shed((n) => `2001:db8:a:a::${n.toString(16)}`)).toBeGreaterThan(0);
      expect(await shed((n) => `2001:db8:a:${n.toString(16)}::1`)).toBe(0);
      // Line ends among the bytes.
      expect(await shed((n) => `2001:db8:a0a:a0a:${n.toString(16)}::a0a`)).toBeGreaterThan(0);
      expect(await shed((n) => `198.51.${n % 3}.${n}`)).toBe(0);
    });

    it('can be restarted', async () => {
      const { port } = new URL(service.apiUrl);
      expect((await service.stop('SIGTERM')).code).toBe(0);
      const away = await query();
      expect(away).toMatchObject({ status: 503, body: expect.stringMatching(/^ERROR: The service/) as string });
      expect(away.headers['retry-after']).toBe('5');
      const older = await proxy.send('/classic/api/', { form: { _api, _action: 'query', email: EMAIL } });
      expect(older).toMatchObject({ status: 200, body: 'ERR:UNAVAILABLE' });
      expect(older.headers['retry-after']).toBe('5');
      expect((await proxy.send(`/classic/api/?_api=${_api}&_action=query&email=${EMAIL}`)).body).toBe(
        'ERR:UNAVAILABLE',
      );
      // The viewer keeps its statuses.
      expect(await proxy.send('/classic/api?x=1&showreport=0123456789abcdef')).toMatchObject({ status: 503 });
      // Neither keys, links nor hashes are in the log, not even of requests without an answer.
      await proxy.send('/panel/sign-in/0123456789abcdef');
      for (const one of [_api, 'showreport', 'sign-in', EMAIL]) expect(proxy.log()).not.toContain(one);
      service = await serve(port);
      await expect.poll(async () => (await query()).status).toBe(200);
    });
  });
});
