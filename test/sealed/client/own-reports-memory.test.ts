import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createMemoryReplica } from '../../../src/sealed/client/replica-store.ts';
import { hashFor, HOUR } from './operator.ts';
import { openSetting } from './service.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
/** Bytes that are in use. */
function heap(): number {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

const REPORTS = 300;
const WARM = 300;
const hashes = Array.from({ length: 32 }, (_, at) => hashFor(`customer ${at}`).toUpperCase());

/** Returns by how many bytes the heap grows with {@link REPORTS} reports about `identifiers` hashes each. */
async function growthOf(
  replica: 'none' | 'store',
  identifiers: number,
  textLength: number,
  after: 'refresh' | 'nothing',
): Promise<number> {
  const setting = openSetting({ replica: replica === 'none' ? replica : createMemoryReplica() });
  const { operator, service, client } = setting;
  operator.publish();
  await client.prepare(hashes);
  let sent = 0;
  const code = (digits: number): string => sent.toString(16).padStart(digits, '0');
  service.before = (path) =>
    path === 'report' ? Response.json({ code: code(16), report: code(12), reporter: null }) : undefined;
  const asked = hashes.slice(0, identifiers).map((hash) => ({ kind: 'email', hash }));
  async function report(): Promise<void> {
    sent++;
    const text = String.fromCharCode(97 + (sent % 26)).repeat(textLength) + sent;
    await client.report({ type: 'fraud', severity: 5, text, identifiers: asked });
    service.seen.length = 0;
  }
  // Enough to compile what reports run: with 50, the compiler's own memory was up to 350 KB of the growth.
  for (let warm = 0; warm < WARM; warm++) await report();
  const before = heap();
  while (sent < REPORTS + WARM) await report();
  if (after === 'refresh') {
    setting.advance(HOUR);
    operator.publish();
    await client.refresh();
    service.seen.length = 0;
  }
  const grown = heap() - before;
  await client.close();
  return grown;
}

it('a client keeps no texts of own reports', async () => {
  expect(await growthOf('store', 1, 10_000, 'nothing')).toBeLessThan(REPORTS * 2000);
});

it('a client forgets own reports when a refresh brings a later state, without a query', async () => {
  const kept = await growthOf('store', 32, 0, 'nothing');
  expect(kept).toBeGreaterThan(REPORTS * 1500);
  expect(await growthOf('store', 32, 0, 'refresh')).toBeLessThan(kept / 3);
});

it('a client whose answers the service computes keeps no own reports', async () => {
  expect(await growthOf('none', 32, 0, 'nothing')).toBeLessThan(REPORTS * 500);
});
