import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import { startOfDay } from '../../src/core/domain/day.ts';
import { readSealedKeys, sealedKeysPath } from '../../src/service/data-folder/sealed/keys-file.ts';
import { unwrap } from '../../src/index.ts';
import type { SealedKeys } from '../../src/sealed/keys.ts';
import { useFolder } from '../folder.ts';
import { startChild, type Child } from '../journal/child.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { buildChild } from './build-child.ts';
import { createFastTime } from './fast-time.ts';
import { readPads } from './pads.ts';
import { identifiersOf, initSealed, openService, PERSONS, reportAll } from './sealed-service.ts';

const programs = findPostgres();
const root = useFolder('slow-postgres-sealed-kill');
const KILLS = isLong ? 16 : 4;
/** What the publisher is asked for, and the line soon after which it is killed. */
const MOMENTS = [
  ['rotate', 'begin rotate'],
  ['rotate', 'publishing'],
] as const;

describe.skipIf(programs === undefined)('two services with a sealed look-up over one PostgreSQL', () => {
  const folder = join(root, 'data');
  const start = Date.now();
  const time = createFastTime(start);
  const children: Child[] = [];
  const pads = new Map<string, string>();
  let server: PostgresServer;
  let address: `postgres://${string}`;
  let program: string;

  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    await server.createDatabase('killed');
    const { host, user } = server.connection;
    address = `postgres://${user}@/killed?host=${encodeURIComponent(host)}`;
    const source = join(import.meta.dirname, 'children', 'serve-on-postgres.ts');
    program = await buildChild(source, join(root, 'serve.mjs'));
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await server?.remove();
  });

  const open = (apiKey?: string) => openService(folder, apiKey, time.around, address, time.engine);
  const startService = (apiKey: string): Child => {
    const child = startChild(program, [folder, address, apiKey, String(start)]);
    children.push(child);
    return child;
  };
  const readKeys = async (): Promise<SealedKeys> => (await readSealedKeys(await sealedKeysPath(folder)))!;
  /** The sequences of the publications, ascending. */
  const published = async (): Promise<number[]> => {
    const names = await readdir(join(folder, 'sealed')).catch(() => []);
    const sequences = names.flatMap((name) => (/^\d+-\d+$/.test(name) ? [Number(name.split('-')[1])] : []));
    return sequences.sort((left, right) => left - right);
  };
  /** Waits until a process has published after these sequences. */
  const untilPublished = async (before: readonly number[]): Promise<void> => {
    await expect.poll(async () => (await published()).at(-1) ?? 0).toBeGreaterThan(before.at(-1) ?? 0);
  };
  /** Asserts that sequences only rise and that no pad has two contents. Returns the sequences. */
  const checkPublished = async (before: readonly number[]): Promise<number[]> => {
    const present = await published();
    expect(present.at(-1)!).toBeGreaterThanOrEqual(before.at(-1) ?? 0);
    // Two are kept. A killed process may have left a third one.
    expect(present.length).toBeLessThanOrEqual(3);
    await readPads(folder, pads);
    expect((await readKeys()).head?.sequence).toBeGreaterThanOrEqual(present.at(-1)!);
    return present;
  };

  /** Waits for a line that begins so. Looks at lines from a number. */
  const waitFor = async (child: Child, words: string, from = 0): Promise<string> => {
    for (let at = from; ; at++) {
      const line = await child.line(at);
      if (line.startsWith(words)) return line;
    }
  };
  /** Asks a service for something, and waits for a line. */
  const ask = (child: Child, what: string, words: string): Promise<string> => {
    const from = child.lines.length;
    child.process.stdin!.write(`${what}\n`);
    return waitFor(child, words, from);
  };

  it(`go on with whole keys, rising sequences and right answers if the publisher is killed ${KILLS} times`, async () => {
    await initSealed(folder);
    const before = await open();
    const { apiKey } = before;
    await reportAll(before);
    await before.stop();
    let publisher = startService(apiKey);
    await waitFor(publisher, 'publishing');
    await untilPublished([]);
    let sequences = await checkPublished([]);
    let other = startService(apiKey);
    for (let round = 0; round < KILLS; round++) {
      await waitFor(other, 'ready');
      const [what, moment] = MOMENTS[round % MOMENTS.length]!;
      const reporting = ask(other, `report ${PERSONS + round}`, 'done');
      await ask(publisher, what, moment);
      await pause((round * 37) % 120);
      await publisher.kill();
      sequences = await checkPublished(sequences);

      // The other one takes over, so it is the next to be killed.
      await reporting;
      await waitFor(other, 'publishing');
      await untilPublished(sequences);
      sequences = await checkPublished(sequences);
      publisher = other;
      other = startService(apiKey);
      // The publication has the report of the round before. The last person has none.
      const asked = [0, 100, PERSONS + round - 1, PERSONS + KILLS].join(' ');
      expect(await ask(publisher, `query ${asked}`, 'done')).toBe('done query 1 1 1 1 1 1 0 0');
    }
    await Promise.all([publisher.kill(), other.kill()]);
    expect(children.flatMap(({ lines }) => lines).filter((line) => line.startsWith('notice'))).toEqual([]);

    sequences = await checkPublished(sequences);
    const after = await open(apiKey);
    after.publishBy(time.publisher);
    await expect.poll(async () => (await published()).at(-1)).toBeGreaterThan(sequences.at(-1)!);
    await checkPublished(sequences);
    const names = await readdir(`${folder}-keys`);
    expect(names.filter((name) => name.startsWith('sealed'))).toEqual(['sealed-keys']);
    const left = await readdir(join(folder, 'sealed'));
    expect(left.filter((name) => name.startsWith('draft-'))).toEqual([]);
    const client = after.client({ clock: time.publisher.clock });
    for (let person = 0; person < PERSONS + KILLS; person += person < PERSONS - 10 ? 10 : 1) {
      const identifiers = identifiersOf(person);
      const { points, reported } = unwrap(await after.engine.query({ apiKey, identifiers }));
      expect(reported).toBe(1);
      // Before midnight, the fast clock may be on the next day, and each report a day older.
      const isSameDay = startOfDay(time.publisher.clock()) === startOfDay(Date.now());
      expect(await client.query(identifiers)).toMatchObject({
        answer: 'score',
        reported,
        ...(isSameDay && { points }),
      });
    }
    expect(await after.store.check()).toEqual([]);
    expect(await after.engine.verifyAudit()).toMatchObject({ firstBad: null });
    await after.stop();
    expect(after.notices).toEqual([]);
  });
});
