import { spawn, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

// Each shell on a terminal of its own, with the line that `redflag completion --help` names, and a person who presses
import { useFolder } from '../folder.ts';
// the tab key. The shells are packages of Debian: apt-get install bash zsh fish bsdutils
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const TAB = '\t';
const SECONDS = 10;

/** How to start a shell without the files of its user, and what it reads first. */
const SHELLS = {
  bash: { command: 'bash --norc --noprofile -i', begin: 'source <(redflag completion bash); export SHOW=1' },
  zsh: {
    command: 'zsh -f -i',
    begin: 'autoload -U compinit; compinit -D -u; source <(redflag completion zsh); export SHOW=1',
  },
  fish: { command: 'fish --no-config -i', begin: 'redflag completion fish | source; set -gx SHOW 1' },
} as const;

const folder = useFolder('completion');
beforeAll(async () => {
  // The command lines are completed, but not run: the program shows its arguments instead.
  const program = `#!/bin/sh\n[ "$1" = completion ] && [ -z "$SHOW" ] && exec '${process.execPath}' '${CLI}' "$@"\nprintf 'ran:<%s>\\n' "$*"\n`;
  await writeFile(join(folder, 'redflag'), program);
  await chmod(join(folder, 'redflag'), 0o755);
  await writeFile(join(folder, 'orders.csv'), '');
});

/** Types a line in a shell and returns the arguments that the program got. */
async function type(shell: keyof typeof SHELLS, keys: string): Promise<string> {
  const { command, begin } = SHELLS[shell];
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { HOME: folder, PATH: `${folder}:${process.env['PATH']}`, TERM: 'xterm', LANG: 'C.UTF-8' },
    timeout: SECONDS * 1000,
    killSignal: 'SIGKILL',
  });
  let out = '';
  const seen = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const [, found] = pattern.exec(out) ?? [];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', look);
      child.once('close', () => reject(new Error(`the shell ended: ${out}`)));
      look();
    });
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  try {
    // Typed text also appears, so the mark is typed in another form.
    child.stdin.write(`${begin}; echo "re""ady"\r`);
    await seen(/(ready)/);
    child.stdin.write(`redflag ${keys}\r`);
    return await seen(/ran:<(.*)>/);
  } finally {
    child.stdin.end('\u0004');
    child.kill('SIGKILL');
  }
}

const isHere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  // In CI, a missing shell is a failure and no reason to skip.
  const skipped = !process.env['CI'] && !(isHere(shell) && isHere('script'));
  if (skipped)
    console.warn(`test/cli/slow-completion.test.ts: skipped, ${shell} or script is missing (apt-get install)`);

  describe.skipIf(skipped)(`the tab key in ${shell}`, () => {
    it.each([
      [`ke${TAB}cr${TAB}--sc${TAB}q${TAB}`, 'keys create --scope query'],
      [`keys create --scope=re${TAB}`, 'keys create --scope=report'],
      [`serve --log${TAB}de${TAB}--plain${TAB}`, 'serve --log-level debug --plain-http'],
      [`config ch${TAB}--personal${TAB}red${TAB}`, 'config check --personal-data redact'],
      [`client pi${TAB}--dia${TAB}cl${TAB}`, 'client ping --dialect classic'],
      [`lab import-o${TAB}ord${TAB}--zo${TAB}`, 'lab import-orders orders.csv --zone'],
      [`completion fi${TAB}`, 'completion fish'],
      [`export --data ord${TAB}`, 'export --data orders.csv'],
      [`--ver${TAB}`, '--version'],
    ])('%j', async (keys, expected) => {
      expect((await type(shell, keys)).trimEnd()).toBe(expected);
    });
  });
}
