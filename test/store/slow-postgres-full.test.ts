import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';

const programs = findPostgres();
const canMount = process.getuid?.() === 0;
if (!canMount && process.env['CI']) throw new Error('these tests mount file systems, for which they must be root');
if (!canMount)
  console.warn('test/store/slow-postgres-full.test.ts: skipped, for only root may mount a small file system');

const MEGABYTE = 2 ** 20;

describe.skipIf(!programs || !canMount)('a PostgreSQL server whose disk is full', () => {
  let root: string;
  const mounted: string[] = [];
  const servers: PostgresServer[] = [];
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'redflag-full-'));
    // The server is another user.
    execFileSync('chmod', ['755', root]);
  });
  afterAll(async () => {
    for (const server of servers) await server.remove();
    for (const place of mounted) execFileSync('umount', ['-l', place]);
    await rm(root, { recursive: true, force: true });
  });

  /** A disk of its own; throws the system's reason, which is not there to be skipped where tests must run. */
  const mount = async (megabytes: number): Promise<string> => {
    const place = await mkdtemp(join(root, 'mount-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=777`, 'tmpfs', place], { stdio: 'pipe' });
    mounted.push(place);
    return place;
  };

  /** Takes the room of a disk but for so much, and gives back how to make room again. */
  const fillUpTo = async (place: string, left: number): Promise<() => Promise<void>> => {
    const { bavail, bsize } = await statfs(place);
    await writeFile(join(place, 'other'), Buffer.alloc(bavail * bsize - left));
    return () => rm(join(place, 'other'));
  };

  /** With a text that nothing makes shorter. */
  const reportOf = (n: number) =>
    report(n, {
      text: randomBytes(900).toString('hex'),
      identifiers: [0, 1, 2].map((at) => ({ kind: 'email', hash: hash(3 * n + at) })),
    });

  /** For each report, whether it must exist, or may: a server that stopped did not say what happened to a commit. */
  class Told {
    readonly #state = new Map<number, 'there' | 'gone' | 'either'>();
    readonly #texts = new Map<number, string>();
    readonly causes = new Set<string>();
    acknowledged = 0;
    refused = 0;
    next = 1;

    constructor(private readonly store: Store) {}

    /** Reports, and removes every third, until `goesOn` says no. */
    async write(goesOn: () => boolean): Promise<void> {
      while (goesOn()) {
        const n = this.next++;
        const sent = reportOf(n);
        this.#texts.set(n, sent.text);
        await this.#attempt(n, 'gone', 'there', () => this.store.addReport(sent, 0));
        if (n % 3 === 0 && this.#state.get(n) === 'there')
          await this.#attempt(n, 'there', 'gone', () =>
            this.store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 5 }),
          );
      }
    }

    async #attempt(
      n: number,
      before: 'there' | 'gone',
      after: 'there' | 'gone',
      write: () => Promise<{ outcome: string }>,
    ): Promise<void> {
      try {
        expect(['added', 'removed']).toContain((await write()).outcome);
        this.#state.set(n, after);
        this.acknowledged++;
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailableError);
        const cause = (error as Error).cause as { code?: string; severity?: string; message: string } | undefined;
        this.causes.add([cause?.severity, cause?.code ?? cause?.message ?? (error as Error).message].join(' ').trim());
        this.#state.set(n, cause?.code === '53100' && cause.severity === 'ERROR' ? before : 'either');
        this.refused++;
      }
    }

    /** What was acknowledged is there whole, what was refused is not, and nothing is there in part. */
    async prove(): Promise<void> {
      const texts = new Map(
        (await this.store.findReports([...this.#state.keys()].map(id))).map(({ reportId, text }) => [reportId, text]),
      );
      const parts = new Map<string, number>();
      const matches = await this.store.findMatches(
        [...this.#state.keys()].flatMap((n) => [0, 1, 2].map((at) => hash(3 * n + at))),
      );
      for (const { reportId } of matches) parts.set(reportId, (parts.get(reportId) ?? 0) + 1);
      for (const [n, state] of this.#state) {
        const text = texts.get(id(n));
        if (state !== 'either') expect(text !== undefined, `report ${n}`).toBe(state === 'there');
        if (text !== undefined) expect(text === this.#texts.get(n), `report ${n}, its text`).toBe(true);
        expect(parts.get(id(n)) ?? 0, `report ${n}, its identifiers`).toBe(text === undefined ? 0 : 3);
      }
      expect(await this.store.count()).toMatchObject({ reports: texts.size, identifiers: 3 * texts.size });
      expect(await this.store.check()).toEqual([]);
    }
  }

  /** Goes on with the same store and pool, and has all of it after a crash, too. */
  const expectRecovered = async (server: PostgresServer, told: Told): Promise<void> => {
    const before = told.acknowledged;
    await expect
      .poll(async () => {
        const tried = told.next;
        await told.write(() => told.next === tried);
        return told.acknowledged;
      })
      .toBeGreaterThan(before);
    const { refused } = told;
    const most = told.acknowledged + 50;
    await Promise.all([1, 2, 3, 4].map(() => told.write(() => told.acknowledged < most)));
    expect(told.refused).toBe(refused);
    await told.prove();
    await server.kill();
    await server.start();
    await told.prove();
  };

  it('of its tables refuses writes, answers queries, and goes on when there is room', async () => {
    const place = await mount(96);
    const server = await startPostgres(programs!, {
      root: place,
      initdb: ['-X', join(await mkdtempForServer(root), 'wal')],
    });
    servers.push(server);
    const pool = new pg.Pool({ ...server.connection, max: 8 });
    const store = await createPostgresStore({ pool });
    await store.addReporter(reporter(1));
    const told = new Told(store);
    await told.write(() => told.acknowledged < 10);
    const makeRoom = await fillUpTo(place, 2 * MEGABYTE);
    await Promise.all(Array.from({ length: 8 }, () => told.write(() => told.refused < 40)));
    console.log(`tables: ${told.acknowledged} writes acknowledged before the disk was full; refused with`, [
      ...told.causes,
    ]);
    expect(told.acknowledged).toBeGreaterThan(20);
    expect(told.causes).toEqual(new Set(['ERROR 53100']));
    expect(server.isRunning()).toBe(true);
    await told.prove();
    await makeRoom();
    await expectRecovered(server, told);
    await store.close();
    await pool.end();
  });

  it('of its log refuses everything once it went down by that, and has all that was acknowledged when there is room and it is started again', async () => {
    const place = await mount(16);
    const server = await startPostgres(programs!, {
      initdb: ['-X', join(place, 'wal'), '--wal-segsize=1'],
      settings: ['min_wal_size=2MB', 'max_wal_size=1GB', 'checkpoint_timeout=1h'],
    });
    servers.push(server);
    const pool = new pg.Pool({ ...server.connection, max: 8 });
    const store = await createPostgresStore({ pool });
    await store.addReporter(reporter(1));
    const told = new Told(store);
    await told.write(() => told.acknowledged < 10);
    const makeRoom = await fillUpTo(place, 3 * MEGABYTE);
    await Promise.all(Array.from({ length: 8 }, () => told.write(() => told.refused < 8 || server.isRunning())));
    console.log(`log: ${told.acknowledged} writes acknowledged before the disk was full; refused with`, [
      ...told.causes,
    ]);
    expect(told.acknowledged).toBeGreaterThan(20);
    expect(server.isRunning()).toBe(false);
    await expect(store.findMatches([hash(3)])).rejects.toBeInstanceOf(StoreUnavailableError);
    await makeRoom();
    await server.start();
    await told.prove();
    await expectRecovered(server, told);
    await store.close();
    await pool.end();
  });
});

/** A folder that the server, as another user, may make its log in. */
async function mkdtempForServer(root: string): Promise<string> {
  const folder = await mkdtemp(join(root, 'log-'));
  execFileSync('chmod', ['777', folder]);
  return folder;
}
