import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../folder.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { runCli, startService } from './service.ts';

// Each way to give a password to the program works with a server that asks for one, and the process list does not show
// the password.
const programs = findPostgres();
const PASSWORD = 'never shown';

/** Returns why a connection is refused; undefined if it is not. */
async function connect(to: pg.ClientConfig): Promise<string | undefined> {
  const client = new pg.Client(to);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    await client.end();
  }
}

describe.skipIf(programs === undefined)('a server that asks for a password', () => {
  const root = useFolder('password');
  let server: PostgresServer;
  /** Without a password; with one. */
  let address: string;
  let whole: string;
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    const { host } = await server.createDatabase('asked');
    const rest = `@/asked?host=${encodeURIComponent(host)}`;
    [address, whole] = [`postgres://shop${rest}`, `postgres://shop:${encodeURIComponent(PASSWORD)}${rest}`];
    const admin = new pg.Client({ ...server.connection, database: 'asked' });
    await admin.connect();
    await admin.query(`create role shop login superuser password '${PASSWORD}'`);
    const file = (await admin.query<{ hba_file: string }>('show hba_file')).rows[0]!.hba_file;
    await writeFile(file, `local all shop scram-sha-256\n${await readFile(file, 'utf8')}`);
    await admin.query('select pg_reload_conf()');
    await admin.end();
    await writeFile(join(root, 'address'), `${whole}\n`, { mode: 0o600 });
    await writeFile(join(root, 'pgpass'), `*:*:*:shop:${PASSWORD}\n`, { mode: 0o600 });
  });
  afterAll(async () => {
    await server?.remove();
  });

  const data = (): string => join(root, 'data');

  it('refuses a service without one, and does not wait for the server', async () => {
    // The server reads the file again after a moment.
    await expect
      .poll(() => connect({ ...server.connection, user: 'shop', password: 'wrong' }))
      .toMatch(/password authentication failed/);
    const env = { REDFLAG_STORE: address, PGPASSFILE: join(root, 'none') };
    const { code, out, err } = await runCli(['serve', '--port', '0', '--data', data()], { env, timeoutMs: 60_000 });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/password/);
  });

  it.each<[string, () => { args?: string[]; env: NodeJS.ProcessEnv }]>([
    ['REDFLAG_STORE', () => ({ env: { REDFLAG_STORE: whole } })],
    ['REDFLAG_STORE_FILE', () => ({ env: { REDFLAG_STORE_FILE: join(root, 'address') } })],
    ['PGPASSWORD', () => ({ args: ['--store', address], env: { PGPASSWORD: PASSWORD } })],
    ['PGPASSFILE', () => ({ args: ['--store', address], env: { PGPASSFILE: join(root, 'pgpass') } })],
  ])(
    'takes it from %s',
    async (_, given) => {
      const { args = [], env } = given();
      const service = await startService(['--data', data(), ...args], { env });
      try {
        const shown = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(service.process.pid)], {
          encoding: 'utf8',
        });
        expect(shown).toContain('serve');
        expect(`${shown}${service.output.out}${service.output.err}`).not.toContain('never');
      } finally {
        expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
      }
    },
    60_000,
  );

  it('takes it for commands and for migrate', async () => {
    const file = { REDFLAG_STORE_FILE: join(root, 'address') };
    expect((await runCli(['keys', 'list', '--data', data()], { env: file })).out).toContain('First reporter');
    const env = { PGPASSWORD: PASSWORD };
    const moved = await runCli(['migrate', '--from', address, '--to', join(root, 'moved'), '--data', data()], { env });
    expect({ code: moved.code, err: moved.err }).toEqual({ code: 0, err: '' });
  });
});
