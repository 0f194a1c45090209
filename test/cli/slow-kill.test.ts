import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { budget } from '../budget.ts';
import { createPeppers } from '../../src/core/engine/peppers.ts';
import type { Store } from '../../src/core/store/store.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { openFolderStore } from '../../src/stores/sqljs/folder-store.ts';
import { useFolder } from '../folder.ts';
import { keyFile } from './key-files.ts';
import { NO_BUDGETS, NO_LIMITS, killStarting, startService, type RunningService } from './service.ts';

// The promise of both durable stores, on the built program under load: after kill -9 at any moment, every acknowledged
// write is there, and no write is there in part.
const ROUNDS = budget(4);
const WRITERS = 16;

interface Written {
  readonly hashes: readonly [string, string, string];
  code?: string;
  report: 'sent' | 'acknowledged';
  deletion?: 'sent' | 'acknowledged';
}

describe.each(['journal', 'sqlite'] as const)('redflag serve --store %s', (kind) => {
  const base = useFolder('kill');
  let folder: string;
  beforeAll(async () => {
    folder = join(base, 'data');
  });

  it(`kill -9 at a random moment under concurrent writes, ${ROUNDS} times, loses nothing that was acknowledged`, async () => {
    const options = ['--data', folder, '--store', kind, '--limits', NO_LIMITS, '--budgets', NO_BUDGETS];
    const all: Written[] = [];
    let apiKey = '';
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // A start-up is a moment too: it replays, cuts and rewrites the journal.
      if (round > 0 && round % 3 === 0) await killStarting(options, Math.random() * 500);
      const service = await startService(options);
      apiKey ||= service.apiKey!;
      const written: Written[] = [];
      const load = Promise.all(Array.from({ length: WRITERS }, () => write(service, apiKey, written)));
      // Every other round first lets the cold service come into its stride.
      if (round % 2 === 1) {
        const counted = () => ({
          reports: written.filter(({ report }) => report === 'acknowledged').length,
          deletions: written.filter(({ deletion }) => deletion === 'acknowledged').length,
        });
        await expect.poll(() => counted().reports > WRITERS && counted().deletions > 1).toBe(true);
      }
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 400));
      expect(await service.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
      await load;
      all.push(...written);
      await check(folder, kind, all);
      acknowledged += written.filter(({ report }) => report === 'acknowledged').length;
    }
    // And the service says the same of the last ones.
    const service = await startService(options);
    for (const { hashes, report, deletion } of all.slice(-200)) {
      const { body } = await send(service, {
        _api: apiKey,
        _action: 'query',
        email: hashes[0],
        phone: hashes[1],
        ip: hashes[2],
      });
      if (deletion === 'acknowledged') expect(body).toMatch(/^0-0-0\.0-/);
      else if (report === 'acknowledged' && deletion === undefined) expect(body).toMatch(/^[1-9]\d*-1-/);
    }
    expect((await service.stop('SIGTERM')).code).toBe(0);
    // Rounds that were killed before anything was written would show nothing.
    expect(acknowledged).toBeGreaterThan(ROUNDS * 5);
    expect(all.filter(({ deletion }) => deletion === 'acknowledged').length).toBeGreaterThan(ROUNDS / 2);
    console.log(
      `${acknowledged} acknowledged reports in ${ROUNDS} rounds, ${all.filter(({ deletion }) => deletion === 'acknowledged').length} acknowledged deletions, ${all.filter(({ report }) => report === 'sent').length} unanswered`,
    );
  }, 900_000);
});

/** Reports and sometimes deletes until the service is gone. */
async function write(service: RunningService, apiKey: string, written: Written[]): Promise<void> {
  try {
    for (;;) {
      const hashes = [0, 1, 2].map(() => randomBytes(20).toString('hex')) as [string, string, string];
      const entry: Written = { hashes, report: 'sent' };
      written.push(entry);
      const reply = await send(service, {
        _api: apiKey,
        _action: 'report',
        _type: 'fraud',
        _value: '7',
        _text: `kill test ${hashes[0]}`,
        email: hashes[0],
        phone: hashes[1],
        ip: hashes[2],
      });
      expect(reply.body).toBe('OK');
      entry.report = 'acknowledged';
      entry.code = reply.code!;
      if (Math.random() < 0.3) {
        entry.deletion = 'sent';
        expect((await send(service, { _api: apiKey, _action: 'delete', _code: entry.code })).body).toBe('OK');
        entry.deletion = 'acknowledged';
      }
    }
  } catch (error) {
    // fetch rejects with a TypeError once the process is gone; anything else is a finding.
    if (!(error instanceof TypeError)) throw error;
  }
}

/**
 * Opens a copy of what the killed process left and reads everything at each of the three identifiers. Half a report
 * would show.
 * A copy: the service that starts next has to recover from the original by itself.
 */
async function check(folder: string, kind: 'journal' | 'sqlite', written: readonly Written[]): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'redflag-kill-copy-'));
  const store = await openCopy(folder, kind, copy);
  // What is stored is under the folder's pepper.
  const peppers = createPeppers(
    store,
    [(await readFile(keyFile(folder, 'pepper'), 'utf8').catch(() => '')).trim()].filter((pepper) => pepper !== ''),
    { clock: Date.now, monotonic: () => performance.now(), wait: async () => undefined },
  );
  try {
    for (const entry of written) {
      const matches = await peppers.withStoredHashes(
        entry.hashes.map((hash) => ({ kind: 'email', hash })),
        ({ identifiers }) => store.findMatches(identifiers.map(({ hash }) => hash)),
      );
      const whole = matches.length === 3 ? 1 : matches.length === 0 ? 0 : Number.NaN;
      if (entry.deletion === 'acknowledged') expect(whole).toBe(0);
      else if (entry.report === 'acknowledged' && entry.deletion === undefined) expect(whole).toBe(1);
      else expect([0, 1]).toContain(whole);
      const texts = (await store.findReports([...new Set(matches.map(({ reportId }) => reportId))])).map(
        ({ text }) => text,
      );
      expect(texts).toEqual(whole === 1 ? [`kill test ${entry.hashes[0]}`] : []);
    }
    expect(await store.check()).toEqual([]);
  } finally {
    await store.close();
    await rm(copy, { recursive: true, force: true });
  }
}

async function openCopy(folder: string, kind: 'journal' | 'sqlite', copy: string): Promise<Store> {
  const take = (name: string) => cp(join(folder, name), join(copy, name));
  if (kind === 'journal') {
    await take('redflag.journal');
    return openFolderStore(copy);
  }
  await take('redflag.sqlite');
  // Not there when the service was killed before its first write.
  await take('redflag.sqlite-wal').catch(() => undefined);
  return openSqliteFile(join(copy, 'redflag.sqlite'));
}

async function send(
  service: RunningService,
  fields: Record<string, string>,
): Promise<{ body: string; code: string | null }> {
  const response = await fetch(service.apiUrl, { method: 'POST', body: new URLSearchParams(fields) });
  return { body: await response.text(), code: response.headers.get('x-deletion-code') };
}
