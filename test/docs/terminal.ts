import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService, type RunningService } from '../cli/service.ts';

// The terminal of a page: one bash in a fresh folder, in which redflag is installed. Variables and functions stay from
// block to block. `redflag` and `npx redflag` run the built program. Programs in the folder import the built package.
// The service of the page is at 127.0.0.1:8080 for curl, and as the value of a variable, whatever its real port. `KEY`
// and `<API key>` are its API key.

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const SHOWN_ADDRESS = '127.0.0.1:8080';
const COMMAND_MILLISECONDS = 60_000;

/** Returns the path of curl as bash finds it, or undefined. */
export function findCurl(): string | undefined {
  try {
    return (
      execFileSync('bash', ['-c', 'command -v curl'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}

/** One bash in a fresh folder, and the services that its commands talk to. */
export interface Terminal {
  /** Connects the next commands to the page's service (undefined), or to a fresh service with these options. */
  use(service: readonly string[] | undefined): Promise<void>;
  /** Saves a file in the current folder of the terminal. */
  save(name: string, text: string): Promise<void>;
  run(command: string): Promise<{ code: number; output: string }>;
  /** Kills the service that the commands talk to, and starts another one in the current folder of the terminal. */
  serve(options: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a terminal. The page's service has these options. `close` stops its services and removes its folder. */
export async function openTerminal(curl: string, options: readonly string[] = []): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'redflag-docs-'));
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await writeProgram(join(programs, 'redflag'), `exec '${process.execPath}' '${CLI}' "$@"`);
  // The folder is outside the clone, so npx would look for the package in the registry.
  await writeProgram(join(programs, 'npx'), `exec "$@"`);
  await writeProgram(
    join(programs, 'curl'),
    `exec '${curl}' --noproxy '*' --connect-to "${SHOWN_ADDRESS}:127.0.0.1:$REAL_PORT" "$@"`,
  );

  // As npm would install it. Node resolves the link, so the package finds its own dependencies.
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/redflag'), 'dir');

  // HOME is the folder, so curl reads no .curlrc of this machine.
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: { ...process.env, HOME: folder, PATH: `${programs}:${process.env['PATH']}` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => bash.once('close', () => resolve()));
  bash.stdin.on('error', () => undefined);
  let received = '';
  let onText = (): void => undefined;
  bash.stdout.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    onText();
  });

  async function run(command: string): Promise<{ code: number; output: string }> {
    const mark = `end of ${randomBytes(16).toString('hex')}`;
    // From a file: a command with a missing quote fails alone and does not swallow the next command.
    await writeFile(join(folder, 'command'), `${command}\n`);
    received = '';
    bash.stdin.write(`. '${join(folder, 'command')}' </dev/null 2>&1; printf '\\n${mark} %s\\n' $?\n`);
    const seen = new Promise<{ code: number; output: string }>((resolve) => {
      onText = () => {
        const found = new RegExp(`\\n${mark} (\\d+)\\n$`).exec(received);
        if (found !== null) resolve({ code: Number(found[1]), output: received.slice(0, found.index) });
      };
    });
    let timer: NodeJS.Timeout | undefined;
    const failed = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no end after ${COMMAND_MILLISECONDS} ms; so far: ${received}`)),
        COMMAND_MILLISECONDS,
      );
      void ended.then(() => reject(new Error(`bash ended; so far: ${received}`)));
    });
    return await Promise.race([seen, failed]).finally(() => clearTimeout(timer));
  }

  const running: RunningService[] = [];
  async function start(own: readonly string[]): Promise<{ service: RunningService; place: string }> {
    const place = join(folder, `service${running.length + 1}`);
    await mkdir(place);
    // A page may name files of the package, as in node_modules/redflag/examples.
    await symlink(join(folder, 'node_modules'), join(place, 'node_modules'), 'dir');
    const service = await startService(['--public-url', `http://${SHOWN_ADDRESS}`, ...own], { cwd: place });
    running.push(service);
    return { service, place };
  }

  let pageService: { service: RunningService; place: string } | undefined;
  let used: { service: RunningService; place: string } | undefined;
  let apiKey = '';
  let address = '';
  return {
    async save(name, text) {
      await writeFile(join(used?.place ?? folder, name), text);
    },
    run: (command) => run(command.replaceAll('<API key>', apiKey).replace(`=http://${SHOWN_ADDRESS}`, `=${address}`)),
    async use(own) {
      const current = own === undefined ? (pageService ??= await start(options)) : await start(own);
      // The same service again: keep the folder and KEY, which a command may have changed.
      if (current === used) return;
      used = current;
      const { service, place } = current;
      apiKey = service.apiKey!;
      address = new URL(service.apiUrl).origin;
      // In the service's folder, where `redflag keys` finds the data.
      await run(`cd '${place}'; export REAL_PORT=${new URL(service.apiUrl).port}; KEY=${apiKey}`);
    },
    async serve(own) {
      await used!.service.stop('SIGKILL');
      const place = (await run('pwd')).output.trim();
      used!.service = await startService(own, { cwd: place });
      running.push(used!.service);
      await run(`export REAL_PORT=${new URL(used!.service.apiUrl).port}`);
    },
    async close() {
      bash.stdin.end();
      await ended;
      await Promise.all(running.map((service) => service.stop('SIGTERM')));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeProgram(path: string, line: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${line}\n`);
  await chmod(path, 0o755);
}
