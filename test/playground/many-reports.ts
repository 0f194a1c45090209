import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { SECRET, SERVICE } from '../../src/service/playground/session.ts';
import { hashOf } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

/** Returns a database file of the playground with so many reports by ten reporters. */
export async function fileWith(reports: number): Promise<Buffer> {
  const store = await createMemoryStore();
  let nowMs = Date.now() - reports * 60_000;
  const clock = (): number => nowMs;
  const engine = createEngine({ store, secret: SECRET, publicUrl: SERVICE, clock, trustEpoch: 'on-demand' });
  const shops = [];
  for (let at = 0; at < 10; at += 1) shops.push(unwrap(await engine.ensureReporter({ name: `Shop ${at}` })));
  for (let at = 0; at < reports; at += 1) {
    nowMs += 60_000;
    const identifiers = [{ kind: 'email', hash: hashOf(at) }];
    const filed = await shops[at % 10]!.report({ type: 'fraud', severity: 5, text: `Report ${at}.`, identifiers });
    unwrap(filed);
  }
  const bytes = Buffer.from(store.export());
  await engine.close();
  return bytes;
}
