import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { parseManifest, type Manifest } from '../../src/sealed/manifest-format.ts';
import { useFolder } from '../folder.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { readPads } from './pads.ts';
import { identifiersOf, initSealed, type OpenedService, openService } from './sealed-service.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

const programs = findPostgres();
const root = useFolder('postgres-sealed-publishing');
const MINUTE = 60_000;
const HOUR = 3_600_000;

interface Process extends OpenedService {
  readonly apiKey: string;
  readonly time: VirtualTime;
}

describe.skipIf(programs === undefined)('two publishers over one PostgreSQL', () => {
  let server: PostgresServer;
  let folder: string;
  let database: string;
  let first: Process;
  let second: Process;
  let pads: Map<string, string>;
  const made = { databases: 0 };

  /** Ends the sessions that hold leases, as a failing network or an administrator does. Returns how many. */
  const endSessions = async (): Promise<number> => {
    const ended = await server.ask(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
      database,
    );
    // The process hears of it by its socket.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return ended.length;
  };

  const open = async (time: VirtualTime, apiKey?: string): Promise<Process> => {
    const { host, user } = server.connection;
    const address = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}` as const;
    return { ...(await openService(folder, apiKey, undefined, address)), time };
  };

  const report = async ({ engine, apiKey }: Process, person: number): Promise<void> => {
    const draft = { type: 'fraud', severity: 5, text: `Text ${person}.`, identifiers: identifiersOf(person) };
    unwrap(await engine.report({ apiKey, ...draft }));
  };

  /** The names of the publications, in the order of their sequences. */
  const published = async (): Promise<string[]> =>
    (await readdir(join(folder, 'sealed'))).filter((name) => name.includes('-')).sort();

  /** The manifest of the newest publication. */
  const manifest = async (): Promise<Pick<Manifest, 'sequence' | 'rows'>> =>
    parseManifest(await readFile(join(folder, 'sealed', (await published()).at(-1)!, 'manifest')))!;

  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    database = `publishers_${made.databases++}`;
    folder = join(root, database);
    await server.createDatabase(database);
    await initSealed(folder);
    pads = new Map();
    const start = Math.ceil(Date.now() / MINUTE + 1) * MINUTE;
    first = await open(createVirtualTime(start));
    second = await open(createVirtualTime(start), first.apiKey);
    await report(first, 1);
    first.publishBy(first.time);
    await first.time.untilPaused();
    second.publishBy(second.time);
    await second.time.untilPaused();
    expect(await published()).toHaveLength(1);
  });
  afterEach(async () => {
    await Promise.all([first.stop(), second.stop()]);
  });

  /** Lets time pass for both, a minute in turns. */
  const advance = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += MINUTE) {
      await first.time.advance(MINUTE);
      await second.time.advance(MINUTE);
    }
  };

  it('stops when its session ends and the other one takes over, until that one ends, too', async () => {
    for (let round = 0; round < 2; round++) {
      expect(await endSessions()).toBe(1);
      // Whichever waits takes over within seconds, and publishes at the next minute.
      const [other, lost] = round % 2 ? [first, second] : [second, first];
      await report(other, 10 + round);
      await other.time.advance(2 * MINUTE);
      await lost.time.advance(2 * MINUTE);
      const [before, newest] = await published();
      expect(await manifest()).toMatchObject({ rows: 80 });
      await readPads(folder, pads);
      // It looks again within the hour, and makes none.
      await lost.time.advance(HOUR);
      expect(await published()).toEqual([before, newest]);
      await other.time.advance(HOUR - 5 * MINUTE);
    }
    const { sequence } = await manifest();
    expect((await published()).map((name) => Number(name.split('-')[1])).at(-1)).toBe(sequence);
    await advance(3 * MINUTE);
    expect([...first.notices, ...second.notices]).toEqual([]);
  });

  it('publishes nothing if its session ends while a publication is made', async () => {
    await report(first, 2);
    const { readSealedRows } = first.engine;
    first.engine.readSealedRows = async (page) => {
      first.engine.readSealedRows = readSealedRows;
      expect(await endSessions()).toBe(1);
      return readSealedRows(page);
    };
    await first.calls.rotateSealed({ by: 'Ada' });
    await first.time.advance(2 * MINUTE);
    expect(await published()).toHaveLength(1);
    expect(first.notices).toHaveLength(1);
    expect(String((first.notices[0] as { error: unknown }).error)).toContain('is not the publisher any more');
    await second.time.advance(4 * MINUTE);
    expect(await manifest()).toMatchObject({ rows: 80 });
    await first.time.advance(HOUR);
    expect(await published()).toHaveLength(2);
    expect(second.notices).toEqual([]);
  });

  it('publishes again by itself if its session ends and no other process waits', async () => {
    await second.stop();
    expect(await endSessions()).toBe(1);
    await report(first, 2);
    await first.time.advance(HOUR + MINUTE);
    expect(await manifest()).toMatchObject({ rows: 80 });
    expect(first.notices).toEqual([]);
  });

  it('waits on if the server is away for a time', async () => {
    await server.ask(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS false`);
    await server.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
    await first.time.advance(MINUTE);
    await second.time.advance(MINUTE);
    await server.ask(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS true`);
    await second.time.advance(2 * MINUTE);
    expect(await published()).toHaveLength(2);
    expect(second.notices).toHaveLength(1);
  });
});
