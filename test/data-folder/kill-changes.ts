import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { parseKeys } from '../../src/sealed/key-file.ts';
import type { SealedKeys } from '../../src/sealed/keys.ts';
import { startChild, type Child } from '../journal/child.ts';
import { buildChild } from './build-child.ts';
import { identifiersOf, initSealed, openService, PERSONS, reportAll } from './sealed-service.ts';

/** Folders side by side: a start takes most of the time. */
const FOLDERS = 2;

const readKeys = async (folder: string): Promise<SealedKeys> =>
  parseKeys(await readFile(join(`${folder}-keys`, 'sealed-keys'), 'utf8'));

/** Asserts what a killed process must leave: whole keys, without those that it reported as destroyed. */
function assertKeys({ lines }: Child, keys: SealedKeys, destroyed: Set<number>): void {
  for (const line of lines) {
    const [state, what, value = ''] = line.split(' ');
    if (state === 'done' && what === 'destroy') destroyed.add(Number(value));
  }
  for (const number of destroyed) expect(keys.epochs[number - 1]!.key).toBeNull();
}

async function killOften(program: string, folder: string, apiKey: string, kills: number): Promise<number> {
  const destroyed = new Set<number>();
  let changes = 0;
  for (let round = 0; round < kills; round++) {
    const child = startChild(program, [folder, apiKey, String(round)]);
    expect(await child.line(0)).toBe('ready 1 1 1');
    // A start removes what the process before left.
    const names = (await readdir(`${folder}-keys`)).filter((name) => name.startsWith('sealed-keys.'));
    // A change of this process may be under way.
    const isRunning = child.lines.length > 1;
    if (!isRunning) expect(names).toEqual([]);
    // The beginning of the first, second or third change: each process begins with another kind.
    await child.line(1 + 2 * (round % 3));
    await pause((round * 37) % 150);
    await child.kill();
    assertKeys(child, await readKeys(folder), destroyed);
    changes += child.lines.filter((line) => line.startsWith('done')).length;
  }
  return changes;
}

/** Kills changes of the keys at so many moments, and asserts that keys and store fit together all the time. */
export async function killChanges(root: string, kills: number, kind?: 'sqlite'): Promise<void> {
  const program = await buildChild(
    join(import.meta.dirname, 'children', 'change-keys.ts'),
    join(root, 'change-keys.mjs'),
  );
  const folders = await Promise.all(
    Array.from({ length: FOLDERS }, async (_, at) => {
      const folder = join(root, `data-${at}`);
      await initSealed(folder);
      const service = await openService(folder, undefined, undefined, kind);
      await reportAll(service);
      await service.stop();
      return { folder, apiKey: service.apiKey };
    }),
  );
  const changes = await Promise.all(
    folders.map(({ folder, apiKey }) => killOften(program, folder, apiKey, kills / FOLDERS)),
  );
  expect(Math.min(...changes)).toBeGreaterThanOrEqual(kills / FOLDERS / 2);
  for (const { folder, apiKey } of folders) {
    const service = await openService(folder, apiKey);
    expect((await readdir(`${folder}-keys`)).filter((name) => name.startsWith('sealed'))).toEqual(['sealed-keys']);
    await service.publish();
    const client = service.client();
    for (let person = 0; person < PERSONS; person += 50) {
      const identifiers = identifiersOf(person);
      const { points, reported } = unwrap(await service.engine.query({ apiKey, identifiers }));
      expect(reported).toBe(1);
      expect(await client.query(identifiers)).toMatchObject({ answer: 'score', points, reported });
    }
    expect(await service.store.check()).toEqual([]);
    expect(await service.engine.verifyAudit()).toMatchObject({ firstBad: null });
    await service.stop();
    expect(service.notices).toEqual([]);
  }
}
