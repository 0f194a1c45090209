import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashIdentifierSync } from '../../src/hash.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { createTestEngine } from '../engine/setup.ts';
import { useFolder } from '../folder.ts';
import { listenOn, type Listening } from '../http/listening.ts';
import { openSpecifiedService, type SpecifiedService } from '../specification/specified-service.ts';
import { runCli } from './in-process.ts';

const EMAIL = 'secret@example.com';
const HASH = hashIdentifierSync(EMAIL);
const REPORT = ['--type', 'fraud', '--severity', '6', '--text', 'Paid with a stolen card'];

let service: SpecifiedService;
const folder = useFolder('client');
let env: Record<string, string>;
beforeAll(async () => {
  service = await openSpecifiedService();
  env = { REDFLAG_URL: service.base, REDFLAG_API_KEY: service.apiKey };
});
afterAll(async () => {
  await service.close();
});

/** Runs `redflag client`, which never shows the identifier or the key. */
async function client(args: readonly string[], given: Parameters<typeof runCli>[1] = {}): ReturnType<typeof runCli> {
  const answer = await runCli(['client', ...args], { ...given, env: { ...env, ...given.env } });
  for (const secret of ['secret', service.apiKey]) expect(answer.out + answer.err).not.toContain(secret);
  return answer;
}

/** Runs it against something that always answers the same, and adds the number of requests. */
async function facing(status: number, body: string, args: readonly string[], headers: Record<string, string> = {}) {
  let requests = 0;
  const server: Listening = await listenOn((request, response) => {
    requests++;
    request.resume();
    response.writeHead(status, headers).end(body);
  });
  try {
    return { ...(await client(args, { env: { REDFLAG_URL: server.origin } })), requests };
  } finally {
    await server.close();
  }
}

describe('redflag client', () => {
  it('leaves out what is no identifier, and sends nothing if no other is left', async () => {
    const some = await client(['query', `email=${EMAIL}`, 'phone=unknown', 'ip=127.0.0.1']);
    expect(some).toMatchObject({
      code: 0,
      err: 'redflag: identifier 2 is left out: it stands for no value; --keep-all sends it\nredflag: identifier 3 is left out: it names no person; --keep-all sends it\n',
    });
    const blank = await client(['query', `email=${EMAIL}`, 'phone=', 'ip= ']);
    expect(blank).toMatchObject({
      code: 0,
      out: (await client(['query', `email=${EMAIL}`])).out,
      err: 'redflag: identifier 2 is left out: it is empty\nredflag: identifier 3 is left out: it is empty\n',
    });
    const none = await client(['report', "phone='+4912345", ...REPORT]);
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toMatch(/was damaged by a program.*\nredflag: no identifier is left; nothing was sent\n$/);
    expect(await client(['query', 'phone=unknown', '--keep-all'])).toMatchObject({ code: 0, err: '' });
  });

  it('sends canonical values on request', async () => {
    const reported = await client(['report', 'phone=+1 (555) 010-0188', '--canonical', ...REPORT]);
    expect((await client(['query', 'phone=+15550100188'])).out).toContain('Reported: 1');
    expect((await client(['query', 'phone=+1 (555) 010-0188'])).out).toContain('No matches.');
    expect((await client(['query', 'phone=tel:+1-555-010-0188', '--canonical'])).out).toContain('Reported: 1');
    const [, code = ''] = /([0-9a-f]{16})\n$/.exec(reported.out) ?? [];
    expect((await client(['delete', code])).code).toBe(0);
    expect(await client(['query', `email=${HASH}`, '--hashed', '--canonical'])).toMatchObject({ code: 2 });
    expect((await client(['query', 'phone=+15550100188', 'phone=030 901820', '--canonical'])).err).toBe(
      'redflag: identifier 2 has no canonical form of its kind, so it may not match\n',
    );
    expect((await client(['query', 'Email=a@example.com'])).err).toContain(
      'identifier 1 expects its kind in lower case',
    );
  });

  it('reports, queries, shows and deletes', async () => {
    const reported = await client(['report', `email=${EMAIL}`, 'ip=11.22.33.44', ...REPORT]);
    expect(reported).toMatchObject({ code: 0, err: '' });
    const [, code = ''] = /^Reported\.\nDeletion code: ([0-9a-f]{16})\n$/.exec(reported.out) ?? [];
    const asked = await client(['query', `email= ${EMAIL.toUpperCase()}`]);
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out).toMatch(
      /^Points: \d+\nReported: 1\nReliability: \d\.\d of 10\nLink: https:\/\/flags\.example\/report\/[0-9a-f]{40}\n$/,
    );
    const link = asked.out.trim().split(' ').at(-1)!;
    const shown = await client(['show', link], { env: { REDFLAG_API_KEY: '' } });
    expect(shown.out).toMatch(/^CREATED.*\n\S+Z {2}fraud {2}6 {9}\S.* {2}Paid with a stolen card\n$/);
    expect(await client(['delete', code])).toEqual({ code: 0, out: 'Deleted.\n', err: '' });
    expect((await client(['query', `email=${EMAIL}`])).out).toMatch(/^No matches\.\nLink: https:\S+\n$/);
    expect(await client(['show', link])).toEqual({
      code: 1,
      out: '',
      err: 'redflag: the service shows no reports for this link; if you expect some, try again later\n',
    });
  });

  it('prints JSON', async () => {
    const json = async (...args: string[]): Promise<unknown> => JSON.parse((await client([...args, '--json'])).out);
    const { deletionCode, reportId } = (await json('report', `email=${EMAIL}`, ...REPORT)) as Record<string, string>;
    expect([deletionCode, reportId]).toEqual([1, 2].map(() => expect.stringMatching(/^[0-9a-f]{16}$/) as string));
    const { linkHash, ...result } = (await json('query', `email=${EMAIL}`)) as Record<string, string>;
    expect(result).toMatchObject({ reported: 1, link: `https://flags.example/report/${linkHash}` });
    expect(await json('show', linkHash!)).toMatchObject([{ reportId, severity: 6 }]);
    expect(await json('delete', deletionCode!)).toEqual({ deleted: true });
    expect(await json('ping')).toEqual({ accepted: true });
  });

  it('takes the address in any form, and the key of a file', async () => {
    const file = join(folder, 'key');
    await writeFile(file, `${service.apiKey}\n`);
    for (const url of ['', '/', '/api', '/api/']) {
      const args = ['ping', '--url', service.base + url, '--key-file', file];
      expect(await client(args, { env: { REDFLAG_URL: '', REDFLAG_API_KEY: 'f'.repeat(16) } })).toEqual({
        code: 0,
        out: 'The service accepts the API key.\n',
        err: '',
      });
    }
  });

  it('hashes with the prefix and rounds of the service, or takes hashes', async () => {
    const chain = ['--prefix', 'fraudhosting-', '--iterations', '7'];
    const hash = hashIdentifierSync(EMAIL, { prefix: 'fraudhosting-', iterations: 7 });
    const { code } = await client(['report', `email=${EMAIL}`, ...chain, ...REPORT]);
    expect(code).toBe(0);
    for (const args of [
      ['--hashed', `email2=${hash.toUpperCase()}`],
      [`email=${EMAIL}`, ...chain],
    ])
      expect((await client(['query', ...args])).out).toContain('Reported: 1\n');
    await client(['report', `email=${EMAIL}`, ...chain, ...REPORT.slice(0, -1), 'Once more']);
    expect((await client(['query', `email=${EMAIL}`, ...chain])).out).toContain('Reported: 2, by 1 organisation\n');
    expect((await client(['query', `email=${EMAIL}`])).out).toContain('No matches.\n');
  });

  it('reads identifiers and the text from standard input', async () => {
    const args = ['report', 'phone=+49 30 1234', ...REPORT.slice(0, 4), '--text-file', '-'];
    expect((await client(args, { input: 'Two lines,\nand a third\n' })).code).toBe(0);
    const asked = await client(['query', '-', '--json'], { input: `email=${EMAIL}\r\n\nphone=+49301234\n` });
    const { linkHash } = JSON.parse(asked.out) as Record<string, string>;
    expect(JSON.parse((await client(['show', linkHash!, '--json'])).out)).toMatchObject([
      { text: 'Two lines,\nand a third' },
    ]);
  });
});

describe('the report of a machine', () => {
  const LINE = 'Connection closed by 192.0.2.66 port 45264 [preauth], user jane[at]example[dot]com';
  const machine = ['report', 'ip=192.0.2.66', '--type', 'hacking', '--severity', '3'];
  const textOf = async (...identifiers: string[]): Promise<string | undefined> => {
    const { linkHash } = JSON.parse((await client(['query', ...identifiers, '--json'])).out) as { linkHash: string };
    const shown = JSON.parse((await client(['show', linkHash, '--json'])).out) as { text: string }[];
    return shown[0]?.text;
  };

  it('with an address in its text is refused, with what to write and without the address', async () => {
    const { code, out, err } = await client([...machine, '--text', LINE]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      'redflag: the service refused: The field _text is public and must have no personal data. Found: email address, IP address. ' +
        'Write what happened without it, and send the value as a hashed identifier; --redact replaces personal data in the text\n',
    );
  });

  it('with --redact is sent with a word in place of each finding, and says so', async () => {
    expect(await client([...machine, '--text', LINE, '--redact'])).toMatchObject({
      code: 0,
      err: 'redflag: the text is sent without personal data (email address and IP address)\n',
    });
    expect(await textOf('ip=192.0.2.66')).toBe(
      'Connection closed by [IP address] port 45264 [preauth], user [email address]',
    );
  });

  it('with --redact is sent without control characters, and cut if it is too long', async () => {
    const args = ['report', 'ip=192.0.2.67', ...machine.slice(2), '--redact', '--text-file', '-'];
    const input = `bell\x07 esc\x1b[31m nul\0 \u202etxt ${'x'.repeat(1990)} 192.0.2.67\n`;
    expect(await client(args, { input })).toMatchObject({
      code: 0,
      err: 'redflag: the text is sent without personal data (IP address), without characters that a text must not have, cut to 2,000 characters\n',
    });
    const sent = (await textOf('ip=192.0.2.67'))!;
    expect(sent.length).toBe(2000);
    expect(sent.startsWith('bell\ufffd esc\ufffd[31m nul\ufffd \ufffdtxt xxx')).toBe(true);
  });

  it('with --redact says that its text is not UTF-8', async () => {
    const args = ['report', 'ip=192.0.2.69', ...machine.slice(2), '--redact', '--text-file', '-'];
    expect(await client(args, { input: Buffer.from('caf\xe9 failed', 'latin1') })).toMatchObject({
      code: 0,
      err: 'redflag: --text-file has bytes that are not UTF-8; U+FFFD is sent in their place\n',
    });
    expect(await textOf('ip=192.0.2.69')).toBe('caf\ufffd failed');
    expect(await client(args, { input: 'caf\ufffd failed' })).toMatchObject({ code: 0, err: '' });
  });

  it('with --redact and nothing to redact is sent as it is', async () => {
    const args = ['report', 'ip=192.0.2.68', ...machine.slice(2), '--redact', '--text', 'Ten failed logins'];
    expect(await client(args)).toMatchObject({ code: 0, err: '' });
    expect(await textOf('ip=192.0.2.68')).toBe('Ten failed logins');
  });
});

/** Lines of a log that try to run commands, to end a text or to hide one. */
const HOSTILE = [
  "Invalid user '; touch hacked; ' from 192.0.2.66",
  'Invalid user "; touch hacked; " from 192.0.2.66',
  'Invalid user $(touch hacked) `touch hacked` ${HOME} from 192.0.2.66',
  'two\nlines \\n \\ %s %n from 192.0.2.66',
  '-n --text --url=https://evil.example _text=x&_value=10 from 192.0.2.66',
  '<ip> <matches> \u202e\x1b]0;x\x07 | & > hacked from 192.0.2.66',
];

describe('the recipes of docs/client.md', () => {
  const page = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
  const blockOf = (name: string): string => new RegExp(`file="${name}"\\n([^]*?)\\n\`\`\``).exec(page)![1]!;

  /** Runs a script with a `redflag` that writes down its arguments and standard input, a call after the other. */
  async function calls(script: string, { env: more = {}, input = '' } = {}): Promise<string[][]> {
    const place = await mkdtemp(join(folder, 'recipe'));
    const program = '#!/bin/sh\n{ for one in "$@"; do printf "%s\\0" "$one"; done; cat; printf "\\0\\1"; } >> calls\n';
    await writeFile(join(place, 'redflag'), program, { mode: 0o755 });
    const PATH = `${place}:${process.env.PATH}`;
    const run = spawnSync('sh', ['-c', script], { cwd: place, env: { ...more, PATH }, input, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect((await readdir(place)).sort()).toEqual(['calls', 'redflag']);
    const written = await readFile(join(place, 'calls'), 'utf8');
    return written
      .split('\0\x01')
      .slice(0, -1)
      .map((call) => call.split('\0'));
  }

  /** Fills an action of fail2ban in as fail2ban does: texts from outside are variables of the shell. */
  const actionOf = (name: string, ip: string): string => {
    const [, action = ''] = /^actionban = (.*)$/m.exec(blockOf(name)) ?? [];
    const tags = {
      ip,
      failures: '5',
      name: 'sshd',
      matches: '$f2bV_matches',
      url: service.base,
      keyfile: join(folder, 'f2b'),
    };
    return action.replace('%%', '%').replace(/<(\w+)>/g, (_, tag: keyof typeof tags) => tags[tag]);
  };
  const reported = async (args: readonly string[], input: string): Promise<unknown> => {
    await writeFile(join(folder, 'f2b'), service.apiKey);
    const answer = await client(args.slice(1), { input });
    expect(answer).toMatchObject({ code: 0, out: expect.stringContaining('Reported.') as string });
    return answer.err;
  };

  it('report an address that fail2ban blocks', async () => {
    const [[...args] = []] = await calls(actionOf('redflag.conf', '192.0.2.71'));
    expect(args.pop()).toBe('');
    expect(args.slice(2, 3)).toEqual(['ip=192.0.2.71']);
    expect(args).toContain('5 failed logins (fail2ban, sshd)');
    expect(await reported(args, '')).toBe('');
  });

  it.each(HOSTILE)('send the line %j without its address, and run nothing of it', async (line) => {
    const ip = `198.51.100.${10 + HOSTILE.indexOf(line)}`;
    const [[...args] = [], ...more] = await calls(actionOf('redflag-lines.conf', ip), { env: { f2bV_matches: line } });
    expect(more).toEqual([]);
    const input = args.pop()!;
    expect(input).toBe(`${line}\n`);
    expect(await reported(args, input)).toMatch(/^redflag: the text is sent without personal data \(IP address\)/);
  });

  it('report each address that another program finds, and no other line', async () => {
    // The last line may have no end, and lines may end as on Windows.
    const input = ['192.0.2.72', ...HOSTILE, '', '192.0.2.73\r', '2001:db8::72'].join('\n');
    const found = await calls(blockOf('report-addresses'), { input });
    expect(found.map((args) => args[2])).toEqual(['ip=192.0.2.72', 'ip=192.0.2.73', 'ip=2001:db8::72']);
    for (const args of found) expect(await reported(args.slice(0, -1), '')).toBe('');
  });
});

describe('a command line that is refused', () => {
  it.each<[string[], string]>([
    [[], 'client expects query, report, delete, show, ping or watch; see redflag client --help'],
    [['queries'], 'client expects query, report, delete, show, ping or watch; see redflag client --help'],
    [['query'], 'client expects at least one identifier, such as email=client@example.com'],
    [['query', EMAIL], 'identifier 1 expects KIND=VALUE, such as email=client@example.com'],
    [
      ['query', 'ip=1', `E-Mail=${EMAIL}`],
      'identifier 2 expects its kind in lower case, such as email=client@example.com',
    ],
    [['query', `email=${HASH}`], 'identifier 1 looks like a hash; add --hashed if the values are hashes'],
    [['query', `email=${EMAIL}`, '--hashed'], 'identifier 1 expects a hash of 40 hex characters, because of --hashed'],
    [['query', '-', `email=${EMAIL}`], '- means standard input; pass it without other identifiers'],
    [['query', `email=${EMAIL}`, '--dialect', 'old'], '--dialect expects specification or classic'],
    [['query', `email=${EMAIL}`, '--timeout', '0'], '--timeout expects a whole number from 1 to 3600'],
    [['query', `email=${EMAIL}`, '--url', EMAIL], '--url expected an absolute URL, got another text'],
    [['query', `email=${EMAIL}`, '--type', 'fraud'], '--type belongs to client report'],
    [['query', `email=${EMAIL}`, '--key-file', '/nowhere'], '--key-file expects a file that can be read (ENOENT)'],
    [['report', `email=${EMAIL}`], 'client report expects --type'],
    [
      ['report', `email=${EMAIL}`, '--type', 'fraud', '--severity', '11'],
      '--severity expects a whole number from 1 to 10',
    ],
    [['report', `email=${EMAIL}`, ...REPORT, '--text-file', 'x'], '--text and --text-file exclude each other'],
    [['report', `email=${EMAIL}`, ...REPORT.slice(0, 4)], 'client report expects --text or --text-file'],
    [
      ['report', '-', ...REPORT.slice(0, 4), '--text-file', '-'],
      '- means standard input; use it once, for identifiers, --text-file or --key-file',
    ],
    ...[
      ['query', '-', '--key-file', '-'],
      ['report', `email=${EMAIL}`, ...REPORT.slice(0, 4), '--text-file', '-', '--key-file', '-'],
      ['report', '-', ...REPORT, '--key-file', '-'],
    ].map((args): [string[], string] => [
      args,
      '- means standard input; use it once, for identifiers, --text-file or --key-file',
    ]),
    [['delete'], 'client delete expects one deletion code of 16 hex characters'],
    [['delete', EMAIL, EMAIL], 'client delete expects one deletion code of 16 hex characters'],
    [['delete', EMAIL], 'client delete expects one deletion code of 16 hex characters'],
    [['delete', HASH], 'client delete expects one deletion code of 16 hex characters'],
    [['delete', EMAIL, '--prefix', 'x'], '--prefix belongs to client query and report'],
    [['show'], 'client show expects one link, as client query prints it'],
    [['show', EMAIL], 'client show expected a link or its 40 hex characters, got another text'],
    [['ping', EMAIL], 'client ping expects no value'],
  ])('%j ends with 2 and says why in one line', async (args, message) => {
    expect(await facing(200, '', args)).toEqual({ code: 2, out: '', err: `redflag: ${message}\n`, requests: 0 });
  });

  it('for want of an address or a key', async () => {
    expect(await client(['ping'], { env: { REDFLAG_URL: '' } })).toMatchObject({
      code: 2,
      err: 'redflag: client expects the address of a service: set REDFLAG_URL, or use --url\n',
    });
    expect(await client(['ping'], { env: { REDFLAG_API_KEY: '' } })).toMatchObject({
      code: 2,
      err: 'redflag: client expects an API key: set REDFLAG_API_KEY, or name a file with --key-file\n',
    });
    expect(await client(['ping'], { env: { REDFLAG_API_KEY: 'two words' } })).toMatchObject({
      code: 2,
      err: 'redflag: REDFLAG_API_KEY expects one API key\n',
    });
    for (const options of [[], ['--hashed'], ['--keep-all']])
      expect(await client(['query', ...options, 'email='])).toMatchObject({
        code: 2,
        err: 'redflag: identifier 1 is left out: it is empty\nredflag: no identifier is left; nothing was sent\n',
      });
  });
});

describe('a service that fails', () => {
  const QUERY = ['query', '--iterations', '1', `email=${EMAIL}`];
  const SEND = ['report', '--iterations', '1', `email=${EMAIL}`, ...REPORT];
  const PAGE = `<html>${EMAIL}</html>`;

  it.each<[number, string, string[], string, Record<string, string>?]>([
    [400, 'ERROR: No type.', SEND, 'the service refused: No type'],
    [401, 'ERROR: Bad key.', SEND, 'the service refused: Bad key; check REDFLAG_API_KEY or --key-file'],
    [503, 'ERROR: Try again.', SEND, 'the service refused: Try again. The request may have taken effect'],
    [
      200,
      'ERR:UNAVAILABLE',
      [...SEND, '--dialect', 'classic'],
      'the service refused: ERR:UNAVAILABLE, it is not available; try again later. The request may have taken effect',
    ],
    [200, 'ERROR: Bad key.', QUERY, 'the service refused: Bad key; check REDFLAG_API_KEY or --key-file'],
    [404, 'ERROR: No such API method.', QUERY, 'the service refused: No such API method'],
    [429, 'ERROR: Wait.', SEND, 'the service refused: Wait'],
    [429, 'ERROR: Wait.', QUERY, 'the service refused: Wait', { 'Retry-After': '60' }],
    [200, 'ERROR: a\u001b[2J\u202eb', QUERY, 'the service refused: a\ufffd[2J\ufffdb'],
    [200, PAGE, QUERY, 'the service sent an unexpected response (status 200); check --url and --dialect'],
    [
      200,
      PAGE,
      SEND,
      'the service sent an unexpected response (status 200); check --url and --dialect. The request may have taken effect',
    ],
    [200, 'x'.repeat(5e6), QUERY, 'the service sent more than 4194304 bytes; check --url'],
    [403, 'ERROR: No.', ['ping'], 'the service refuses the API key: No; check REDFLAG_API_KEY or --key-file'],
    [
      200,
      'ERR:API',
      ['ping', '--dialect', 'classic'],
      'the service refuses the API key: ERR:API, the API key is not valid; check REDFLAG_API_KEY or --key-file',
    ],
    [
      200,
      'ERR:LIMIT',
      ['ping', '--dialect', 'classic'],
      'the service refused: ERR:LIMIT, too many requests; try again later',
      { 'Retry-After': '60' },
    ],
  ])('with status %d and %j ends with 1 and one line', async (status, body, args, message, headers) => {
    expect(await facing(status, body, args, headers)).toEqual({
      code: 1,
      out: '',
      err: `redflag: ${message}\n`,
      requests: 1,
    });
  });

  it('without a reply', async () => {
    const closed = await listenOn(() => undefined);
    await closed.close();
    expect(await client(SEND, { env: { REDFLAG_URL: closed.origin } })).toEqual({
      code: 1,
      out: '',
      err: 'redflag: no connection to the service (ECONNREFUSED); check --url\n',
    });
    const cut = await listenOn((request) => request.socket.destroy());
    expect((await client(SEND, { env: { REDFLAG_URL: cut.origin } })).err).toMatch(
      /^redflag: no connection to the service \(\w+\); check --url\. The request may have taken effect\n$/,
    );
    await cut.close();
    const silent = await listenOn(() => undefined);
    expect(await client([...QUERY, '--timeout', '1'], { env: { REDFLAG_URL: silent.origin } })).toMatchObject({
      code: 1,
      err: 'redflag: no complete reply within 1 second; check --url, or allow more time with --timeout\n',
    });
    await silent.close();
  });

  it('and redflag itself in the classic dialect', async () => {
    const { engine, apiKey } = await createTestEngine({ publicUrl: 'https://flags.example' });
    const older = await listenOn(createListener(engine, { dialect: 'classic' }));
    const ask = async (args: readonly string[], key = apiKey) => {
      const given = { env: { REDFLAG_URL: older.origin, REDFLAG_API_KEY: key } };
      return client([...args, '--dialect', 'classic'], given);
    };
    try {
      expect(await ask(['ping'])).toMatchObject({ code: 0, out: 'The service accepts the API key.\n' });
      expect(await ask(['ping'], 'f'.repeat(16))).toMatchObject({ code: 1 });
      const reported = await ask(['report', `email=${EMAIL}`, ...REPORT]);
      const [, code = ''] = /^Reported\.\nDeletion code: ([0-9a-f]{16})\n$/.exec(reported.out) ?? [];
      const asked = await ask(['query', `email=${EMAIL}`]);
      expect(asked.out).toMatch(/^Points: \d+\nReported: 1\n.*\nLink: \S+\?showreport=[0-9a-f]{16}\n$/);
      const viewerCode = asked.out.trim().slice(-16);
      expect((await ask(['show', viewerCode])).out).toMatch(/ {2}Paid with a stolen card\n$/);
      expect(await ask(['delete', code])).toEqual({ code: 0, out: 'Deleted.\n', err: '' });
      expect((await ask(['query', `email=${EMAIL}`])).out).toMatch(/^No matches\.\nLink: /);
      expect(await ask(['delete', code])).toMatchObject({ code: 1, out: '' });
    } finally {
      await older.close();
      await engine.close();
    }
  });

  it('and one that answers in the classic dialect', async () => {
    const classic = ['--dialect', 'classic'];
    const code = 'c0ffee00c0ffee00';
    const asked = await facing(200, `<report>52-1-6.7-${code}</report>`, [...QUERY, ...classic]);
    expect(asked.out).toMatch(
      new RegExp(`^Points: 52\nReported: 1\nReliability: 6.7 of 10\nLink: http://\\S+/api/\\?showreport=${code}\n$`),
    );
    expect((await facing(200, `OK:${code}`, [...SEND, ...classic])).out).toBe(`Reported.\nDeletion code: ${code}\n`);
    expect((await facing(200, 'OK', SEND)).out).toBe('Reported. The service sent no deletion code.\n');
    expect((await facing(200, 'OK', ['delete', code, ...classic])).out).toBe('Deleted.\n');
    const report = {
      reportId: code,
      type: 'fraud',
      value: 5,
      createdAt: '2026-01-01T00:00:00Z',
      reporter: 'A\u001b]B',
    };
    const page = JSON.stringify({ ReportAdvanceds: [{ ...report, description: 'a\nb\u202ec' }], count: 1 });
    expect((await facing(200, page, ['show', code, ...classic])).out).toBe(
      'CREATED                   TYPE   SEVERITY  REPORTER  DESCRIPTION\n2026-01-01T00:00:00.000Z  fraud  5         A\ufffd]B      a b\ufffdc\n',
    );
  });
});
