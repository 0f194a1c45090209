import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, openReceiver, type Receiver } from '../data-folder/webhook-receiver.ts';
import { describeHttp, type HttpHost } from '../contract/http.ts';
import { isLong } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { freePort } from '../free-port.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { formsOf, searchFor, type Needle } from './leaks.ts';
import { runCli as runHere } from './in-process.ts';
import { NO_BUDGETS, NO_LIMITS, runCli as runBuilt, startService, type RunningService } from './service.ts';

/** Commands run in this process, or as the built program does in a long run. */
const runCli = isLong ? runBuilt : runHere;

/** True as soon as `serve` knows `--log-level` and `--ops-port`. A test compares it with the help. */
const OPERATIONS = true;

const programs = findPostgres();
const PASSWORD = 'the-password-of-the-database';
const TEXT = 'The goods never arrived, said the customer';
/** Refused as personal data, so they must not be stored either. */
const PRIVATE = ['wanda.kowalska@example.org', '4111 1111 1111 1111'];
const ADDRESSES = ['203.0.113.177', '2001:db8:7777:4242:9:8:7:6', '198.51.100.209'];

/** Values of the contract that are no secret, because they have no chance in them. */
const isRandom = (value: string): boolean =>
  new Set(value).size >= 6 && !/^(0123456789|fedcba)/.test(value) && value.length >= 8;

/** What happened, and everything that could be seen of it. */
class Observed {
  readonly needles = new Map<string, string>();
  /** Names of links may be in data and replies, but not in logs: a person with a link sees the reports. */
  readonly links = new Set<string>();
  readonly replies: string[] = [];
  readonly outputs: string[] = [];
  /** The part of a session's addresses that nobody else knows. */
  place = '';

  add(what: string, value: string): string {
    if (isRandom(value) && !this.needles.has(value)) this.needles.set(value, `${what} ${this.needles.size}`);
    return value;
  }

  list(...more: readonly Needle[]): Needle[] {
    return [...[...this.needles].map(([value, what]) => ({ what, value })), ...more];
  }

  /** Notes what a request tells, and its reply without what belongs to the one who asked. */
  async exchange(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
    const body = Buffer.from(await request.clone().arrayBuffer()).toString('latin1');
    const values = [...body.matchAll(/name="([^"]*)"\r\n\r\n([^\r]*)\r\n/g)].map(([, name, value]) => [name!, value!]);
    for (const [name, value] of values.length > 0 ? values : new URLSearchParams(body)) {
      if (!/^_(action|type|value|text)$/i.test(name!)) this.add(`the field ${name!.toLowerCase()}`, value!);
    }
    const reply = await send(request);
    const { status, headers } = reply;
    const text = await reply.clone().text();
    const own = new Map(headers);
    const code = headers.get('x-deletion-code');
    if (code !== null && status === 200) {
      this.add('deletion code', code);
      own.delete('x-deletion-code');
    }
    const [, session, place] =
      /^redflag-panel=([^;]+); Path=\/panel\/([^/]+)\/;/.exec(headers.get('set-cookie') ?? '') ?? [];
    if (session !== undefined && place !== undefined) {
      this.add('session', session);
      this.place = this.add("the part of a session's addresses", place);
      own.delete('set-cookie');
    }
    const link = /^[^{]*\/report\/([0-9a-f]{40})$/.exec(text)?.[1];
    if (link !== undefined) this.links.add(link);
    // The pages of a session have it in their links.
    this.replies.push(`${status} ${JSON.stringify([...own])}\n${text}`.replaceAll(this.place, ''));
    return reply;
  }

  async command(args: readonly string[], options: Parameters<typeof runHere>[1]): ReturnType<typeof runCli> {
    const ended = await runCli(args, options);
    const key = /^API key: ([0-9a-f]{16})$/m.exec(ended.out)?.[1];
    if (key !== undefined) this.add('API key', key);
    // A new key is printed once: that is what the command is for.
    this.outputs.push(`${ended.out.replace(/^API key: [0-9a-f]{16}$/m, '')}\n${ended.err}`);
    return ended;
  }
}

function filesIn(folder: string, leaveOut: readonly string[] = []): [string, Buffer][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !leaveOut.includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [basename(file), readFileSync(file)]);
}

const of = (pid: number, file: string): Buffer => readFileSync(`/proc/${pid}/${file}`);
const hasProc = existsSync('/proc/self/cmdline');
const isRoot = process.getuid?.() === 0;
const STORES = ['journal', 'sqlite', ...(programs === undefined ? [] : ['postgres'])];

describe.each(STORES)('a service on the store %s', (kind) => {
  const record = new Observed();
  const noted = { metrics: '', cmdline: Buffer.of(), environ: Buffer.of(), dump: '' };
  const root = useFolder('secrets');
  let data: string;
  let temporary: string;
  let env: Readonly<Record<string, string>>;
  let server: PostgresServer | undefined;
  let service: RunningService;
  let opsPort: number;
  let base: string;
  let apiKey: string;
  let receiver: Receiver;
  /** Headers of webhook messages. Their bodies are in `receiver.received`. */
  const sent: string[] = [];
  const isMounted = { now: false };

  const run = (...args: string[]) => record.command([...args, '--data', data], { env });
  const runWith = (input: string, ...args: string[]) => record.command(args, { env, input });
  const send = (request: Request): Promise<Response> => {
    request.headers.set('x-forwarded-for', ADDRESSES[record.replies.length % ADDRESSES.length]!);
    return record.exchange(request, (sent) => fetch(sent));
  };
  const post = (fields: { [name: string]: string }) =>
    send(new Request(`${base}/api/`, { method: 'POST', body: new URLSearchParams(fields) }));

  beforeAll(async () => {
    data = join(root, 'data');
    temporary = join(root, 'tmp');
    await mkdir(data);
    await mkdir(temporary);
    // A disk of its own, which can be full.
    if (kind !== 'postgres' && isRoot) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', data]);
      isMounted.now = true;
    }
    if (kind === 'postgres') server = await startPostgres(programs!);
    env = {
      TMPDIR: temporary,
      ...(server
        ? {
            REDFLAG_STORE: `postgres://redflag:${PASSWORD}@/postgres?host=${encodeURIComponent(server.connection.host)}`,
          }
        : { REDFLAG_STORE: kind }),
    };
    opsPort = await freePort();
    service = await startService(
      [
        `--data=${data}`,
        `--limits=${NO_LIMITS},unknown-key=1000000000`,
        `--budgets=${NO_BUDGETS}`,
        '--trust-proxies=1',
        '--webhooks-to-private',
        ...(OPERATIONS ? ['--log-level', 'debug', '--ops-port', `${opsPort}`] : []),
      ],
      { env },
    );
    base = service.apiUrl.replace(/\/api\/$/, '');
    apiKey = record.add('API key', service.apiKey!);
    for (const name of ['secret', 'pepper']) {
      // Beside the folder, or in a folder of an older version.
      const file = [join(`${data}-keys`, name), join(data, name)].find((path) => existsSync(path))!;
      const text = readFileSync(file, 'utf8');
      for (const line of text.split('\n')) record.add(`the ${name}`, line.trim());
    }
    receiver = await openReceiver();
    receiver.answer((request, response) => {
      sent.push(JSON.stringify(request.rawHeaders));
      accept(request, response);
    });
    for (const address of ADDRESSES) record.add('address', address);
    for (const value of PRIVATE) record.add('refused personal data', value);
    if (server) record.add('the password', PASSWORD);
  });
  afterAll(async () => {
    await service?.stop('SIGKILL');
    await receiver?.close();
    await server?.remove();
    if (isMounted.now) execFileSync('umount', ['-l', data]);
  });

  const createKey = async (name: string): Promise<{ key: string; id: string }> => {
    const { out } = await run('keys', 'create', name);
    return { key: /^API key: (\w+)$/m.exec(out)![1]!, id: /^Key id: (\w+)$/m.exec(out)![1]! };
  };

  describeHttp('its contract', async (): Promise<HttpHost> => {
    const revoked = await createKey('Revoked');
    await run('keys', 'revoke', revoked.id);
    return { base, send, apiKey, strangerKey: (await createKey('Stranger')).key, revokedKey: revoked.key };
  });

  it('takes requests and commands of all kinds, good and bad', async () => {
    const added = await run('webhooks', 'add', receiver.url, '--webhooks-to-private', '--by', 'Ada');
    const signing = /^Signing secret: (whsec_(\S+))$/m.exec(added.out)!;
    // A new secret is printed once, like a key.
    record.outputs.pop();
    receiver.verifyWith(record.add('the signing secret', signing[1]!));
    record.add('the key of the signing secret', Buffer.from(signing[2]!, 'base64').toString('hex'));
    const plain = ['maria.nowak@example.net', '+48 601 234 567', 'nowak-sklep.example'];
    for (const value of plain) record.add('plain identifier', value);
    const hashed = await runWith(`${plain.join('\n')}\n`, 'hash', '-');
    const [email, phone, domain] = hashed.out.match(/[0-9a-f]{40}/g)!.map((hash) => record.add('hash', hash));
    record.outputs.pop();
    const identifiers = { email: email!, phone: phone!, domain: domain! };
    const report = { _api: apiKey, _action: 'report', _type: 'fraud', _value: '7', _text: TEXT, ...identifiers };
    const first = await post(report);
    expect(first.status).toBe(200);
    const code = first.headers.get('x-deletion-code')!;
    expect((await post(report)).headers.get('x-deletion-code')).toBe(code);
    const result = await (await post({ _api: apiKey, _action: 'query', ...identifiers })).text();
    expect(result).toMatch(/^[1-9]\d*-1-/);
    const link = /http.*$/.exec(result)![0];
    expect(await (await send(new Request(link))).text()).toContain(TEXT);
    const other = await createKey('Another shop');
    expect((await post({ _api: other.key, _action: 'delete', _code: code })).status).toBe(404);

    const asked = await send(
      new Request(`${base}/dispute`, {
        method: 'POST',
        body: new URLSearchParams({ email: email!, _text: 'That was my neighbour' }),
      }),
    );
    expect([asked.status, await asked.text()]).toEqual([200, 'OK']);
    expect((await run('disputes', 'requests')).out).toContain('That was my neighbour');

    // A person signs in to the panel. The link is printed once, like a key.
    const invited = await run('panel', 'link', '--by', 'Ada');
    record.outputs.pop();
    const token = record.add('the token of a sign-in link', /\/sign-in\/(\S+)$/m.exec(invited.out)![1]!);
    const signIn = `${base}/panel/sign-in/${token}`;
    expect((await send(new Request(signIn))).status).toBe(200);
    const press = { method: 'POST', redirect: 'manual', headers: { origin: new URL(base).origin } } as const;
    const { headers } = await send(new Request(signIn, press));
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    const home = headers.get('location')!;
    expect([...record.needles.keys()]).toEqual(expect.arrayContaining([token, cookie.split('=')[1]]));
    expect((await send(new Request(signIn, press))).status).toBe(403);
    for (const [path, status] of [
      [home, 200],
      [`${home}disputes`, 200],
      [home + token, 404],
    ] as const)
      expect((await send(new Request(base + path, { headers: { cookie } }))).status, path).toBe(status);

    // What is wrong is not repeated anywhere.
    for (const value of PRIVATE) expect((await post({ ...report, _text: `Ask ${value} about it` })).status).toBe(400);
    for (const value of plain) expect((await post({ ...report, email: value })).status).toBe(400);
    for (let n = 0; n < 20; n++)
      expect((await post({ ...report, _api: randomBytes(8).toString('hex') })).status).toBe(401);
    for (const path of [
      `/api/?${new URLSearchParams({ _api: apiKey, _action: 'query', email: email! })}`,
      `/api/${apiKey}`,
      `/${email}?code=${code}`,
    ])
      expect((await send(new Request(base + path))).status).toBe(404);
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain'])
      await send(
        new Request(`${base}/api/`, {
          method: 'POST',
          body: `--x\r\nContent-Disposition: form-data; name="_api"\r\n\r\n${apiKey}\r\n--x\r\n${code} ${email}`,
          headers: { 'content-type': type, authorization: `Bearer ${apiKey}`, cookie: `code=${code}` },
        }),
      );
    for (const text of [
      `GET /api/?${apiKey} HTTP/9.9\r\n\r\n`,
      `POST /api/ HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n_api=${apiKey}&_code=${code}&email=${email}`,
      `${apiKey} ${code} ${email}\r\n\r\n`,
    ]) {
      const socket = connect(Number(new URL(base).port), '127.0.0.1');
      let reply = '';
      socket.on('data', (chunk) => (reply += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.end(text);
      await once(socket, 'close');
      record.replies.push(reply);
    }

    // Commands, over the control socket where there is one.
    const id = first.headers.get('x-report-id')!;
    const ids = await createKey('Rotated');
    for (const args of [
      ['keys', 'rotate', ids.id, '--grace', '5'],
      ['keys', 'list'],
      ['keys', 'list', '--json'],
      ['reporters', '--json'],
      ['reporters', '--why', 'First reporter'],
      ['disputes', 'open', id, '--reason', 'not so', '--by', 'Ada'],
      ['explain', `email=${email}`, `phone=${phone}`],
      ['explain', `email=${email}`, '--json'],
      ['disputes', 'reject', id, '--by', 'Ada'],
      ['disputes', 'list', '--json'],
      ['allow', 'add', domain!, '--reason', 'shared by many', '--by', 'Ada'],
      ['allow', 'list', '--json'],
      ['pepper', 'status'],
      ['check'],
      ['webhooks', 'list'],
      ['webhooks', 'list', '--json'],
      ...(OPERATIONS
        ? [
            ['audit', 'list'],
            ['audit', 'verify'],
          ]
        : []),
    ])
      expect(await run(...args), args.join(' ')).toMatchObject({ code: 0 });
    // Refused, each with a message.
    for (const args of [
      ['explain', plain[0]!],
      ['explain', `email=${plain[0]}`],
      ['allow', 'add', plain[2]!, '--reason', 'x'],
      ['erase', '--hash', plain[0]!],
      ['keys', 'revoke', apiKey],
      ['keys', 'rotate', code],
      ['disputes', 'open', code, '--reason', 'x'],
      ['serve', '--port', '0'],
    ].slice(0, server ? -1 : undefined))
      expect((await run(...args)).code, args.join(' ')).not.toBe(0);
    expect((await runWith(`${plain[0]}\n${phone}\n`, 'doctor')).code).toBe(1);
    expect(await run('export', join(root, 'export.ndjson'))).toMatchObject({ code: 0 });
    if (!server) expect(await run('backup', join(root, 'backup'))).toMatchObject({ code: 0 });

    // The store fails, and recovers.
    const filling = join(data, 'filling');
    if (server) await server.stop();
    else if (isMounted.now) fill(filling);
    if (server || isMounted.now) {
      const statuses = new Set<number>();
      for (let n = 0; n < 8 && !statuses.has(503); n++)
        statuses.add((await post({ ...report, _text: `${TEXT} ${n} ${'x'.repeat(1_900)}` })).status);
      expect(statuses).toContain(503);
      if (server) await server.start();
      else rmSync(filling);
      await expect
        .poll(async () => (await post({ ...report, _text: `${TEXT} again` })).status, { interval: 500 })
        .toBe(200);
    }
    expect((await post({ _api: apiKey, _action: 'delete', _code: code })).status).toBe(200);
    expect((await post({ _api: apiKey, _action: 'delete', _code: code })).status).toBe(409);
    // The receipt names the hashes that were erased. It is where the operator wants it.
    const receipt = join(root, 'receipt.json');
    expect(await run('erase', '--hash', phone!, '--by', 'Ada', '--out', receipt)).toMatchObject({ code: 0 });
    expect(await runWith('', 'erase', '--verify', receipt)).toMatchObject({ code: 0 });
    const kept = { ...report, email: randomBytes(20).toString('hex'), phone: randomBytes(20).toString('hex') };
    expect((await post(kept)).status).toBe(200);

    const lastId = (await createKey('Last of all')).id;
    await expect.poll(() => receiver.received.map(({ data: { subject } }) => subject)).toContain(lastId);

    const { pid } = service.process;
    if (hasProc) Object.assign(noted, { cmdline: of(pid!, 'cmdline'), environ: of(pid!, 'environ') });
    if (OPERATIONS) noted.metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    if (server) noted.dump = await server.shell(`pg_dump -h '${server.connection.host}' -U redflag postgres`);
  });

  it('shows secrets, keys, codes, hashes, identifiers and addresses nowhere', async () => {
    expect((await service.stop('SIGTERM')).code).toBe(0);
    await server?.stop();
    expect(record.needles.size).toBeGreaterThan(150);
    const search = searchFor(record.list());
    const links = [...record.links].map((value) => ({ what: 'a link', value }));
    expect(links.length).toBeGreaterThan(3);
    const searchLogs = searchFor(record.list(...links, { what: 'a text', value: TEXT }));
    const logs = `${service.output.out.replace(/^API key: [0-9a-f]{16}$/m, '')}\n${service.output.err}`;
    const own = ['secret', 'pepper', 'first-key'];
    const needle = { what: 'planted', value: apiKey };

    const keys = `${data}-keys`;
    expect(readFileSync(join(keys, 'first-key'), 'utf8')).toBe(`${apiKey}\n`);
    const files = { data, temporary, keys, root: join(root, 'backup'), ...(server && { server: server.data }) };
    for (const [place, folder] of Object.entries(files)) {
      if (!existsSync(folder)) continue;
      const read = () => filesIn(folder, place === 'server' ? [] : own);
      for (const [name, bytes] of read()) expect(search(bytes), `${place}: ${name}`).toEqual([]);
      // The search reads these files: it finds what is planted there.
      const planted = join(folder, 'planted');
      writeFileSync(planted, withAllForms(needle.value));
      const found = read().flatMap(([, content]) => searchFor([needle])(content));
      rmSync(planted);
      for (const form of formsOf(needle.value).keys()) expect(found, place).toContain(`planted, ${form}`);
    }
    const isShown = (bytes: Buffer | string): boolean => bytes.includes(TEXT);
    // Texts are public, so they show that the right files were searched, and that nothing is packed there.
    const stored = filesIn(server ? server.data : data, own).map(([, bytes]) => bytes);
    expect(stored.some(isShown)).toBe(true);

    const exported = readFileSync(join(root, 'export.ndjson'), 'utf8');
    const texts: [string, string | Buffer, (bytes: Buffer | string) => string[]][] = [
      ['logs', logs, searchLogs],
      ['webhooks', [...sent, JSON.stringify(receiver.received)].join('\n'), search],
      ['replies', record.replies.join('\n'), search],
      ['commands', record.outputs.join('\n'), search],
      ['export', exported, search],
      ['dump', noted.dump, search],
      ['metrics', noted.metrics, searchLogs],
      ['command line', noted.cmdline, searchLogs],
    ];
    for (const [place, content, finds] of texts) {
      expect(finds(content), place).toEqual([]);
      const found = finds(Buffer.concat([Buffer.from(content), withAllForms(apiKey)]));
      for (const form of formsOf(apiKey).keys())
        expect(found, place).toContainEqual(expect.stringMatching(new RegExp(`^API key \\d+, ${form}$`)));
    }
    // The address of the store is in the environment, if the operator put it there.
    const searchEnvironment = searchFor(record.list(...links).filter(({ value }) => value !== PASSWORD));
    expect(searchEnvironment(noted.environ)).toEqual([]);
    expect(isShown(exported)).toBe(true);
    expect(record.replies.some(isShown)).toBe(true);
    expect(noted.dump === '' || isShown(noted.dump)).toBe(true);
    if (hasProc) expect(noted.cmdline.toString()).toContain('serve');
    if (OPERATIONS) expect(noted.metrics).toContain('# TYPE');
  });

  it.skipIf(!hasProc)('would be found out by its process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', apiKey], { env: { KEY: apiKey } });
    await once(child, 'spawn');
    const search = searchFor([{ what: 'key', value: apiKey }]);
    try {
      await expect.poll(() => search(of(child.pid!, 'cmdline'))).toContain('key, raw');
      expect(search(of(child.pid!, 'environ'))).toContain('key, raw');
    } finally {
      child.kill('SIGKILL');
    }
  });
});

it('runs with the logs and metrics that the service has', async () => {
  expect((await runCli(['serve', '--help'])).out.includes('--ops-port')).toBe(OPERATIONS);
});

/** Bytes with a value in all forms. */
function withAllForms(value: string): Buffer {
  return Buffer.concat([...formsOf(value).values()].flatMap((form) => [Buffer.from(form, 'latin1'), randomBytes(9)]));
}

/** Writes a file until its disk is full. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, randomBytes(1024 ** 2));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
