import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Values of `--limits` and `--budgets` that no test reaches. */
export const NO_LIMITS = 'query=1000000000,report=1000000000,delete=1000000000,viewer=1000000000,panel=1000000000';
export const NO_BUDGETS = 'verified=1000000000,new=1000000000';

/** A service that runs in a process of its own: the built program, as a user starts it. */
export interface RunningService {
  readonly process: ChildProcess;
  /** e.g. `http://127.0.0.1:40123/api/`. */
  readonly apiUrl: string;
  /** Standard output and standard error so far. */
  readonly output: { out: string; err: string };
  /** The key of the first start, from the file that the service named. */
  readonly apiKey: string | undefined;
  /** Settles when the process is gone. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Runs the built program to its end, or kills it when `timeoutMs` have passed; its code is null then. */
export async function runCli(
  args: readonly string[],
  options: { cwd?: string; input?: string | Buffer; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(args, options);
  const output = collect(child);
  child.stdin!.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...output };
}

/** Starts `redflag serve` and kills it after so many milliseconds, wherever its start-up is by then. */
export async function killStarting(args: readonly string[], afterMs: number): Promise<void> {
  const child = start(['serve', '--port', '0', ...args], {});
  child.stdin!.end();
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const ended = new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await ended;
  }
}

/** Starts `redflag serve` and does not wait until it is ready. `exited` is its exit code; null after a kill. */
export function beginService(args: readonly string[], options: { env?: NodeJS.ProcessEnv } = {}) {
  const child = start(['serve', ...args], options);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { process: child, output: collect(child), exited };
}

/** Starts `redflag serve` on a free port and waits until it listens. */
export async function startService(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<RunningService> {
  const child = start(['serve', '--port', '0', ...args], options);
  const output = collect(child);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve, reject) => {
    // The address and, at the first start, the file of the key come in one write.
    child.stdout!.on('data', () => /^Listening on \S+\n/m.test(output.out) && resolve());
    void ended.then(() => reject(new Error(`the service ended: ${output.err}`)));
  });
  const keyFile = /^API key: in the file (\S+); delete the file after reading it$/m.exec(output.out)?.[1];
  return {
    process: child,
    output,
    ended,
    apiKey: keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8').trim(),
    apiUrl: /^Listening on (\S+)$/m.exec(output.out)![1]!,
    async stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts `redflag evaluator` and waits until it listens. `url` is its base address. */
export async function startEvaluator(args: readonly string[]) {
  const child = start(['evaluator', ...args], {});
  const output = collect(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const [, found] = /^Listening on (\S+)\n/m.exec(output.out) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`the evaluator ended: ${output.err}`)));
  });
  const stop = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return { url, output, stop };
}

/**
 * Starts an evaluator in the folder `DATA-evaluator`, and creates the sealed keys of the data folder for it. Kills the
 * evaluator after the test that calls this.
 */
export async function initSealed(data: string) {
  const folder = `${data}-evaluator`;
  const made = await runCli(['evaluator', 'init', '--data', folder]);
  const evaluator = await startEvaluator(['--data', folder, '--port', '0']);
  onTestFinished(async () => void (await evaluator.stop('SIGKILL')));
  const access = ['--evaluator', evaluator.url, '--evaluator-file', `${folder}/for-operator`];
  const { code, err } = await runCli(['sealed', 'init', '--data', data, ...access]);
  if (made.code !== 0 || code !== 0) throw new Error(`the sealed keys were not created: ${made.err}${err}`);
  return { evaluator, folder };
}

/** Starts a service as `startService` does, and kills it after the test that calls this. */
export async function startForTest(...start: Parameters<typeof startService>): Promise<RunningService> {
  const service = await startService(...start);
  onTestFinished(async () => void (await service.stop('SIGKILL')));
  return service;
}

/** The lines of a service's log. Throws for a line that is not JSON. */
export function logOf(service: Pick<RunningService, 'output'>): Record<string, unknown>[] {
  const lines = service.output.err.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Posts a form. */
export async function post(
  service: Pick<RunningService, 'apiUrl'>,
  fields: Record<string, string>,
): Promise<{ status: number; body: string; headers: Headers }> {
  const response = await fetch(service.apiUrl, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

function start(
  args: readonly string[],
  { cwd, env, timeoutMs }: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number },
): ChildProcess {
  if (!existsSync(CLI)) throw new Error('the package is not built: run npm run build');
  return spawn(process.execPath, [CLI, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess): { out: string; err: string } {
  const output = { out: '', err: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  return output;
}
