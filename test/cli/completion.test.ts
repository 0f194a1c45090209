import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SERVE_OPTIONS } from '../../src/service/cli/serve-options.ts';
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

  it('offers exactly the options that each command reads', async () => {
    const places = await offered();
    const files = readdirSync(COMMANDS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    for (const file of files) {
      const name = file.slice(0, -3).replace('/', ' ');
      const source = readFileSync(`${COMMANDS}/${file}`, 'utf8');
      const [, read = ''] = /readArguments\(args, \{([^}]+)\}/.exec(source) ?? [];
      const inTable = name === 'serve' || name === 'config' ? Object.keys(SERVE_OPTIONS) : [];
      const options = [...read.matchAll(/'([a-z0-9-]+)'/g)].map(([, option]) => option!);
      if (name === 'config') options.push('json');
      // A subcommand in a file of its own is no part of its command.
      const own = [...places].filter(([after]) => after === name || (after.startsWith(`${name} `) && name !== 'lab'));
      const found = new Set(own.flatMap(([, place]) => place.options));
      expect([...found].sort(), name).toEqual([...options, ...inTable, 'help'].map((option) => `--${option}`).sort());
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
    expect(places.get('lab judge')!.options).toContain('--cut');
  });

  it('offers closed values, wherever the help text has them', async () => {
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
      err: 'redflag: completion expects bash, zsh or fish\n',
    });
  });
});
