import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOURNAL_NAME } from '../../src/stores/journal/file.ts';
import { useFolder } from '../folder.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { startServices } from './postgres-services.ts';
import { post, runCli, startService, type RunningService } from './service.ts';

/**
 * Data folders that earlier programs wrote, with `redflag serve` and over HTTP: one reporter, two reports about one
 * person, one query. `known.json` has the values that clients got. Release 0.1.0 had no pepper.
 */
const EARLIER = fileURLToPath(new URL('../data/earlier', import.meta.url));
interface Known {
  readonly apiKey: string;
  readonly email: string;
  readonly ip: string;
  readonly deletionCode: string;
  /** Path of the link of the query. */
  readonly link: string;
}

const programs = findPostgres();
const root = useFolder('upgrade');
let server: PostgresServer | undefined;
beforeAll(async () => {
  if (programs) server = await startPostgres(programs, { settings: HASTY });
});
afterAll(async () => {
  await server?.remove();
});

async function runSql(database: string, text: string): Promise<void> {
  const client = new pg.Client({ ...server!.connection, database });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Unpacks a data folder. Returns the folder and the variables with which a program finds its store. */
async function unpack(name: string, copy: string): Promise<{ data: string; env: NodeJS.ProcessEnv }> {
  const [from, data] = [join(EARLIER, name), join(root, copy)];
  await mkdir(data);
  const env: NodeJS.ProcessEnv = {};
  for (const file of readdirSync(from)) {
    if (file === 'known.json') continue;
    if (file !== 'dump.sql.gz') {
      if (file.endsWith('.gz'))
        await writeFile(join(data, file.slice(0, -3)), gunzipSync(readFileSync(join(from, file))));
      else await copyFile(join(from, file), join(data, file));
      continue;
    }
    const database = copy.replaceAll('-', '_');
    await server!.createDatabase(database);
    await runSql(database, gunzipSync(readFileSync(join(from, file))).toString());
    const { host, user } = server!.connection;
    env['REDFLAG_STORE'] = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`;
  }
  return { data, env };
}

describe.each(readdirSync(EARLIER))('the data of an earlier program, %s', (name) => {
  const known = JSON.parse(readFileSync(join(EARLIER, name, 'known.json'), 'utf8')) as Known;
  const { apiKey: _api, email, ip, deletionCode: _code, link } = known;
  const ask = async (service: RunningService): Promise<string | undefined> => {
    const { body } = await post(service, { _api, _action: 'query', email, ip });
    return /^\d+-(\d+)-/.exec(body)?.[1];
  };

  it.skipIf(name.endsWith('postgres') && !programs)(
    'is served: its keys, links and codes work, and its secret stays where it is',
    async () => {
      const { data, env } = await unpack(name, name.replaceAll('.', '-'));
      const keyFiles = ['secret', 'pepper'].filter((file) => existsSync(join(data, file)));
      const before = keyFiles.map((file) => readFileSync(join(data, file), 'utf8'));
      const service = await startService(['--data', data], { env });
      expect(await ask(service)).toBe('2');
      const view = await fetch(new URL(link, service.apiUrl));
      expect(await view.json()).toMatchObject({
        ReportAdvanceds: [
          { type: 'fraud', value: 8, description: 'The parcel was never paid', reporter: 'First reporter' },
          { type: 'chargeback', value: 6, description: 'Paid with a stolen card', reporter: 'First reporter' },
        ],
        count: 2,
      });
      expect((await post(service, { _api, _action: 'delete', _code })).body).toBe('OK');
      expect((await post(service, { _api, _action: 'delete', _code })).body).toMatch(/^ERROR: .*already deleted/);
      const reported = { _api, _action: 'report', _type: 'fraud', _value: '7', _text: 'After the upgrade', email };
      expect((await post(service, reported)).body).toBe('OK');
      expect((await service.stop('SIGTERM')).code).toBe(0);

      // The program that is installed next finds the same data, keys and codes.
      const again = await startService(['--data', data], { env });
      expect(again.apiKey).toBeUndefined();
      expect(await ask(again)).toBe('2');
      expect((await fetch(new URL(link, again.apiUrl))).status).toBe(200);
      expect((await post(again, { _api, _action: 'delete', _code })).body).toMatch(/^ERROR: .*already deleted/);
      await again.stop('SIGTERM');
      expect(await runCli(['check', '--data', data], { env })).toMatchObject({
        code: 0,
        out: 'OK: no problems found.\n',
      });
      expect(keyFiles.map((file) => readFileSync(join(data, file), 'utf8'))).toEqual(before);
      expect(existsSync(`${data}-keys/secret`)).toBe(false);
    },
    60_000,
  );
});

describe('data of a newer program', () => {
  it('is refused and stays as it is', async () => {
    const { data } = await unpack('schema-8-sqlite', 'newer');
    const file = join(data, 'redflag.sqlite');
    const bytes = readFileSync(file);
    // `user_version` in the header of a SQLite file.
    bytes.writeUInt32BE(99, 60);
    await writeFile(file, bytes);
    const refused = await runCli(['serve', '--port', '0', '--data', data]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/schema version 99, .* use a newer redflag\n$/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(existsSync(join(data, JOURNAL_NAME))).toBe(false);
  });

  it.skipIf(!programs)(
    'on a server that others use: older processes answer queries, and writes come later',
    async () => {
      const services = await startServices(server!, 'rolling', 1);
      try {
        const [service] = services.all;
        const email = 'e'.repeat(40);
        const fields = { _api: services.apiKey, _type: 'fraud', _value: '7', email };
        expect((await post(service!, { ...fields, _action: 'report', _text: 'Before' })).body).toBe('OK');
        const query = (ip = 'f'.repeat(40)) => post(service!, { _api: services.apiKey, _action: 'query', email, ip });
        expect((await query()).body).toMatch(/^\d+-1-/);
        // What the first process of a newer version does.
        await runSql('rolling', 'UPDATE redflag.redflag_version SET version = version + 1');
        // Also queries that would need a new link.
        for (let n = 0; n < 9; n++) expect((await query(`${n}`.repeat(40))).body).toMatch(/^\d+-1-/);
        const late = await post(service!, { ...fields, _action: 'report', _text: 'While older' });
        expect(late).toMatchObject({ status: 503, body: expect.stringMatching(/^ERROR: /) as string });
        expect(Number(late.headers.get('Retry-After'))).toBeGreaterThan(0);
        expect(service!.output.err).toContain('this program is too old to write to the store; use a newer redflag');
        const newer = await runCli(['serve', '--port', '0', '--data', services.folder], { env: services.env });
        expect(newer).toMatchObject({ code: 1, err: expect.stringContaining('use a newer redflag') as string });
        await runSql('rolling', 'UPDATE redflag.redflag_version SET version = version - 1');
        expect((await post(service!, { ...fields, _action: 'report', _text: 'While older' })).body).toBe('OK');
        expect((await query()).body).toMatch(/^\d+-2-/);
      } finally {
        await services.close();
      }
    },
    60_000,
  );
});
