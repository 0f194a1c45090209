import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';
import { logOf, post, startForTest } from './service.ts';

// The built program with settings from variables.
const root = useFolder('serve-config');

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => startForTest(args, { env });

const QUERY = { _action: 'query', email: 'a'.repeat(40) };

it('the service runs with the settings of its variables', async () => {
  const service = await start([], {
    REDFLAG_DATA: join(root, 'by-variable'),
    REDFLAG_LIMITS: 'query=1',
    REDFLAG_ALWAYS_200: 'true',
    REDFLAG_BASE_PATH: '/by-variable',
    REDFLAG_PUBLIC_URL: 'https://reports.example/fraud',
    REDFLAG_TRUST_PROXIES: '1',
  });
  expect(service.apiUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/by-variable\/api\/$/);
  expect(service.output.err).toBe('');
  expect((await post(service, { _api: service.apiKey!, ...QUERY })).body).toMatch(
    /^0-0-0\.0-https:\/\/reports\.example\/fraud\/report\//,
  );
  // The second identifier is above the limit.
  const { status, body } = await post(service, { _api: service.apiKey!, ...QUERY });
  expect(status).toBe(200);
  expect(body).toMatch(/^ERROR/);
  expect(existsSync(join(root, 'by-variable', 'redflag.journal'))).toBe(true);
});

it('other machines cannot reach the service without a proxy, https or --plain-http', async () => {
  const data = join(root, 'refused');
  const args = ['serve', '--port', '0', '--data', data];
  for (const { code, out, err } of [
    await runCli([...args, '--host', '0.0.0.0']),
    await runCli(args, { env: { REDFLAG_HOST: '::', REDFLAG_PUBLIC_URL: 'http://reports.example' } }),
  ]) {
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^redflag: (--host|REDFLAG_HOST) lets other machines reach [^\n]+--plain-http\n$/);
  }
  expect(existsSync(data)).toBe(false);
});

it('--plain-http and unknown variables are warned about once', async () => {
  const service = await start(['--host', '0.0.0.0', '--data', join(root, 'plain'), '--plain-http'], {
    REDFLAG_PROT: '1',
    REDFLAG_PUBLIC_URL: 'http://reports.example',
  });
  const api = service.apiUrl.replace('0.0.0.0', '127.0.0.1');
  for (let n = 0; n < 3; n++)
    expect((await fetch(api, { method: 'POST', body: new URLSearchParams({ ...QUERY, _api: 'no' }) })).status).toBe(
      401,
    );
  expect(logOf(service).map(({ event, advice }) => [event, advice])).toEqual([
    ['advice', 'the variable REDFLAG_PROT is unknown and has no effect; did you mean REDFLAG_PORT?'],
    [
      'advice',
      'API keys and hashes cross the network unencrypted, because --plain-http allows it; put a proxy with TLS in front of the service',
    ],
  ]);
});
