import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { accept, status } from '../data-folder/webhook-receiver.ts';
import { eventually } from '../eventually.ts';
import { cellsOf } from './operator-folder.ts';
import { logOf } from './service.ts';
import {
  closeAll,
  expectNoneLost,
  idOf,
  openFolder,
  PRIVATE,
  receive,
  secretOf,
  serve,
  serveWith,
} from './webhook-service.ts';

afterEach(closeAll);

it('a service loses no entry of the audit log when it is killed', () => expectNoneLost(1));

it('webhooks are added, listed, tested and removed, and the log says so', async () => {
  const { folder, run } = await openFolder();
  const receiver = await receive();
  await serve(folder);
  for (const args of [
    ['add', receiver.url],
    ['add', 'https://10.0.0.1/hook'],
    ['add', 'https://shop.example/', '--reporter'],
    ['add'],
    ['list', 'x'],
    ['list', '--by', 'Ada'],
    ['remove', 'x'],
    ['remove', '0'.repeat(16), '--reporter', 'x'],
    ['send'],
    [],
  ])
    expect(await run('webhooks', ...args), args.join(' ')).toMatchObject({ code: 2, out: '' });
  expect(await run('webhooks', 'add', 'https://shop.example/', '--reporter', 'Nobody')).toMatchObject({
    code: 1,
    err: 'redflag: no reporter has this name; redflag reporters shows the names\n',
  });
  const { out } = await run('webhooks', 'add', receiver.url, PRIVATE, '--reporter', 'First reporter', '--by', 'Ada');
  const webhookId = idOf(out);
  receiver.verifyWith(secretOf(out));
  expect(cellsOf((await run('webhooks', 'list')).out)).toEqual([
    ['ID', 'RECEIVER', 'STATE', 'NEXT ATTEMPT', 'POSITION', 'URL'],
    [webhookId, 'First reporter', 'works', '-', '3', receiver.url],
  ]);
  const listed = (await run('webhooks', 'list', '--json')).out;
  expect(listed).not.toContain('whsec_');
  expect(await run('webhooks', 'test', webhookId)).toMatchObject({
    code: 1,
    out: 'Not delivered: the address is private or not https://; allow it with --webhooks-to-private.\n',
  });
  expect(await run('webhooks', 'test', webhookId, PRIVATE)).toEqual({ code: 0, out: 'Delivered.\n', err: '' });
  expect(receiver.received).toMatchObject([{ type: 'test', data: { webhookId } }]);
  receiver.answer(status(500));
  expect(await run('webhooks', 'test', webhookId, PRIVATE)).toMatchObject({
    code: 1,
    out: 'Not delivered: the receiver answered 500.\n',
  });
  expect(await run('webhooks', 'remove', webhookId, '--by', 'Ada')).toEqual({ code: 0, out: 'Removed.\n', err: '' });
  expect((await run('webhooks', 'remove', webhookId)).err).toMatch(/^redflag: no webhook has this id/);
  expect((await run('webhooks', 'test', webhookId)).err).toMatch(/^redflag: no webhook has this id/);
  const log = JSON.parse((await run('audit', 'list', '--json')).out) as object[];
  expect(log.slice(2)).toMatchObject([
    { action: 'webhook-added', actor: 'Ada', subject: webhookId },
    { action: 'webhook-removed', actor: 'Ada', subject: webhookId },
  ]);
});

it('a webhook that ended goes on after a test that was accepted', async () => {
  const { folder, run } = await openFolder();
  const receiver = await receive();
  const service = await serve(folder, PRIVATE);
  const webhookId = idOf((await run('webhooks', 'add', receiver.url, PRIVATE)).out);
  receiver.answer(status(410));
  await run('keys', 'create', 'Shop');
  await eventually(async () => expect(cellsOf((await run('webhooks', 'list')).out)[1]![2]).toBe('ended'));
  expect(logOf(service)).toContainEqual(
    expect.objectContaining({ event: 'webhook-ended', webhookId, cause: 'status', status: 410 }),
  );
  expect(service.output.err).not.toContain(receiver.url);
  receiver.answer(accept);
  expect((await run('webhooks', 'test', webhookId, PRIVATE)).out).toBe(
    'Delivered. The webhook goes on where it stopped.\n',
  );
  const log = JSON.parse((await run('audit', 'list', '--json')).out) as object[];
  expect(log.at(-1)).toMatchObject({ action: 'webhook-resumed', subject: webhookId });
  await eventually(() =>
    expect(receiver.received.map(({ type }) => type)).toEqual([
      'test',
      'reporter-created',
      'key-issued',
      'webhook-resumed',
    ]),
  );
});

// `apt install openssl`
it('a message goes to an https:// address only if its certificate is valid', async () => {
  const { folder, run } = await openFolder();
  const [key, cert] = [join(folder, 'receiver.key'), join(folder, 'receiver.crt')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'].concat([
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ]),
    { stdio: 'ignore' },
  );
  const receiver = await receive({ key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') });
  const wary = await serve(folder, PRIVATE);
  const added = (await run('webhooks', 'add', receiver.url, PRIVATE)).out;
  const webhookId = idOf(added);
  receiver.verifyWith(secretOf(added));
  await run('keys', 'create', 'Shop');
  await eventually(() =>
    expect(logOf(wary)).toContainEqual(
      expect.objectContaining({ event: 'webhook-failed', webhookId, cause: 'connection' }),
    ),
  );
  expect(receiver.requests()).toBe(0);
  await wary.stop('SIGTERM');

  await serveWith({ NODE_EXTRA_CA_CERTS: cert }, folder, PRIVATE);
  expect((await run('webhooks', 'test', webhookId, PRIVATE)).out).toBe('Delivered.\n');
  await eventually(() => expect(receiver.received.map(({ type }) => type)).toContain('test'));
});

it('a receiver that switches protocols keeps no service from stopping', async () => {
  const { folder, run } = await openFolder();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const service = await serve(folder, PRIVATE);
    const { port } = server.address() as { port: number };
    const webhookId = idOf((await run('webhooks', 'add', `http://127.0.0.1:${port}/`, PRIVATE)).out);
    await run('keys', 'create', 'Shop');
    await eventually(() =>
      expect(logOf(service)).toContainEqual(expect.objectContaining({ event: 'webhook-failed', webhookId })),
    );
    expect((await service.stop('SIGTERM')).code).toBe(0);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
