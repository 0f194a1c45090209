import { mkdir, readFile, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';
import { serveHere } from './served-here.ts';
import { logOf, post, startService, type RunningService } from './service.ts';

const root = useFolder('keys');

const query = (apiKey: string): Record<string, string> => ({ _api: apiKey, _action: 'query', email: 'a'.repeat(40) });
const PRINTED = /^API key: ([0-9a-f]{16})\nKey id: ([0-9a-f]{16})\nReporter: (.+)\n((?:[A-Z].+\n)*)$/;

function printed(out: string): { apiKey: string; keyId: string; reporter: string; more: string } {
  expect(out).toMatch(PRINTED);
  const [, apiKey, keyId, reporter, more] = PRINTED.exec(out)!;
  return { apiKey: apiKey!, keyId: keyId!, reporter: reporter!, more: more! };
}

const served = join(root, 'served');
let serving: RunningService;
beforeAll(async () => {
  serving = await startService(['--data', served]);
});
afterAll(() => serving.stop('SIGKILL'));

/** Without a service, this process serves the folder for each question (slow-operator-commands.test.ts). */
const isSlow = isLong || process.env['SLOW'] === '1';

describe.each([
  ['while a service runs on the folder', true],
  ...(isSlow ? [['while none does', false] as const] : []),
] as const)('redflag keys, %s', (_, isServing) => {
  const folder = isServing ? served : join(root, 'alone');
  const service = () => (isServing ? serving : undefined);
  const keys = (...args: string[]) => runCli(['keys', ...args, '--data', folder]);

  beforeAll(async () => {
    if (!isServing) await (await startService(['--data', folder])).stop('SIGTERM');
  });

  /** What a service on the folder answers to a key. */
  async function answerTo(apiKey: string): Promise<string> {
    const running = service();
    if (running) return (await post(running, query(apiKey))).body;
    const asked = await serveHere(folder);
    const { body } = await post(asked, query(apiKey));
    await asked.stop();
    return body;
  }

  it('creates no key for a verified reporter that the operator takes for an unverified one', async () => {
    const before = (await keys('list')).out;
    expect(await keys('create', 'First reporter', '--unverified')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: this reporter exists and is verified, and --unverified is only for a new one: leave it out, or choose another name\n',
    });
    expect((await keys('list')).out).toBe(before);
  });

  it('creates, lists, rotates and revokes; a key is shown once and is in no file', async () => {
    const today = (): string => new Date().toISOString().slice(0, 10);
    const firstDay = today();
    const created = await keys('create', ' A Shop ', '--unverified');
    expect(created).toMatchObject({ code: 0, err: '' });
    const first = printed(created.out);
    expect(first.reporter).toBe('A Shop (unverified)');
    expect(await answerTo(first.apiKey)).toMatch(/^0-0-0\.0-http/);

    const second = printed((await keys('create', 'A Shop')).out);
    expect(second.keyId).not.toBe(first.keyId);
    expect(second.reporter).toBe('A Shop (unverified)');

    const similar = await keys('create', 'a  sh\u043ep', '--unverified');
    expect(similar).toMatchObject({ code: 0, err: expect.stringContaining('1 reporter with a name that looks like') });

    const rotated = await keys('rotate', second.keyId, '--grace', '3600');
    expect(rotated.code).toBe(0);
    const third = printed(rotated.out);
    const ended = printed((await keys('rotate', third.keyId, '--grace', '0')).out);
    expect(await keys('revoke', first.keyId)).toEqual({ code: 0, out: 'Revoked.\n', err: '' });

    const { code, out } = await keys('list');
    expect(code).toBe(0);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(['KEY ID', 'REPORTER', 'STANDING', 'CREATED', 'SCOPE', 'LAST USED', 'STATE']);
    const stateOf = (keyId: string): string[] =>
      rows.find(([id]) => id === keyId)!.filter((__, at) => at !== 3 && at !== 4);
    // A day may begin while the test runs.
    const days = expect.toBeOneOf([firstDay, today()]) as string;
    expect(stateOf(first.keyId)).toEqual([first.keyId, 'A Shop', 'unverified', days, 'ended']);
    expect(stateOf(second.keyId)[4]).toMatch(/^valid until \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    expect(stateOf(third.keyId)[4]).toBe('ended');
    expect(stateOf(ended.keyId)).toEqual([ended.keyId, 'A Shop', 'unverified', 'never', 'valid']);
    expect(rows.filter(([, name]) => name === 'First reporter')).toEqual([
      [expect.any(String), 'First reporter', 'verified', expect.any(String), 'all', 'never', 'valid'],
    ]);

    expect(await answerTo(first.apiKey)).toBe('ERROR: The API key has been revoked.');
    expect(await answerTo(second.apiKey)).toMatch(/^0-0-/);
    // A service tells its operator once that the ended key is still used, and not the key.
    const running = service();
    if (running) {
      await answerTo(first.apiKey);
      const told = logOf(running).filter(({ event }) => event === 'ended-key-used');
      expect(told).toEqual([
        {
          level: 'warn',
          time: expect.any(String),
          event: 'ended-key-used',
          keyId: first.keyId,
          reporterId: expect.stringMatching(/^[0-9a-f]{16}$/),
        },
      ]);
      expect(running.output.err).not.toContain(first.apiKey);
    }

    for (const { apiKey } of [first, second, third, ended]) {
      expect(out).not.toContain(apiKey);
      for (const name of await readdir(folder)) {
        if (name.endsWith('.sock')) continue;
        const bytes = await readFile(join(folder, name));
        expect(bytes.includes(apiKey), name).toBe(false);
        expect(bytes.includes(Buffer.from(apiKey, 'hex')), name).toBe(false);
      }
    }
  });

  it('creates a key for one kind of action that ends on a day, also when it is rotated', async () => {
    const created = printed((await keys('create', 'Limited Shop', '--scope', 'report', '--expires', '2999-01-31')).out);
    const told = 'Scope: report\nValid until: 2999-01-31T00:00:00.000Z\n';
    expect(created.more).toBe(told);
    expect(printed((await keys('rotate', created.keyId, '--grace', '0')).out).more).toBe(told);
    const { out } = await keys('list');
    expect(out).toMatch(/  report  never +valid until 2999-01-31T00:00:00\.000Z\n/);
    expect(await answerTo(created.apiKey)).toBe('ERROR: The API key has been revoked.');
    const query = printed((await keys('create', 'Limited Shop', '--scope', 'report')).out);
    expect(query.more).toBe('Scope: report\n');
    expect(await answerTo(query.apiKey)).toBe('ERROR: This API key is not for this action.');
  });
});

describe('redflag keys', () => {
  const keys = (...args: string[]) => runCli(['keys', ...args, '--data', served]);

  it('--json gives programs the same, and no key but in the answer that makes it', async () => {
    const created = JSON.parse((await keys('create', 'Program', '--json')).out) as {
      key: { apiKey: string; keyId: string };
      reporter: { name: string };
    };
    expect(created.reporter.name).toBe('Program');
    const list = await keys('list', '--json');
    expect(list.out).not.toContain(created.key.apiKey);
    const rows = JSON.parse(list.out) as { keyId: string }[];
    expect(rows.find(({ keyId }) => keyId === created.key.keyId)).toMatchObject({
      reporter: 'Program',
      verified: true,
      suspended: false,
      ended: false,
      endsAt: null,
    });
  });

  it.each([
    [['create', 'Shop', '--scope', 'view'], '--scope expects query or report'],
    [['create', 'Shop', '--expires', 'tomorrow'], '--expires expects a day as in 2030-01-31'],
    [['create', 'Shop', '--expires', '2020-01-31'], '--expires expects a day or time in the future'],
    [['rotate', '0'.repeat(16), '--scope', 'query'], '--scope belongs to keys create'],
    [['list', '--expires', '2030-01-31'], '--expires belongs to keys create'],
  ])('%j is refused', async (args, message) => {
    const { code, out, err } = await keys(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  it('says no in a line and ends with 1', async () => {
    const other = '0'.repeat(16);
    expect(await keys('revoke', other)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: There is no API key with this key id.\n',
    });
    expect(await keys('rotate', other)).toEqual({
      code: 1,
      out: '',
      err: 'redflag: There is no API key with this key id.\n',
    });
    expect(await keys('create', ' ')).toEqual({
      code: 1,
      out: '',
      err: 'redflag: The name must be one line of 1 to 80 characters, not blank and without invisible characters. A person cannot have the name engine.\n',
    });
  });
});

describe('redflag keys without data', () => {
  it.each([
    ['a folder that is not there', false],
    ['a folder of something else', true],
  ])('makes nothing in %s', async (_, isThere) => {
    const folder = join(root, isThere ? 'other' : 'nowhere');
    if (isThere) await mkdir(folder);
    const { code, out, err } = await runCli(['keys', 'create', 'Shop', '--data', folder]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^redflag: [^\n]+ is not a data folder: [^\n]+\n$/);
    if (isThere) expect(await readdir(folder)).toEqual([]);
    else await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it('a service outlives callers that go away or send nonsense', async () => {
  const send = (text: string, wait: boolean): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(join(served, 'control.sock'), () => {
        socket.write(text);
        if (!wait) socket.destroy();
      });
      let reply = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (reply += chunk));
      // The space that says that the call was taken.
      socket.on('close', () => resolve(reply.trimStart()));
      socket.on('error', () => undefined);
    });
  expect(await send('not json\n', true)).toBe('{"error":"the service could not run the command"}\n');
  for (const wrong of ['null', '5', '"listKeys"'])
    expect(await send(`${wrong}\n`, true)).toMatch(/^\{"error":".+"\}\n$/);
  for (const unknown of [
    '{}',
    '{"do":"keys"}',
    '{"do":"keys list"}',
    '{"do":"constructor"}',
    '{"do":"then"}',
    '{"do":["listKeys"]}',
    '{"do":"close"}',
    '{"do":"rotatePepper"}',
    '{"do":"eraseIdentifiers"}',
  ]) {
    expect(await send(`${unknown}\n`, true)).toBe(
      '{"error":"the running service does not know this command; restart the service with this version of redflag"}\n',
    );
  }
  expect(await send('{"do":"rotateKey","with":{"keyId":5,"graceSeconds":-1}}\n', true)).toMatch(/^\{"error":".+"\}\n$/);
  for (const name of [
    'createReporter',
    'findReporter',
    'rotateKey',
    'openDispute',
    'decideDispute',
    'protect',
    'unprotect',
    'explain',
    'erase',
    'eraseReports',
  ]) {
    expect(await send(`${JSON.stringify({ do: name })}\n`, true), name).toBe(
      '{"error":"the service could not run the command"}\n',
    );
  }
  await send('{"do":"listK', false);
  await send('{"do":"listKeys"}\n', false);
  expect((await runCli(['keys', 'list', '--data', served])).code).toBe(0);
  expect((await post(serving, query(serving.apiKey!))).status).toBe(200);
  expect(await serving.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});

describe('the name of a key', () => {
  it('is shown where keys are, and stays with a rotation', async () => {
    const keys = (...args: string[]) => runCli(['keys', ...args, '--data', served]);
    const before = printed((await keys('create', 'Named Shop')).out);
    expect(before.more).toBe('');
    const named = printed((await keys('create', 'Named Shop', '--key-name', ' Till 1 ')).out);
    expect(named.more).toBe('Key name: Till 1\n');
    const next = printed((await keys('rotate', named.keyId)).out);
    expect(next.more).toBe('Key name: Till 1\n');
    const [head, ...rows] = (await keys('list')).out.split('\n').map((line) => line.split(/ {2,}/));
    expect(head!.at(-1)).toBe('KEY NAME');
    const row = (keyId: string) => rows.find(([id]) => id === keyId)!;
    expect([row(before.keyId).at(-1), row(named.keyId).at(-1), row(next.keyId).at(-1)]).toEqual([
      'valid',
      'Till 1',
      'Till 1',
    ]);
    const listed = JSON.parse((await keys('list', '--json')).out) as { keyId: string; keyName: string | null }[];
    const nameOf = (keyId: string) => listed.find((key) => key.keyId === keyId)!.keyName;
    expect([nameOf(before.keyId), nameOf(named.keyId)]).toEqual([null, 'Till 1']);
  });

  it.each(['', ' ', 'two\nlines', 'x'.repeat(41)])('is refused before anything changes if it is %j', async (name) => {
    const refused = await runCli(['keys', 'create', 'Nameless Shop', '--key-name', name, '--data', served]);
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--key-name expects one line') });
    expect((await runCli(['keys', 'list', '--data', served])).out).not.toContain('Nameless Shop');
  });
});
