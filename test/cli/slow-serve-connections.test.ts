import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { useFolder } from '../folder.ts';
import { runCli as runHere } from './in-process.ts';
import { post, runCli, startForTest, type RunningService } from './service.ts';

// What clients and signals can do to the connections of the built program.
const root = useFolder('connections');
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const start = async (...args: string[]) => startForTest(['--data', await mkdtemp(join(root, 'data-')), ...args]);

/** A connection that sends this text. Resolves when the text is on its way. */
async function open(
  service: RunningService,
  text = '',
): Promise<{ received: string; closed: boolean; socket: Socket }> {
  const client = { received: '', closed: false, socket: connect(Number(new URL(service.apiUrl).port), '127.0.0.1') };
  sockets.push(client.socket);
  client.socket.on('error', () => undefined).on('close', () => (client.closed = true));
  client.socket.on('data', (chunk) => (client.received += chunk.toString('latin1')));
  await new Promise<void>((resolve) => client.socket.write(text, () => resolve()));
  return client;
}

const VIEW = `GET /api/?showreport=${'a'.repeat(40)} HTTP/1.1\r\nHost: x\r\n\r\n`;
/** A request whose body never ends. */
const ENDLESS =
  'POST /api/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\na';

const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const queueMost = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0;

// Elsewhere, the system's queue is shorter.
describe.runIf(queueMost >= 1_000)('clients that connect while the service is busy', () => {
  it('wait in a queue that is longer than that of Node, and are answered', async () => {
    const service = await start();
    service.process.kill('SIGSTOP');
    const port = Number(new URL(service.apiUrl).port);
    let connected = 0;
    let answered = 0;
    for (let n = 0; n < 800; n++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 4)}` });
      sockets.push(socket);
      socket.on('error', () => undefined).once('connect', () => connected++);
      socket.once('data', () => answered++);
      socket.write(VIEW);
    }
    await expect.poll(() => connected).toBe(800);
    service.process.kill('SIGCONT');
    await expect.poll(() => answered).toBe(800);
  });
});

describe('SIGTERM', () => {
  it('does not wait for connections that sent nothing, or whose last reply is sent', async () => {
    // With so much time, a connection that is waited for would outlast the test.
    const service = await start('--grace', '3600');
    const idle = await open(service, VIEW);
    const silent = await open(service);
    await expect.poll(() => idle.received).toContain('HTTP/1.1 404');
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    await expect.poll(() => [idle.closed, silent.closed]).toEqual([true, true]);
  });

  it('cuts a request that is still arriving when the time is over', async () => {
    const service = await start('--grace', '1');
    const endless = await open(service, ENDLESS);
    const other = await open(service, VIEW);
    await expect.poll(() => other.received).toContain('HTTP/1.1 404');
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    await expect.poll(() => endless.closed).toBe(true);
    expect(endless.received).toBe('');
  });

  it('leaves less time by default than Docker does', async () => {
    const { out } = await runHere(['serve', '--help']);
    const grace = Number(/--grace SECONDS[^]+?\(default (\d+)/.exec(out)![1]);
    expect(grace).toBeLessThanOrEqual(8);
  });
});

describe('the bounds of connections', () => {
  it('are --connections and --connections-per-address', async () => {
    const few = await start('--connections', '1');
    const first = await open(few, VIEW);
    await expect.poll(() => first.received).toContain('HTTP/1.1 404');
    const second = await open(few, VIEW);
    await expect.poll(() => second.received).toContain('HTTP/1.1 404');
    await expect.poll(() => first.closed).toBe(true);

    const own = await start('--connections-per-address', '1');
    const kept = await open(own, VIEW);
    await expect.poll(() => kept.received).toContain('HTTP/1.1 404');
    const refused = await open(own, VIEW);
    await expect.poll(() => refused.closed).toBe(true);
    expect([kept.closed, refused.received]).toEqual([false, '']);
  });

  it('are refused when they are wrong, or when a proxy hides the addresses', async () => {
    for (const wrong of [
      ['--connections', '0'],
      ['--connections-per-address', 'x'],
      ['--grace', '-1'],
      ['--connections-per-address', '9', '--trust-proxies', '1'],
    ])
      expect((await runHere(['serve', '--data', join(root, 'none'), ...wrong])).code, wrong.join(' ')).toBe(2);
  });
});

describe('the log', () => {
  it('has a line for the first of many failures, and their number at the end', async () => {
    const service = await start('--store', 'sqlite');
    const folder = service.process.spawnargs[service.process.spawnargs.indexOf('--data') + 1]!;
    const fields = { _api: service.apiKey!, _action: 'report', _type: 'fraud', _value: '7', _text: 'Paid with it' };
    await rename(join(folder, 'redflag.sqlite'), join(folder, 'moved'));
    for (let n = 0; n < 30; n++)
      expect((await post(service, { ...fields, email: n.toString(16).padStart(40, '0') })).status).toBe(503);
    await service.stop('SIGTERM');
    const lines = service.output.err.split('\n').filter((line) => line.includes('"store-unavailable"'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).not.toContain('leftOut');
    expect(lines[1]).toMatch(/"leftOut":29\}$/);
  });
});

describe.runIf(existsSync('/proc/self'))('a folder that can never be created', () => {
  it.each(['journal', 'sqlite'])('ends the start with one line, for %s', async (store) => {
    const ended = await runCli(['serve', '--port', '0', '--data', '/proc/none/deep', '--store', store], {
      timeoutMs: 60_000,
    });
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^redflag: cannot keep data in \S+: it does not exist and cannot be created[^\n]*\n$/),
    });
  });
});
