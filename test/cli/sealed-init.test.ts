import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useFolder } from '../folder.ts';
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import { hashToGroup } from '../../src/sealed/group/voprf.ts';
import { toBase64Url } from '../../src/sealed/encoding.ts';
import { runCli } from './in-process.ts';
import { initSealed, startForTest, startService } from './service.ts';

const root = useFolder('sealed-init');

it('redflag sealed init sends the token of an evaluator to another machine only over TLS, or if told to', async () => {
  const init = (url: string, ...more: string[]) =>
    runCli(['sealed', 'init', '--data', root, '--evaluator', url, '--evaluator-file', join(root, 'none'), ...more]);
  for (const url of ['http://evaluator.example', 'http://10.0.0.1:8081', 'http://[2001:db8::1]', 'http://localhost.x'])
    expect(await init(url)).toMatchObject({ code: 2, err: expect.stringContaining('--plain-http') as string });
  // The address is accepted, and the file is asked for next.
  const accepted = { code: 1, err: expect.stringContaining('none is missing') as string };
  for (const url of ['https://evaluator.example', 'http://127.0.0.1:8081', 'http://[::1]:8081', 'http://localhost'])
    expect(await init(url)).toMatchObject(accepted);
  expect(await init('http://evaluator.example', '--plain-http')).toMatchObject(accepted);
});

it('redflag sealed init makes an evaluator for a trial, says what that loses, and refuses a store in use', async () => {
  const data = join(root, 'trial', 'data');
  const made = await runCli(['sealed', 'init', '--data', data]);
  const evaluator = join(root, 'trial', 'redflag-evaluator');
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain(`Created the sealed keys in ${data}-keys/sealed-keys.`);
  expect(made.out).toContain(`redflag evaluator serve --data ${evaluator}\n`);
  expect(made.out).toContain('Use this for a trial only: whoever runs the service can read the sealing key there');
  const keys = await readFile(`${data}-keys/sealed-keys`, 'utf8');
  const { sealingKey, token } = JSON.parse(await readFile(join(evaluator, 'evaluator-keys'), 'utf8'));
  expect(JSON.parse(keys)).toMatchObject({ evaluator: { url: 'http://127.0.0.1:8090', token } });
  expect(keys).not.toContain(sealingKey);
  expect(await runCli(['sealed', 'init', '--data', data])).toMatchObject({
    code: 1,
    err: expect.stringContaining('already exists') as string,
  });
  // Nothing is created beside a store that is in use.
  const used = join(root, 'used', 'data');
  const service = await startForTest(['--data', used]);
  const refused = await runCli(['sealed', 'init', '--data', used]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('stop redflag serve first') as string });
  await service.stop('SIGTERM');
  expect(await readdir(join(root, 'used'))).not.toContain('redflag-evaluator');
});

it('redflag sealed init is in the audit log, and rotate and destroy change its epochs', async () => {
  const data = join(root, 'running');
  const service = await startService(['--data', data]);
  await service.stop('SIGTERM');
  await initSealed(data);
  const audit = await runCli(['audit', 'list', '--data', data, '--json']);
  expect(audit).toMatchObject({ code: 0, err: '' });
  expect(audit.out.match(/"sealed-[a-z-]+"/g)).toEqual(['"sealed-keys-created"']);
  const address = (below: string): string => service.apiUrl.replace(/\/api\/$/, below);

  // The limits of elements are options.
  const limits = ['--limits', 'evaluate=6', '--budgets', 'elements-verified=3'];
  const sealed = await startService(['--data', data, '--port', new URL(service.apiUrl).port, ...limits]);
  await loadSodium();
  const element = toBase64Url(hashToGroup(new Uint8Array(20)));
  const evaluate = (count: number) =>
    fetch(address('/sealed/evaluate'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.apiKey!}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ epoch: 1, blinded: Array.from({ length: count }, () => element) }),
    });
  expect((await evaluate(2)).status).toBe(200);
  const refused = await evaluate(2);
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"elements";q=3;w=86400']);
  // A refused request has cost its elements of the minute: two are left.
  expect((await evaluate(3)).headers.get('ratelimit-policy')).toBe('"evaluate";q=6;w=60');
  expect((await evaluate(1)).status).toBe(200);
  await sealed.stop('SIGTERM');

  expect((await runCli(['sealed', 'status', '--data', data])).out).toMatch(
    /^Evaluator: http:\/\/127\.0\.0\.1:\d+, public key \S{43}$/m,
  );
  const rotated = await runCli(['sealed', 'rotate', '--data', data]);
  expect(rotated.out).toMatch(/^Added epoch 2, from /);
  const destroyed = await runCli(['sealed', 'destroy', '1', '--data', data]);
  expect(destroyed.out).toMatch(
    /^Destroyed the key of epoch 1, and removed its publications\.\nDestroyed epoch 2, too: it had not begun\.\nEpoch 3 is the current one now, until \S+Z\. [^\n]+\n$/,
  );
  await runCli(['sealed', 'rotate', '--data', data]);
  const later = await runCli(['sealed', 'destroy', '4', '--data', data]);
  expect(later.out).toBe('Destroyed the key of epoch 4, and removed its publications.\n');
});
