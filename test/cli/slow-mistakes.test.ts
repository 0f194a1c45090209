import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../folder.ts';

// The ten mistakes of docs/operating.md. Each ends with one line that says what to do.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE_18 = join(ROOT, 'test/runtimes/node_modules/node18/bin/node');
const hasNode18 = existsSync(NODE_18) || Boolean(process.env['CI']);
const OTHER_USER = 65_534;
const POSTGRES = 'postgres://u@127.0.0.1:1/db';

const folder = useFolder('mistakes');
/** The program, installed without pg. */
let program: string;

beforeAll(async () => {
  await chmod(folder, 0o755);
  const installed = join(folder, 'node_modules');
  program = join(installed, 'redflag/dist/cli.js');
  for (const name of ['dist', 'package.json'])
    await cp(join(ROOT, name), join(installed, 'redflag', name), { recursive: true });
  for (const name of ['sql.js', 'node-sqlite3-wasm', 'csv-parse', '@noble/hashes', 'libsodium-wrappers-sumo'])
    await cp(join(ROOT, 'node_modules', name), join(installed, name), { recursive: true });
  // A store with data and keys: a first start, and its end.
  const service = start(['--port', '0', '--data', 'redflag-data']);
  await service.until(/^Listening on /m);
  expect(await service.stop()).toBe(0);
});
afterAll(async () => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
});

const started: ReturnType<typeof spawn>[] = [];
/** All output so far. */
const printed = { text: '' };

interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  readonly node?: string;
  readonly uid?: number;
}

/** Starts `redflag serve` in the folder. */
function start(args: readonly string[], { env = {}, node = process.execPath, uid }: Surroundings = {}) {
  const as = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(node, [program, 'serve', ...args], { cwd: folder, env: { ...process.env, ...env }, ...as });
  return observe(child);
}

function observe(child: ReturnType<typeof spawn>) {
  started.push(child);
  const output = { text: '' };
  const wake: (() => void)[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.text += text;
      printed.text += text;
      wake.splice(0).forEach((go) => go());
    });
  const ended = once(child, 'close').then(([code]) => {
    wake.splice(0).forEach((go) => go());
    return code as number | null;
  });
  return {
    child,
    output,
    ended,
    /** Waits until the output matches. */
    async until(pattern: RegExp): Promise<void> {
      while (!pattern.test(output.text)) {
        if (child.exitCode !== null) throw new Error(`it ended: ${output.text}`);
        await new Promise<void>((resolve) => wake.push(resolve));
      }
    },
    async stop(): Promise<number | null> {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The whole output of a start that fails, and its exit code. */
async function failed(args: readonly string[], surroundings?: Surroundings): Promise<string> {
  const service = start(args, surroundings);
  const code = await service.ended;
  return `${service.output.text}exit ${code}`;
}

/** The advice in the log of a service that starts. */
async function adviceOf(args: readonly string[], surroundings?: Surroundings): Promise<string[]> {
  const service = start(['--data', 'redflag-data', ...args], surroundings);
  await service.until(/^Listening on /m);
  expect(await service.stop()).toBe(0);
  return adviceIn(service.output.text);
}

function adviceIn(text: string): string[] {
  const events = text.split('\n').filter((line) => line.startsWith('{'));
  return events.flatMap((line) => (JSON.parse(line) as { advice?: string }).advice ?? []);
}

describe('an operator’s mistake ends with one line that says what to do', () => {
  it('1: the port is in use, or needs more rights', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    expect(await failed(['--port', String(port), '--data', 'redflag-data'])).toBe(
      `redflag: port ${port} is in use; choose another with --port\nexit 1`,
    );
    taken.close();
    const least = await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '0');
    if (process.getuid!() === 0 && Number(least) > 80)
      expect(await failed(['--port', '80', '--data', 'elsewhere'], { uid: OTHER_USER })).toBe(
        'redflag: port 80 needs more rights than this user has; choose another with --port\nexit 1',
      );
  });

  it('2: the folder cannot be read, or not be created', async () => {
    const advice = 'run redflag as the user that owns the folder, or make this user its owner (chown -R USER FOLDER)';
    const isRoot = process.getuid!() === 0;
    const other = isRoot ? { uid: OTHER_USER } : {};
    if (!isRoot) await chmod(join(folder, 'redflag-data'), 0);
    expect(await failed(['--port', '0', '--data', 'redflag-data'], other)).toBe(
      `redflag: EACCES: permission denied, lstat 'redflag-data/secret'; ${advice}\nexit 1`,
    );
    if (!isRoot) await chmod(join(folder, 'redflag-data'), 0o700);
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o555 });
    expect(await failed(['--port', '0', '--data', 'closed/new'], other)).toBe(
      `redflag: cannot keep data in closed/new: no permission to write there: EACCES: permission denied, mkdir '${closed}/new'; ${advice}\nexit 1`,
    );
    // Another file has its own owner, who may be root.
    const file = join(folder, 'closed.csv');
    await writeFile(file, 'email\n', { mode: 0 });
    const hashing = ['hash', '--csv', file, '--column', 'email', '--out', 'hashed.csv'];
    const as = isRoot ? { uid: OTHER_USER, gid: OTHER_USER } : {};
    await expect(
      promisify(execFile)(process.execPath, [program, ...hashing], { cwd: folder, ...as }),
    ).rejects.toMatchObject({ code: 1, stderr: `redflag: EACCES: permission denied, open '${file}'\n` });
  });

  it('3: the secret is another one', async () => {
    await writeFile(join(folder, 'other-secret'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
    expect(
      await failed(['--port', '0', '--data', 'redflag-data'], { env: { REDFLAG_SECRET_FILE: 'other-secret' } }),
    ).toMatch(
      /^redflag: the store belongs to the secret with the fingerprint [0-9a-f]{16}, but the given secret has the fingerprint [0-9a-f]{16}; start with the secret that the store was first used with\nexit 1$/,
    );
  });

  it('4: the folder has another store', async () => {
    expect(await failed(['--port', '0', '--data', 'redflag-data', '--store', 'sqlite'])).toBe(
      'redflag: redflag-data keeps its reports in the journal redflag.journal, not in sqlite: omit --store (and REDFLAG_STORE), or run redflag migrate --from redflag-data --to sqlite:redflag-data and then move redflag.journal away\nexit 1',
    );
  });

  it('5: the public address has a hyphen', async () => {
    expect(await adviceOf(['--port', '0', '--public-url', 'http://fraud-reports.example'])).toEqual([
      'links contain %2D for each hyphen of the public address; if a client cannot decode %2D, set --public-url to an address without hyphens',
    ]);
  });

  if (!hasNode18)
    console.warn(
      'test/cli/slow-mistakes.test.ts: no Node 18 (npm install --prefix test/runtimes), its test is skipped',
    );
  it.skipIf(!hasNode18)('6: Node is too old', async () => {
    expect(await failed(['--port', '0', '--data', 'redflag-data'], { node: NODE_18 })).toMatch(
      /^redflag: this is Node 18\.[\d.]+; use Node 20\.19, 22\.12 or newer\nexit 1$/,
    );
  });

  it('7: pg is not installed', async () => {
    expect(await failed(['--port', '0', '--data', 'pg', '--store', POSTGRES])).toBe(
      'redflag: PostgreSQL needs the package pg; install it beside redflag: npm install pg\nexit 1',
    );
    expect(existsSync(join(folder, 'pg-keys'))).toBe(false);
  });

  it('8: the pepper is missing', async () => {
    const pepper = join(folder, 'redflag-data-keys/pepper');
    await rename(pepper, `${pepper}.away`);
    expect(await failed(['--port', '0', '--data', 'redflag-data'])).toBe(
      'redflag: redflag-data-keys/pepper is missing, but the store uses its peppers: without them no identifier can be matched; restore the file\nexit 1',
    );
    await rename(`${pepper}.away`, pepper);
  });

  it('10: PORT is set, as platforms do', async () => {
    const advice =
      'the variable PORT has no effect; if it is meant for this service, add --port "$PORT" or set REDFLAG_PORT';
    const { err } = await check(['--data', 'redflag-data'], { PORT: '8123' });
    expect(err).toBe(`redflag: ${advice}\n`);
    // A port that somebody chose is no mistake.
    expect(await adviceOf(['--port', '0'], { env: { PORT: '8123' } })).toEqual([]);
    expect(await adviceOf([], { env: { PORT: '8123', REDFLAG_PORT: '0' } })).toEqual([]);
    expect((await check(['--data', 'redflag-data'], { PORT: '' })).err).toBe('');
  });

  async function check(args: readonly string[], env: NodeJS.ProcessEnv) {
    const { stderr } = await promisify(execFile)(process.execPath, [program, 'config', 'check', ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    printed.text += stderr;
    return { err: stderr };
  }
});

describe('9: npm start under a service manager', () => {
  /** Starts `npm start` in a project with this script, in a process group of its own. */
  async function npmStart(script: string, data: string) {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { start: script } }));
    const env = { ...process.env, REDFLAG_DATA: data, REDFLAG_PORT: '0' };
    const npm = observe(spawn('npm', ['start'], { cwd: folder, env, detached: true }));
    await npm.until(/^Listening on /m);
    return npm;
  }
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };

  it('stops with the script of this package, and has no advice', async () => {
    const npm = await npmStart(scripts.start.replace('dist/cli.js', program), 'npm');
    // Without a terminal, the key is in a file.
    expect(npm.output.text).toContain(
      `API key: in the file ${join(folder, 'npm-keys/first-key')}; delete the file after reading it\n`,
    );
    expect(adviceIn(npm.output.text)).toEqual([]);
    expect(await npm.stop()).toBe(0);
    expect(npm.output.text).toContain('"event":"stopping"');
    // The service has left the folder, so the next one can start.
    await adviceOf(['--port', '0', '--data', 'npm']);
  });

  it('has advice for a script that keeps its shell', async () => {
    const npm = await npmStart(`node ${program} serve; true`, 'shell');
    expect(adviceIn(npm.output.text)).toEqual([
      `npm may not pass SIGTERM on to the service; let the service manager start node ${program} serve`,
    ]);
    process.kill(-npm.child.pid!, 'SIGKILL');
    await npm.ended;
  });
});

it('docs/operating.md has these mistakes, and what is printed for them', () => {
  const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const table = /\| mistake \|.*\n\|---.*\n((?:\|.*\n)+)/.exec(page)![1]!.trim().split('\n');
  expect(table).toHaveLength(10);
  for (const row of table) {
    const lines = [...row.split(' | ')[1]!.matchAll(/`([^`]+)`/g)].map(([, line]) => line!);
    expect(lines.length, row).toBeGreaterThan(0);
    // Without Node 18, nothing prints that Node is too old.
    for (const line of lines.filter((one) => hasNode18 || one !== 'this is Node'))
      expect(
        [`redflag: ${line}`, `"advice":"${line}`].some((begin) => printed.text.includes(begin)),
        line,
      ).toBe(true);
  }
});
