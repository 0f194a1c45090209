import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/in-process.ts';
import { ROOT } from './terminal.ts';

// Commands in `sh` blocks and in sentences are not run. At least each command exists and takes the options shown.
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const helps = new Map<string, string>();

async function helpOf(command: readonly string[]): Promise<string> {
  const key = command.join(' ');
  let help = helps.get(key);
  if (help === undefined) {
    ({ out: help } = await runCli([...command, '--help']));
    helps.set(key, help);
  }
  return help;
}

describe('the commands that pages show and tests do not run', () => {
  it.each(PAGES)('%s', async (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, lines]) => lines!.split('\n'));
    const spans = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
    for (const line of [...blocks, ...spans]) {
      const [, words] = /^(?:npx )?redflag ([a-z].*)$/.exec(line) ?? [];
      if (words === undefined) continue;
      const [name, second] = words.split(' ') as [string, string | undefined];
      const help = await helpOf(
        name === 'lab' && second !== undefined && /^[a-z-]+$/.test(second) ? [name, second] : [name],
      );
      expect(help, line).toContain(`redflag ${name}`);
      for (const [option] of words.matchAll(/--[a-z0-9-]+/g))
        if (option !== '--help') expect(help, line).toContain(option);
    }
  });
});
