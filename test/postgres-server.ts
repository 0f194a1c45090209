import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A PostgreSQL server for a test, in a temporary folder. It listens on a socket file only. */
export interface PostgresServer {
  /** What `new pg.Pool` takes to reach a database of this server. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Starts it again after {@link stop}, {@link kill} or an end by itself. Resolves when it answers. */
  start(): Promise<void>;
  /** False after it ended, also if it ended by itself. */
  isRunning(): boolean;
  /** Ends all connections and stops. */
  stop(): Promise<void>;
  /** Sends `kill -9` to every process of the server: like a power loss, except for what the system still writes. */
  kill(): Promise<void>;
  /** Makes an empty database and returns how to reach it. */
  createDatabase(name: string): Promise<PostgresServer['connection']>;
  /**
   * Makes and starts a replica (streaming replication, hot standby). The server keeps the log that the replica misses
   * while it is stopped. `command` is a shell command that makes it in `$STANDBY_DATA`, in place of the usual one.
   */
  startStandby(command?: string): Promise<PostgresServer>;
  /** Ends the recovery of a standby: from then on it accepts writes. */
  promote(): Promise<void>;
  /** Runs one statement, and returns the first column of its rows. */
  ask(text: string, database?: string): Promise<unknown[]>;
  /** Runs a shell command as the user of the server, with PostgreSQL's programs, and returns its output. */
  shell(command: string, variables?: NodeJS.ProcessEnv): Promise<string>;
  /** The folder of its data. */
  readonly data: string;
  /** Stops it and removes everything. */
  remove(): Promise<void>;
}

/** Returns the folder of PostgreSQL's programs; undefined if it is not installed. In CI that is an error. */
export function findPostgres(): string | undefined {
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim();
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = [asked, ...versions.map((version) => join(debian, version, 'bin'))].find(
    (folder) => folder && existsSync(join(folder, 'initdb')),
  );
  if (found) return found;
  const missing =
    'PostgreSQL’s server is not installed, so its tests do not run: apt-get install postgresql (Debian), brew install postgresql (macOS)';
  if (process.env['CI']) throw new Error(missing);
  console.warn(missing);
  return undefined;
}

/** For tests that kill no server: writes do not wait for the disk. */
export const HASTY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** How {@link startPostgres} makes a server, if not in the usual way. */
export interface PostgresServerOptions {
  readonly settings?: readonly string[];
  /** The folder in which the server's own folder is made. */
  readonly root?: string;
  /** Further arguments for `initdb`. */
  readonly initdb?: readonly string[];
}

/**
 * Makes a new cluster and starts it. PostgreSQL refuses to run as root, so root runs it as `postgres`, the user that
 * its package made.
 */
export async function startPostgres(
  programs: string,
  { settings = [], root = tmpdir(), initdb = [] }: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const make = (own: readonly string[], data: string, as: AsUser, cwd: string): unknown =>
    execFileSync(
      ...as('initdb', ['-D', data, '--no-sync', '-A', 'trust', '-U', 'redflag', '--no-locale', '-E', 'UTF8', ...own]),
      { stdio: 'pipe', cwd },
    );
  return startCluster(programs, root, settings, (data, as, cwd) => {
    if (initdb.length > 0) return make(initdb, data, as, cwd);
    const pattern = (made.pattern ??= makeFolder(tmpdir(), (folder) => make([], join(folder, 'data'), as, folder)));
    return execFileSync(...as('cp', ['-r', join(pattern, 'data'), data], false), { cwd });
  });
}

/** A new cluster, made once in this process. To copy it takes a fraction of the time. */
const made: { pattern?: string } = {};

/** Makes a folder for the worker of a run. `postgres-patterns.ts` removes it after the run. */
function makeFolder(root: string, fill: (folder: string) => unknown): string {
  const folder = mkdtempSync(join(root, `redflag-cluster-${process.ppid}-`));
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', folder]);
  chmodSync(folder, 0o755);
  fill(folder);
  return folder;
}

/** Returns the program and its arguments as the user of the server. */
type AsUser = (name: string, args: string[], isOwn?: boolean) => [string, string[]];

/** Makes a cluster in a new folder, and starts it. */
async function startCluster(
  programs: string,
  root: string,
  settings: readonly string[],
  make: (data: string, as: AsUser, cwd: string) => unknown,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(root, 'redflag-postgres-'));
  const asRoot = process.getuid?.() === 0;
  const as: AsUser = (name, args, isOwn = true) => {
    const program = isOwn ? join(programs, name) : name;
    return asRoot ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args];
  };
  if (asRoot) execFileSync('chown', ['postgres', folder]);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  await make(data, as, folder);
  const connection = { host: folder, port: 5432, user: 'redflag', database: 'postgres' };
  const running: { server?: ChildProcess | undefined } = {};
  const state = { standbys: 0 };

  const query = async (text: string, database = connection.database): Promise<unknown[]> => {
    const client = new pg.Client({ ...connection, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows.map(([first]) => first);
    } finally {
      await client.end();
    }
  };
  const isRunning = (): boolean =>
    running.server !== undefined && running.server.exitCode === null && running.server.signalCode === null;
  const ended = async (signal: 'fast' | 'kill'): Promise<void> => {
    const { server } = running;
    if (!server || !isRunning()) return;
    running.server = undefined;
    const exit = once(server, 'exit');
    signalTo(data, signal);
    await exit;
  };

  const server: PostgresServer = {
    connection,
    async start() {
      const spawnServer = () =>
        (running.server = spawn(
          ...as('postgres', [
            '-D',
            data,
            '-k',
            folder,
            '-c',
            'listen_addresses=',
            '-c',
            'max_connections=60',
            '-c',
            'shared_buffers=32MB',
            ...settings.flatMap((setting) => ['-c', setting]),
          ]),
          { stdio: 'ignore', cwd: folder },
        ));
      spawnServer();
      for (let tries = 1; ;) {
        try {
          return void (await query('SELECT 1'));
        } catch (error) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (isRunning()) continue;
          // On a busy machine, children of the server before may need seconds to end, and a new one does not start.
          if (++tries > 100) throw error;
          spawnServer();
        }
      }
    },
    isRunning,
    stop: () => ended('fast'),
    kill: () => ended('kill'),
    async createDatabase(name) {
      await query(`CREATE DATABASE ${name}`);
      return { ...connection, database: name };
    },
    async startStandby(
      command = `pg_basebackup -h '${folder}' -U redflag -D "$STANDBY_DATA" --no-sync -c fast -X stream -R -C -S standby_${state.standbys++}`,
    ) {
      return startCluster(programs, root, settings, (made) => server.shell(command, { STANDBY_DATA: made }));
    },
    async promote() {
      execFileSync(...as('pg_ctl', ['promote', '-w', '-D', data]), { stdio: 'pipe', cwd: folder });
    },
    ask: query,
    async shell(command, variables = {}) {
      const { stdout } = await promisify(execFile)(...as('bash', ['-euc', command], false), {
        cwd: folder,
        env: { ...process.env, PATH: `${programs}:${process.env['PATH']}`, ...variables },
      });
      return stdout;
    },
    data,
    async remove() {
      await ended('fast');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  process.once('exit', () => isRunning() && signalTo(data, 'kill'));
  await server.start();
  return server;
}

/** `runuser` may be between this process and the server, so the server is found by the file in its folder. */
function signalTo(data: string, signal: 'fast' | 'kill'): void {
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  // PostgreSQL's fast stop.
  if (signal === 'fast') return void process.kill(pid, 'SIGINT');
  // Children of a killed postmaster end by themselves, but not at once. Until then it does not start again.
  const children = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It ended in between.
    }
  }
}
