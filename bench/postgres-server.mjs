// A PostgreSQL server for the benchmarks, in a temporary folder. It listens only on a socket file. Its writes are as
// durable as those of an installed server.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const DEBIAN = '/usr/lib/postgresql';
/** Enough memory for frequently read pages. All other settings are the defaults. */
const SETTINGS = [
  'listen_addresses=',
  'max_connections=60',
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=30min',
];

/** Returns the folder of PostgreSQL's programs; undefined if PostgreSQL is not installed. */
export function findPostgres() {
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim();
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return [asked, ...versions.map((version) => join(DEBIAN, version, 'bin'))].find(
    (folder) => folder && existsSync(join(folder, 'initdb')),
  );
}

/** Creates and starts a cluster. PostgreSQL refuses to run as root, so root runs it as `postgres`. */
export async function startPostgres(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'redflag-bench-'));
  const asRoot = process.getuid?.() === 0;
  const as = (program, args) =>
    asRoot ? ['runuser', ['-u', 'postgres', '--', join(programs, program), ...args]] : [join(programs, program), args];
  if (asRoot) execFileSync('chown', ['postgres', folder]);
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  execFileSync(
    ...as('initdb', ['-D', data, '--no-sync', '-A', 'trust', '-U', 'redflag', '--no-locale', '-E', 'UTF8']),
    { stdio: 'pipe', cwd: folder },
  );
  const server = spawn(
    ...as('postgres', ['-D', data, '-k', folder, ...SETTINGS.flatMap((setting) => ['-c', setting])]),
    { stdio: 'ignore', cwd: folder },
  );
  const connection = { host: folder, port: 5432, user: 'redflag' };

  /** Runs statements on a separate connection. Resolves with the rows of the last statement. */
  const run = async (database, ...statements) => {
    const client = new pg.Client({ ...connection, database });
    client.on('error', () => {});
    await client.connect();
    try {
      let rows = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      await client.end();
    }
  };
  // Removing the server closes open pools. This is not a failure of the measurement.
  const createPool = (database, max, options = '') =>
    new pg.Pool({ ...connection, database, max, options }).on('error', () => {});
  const remove = async () => {
    if (server.exitCode === null) {
      const exit = once(server, 'exit');
      // Signal the server itself, since `runuser` may be its parent. SIGINT is the fast stop.
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (;;) {
    try {
      await run('postgres', 'SELECT 1');
      return { host: folder, run, remove, createPool };
    } catch (error) {
      if (server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
