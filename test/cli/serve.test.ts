import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runChain } from '../../src/core/hash/chain.ts';
import { choose } from '../../src/core/hash/choose.ts';
import { useFolder } from '../folder.ts';
import { keyFile } from './key-files.ts';
import { runCli as runHere } from './in-process.ts';
import { logOf, post, runCli, startForTest, startService, type RunningService } from './service.ts';

// The built program, as an operator starts it.
const root = useFolder('serve');
let count = 0;

const freshFolder = (): string => join(root, `data-${count++}`);

const start = (args: readonly string[] = [], folder = freshFolder()) => startForTest(['--data', folder, ...args]);

const HASH = 'a'.repeat(40);
const report = (apiKey: string, text = 'Paid with a stolen card.'): Record<string, string> => ({
  _api: apiKey,
  _action: 'report',
  _type: 'fraud',
  _value: '7',
  _text: text,
  email: HASH,
});
const query = (apiKey: string, email = HASH): Record<string, string> => ({ _api: apiKey, _action: 'query', email });

describe('the first start', () => {
  it('makes a folder and keys for its owner alone, and prints the address and where the API key is', async () => {
    const folder = join(freshFolder(), 'deep/er');
    const service = await start([], folder);
    const firstKey = keyFile(folder, 'first-key');
    const listening = /^Listening on http:\/\/127\.0\.0\.1:[1-9]\d*\/api\/\n/.exec(service.output.out)![0];
    expect(service.output.out).toBe(`${listening}API key: in the file ${firstKey}; delete the file after reading it\n`);
    expect(await readFile(firstKey, 'utf8')).toMatch(/^[0-9a-f]{16}\n$/);
    expect(service.output.err).toBe('');
    const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    for (const made of [folder, `${folder}-keys`]) expect(await mode(made)).toBe('700');
    expect((await readdir(folder)).filter((name) => !name.startsWith('control.'))).toEqual(['redflag.journal']);
    expect((await readdir(`${folder}-keys`)).sort()).toEqual(['first-key', 'pepper', 'secret']);
    for (const file of ['redflag.journal', 'control.sock']) expect(await mode(join(folder, file)), file).toBe('600');
    for (const name of ['secret', 'pepper', 'first-key'] as const)
      expect(await mode(keyFile(folder, name)), name).toBe('600');
    expect(await readFile(keyFile(folder, 'secret'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect((await post(service, query(service.apiKey!))).body).toMatch(
      /^0-0-0\.0-http:\/\/127\.0\.0\.1:\d+\/report\/[0-9a-f]{40}$/,
    );
  });

  it('is in ./redflag-data unless --data says otherwise', async () => {
    const cwd = await mkdtemp(join(root, 'cwd-'));
    await startForTest([], { cwd });
    expect((await stat(join(cwd, 'redflag-data-keys/secret'))).isFile()).toBe(true);
  });

  it('leaves nothing behind when the command line is wrong', async () => {
    const folder = freshFolder();
    for (const wrong of [
      ['--public-url', 'x'],
      ['--base-path', 'x'],
      ['--port', 'x'],
      ['--limits', 'x'],
      ['--budgets', 'x=1'],
    ])
      expect((await runHere(['serve', '--data', folder, ...wrong])).code).toBe(2);
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a later start', () => {
  it('finds what was acknowledged before SIGKILL', async () => {
    const folder = freshFolder();
    const first = await start([], folder);
    const apiKey = first.apiKey!;
    const { body, headers } = await post(first, report(apiKey));
    expect(body).toBe('OK');
    expect(await first.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start([], folder);
    expect(second.output.err).toBe('');
    expect((await post(second, query(apiKey))).body).toMatch(/^[1-9]\d*-1-/);
    expect((await post(second, { _api: apiKey, _action: 'delete', _code: headers.get('x-deletion-code')! })).body).toBe(
      'OK',
    );
  });
});

describe('a start that cannot be', () => {
  it('is refused while another process serves the folder', async () => {
    const folder = freshFolder();
    const first = await start([], folder);
    const second = await runCli(['serve', '--port', '0', '--data', folder]);
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toMatch(/^redflag: the folder \S+ is in use: this or another process has it open\n$/);
    expect((await post(first, query(first.apiKey!))).status).toBe(200);
  });

  it('is refused when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, out, err } = await runHere(['serve', '--port', String(port), '--data', freshFolder()]);
    other.close();
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `redflag: port ${port} is in use; choose another with --port\n`,
    });
  });

  it('is refused for an address that is not ours, in one line', async () => {
    const elsewhere = ['--host', '192.0.2.1', '--trust-proxies', '1'];
    const { code, err } = await runHere(['serve', '--port', '0', ...elsewhere, '--data', freshFolder()]);
    expect(code).toBe(1);
    expect(err).toMatch(/^redflag: cannot listen: [^\n]+\n$/);
  });
});

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly connection: string | undefined;
}

/** A request whose body is still arriving. Resolves when the service has read its head. */
async function slowUpload(
  service: RunningService,
  fields: Record<string, string>,
): Promise<{ finish: () => Promise<Reply>; gone: Promise<void> }> {
  const body = new URLSearchParams(fields).toString();
  const request = httpRequest(service.apiUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  const reply = new Promise<Reply>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, body: text, connection: response.headers.connection }),
      );
    });
  });
  const gone = reply.then(
    () => undefined,
    () => undefined,
  );
  await once(request, 'continue');
  request.write(body.slice(0, 10));
  return {
    gone,
    finish: () => {
      request.end(body.slice(10));
      return reply;
    },
  };
}

/** Waits until a service takes no new request. */
const closed = (service: RunningService) =>
  expect.poll(() => fetch(service.apiUrl).then(({ status }) => status, String)).toMatch(/^TypeError/);

describe('signals', () => {
  it('SIGTERM finishes a running request, takes no new one, saves and ends with 0', async () => {
    const folder = freshFolder();
    // With so much time, a client that is waited for would outlast the test.
    const service = await start(['--grace', '3600'], folder);
    const apiKey = service.apiKey!;
    const upload = await slowUpload(service, report(apiKey));
    const stopped = service.stop('SIGTERM');
    await closed(service);
    expect(service.process.exitCode).toBeNull();
    expect(await upload.finish()).toEqual({ status: 200, body: 'OK', connection: 'close' });
    expect(await stopped).toEqual({ code: 0, signal: null });
    // The next start prints no key.
    const again = await start([], folder);
    expect(again.output.out).toMatch(/^Listening on \S+\n$/);
    expect((await post(again, query(apiKey))).body).toMatch(/^[1-9]\d*-1-/);
  });

  it('SIGINT does so too, and a second signal ends the service at once', async () => {
    const service = await start(['--grace', '3600']);
    const upload = await slowUpload(service, report(service.apiKey!));
    service.process.kill('SIGINT');
    await closed(service);
    expect(service.process.exitCode).toBeNull();
    expect(await service.stop('SIGINT')).toEqual({ code: 1, signal: null });
    await upload.gone;
  });
});

describe('options', () => {
  /** A service without options, to compare with. */
  let usual: RunningService;
  beforeAll(async () => {
    usual = await startService(['--data', freshFolder()]);
  });
  afterAll(() => usual.stop('SIGKILL'));

  describe('of limits', () => {
    let service: RunningService;
    beforeAll(async () => {
      const limits = 'query=2,viewer=1,unknown-key=1';
      service = await startService(['--data', freshFolder(), '--limits', limits, '--trust-proxies', '1']);
    });
    afterAll(() => service.stop('SIGKILL'));

    it('--limits bounds requests a minute, and the unknown keys of an address', async () => {
      const statuses: number[] = [];
      for (const key of [...Array<string>(3).fill(service.apiKey!), ...Array<string>(2).fill('0123456789abcdef')])
        statuses.push((await post(service, query(key))).status);
      expect(statuses).toEqual([200, 200, 429, 401, 429]);
      expect((await post(service, report(service.apiKey!))).status).toBe(200);
    });

    it('--trust-proxies counts viewers by the address that the proxy saw', async () => {
      const look = async (at: RunningService, from: string) =>
        (await fetch(`${at.apiUrl}?showreport=${HASH}`, { headers: { 'x-forwarded-for': from } })).status;
      expect([
        await look(service, '198.51.100.1'),
        await look(service, '198.51.100.1'),
        await look(service, '198.51.100.2'),
      ]).toEqual([404, 429, 404]);
      const direct = await start(['--limits', 'viewer=1', '--budgets', 'verified=1,new=1']);
      expect([await look(direct, '198.51.100.1'), await look(direct, '198.51.100.2')]).toEqual([404, 429]);
      // --budgets bounds the identifiers of a day.
      for (const status of [200, 429]) expect((await post(direct, query(direct.apiKey!))).status).toBe(status);
    });
  });

  describe('of addresses and answers', () => {
    let service: RunningService;
    beforeAll(async () => {
      const options =
        '--base-path /fraud/ --host ::1 --get-queries --personal-data redact --prefix shop+ --iterations 9';
      service = await startService(['--data', freshFolder(), ...options.split(' ')]);
    });
    afterAll(() => service.stop('SIGKILL'));

    it('--base-path and --host are where the service is, and where its links lead', async () => {
      expect(service.apiUrl).toMatch(/^http:\/\/\[::1\]:\d+\/fraud\/api\/$/);
      await post(service, report(service.apiKey!));
      const link = (await post(service, query(service.apiKey!))).body.split('-')[3]!;
      expect(link).toMatch(/:\d+\/fraud\/report\/[0-9a-f]{40}$/);
      expect(await (await fetch(link)).json()).toMatchObject({ count: 1 });
      expect((await fetch(service.apiUrl.replace('/fraud', ''), { method: 'POST' })).status).toBe(404);
    });

    it('--get-queries answers queries by GET, and nothing answers them without', async () => {
      const address = (at: RunningService, fields: Record<string, string>) =>
        `${at.apiUrl}?${String(new URLSearchParams(fields))}`;
      expect(await (await fetch(address(service, query(service.apiKey!, 'b'.repeat(40))))).text()).toMatch(
        /^0-0-0\.0-http/,
      );
      expect((await fetch(address(service, report(service.apiKey!)))).status).toBe(404);
      expect((await fetch(address(usual, query(usual.apiKey!)))).status).toBe(404);
    });

    it('--personal-data says what happens to a report whose text holds personal data', async () => {
      const text = 'He wrote from jane@example.com.';
      expect(await post(usual, report(usual.apiKey!, text))).toMatchObject({
        status: 400,
        body: 'ERROR: The field _text is public and must have no personal data. Found: email address. Write what happened without it, and send the value as a hashed identifier.',
      });
      const email = 'c'.repeat(40);
      expect(await post(service, { ...report(service.apiKey!, text), email })).toMatchObject({
        status: 200,
        body: 'OK',
      });
      const link = (await post(service, query(service.apiKey!, email))).body.split('/').at(-1)!;
      const shown = await fetch(`${service.apiUrl}?showreport=${link}`);
      expect(await shown.json()).toMatchObject({
        ReportAdvanceds: [{ description: 'He wrote from [email address].' }],
      });
    });

    it('--prefix and --iterations tell which hash is that of nothing', async () => {
      const ofNothing = (prefix: string, rounds: number): string =>
        runChain(choose('plain'), '', { prefix: new TextEncoder().encode(prefix), rounds });
      const own = ofNothing('shop+', 9);
      const standard = ofNothing('service-', 32_000);
      expect((await post(service, query(service.apiKey!, own))).body).toMatch(/^ERROR: /);
      expect((await post(service, query(service.apiKey!, standard))).body).toMatch(/^0-0-/);
      expect((await post(usual, query(usual.apiKey!, own))).body).toMatch(/^0-0-/);
      expect((await post(usual, query(usual.apiKey!, standard))).body).toMatch(/^ERROR: /);
    });
  });

  it('--public-url begins the links, with a hyphen as %2D and an advice; --always-200 answers failures with 200', async () => {
    const hyphen = await start(['--public-url', 'http://fraud-reports.example/a-b/', '--always-200']);
    await expect
      .poll(() => logOf(hyphen))
      .toEqual([
        {
          level: 'warn',
          time: expect.stringMatching(/Z$/),
          event: 'advice',
          advice: expect.stringMatching(/^links contain %2D for each hyphen of the public address.+--public-url/),
        },
      ]);
    const { body: answer } = await post(hyphen, query(hyphen.apiKey!));
    expect(answer.split('-')).toHaveLength(4);
    expect(answer).toMatch(/^0-0-0\.0-http:\/\/fraud%2Dreports\.example\/a%2Db\/report\/[0-9a-f]{40}$/);
    expect(usual.output.err).toBe('');
    const failure =
      'ERROR: The API key is not valid. A key has 16 hex characters. ' +
      'Send it without spaces, line breaks or quotes around it.';
    expect(await post(hyphen, query('0'.repeat(16)))).toMatchObject({ status: 200, body: failure });
    const { status, body } = await post(usual, query('0'.repeat(16)));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toBe(failure);
  });

  it('--scoring with more kinds than the sealed look-up can publish is refused, unless it is off', async () => {
    const folder = freshFolder();
    expect(await runHere(['sealed', 'init', '--data', folder])).toMatchObject({ code: 0 });
    const names = Array.from(
      { length: 32 },
      (_, at) => `kind-${String.fromCharCode(97 + (at % 26)).repeat(1 + at / 26)}`,
    );
    const file = join(root, 'scoring.json');
    await writeFile(file, JSON.stringify({ kinds: Object.fromEntries(names.map((name) => [name, { weight: 0.5 }])) }));
    const args = ['--data', folder, '--scoring', file];
    expect(await runHere(['serve', '--port', '0', ...args])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/at most 31 kinds .*; change --scoring, or use --sealed-off\n$/) as string,
    });
    await startForTest([...args, '--sealed-off']);
  });
});
