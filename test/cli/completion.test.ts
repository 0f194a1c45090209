import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from './in-process.ts';

const COMMANDS = fileURLToPath(new URL('../../src/service/cli/commands', import.meta.url));

/** The words that the bash script offers at each place, by the words before it. */
async function offered(): Promise<Map<string, { readonly commands: string[]; readonly options: string[] }>> {
  const { code, out, err } = await runCli(['completion', 'bash']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const places = [...out.matchAll(/^ {4}'([^']*)'\)\n +commands='([^']*)'\n +options='([^']*)'$/gm)];
  const split = (words: string): string[] => words.split(' ').filter((word) => word !== '');
  return new Map(
    places.map(([, after = '', commands = '', options = '']) => [
      after,
      { commands: split(commands), options: split(options) },
    ]),
  );
}

describe('completion', () => {
  it('offers every command of the help text', async () => {
    const { out } = await runCli(['--help']);
    const commands = [...out.matchAll(/^ {2}redflag ([a-z]+) /gm)].map(([, name]) => name!);
    const { commands: found } = (await offered()).get('')!;
    expect(found).toEqual(commands);
    const files = readdirSync(COMMANDS).filter((name) => name.endsWith('.ts'));
    expect(found.map((name) => `${name}.ts`).sort()).toEqual(files.sort());
  });

  it('offers only options that the command knows there', async () => {
    const places = await offered();
    for (const [after, { options }] of places) {
      // A command that knows all of these options says what else is wrong.
      for (const option of options.filter((one) => one !== '--help' && one !== '--version')) {
        const { err } = await runCli([...after.split(' '), option, '--frobnicate']);
        expect(err, after).toMatch(/unknown option --frobnicate|expects a value/);
        expect(err, after).not.toContain(`unknown option ${option}`);
      }
    }
  });

  it('offers the options of a subcommand only there', async () => {
    const places = await offered();
    expect(places.get('keys')!.commands).toEqual(['create', 'list', 'rotate', 'revoke']);
    expect(places.get('keys create')!.options).toContain('--scope');
    expect(places.get('keys rotate')!.options).not.toContain('--scope');
    expect(places.get('reporters')!.commands).toEqual([
      'recompute',
      'budget',
      'contact',
      'verify',
      'suspend',
      'unsuspend',
    ]);
    expect(places.get('lab')!.commands).toContain('worlds');
    expect(places.get('lab fit')!.options).toContain('--split');
  });

  it('offers closed values, wherever an option has them', async () => {
    const { out } = await runCli(['completion', 'bash']);
    for (const line of [
      "--scope) isValue=1 values='query report'",
      "--log-level) isValue=1 values='error warn info debug'",
      "--scenario) isValue=1 values='base shared-addresses copying",
    ])
      expect(out).toContain(line);
    expect(out).not.toMatch(/--(attack|by|data)\) isValue=1 values/);
  });

  it.each([[[]], [['powershell']], [['bash', 'zsh']]])('%j is refused', async (args) => {
    expect(await runCli(['completion', ...args])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /^redflag: completion (expects bash, zsh or fish; see redflag completion --help|bash expects no value)\n$/,
      ) as string,
    });
  });
});
