import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../cli/service.ts';

// Runs what a page of this project shows. A fenced block of the language `console` is a terminal:
//
//   ```console service="--limits query=1"
//   $ curl -s http://127.0.0.1:8080/api/ \
//       -d _api=$KEY
//   ERROR: The field _action is missing.
//   ```
//
// - A line that begins with `$ ` is a command, continued while lines end in a backslash. What follows is its whole output, both streams; a line end at
//   the end counts for nothing. It must exit with 0.
// - In the output `<16 hex>` (any number) stands for so many lowercase hex characters, `<time>` for a moment in ISO 8601 or as HTTP writes it, `<n>` for
//   digits; `...` alone on a line stands for any lines, also none.
// - All blocks of a page run in order in one bash, so variables and functions stay. `redflag` and `npx redflag` are the built program.
// - The page's service is at 127.0.0.1:8080, for curl only, wherever it really is. `KEY` is its API key, and `<API key>` in a command too.
//   A block with `service="…"` has a fresh service of its own, started with these options, and its KEY.
// - A block with `slow` takes long and is left to the slow tests; no other block may need what it leaves behind.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const SHOWN_ADDRESS = '127.0.0.1:8080';
const COMMAND_MILLISECONDS = 60_000;

/** One command and what it prints. */
export interface Exchange {
  /** Of the command, counted from 1. */
  readonly line: number;
  readonly command: string;
  readonly expected: string;
}

/** One fenced block. */
export interface ConsoleBlock {
  /** Options of a service of the block's own; undefined when it uses the page's. */
  readonly service: readonly string[] | undefined;
  /** Only the slow tests run it. */
  readonly isSlow: boolean;
  readonly exchanges: readonly Exchange[];
}

/** The console blocks of a page. Throws for a block that is not closed and for output before the first command. */
export function readConsole(markdown: string): ConsoleBlock[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: ConsoleBlock[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^```console(.*)$/.exec(lines[at]!);
    if (opening === null) continue;
    const end = lines.indexOf('```', at + 1);
    if (end === -1) throw new Error(`line ${at + 1}: a console block is not closed`);
    const service = /\bservice="([^"]*)"/
      .exec(opening[1]!)?.[1]
      ?.split(' ')
      .filter((part) => part !== '');
    blocks.push({
      service,
      isSlow: /\bslow\b/.test(opening[1]!.replace(/"[^"]*"/g, '')),
      exchanges: readExchanges(lines.slice(at + 1, end), at + 2),
    });
    at = end;
  }
  return blocks;
}

function readExchanges(lines: readonly string[], firstLine: number): Exchange[] {
  const exchanges: { line: number; command: string; output: string[] }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const text = lines[at]!;
    const last = exchanges.at(-1);
    if (text.startsWith('$ ')) {
      const line = firstLine + at;
      let command = text.slice(2);
      while (command.endsWith('\\') && at + 1 < lines.length) command += `\n${lines[(at += 1)]!}`;
      exchanges.push({ line, command, output: [] });
    } else if (last !== undefined) last.output.push(text);
    else if (text !== '') throw new Error(`line ${firstLine + at}: output without a command`);
  }
  return exchanges.map(({ line, command, output }) => ({ line, command, expected: trimEnd(output.join('\n')) }));
}

const PLACEHOLDER = /<(?:(\d+) hex|time|n)>/g;
const TIME = String.raw`(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)`;

/** True when the output is what the page shows. */
export function isShown(expected: string, output: string): boolean {
  const lines = expected
    .split('\n')
    .map((line) => (line === '...' ? String.raw`(?:[^\n]*\n)*?` : `${toPattern(line)}\n`));
  return new RegExp(`^${lines.join('')}$`).test(`${trimEnd(output.replaceAll('\r\n', '\n'))}\n`);
}

function toPattern(line: string): string {
  let pattern = '';
  let from = 0;
  for (const match of line.matchAll(PLACEHOLDER)) {
    pattern += escape(line.slice(from, match.index));
    pattern += match[1] !== undefined ? `[0-9a-f]{${match[1]}}` : match[0] === '<time>' ? TIME : String.raw`\d+`;
    from = match.index + match[0].length;
  }
  return pattern + escape(line.slice(from));
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function trimEnd(text: string): string {
  return text.replace(/\n+$/, '');
}

/**
 * Defines one test for each command of a page, in order. Without bash or curl they are skipped and the reason is printed; where `CI` is set that is a failure.
 * @param page path from the root of the project, as in `PROTOCOL.md`
 */
export function describeConsole(page: string): void {
  const blocks = readConsole(readFileSync(join(ROOT, page), 'utf8'));
  const curl = findCurl();
  if (curl === undefined && process.env['CI']) {
    it(`${page} has bash and curl to run with`, () => expect.fail('bash or curl is missing'));
    return;
  }
  if (curl === undefined) console.warn(`The commands of ${page} are not run: bash or curl is missing.`);

  describe.skipIf(curl === undefined)(page, () => {
    let terminal: Terminal;
    beforeAll(async () => {
      terminal = await openTerminal(curl!);
    });
    afterAll(() => terminal.close());

    for (const block of blocks) {
      for (const [index, { line, command, expected }] of block.exchanges.entries()) {
        it.skipIf(block.isSlow && process.env['SLOW'] !== '1')(
          `line ${line}: ${command.split('\n')[0]!.slice(0, 90)}`,
          async () => {
            // A block of its own service starts it once, with its first command.
            if (index === 0) await terminal.use(block.service);
            const { code, output } = await terminal.run(command);
            const where = `${page}:${line}: ${command}`;
            // `toBe` only for its message: it shows what differs, placeholders included.
            if (!isShown(expected, output)) expect(trimEnd(output.replaceAll('\r\n', '\n')), where).toBe(expected);
            expect(code, `${where}: exit code`).toBe(0);
          },
        );
      }
    }
  });
}

/** The path of curl as bash finds it. */
function findCurl(): string | undefined {
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
interface Terminal {
  /** Leads the next commands to the page's service (undefined), or to a fresh one with these options. */
  use(service: readonly string[] | undefined): Promise<void>;
  run(command: string): Promise<{ code: number; output: string }>;
  close(): Promise<void>;
}

async function openTerminal(curl: string): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'redflag-docs-'));
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await writeProgram(join(programs, 'redflag'), `exec '${process.execPath}' '${CLI}' "$@"`);
  // In a clone `npx redflag` is the clone's own program; here the folder is another one.
  await writeProgram(join(programs, 'npx'), `exec "$@"`);
  await writeProgram(
    join(programs, 'curl'),
    `exec '${curl}' --noproxy '*' --connect-to "${SHOWN_ADDRESS}:127.0.0.1:$REAL_PORT" "$@"`,
  );

  // HOME is the folder, so that no .curlrc of this machine has a say.
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
    // From a file: a command with a quote too few ends as a failure and takes nothing after it along.
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
  async function start(options: readonly string[]): Promise<{ service: RunningService; place: string }> {
    const place = join(folder, `service${running.length + 1}`);
    await mkdir(place);
    const service = await startService(['--public-url', `http://${SHOWN_ADDRESS}`, ...options], { cwd: place });
    running.push(service);
    return { service, place };
  }

  let pageService: { service: RunningService; place: string } | undefined;
  let used: { service: RunningService; place: string } | undefined;
  let apiKey = '';
  return {
    run: (command) => run(command.replaceAll('<API key>', apiKey)),
    async use(options) {
      const current = options === undefined ? (pageService ??= await start([])) : await start(options);
      // A block that stays with the service before it keeps its folder and its KEY, which a command may have changed.
      if (current === used) return;
      used = current;
      const { service, place } = current;
      apiKey = service.apiKey!;
      // In the service's folder, so that `redflag keys` finds its data.
      await run(`cd '${place}'; export REAL_PORT=${new URL(service.apiUrl).port}; KEY=${apiKey}`);
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
