import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../src/service/cli/commands/doctor.ts';
import { UsageError } from '../../src/service/cli/errors.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { runCli } from './in-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RIGHT = 'e6046ea1e61328d5ad100fdf7507b841b5112932';
/** What one round gives. */
const ONCE = '36eecc69645911894700473cf97489d79ad8f170';
const VALUE = 'client@example.com';

describe('redflag doctor', () => {
  it.each([
    ['carl@example.com\tCarl', 'a tab (U+0009)'],
    ['carl\r@example.com\n', 'a carriage return (U+000D)'],
  ])('names what is inside %j', async (input, named) => {
    const { code, err } = await runCli(['doctor', '--iterations', '9', ONCE], { input });
    expect({ code, err }).toEqual({ code: 1, err: `redflag: the value has ${named} inside\n` });
  });

  it('reads no more of standard input than a value has', async () => {
    const { code, err } = await runCli(['doctor', RIGHT], { input: 'a'.repeat(9_000) });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('at most 8,192 characters') });
  });

  it('ends with 0 for a right hash, wherever value and hash come from', async () => {
    const right = { code: 0, out: 'right: this is the hash of the value\n', err: '' };
    expect(await runCli(['doctor', RIGHT], { input: `${VALUE}\r\n` })).toEqual(right);
    expect(await runCli(['doctor', RIGHT], { input: VALUE })).toEqual(right);
    expect(await runCli(['doctor'], { input: ` Client@Example.com\n${RIGHT}\n` })).toEqual(right);
    expect(await runCli(['doctor', '--value', VALUE], { input: `${RIGHT}\n` })).toEqual(right);
    expect(await runCli(['doctor', '--value', VALUE, RIGHT])).toEqual(right);
  });

  it('ends with 1 for a mistake, and says how to mend it', async () => {
    expect(await runCli(['doctor', ONCE], { input: VALUE })).toEqual({
      code: 1,
      err: '',
      out: 'wrong: one mistake explains this hash\n\nsingle-round\n  The value was hashed only once.\n  Fix: Hash 32,000 times; each later round hashes the prefix and the hex digits of the previous round.\n',
    });
    const { code, out } = await runCli(['doctor'], {
      input: `${VALUE.toUpperCase()}\n${hashIdentifierSync(VALUE, { prefix: '' }).toUpperCase()}`,
    });
    expect(code).toBe(1);
    expect(out).toMatch(/^wrong: 2 mistakes together explain this hash\n\nno-prefix\n[^]+\n\nhash-in-upper-case\n/);
  });

  it('names another spelling of the value, and how to mend it', async () => {
    const spelled = async (value: string, hashed: string) =>
      (await runCli(['doctor', '--iterations', '9', hashIdentifierSync(hashed, { iterations: 9 })], { input: value }))
        .out;
    expect(await spelled('+1 (555) 010-0199', '+15550100199')).toBe(
      'wrong: one mistake explains this hash\n\nphone-separators\n  Only one of value and hash has separators or brackets in the phone number.\n  Fix: Hash the number in E.164 on both sides: + and digits only.\n',
    );
    expect(await spelled('\u200bcarl@example.com', 'carl@example.com')).toContain('an invisible character (U+200B)');
    expect(await spelled('carl@example.com', '\u200bcarl@example.com')).toContain('an invisible character (U+200B)');
    expect(await spelled('dora+shop1@example.com', 'dora@example.com')).toContain('plus-tag');
  });

  it('ends with 1 when nothing explains the hash, and says what was tried', async () => {
    const { code, out, err } = await runCli(['doctor', '--iterations', '20', 'f'.repeat(40)], { input: VALUE });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(
      /^wrong: this is not the hash of the value\n\nThe hash may belong to another value or another prefix; check both\. None of these mistakes explains the hash:[^]+\n {2}the rounds: /,
    );
    expect((await runCli(['doctor', 'f'.repeat(64)], { input: VALUE })).out).toMatch(
      /^wrong: this is not the hash of the value; the hash has the wrong form\n\nlooks-like-sha-256\n[^]+Fix: .+\n$/,
    );
  });

  it('takes prefix and rounds of the service', async () => {
    const hash = hashIdentifierSync('a', { prefix: 'shop+', iterations: 7 });
    expect((await runCli(['doctor', '--prefix', 'shop+', '--iterations', '7', hash], { input: 'a' })).code).toBe(0);
    expect((await runCli(['doctor', '--prefix=', '--iterations', '7', hash], { input: 'a' })).code).toBe(1);
  });

  it('gives the findings as JSON', async () => {
    expect(JSON.parse((await runCli(['doctor', '--json', RIGHT], { input: VALUE })).out)).toEqual({ ok: true });
    const { code, out } = await runCli(['doctor', '--json', ONCE], { input: VALUE });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, determined: true, mistakes: [{ code: 'single-round' }] });
  });

  it('refuses what it does not understand, and what is nobody’s identifier', async () => {
    expect(await runCli(['doctor', RIGHT], { input: '' })).toEqual({
      code: 2,
      out: '',
      err: 'redflag: doctor expects 1 line on standard input: the value\n',
    });
    expect(await runCli(['doctor', RIGHT], { input: 'a\nb\n' })).toMatchObject({ code: 2, out: '' });
    expect(await runCli(['doctor'], { input: 'a\n' })).toEqual({
      code: 2,
      out: '',
      err: 'redflag: doctor expects 2 lines on standard input: the value, then the hash\n',
    });
    expect(await runCli(['doctor', '--value', 'a'], { input: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('1 line on standard input: the hash'),
    });
    expect(await runCli(['doctor', RIGHT], { input: ' \n' })).toEqual({
      code: 1,
      out: '',
      err: 'redflag: the value is empty\n',
    });
    await expect(doctor.run(['a', 'b'])).rejects.toThrow(UsageError);
    await expect(doctor.run(['--iterations', '0', 'a'])).rejects.toThrow('--iterations expects a whole number');
    await expect(doctor.run(['--frobnicate'])).rejects.toThrow('unknown option --frobnicate');
  });

  it.each<[string[], string]>([
    [['doctor', '--iterations', '20', ONCE], 'Zanzibar@example.org'],
    [['doctor', 'Zanzibar@example.org'], 'Zanzibar@example.org'],
    [['doctor', 'Zanzibar@example.org'], ONCE],
    [['doctor', 'Zanzibar', 'Zanzibar'], ''],
    [['doctor', '--iterations', '20', '--value', 'Zanzibar@example.org', ONCE], ''],
    [['doctor', '--zanzibar@example.org'], ''],
    [['doctor', '--iterations=Zanzibar'], ''],
    [['doctor'], `Zanzibar\n${ONCE}\nZanzibar`],
    [['doctor', '--iterations', '3', '--json', ONCE], 'Zanzibar'],
  ])('prints neither value nor hash: %j', async (args, input) => {
    const { code, out, err } = await runCli(args, { input });
    expect(code).toBeGreaterThan(0);
    expect((out + err).toLowerCase()).not.toContain('zanzibar');
    expect(out + err).not.toContain(ONCE);
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
  const command = `'${process.execPath}' '${ROOT}dist/cli.js' doctor --value ${VALUE} ${RIGHT}`;
  return spawnSync('script', ['-qec', command, '/dev/null'], {
    env: { ...rest, TERM: 'xterm', ...env },
    encoding: 'utf8',
    input: '',
  }).stdout;
}

const noTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
  ? undefined
  : 'the program script of util-linux is not here';
if (noTerminal) console.warn(`test/cli/doctor.test.ts, colours: skipped, ${noTerminal}`);

describe.skipIf(noTerminal !== undefined)('its colours', () => {
  it('are there on a terminal that has them', () =>
    expect(onTerminal({})).toContain('\u001b[32mright:\u001b[39m this'));
  it('are not there with NO_COLOR', () => expect(onTerminal({ NO_COLOR: '1' })).toMatch(/^right: this/m));
});
