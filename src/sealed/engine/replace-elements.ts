import { elementName } from '../element-name.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import { moveHashes } from '../../core/engine/move-hashes.ts';

/** Elements replaced per transaction, which takes about ten milliseconds. */
const MOVES_AT_ONCE = 200;
const WAIT_MS = 1_000;

/**
 * Replaces the stored elements of the previous sealing key, page by page. Continues an interrupted replacement. Returns
 * the number of moved hashes. Rejects with RangeError without a sealing key.
 */
export async function replaceElements({ store, peppers, giveTurn, wait, clock }: EngineContext): Promise<number> {
  const { seals } = peppers;
  await seals.follow();
  peppers.forget();
  const sealed = await peppers.sealed();
  if (!sealed.hasPrevious) return 0;
  // A process that has only the previous key may still write.
  while (await seals.mayBeUnknown(sealed)) await wait(WAIT_MS);
  const { generation: seal } = sealed;
  const moved = await moveHashes(
    (after) => store.readOldElements({ seal, after, limit: MOVES_AT_ONCE }),
    async (page) => {
      const { peppers: generation } = await peppers.sealed();
      const moves = page.map(async (old) => {
        const element = await seals.replaced(old, sealed);
        return { from: old.hash, to: peppers.storedHash(elementName(element), generation), element };
      });
      return store.rehash(await Promise.all(moves), generation, seal);
    },
    giveTurn,
  );
  await store.markSeal({ generation: seal, finishedAt: clock() });
  peppers.forget();
  return moved;
}
