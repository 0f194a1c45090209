import { unwrap } from '../../src/index.ts';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';

/** Stores so many reports about one person, with the longest texts, and returns the path of their link. */
export async function openLongView(engine: Engine, apiKey: string, reports: number): Promise<{ path: string }> {
  const identifiers = [{ kind: 'email', hash: 'ab'.repeat(20) }];
  for (let n = 0; n < reports; n++)
    unwrap(
      await engine.report({ apiKey, type: 'fraud', severity: 5, text: `${n} ${'語'.repeat(1_990)}`, identifiers }),
    );
  const { link } = unwrap(await engine.query({ apiKey, identifiers }));
  return { path: `/api/?showreport=${link.slice(-40)}` };
}
