// A PostgreSQL server of the bench's own, in a temporary folder, reached by a socket file only, and durable as servers are.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const DEBIAN = '/usr/lib/postgresql';
/** Enough of memory that what is asked for often is there; the rest as installed. */
const SETTINGS = [
  'listen_addresses=',
  'max_connections=60',
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=30min',
];

/** The folder of PostgreSQL's programs, or undefined where it is not installed. */
export function findPostgres() {
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim();
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return [asked, ...versions.map((version) => join(DEBIAN, version, 'bin'))].find(
    (folder) => folder && existsSync(join(folder, 'initdb')),
  );
}

/** Makes a cluster and starts it; as `postgres` when this is root, which PostgreSQL refuses to be. */
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

  /** Runs statements on a connection of their own; resolves with the rows of the last. */
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
  // A pool that is open when the server is removed ends with it, and is not the reason why a measurement failed.
  const createPool = (database, max, options = '') =>
    new pg.Pool({ ...connection, database, max, options }).on('error', () => {});
  const remove = async () => {
    if (server.exitCode === null) {
      const exit = once(server, 'exit');
      // Between this process and the server may be runuser. SIGINT is the fast stop.
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
