import type { ProgramEngine } from '../program-engine.ts';
import type { SealedSource } from '../../../sealed/service/source.ts';
import { sealFingerprint } from './seal.ts';

/** Reports in one read: two or three milliseconds. */
const PAGE = 25;

/** Returns what a publication is made of, from the engine of a data folder. */
export function sourceOf(engine: ProgramEngine): SealedSource {
  return {
    async *readRows(keys) {
      const seal = sealFingerprint(keys);
      for (let after: Awaited<ReturnType<ProgramEngine['readSealedRows']>>['next']; ;) {
        const { rows, next } = await engine.readSealedRows({ after, limit: PAGE, seal });
        yield rows;
        if (next === undefined) return;
        after = next;
      }
    },
    countUnsealed: async () => (await engine.sealStatus()).unsealed,
    readReporters: async () =>
      new Map((await engine.listStandings()).map((standing) => [standing.reporterId, standing])),
  };
}
