import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allow } from '../../src/service/cli/commands/allow.ts';
import type { Command } from '../../src/service/cli/command.ts';
import { UsageError } from '../../src/service/cli/errors.ts';
import { backup } from '../../src/service/cli/commands/backup.ts';
import { check } from '../../src/service/cli/commands/check.ts';
import { disputes } from '../../src/service/cli/commands/disputes.ts';
import { doctor } from '../../src/service/cli/commands/doctor.ts';
import { erase } from '../../src/service/cli/commands/erase.ts';
import { explain } from '../../src/service/cli/commands/explain.ts';
import { exportData } from '../../src/service/cli/commands/export.ts';
import { hash } from '../../src/service/cli/commands/hash.ts';
import { importData } from '../../src/service/cli/commands/import.ts';
import { keys } from '../../src/service/cli/commands/keys.ts';
import { migrate } from '../../src/service/cli/commands/migrate.ts';
import { reporters } from '../../src/service/cli/commands/reporters.ts';
import { serve } from '../../src/service/cli/commands/serve.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { runCli } from './in-process.ts';
import { runCli as runBuilt } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KNOWN_HASH = 'e6046ea1e61328d5ad100fdf7507b841b5112932';
const commands: Readonly<Record<string, Command>> = {
  serve,
  hash,
  doctor,
  keys,
  reporters,
  disputes,
  allow,
  explain,
  check,
  backup,
  export: exportData,
  import: importData,
  migrate,
  erase,
};
const COMMANDS = Object.keys(commands);

describe('help', () => {
  it.each([['--help'], ['-h'], ['help']])('redflag %s names every command', async (arg) => {
    const { code, out, err } = await runCli([arg]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^ +redflag ${command} `, 'm'));
  });

  it.each(COMMANDS)('redflag %s --help names every option that the command reads', async (command) => {
    const options = Object.values(commands[command]!.forms).flatMap((form) => Object.keys(form.options));
    expect(options.length).toBeGreaterThan(1);
    const { code, out, err } = await runCli([command, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const option of options) expect(out).toMatch(new RegExp(`(^| )--${option}\\b`, 'm'));
    expect(await runCli([command, '-h'])).toEqual({ code, out, err });
  });

  it('takes --help behind -- for a value', async () => {
    expect((await runCli(['hash', '--iterations', '1', '--', '--help'])).out).toBe(
      `${hashIdentifierSync('--help', { iterations: 1 })}\n`,
    );
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { version: string };
    expect(await runBuilt(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe('a command line that is not understood', () => {
  it.each([
    [['frobnicate'], 'unknown command; see redflag --help'],
    [['constructor'], 'unknown command; see redflag --help'],
    [['keys', '--frobnicate'], 'unknown option --frobnicate; put -- before a value that begins with a hyphen'],
    [
      ['serve', '--data', '/dev/null/data', '--port', '-1'],
      '--port expects a value; write --port=VALUE if the value begins with a hyphen',
    ],
    [
      ['serve', '--data', '/dev/null/data', '--read-replica', 'postgres://u@standby/db'],
      'a read replica needs a PostgreSQL store: set --store to postgres://…',
    ],
    [
      ['serve', '--store', 'postgres://u@primary/db', '--read-replica', 'u:secret@standby'],
      '--read-replica expects postgres://…',
    ],
  ])('%j ends with 2 and says why in a line', async (args, message) => {
    expect(await runCli(args)).toEqual({ code: 2, out: '', err: `redflag: ${message}\n` });
  });

  it.each<[string[], string]>([
    [['serve', '--frobnicate'], 'unknown option --frobnicate'],
    [['hash', '--frobnicate', 'x'], 'unknown option --frobnicate'],
    [['keys', 'list', '--frobnicate'], 'unknown option --frobnicate'],
    [['serve', 'now'], 'serve takes no values'],
    [['serve', '--port'], '--port expects a value'],
    [['serve', '--port', '-1'], '--port expects a value'],
    [['serve', '--port', '65536'], '--port expects a whole number from 0 to 65535'],
    [['serve', '--port', '1e3'], '--port expects a whole number'],
    [['serve', '--get-queries=1'], '--get-queries takes no value'],
    [['serve', '--trust-proxies', '1.5'], '--trust-proxies expects a whole number'],
    [['serve', '--limits', 'queries=5'], '--limits expects a list'],
    [['serve', '--limits', 'query=0'], '--limits expects a whole number'],
    [['serve', '--personal-data', 'hide'], '--personal-data expects refuse, redact or allow'],
    [['serve', '--iterations', '0'], '--iterations expects a whole number'],
    [['serve', '--public-url', 'reports.example'], '--public-url expected an absolute URL'],
    [['serve', '--public-url', 'https://name:word@reports.example'], '--public-url expected no credentials'],
    [['serve', '--base-path', 'fraud'], '--base-path expected a path'],
    [['serve', '--operator', ' '], '--operator expects 1 to 80 characters'],
    [['serve', '--operator-contact', 'Ada'], '--operator-contact expects an email address'],
    [['serve', '--operator-contact', 'a@b.example'], '--operator-contact needs --operator'],
    [['hash', '--iterations', 'many', 'x'], '--iterations expects a whole number'],
    [['serve', '--store', 'postgres://u@h:99999/db'], '--store is invalid: write postgres://USER:PASSWORD@HOST'],
    [
      ['serve', '--store', 'postgres://u@h/db', '--read-replica', 'postgres://u@h:port/db'],
      '--read-replica is invalid: write postgres://',
    ],
    [['serve', '--store', 'postgres://u@h%E0%A4/db'], '--store is invalid'],
    [['migrate', '--from', 'postgres://u@h:99999/db', '--to', 'nowhere'], 'the address postgres://… is invalid'],
    [['migrate', '--from', 'nowhere', '--to', 'postgresql://u@h:99999/db'], 'the address postgres://… is invalid'],
    [['keys'], 'keys expects create, list, rotate or revoke'],
    [['keys', 'remove'], 'keys expects create, list, rotate or revoke'],
    [['keys', 'client@example.com', 'a', 'b'], 'keys expects create, list, rotate or revoke'],
    [['keys', 'create'], 'keys create expects the name'],
    [['keys', 'create', 'A', 'shop'], 'put a name with spaces in quotes'],
    [['keys', 'list', 'all'], 'keys list expects no value'],
    [['keys', 'list', 'A', 'shop'], 'keys list expects no value'],
    [['keys', 'rotate'], 'keys rotate expects a key id'],
    [['keys', 'revoke'], 'keys revoke expects a key id'],
    [['keys', 'rotate', 'x', '--grace', '-1'], '--grace expects a value'],
    [['keys', 'revoke', 'x', '--grace', '60'], '--grace belongs to keys rotate'],
    [['keys', 'list', '--unverified'], '--unverified belongs to keys create'],
  ])('%j is refused', async ([name, ...args], message) => {
    const command = commands[name!]!;
    // Where no folder can be: a command that is understood after all fails in another way.
    const where = name === 'hash' ? [] : ['--data', '/dev/null/data'];
    const refused = command.run([...where, ...args]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/\n/);
    // A password.
    await expect(refused).rejects.not.toThrow(/word@|pass/);
  });

  it('shows the help and ends with 2 when there is no command', async () => {
    const { code, out, err } = await runBuilt([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('redflag serve');
  });
});

describe('redflag hash', () => {
  it('hashes values in their order, normalised', async () => {
    expect(await runCli(['hash', 'client@example.com', '+49 30 1234', ' Client@Example.COM '])).toEqual({
      code: 0,
      out: `${KNOWN_HASH}\n${hashIdentifierSync('+49301234')}\n${KNOWN_HASH}\n`,
      err: '',
    });
  });

  it('hashes the lines of standard input, with any line end and none at the last', async () => {
    const { code, out } = await runBuilt(['hash'], { input: 'client@example.com\r\nx@y.example\nclient@example.com' });
    expect({ code, out }).toEqual({
      code: 0,
      out: `${KNOWN_HASH}\n${hashIdentifierSync('x@y.example')}\n${KNOWN_HASH}\n`,
    });
    expect(await runCli(['hash'], { input: '' })).toEqual({ code: 0, out: '', err: '' });
  });

  it('reads standard input for -, and for nothing else beside it', async () => {
    expect(await runCli(['hash', '--iterations', '1', '-'], { input: 'a\n' })).toEqual({
      code: 0,
      out: `${hashIdentifierSync('a', { iterations: 1 })}\n`,
      err: '',
    });
    expect(await runCli(['hash', 'a', '-'])).toEqual({
      code: 2,
      out: '',
      err: 'redflag: - means standard input; pass it without other values\n',
    });
  });

  it('leaves out what is no identifier, names it, and keeps the place of the others', async () => {
    const once = (value: string) => hashIdentifierSync(value, { iterations: 1 });
    const values = ['none', 'client@example.com', '4.92E+11', '11.22.33.44', '127.0.0.1'];
    const told = (what: string) =>
      [
        `${what} 1 is left out: it stands for no value; --keep-all hashes it`,
        `${what} 3 is left out: it was damaged by a program; --keep-all hashes it`,
        `${what} 5 is left out: it names no person; --keep-all hashes it`,
      ]
        .map((line) => `redflag: ${line}\n`)
        .join('');
    const out = `\n${once('client@example.com')}\n\n${once('11.22.33.44')}\n\n`;
    const command = ['hash', '--iterations', '1'];
    expect(await runCli([...command, ...values])).toEqual({ code: 0, out, err: told('value') });
    expect(await runCli(command, { input: values.join('\n') })).toEqual({ code: 0, out, err: told('line') });
    expect((await runCli([...command, '--keep-all', ...values])).out).toBe(
      values.map((one) => `${once(one)}\n`).join(''),
    );
    expect(await runCli([...command, 'none'])).toMatchObject({ code: 1, out: '\n' });
    expect((await runCli(command, { input: 'none\na\n \n' })).err).toContain('line 3 is empty');
    expect((await runCli([...command, 'none', 'a', ' '])).err).toContain('value 3 is empty');
    const many = await runCli(command, { input: 'none\n'.repeat(30) });
    expect(many).toMatchObject({ code: 1, out: '\n'.repeat(30) });
    expect(many.err.split('\n').slice(-2)).toEqual(['redflag: 30 are left out in all', '']);
  });

  it('writes values in the canonical form of their kind on request', async () => {
    const e164 = `${hashIdentifierSync('+15550100199', { iterations: 1 })}\n`;
    const canonical = ['hash', '--iterations', '1', '--canonical'];
    const us = ['--kind', 'phone', '--country', 'us', '--', '(201) 555-0123'];
    expect((await runCli([...canonical, '--kind', 'phone', '+1 (555) 010-0199', '+15550100199'])).out).toBe(
      e164 + e164,
    );
    expect((await runCli([...canonical, ...us])).out).toBe(
      `${hashIdentifierSync('+12015550123', { iterations: 1 })}\n`,
    );
    for (const [args, problem] of [
      [[...canonical, 'a'], '--canonical expects --kind'],
      [['hash', '--country', 'DE', 'a'], '--country expects --canonical'],
      [['hash', '--mailbox', 'a'], '--mailbox expects --canonical'],
      [[...canonical, '--kind', 'phone', '--country', 'Germany', '1'], '--country expects a country of two letters'],
      [[...canonical, '--kind', 'phone', '--country', 'XX', '1'], '--country expects a country of ISO 3166-1'],
    ] as const)
      expect(await runCli(args), problem).toMatchObject({ code: 2, out: '', err: expect.stringContaining(problem) });
  });

  it('says how many values --canonical would change', async () => {
    const command = ['hash', '--iterations', '1', '--kind', 'phone', '+1 (555) 010-0199', '+15550100199'];
    expect((await runCli(command)).err).toBe(
      'redflag: Written in another form than the canonical one: 1 value; --canonical changes it.\n',
    );
    expect((await runCli([...command, '--canonical'])).err).toBe('');
  });

  it('names each value that did not become canonical, and counts many', async () => {
    const command = ['hash', '--iterations', '1', '--canonical', '--kind'];
    const told = (place: string) => `redflag: ${place} has no canonical form of its kind, so it may not match\n`;
    expect(await runCli([...command, 'phone', '+15550100199', '030 901820'])).toMatchObject({
      code: 0,
      err: told('value 2'),
    });
    expect(await runCli([...command, 'phone', '--country', 'DE', '4915112345678'])).toMatchObject({
      err: told('value 1').replace('\n', ': it may be a number of this country or of another one\n'),
    });
    const input = ['1.1.1.1', 'ip:', '2.2.2.2', '11.22.33.44, 10.0.0.1', 'http://'].join('\n');
    const mixed = await runCli([...command, 'ip', '--keep-all'], { input });
    expect(mixed).toMatchObject({ code: 0, err: ['line 2', 'line 4', 'line 5'].map(told).join('') });
    expect(mixed.out.split('\n')).toHaveLength(6);
    const many = await runCli([...command, 'phone'], { input: '030 901820\n'.repeat(30) });
    expect(many.err.split('\n').slice(-2)).toEqual(['redflag: 30 have no canonical form in all', '']);
  });

  it('names the line that is not UTF-8', async () => {
    const { code, out, err } = await runBuilt(['hash', '--iterations', '1'], {
      input: Buffer.from('a\nm\xfcller@example.com\n', 'latin1'),
    });
    expect({ code, out, err }).toEqual({
      code: 1,
      out: `${hashIdentifierSync('a', { iterations: 1 })}\n`,
      err: 'redflag: line 2 is not UTF-8\n',
    });
  });

  it('takes what follows -- for a value', async () => {
    expect((await runCli(['hash', '--', '--prefix', '-x'])).out).toBe(
      `${hashIdentifierSync('--prefix')}\n${hashIdentifierSync('-x')}\n`,
    );
  });

  it('takes the prefix and the rounds of the operator', async () => {
    expect((await runCli(['hash', '--prefix', 'shop+', '--iterations', '7', 'a'])).out).toBe(
      `${hashIdentifierSync('a', { prefix: 'shop+', iterations: 7 })}\n`,
    );
    expect((await runCli(['hash', '--prefix', '', 'a'])).out).toBe(`${hashIdentifierSync('a', { prefix: '' })}\n`);
  });

  it('says which value is empty, hashes none of the values then, and shows none', async () => {
    const { code, out, err } = await runCli(['hash', 'secret@example.com', '  ']);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'redflag: value 2 is empty\n' });
  });

  it('prints an empty line for an empty line of its input, so that the order stays', async () => {
    const input = 'client@example.com\n\n \t\nclient@example.com\n\n';
    const told = [2, 3, 5].map((line) => `redflag: line ${line} is empty\n`).join('');
    for (const options of [[], ['-'], ['--keep-all'], ['--canonical', '--kind', 'email']])
      expect(await runCli(['hash', ...options], { input })).toEqual({
        code: 0,
        out: `${KNOWN_HASH}\n\n\n${KNOWN_HASH}\n\n`,
        err: told,
      });
    expect(await runCli(['hash'], { input: '\n' })).toEqual({ code: 1, out: '\n', err: 'redflag: line 1 is empty\n' });
  });

  it('shows no value that it takes for an option', async () => {
    for (const value of ['--secret@example.com', '-secret@example.com', '--iterations=secret@example.com']) {
      const { code, out, err } = await runCli(['hash', value]);
      expect(code).toBe(2);
      expect(out + err).not.toContain('secret@');
    }
  });

  it('ends well when its reader has seen enough', async () => {
    const child = spawn(process.execPath, ['dist/cli.js', 'hash', '--iterations', '1'], { cwd: ROOT });
    // Writing to a program that is gone is what this is about.
    child.stdin.on('error', () => undefined);
    const more = setInterval(() => child.stdin.write('client@example.com\n'.repeat(100)), 1);
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'exit');
    clearInterval(more);
    expect(code).toBe(0);
  });
});

// Standard output is a Unix socket. If the reader closes it while bytes are unread, a write in progress fails with
// ECONNRESET instead of EPIPE. No test can arrange that moment, so the write is made to fail.
describe('standard output that fails', () => {
  it.each([
    ['EPIPE', 0],
    ['ECONNRESET', 0],
    ['ENOSPC', 1],
  ])('with %s ends the program with %d', async (code, exitCode) => {
    const fail = `process.stdout._write = process.stdout._writev = (...given) =>
      given.at(-1)(Object.assign(new Error('write'), { code: '${code}', syscall: 'write' }));`;
    const imported = `data:text/javascript,${encodeURIComponent(fail)}`;
    const child = spawn(process.execPath, ['--import', imported, 'dist/cli.js', '--version'], { cwd: ROOT });
    expect(await once(child, 'exit')).toEqual([exitCode, null]);
  });
});

/** Runs the program on a terminal of its own and gives what it showed. */
function onTerminal(env: NodeJS.ProcessEnv): string {
  // Some of these would decide about colours before NO_COLOR or the terminal is asked.
  const {
    CI: _ci,
    NO_COLOR: _no,
    FORCE_COLOR: _force,
    NODE_DISABLE_COLORS: _disable,
    TMUX: _tmux,
    COLORTERM: _term,
    ...rest
  } = process.env;
  const command = `'${process.execPath}' '${ROOT}dist/cli.js' frobnicate`;
  return spawnSync('script', ['-qec', command, '/dev/null'], {
    env: { ...rest, TERM: 'xterm', ...env },
    encoding: 'utf8',
    input: '',
  }).stdout;
}

const noTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
  ? undefined
  : 'the program script of util-linux is not here';
if (noTerminal) console.warn(`test/cli/command-line.test.ts, colours: skipped, ${noTerminal}`);

describe.skipIf(noTerminal !== undefined)('colours', () => {
  it('are there on a terminal that has them', () =>
    expect(onTerminal({})).toContain('\u001b[31mredflag:\u001b[39m unknown command'));
  it('are not there with NO_COLOR', () => expect(onTerminal({ NO_COLOR: '1' })).toMatch(/^redflag: unknown command/m));
  it('are not there on a terminal without them', () =>
    expect(onTerminal({ TERM: 'dumb' })).toMatch(/^redflag: unknown command/m));
});
