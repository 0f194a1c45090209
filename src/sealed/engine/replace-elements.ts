import { elementName } from '../../core/crypto/element-name.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import { requireConcealment } from './concealment.ts';
import { readOldElements } from './stored.ts';
import { moveHashes } from '../../core/engine/peppers.ts';

/** Elements replaced per transaction, which takes about ten milliseconds. */
const MOVES_AT_ONCE = 200;
const WAIT_MS = 1_000;

/**
 * Replaces the stored elements of the previous sealing key, page by page. Continues an interrupted replacement. Returns
 * the number of moved hashes. Rejects with RangeError without a sealing key.
 */
export async function replaceElements(context: EngineContext): Promise<number> {
  const { store, effects } = context;
  const { giveTurn, wait, clock } = effects;
  const concealment = await requireConcealment(context);
  const { seals } = concealment;
  await seals.follow();
  concealment.forget();
  const { state } = await concealment.current();
  if (!state.hasPrevious) return 0;
  // A process that has only the previous key may still write.
  while (await seals.mayBeUnknown(state)) await wait(WAIT_MS);
  const { generation: seal } = state;
  const moved = await moveHashes(
    (after) => readOldElements(store, { seal, after, limit: MOVES_AT_ONCE }),
    async (page) => {
      const { peppering } = await concealment.current();
      const { generation } = peppering;
      const moves = page.map(async (old) => {
        const element = await seals.replaced(old, state);
        return { from: old.hash, to: peppering.raise(elementName(element), 0, generation), element };
      });
      return store.rehash(await Promise.all(moves), generation, seal);
    },
    giveTurn,
  );
  await store.markElementKey({ generation: seal, finishedAt: clock() });
  concealment.forget();
  return moved;
}
