/**
 * Moves stored hashes page by page. Returns how many were moved. Repeats until a pass moves nothing: a concurrent write
 * may insert before the current position.
 */
export async function moveHashes<Old extends { readonly hash: string }>(
  readPage: (after: string) => Promise<readonly Old[]>,
  movePage: (page: readonly Old[]) => Promise<number>,
  giveTurn: () => Promise<void>,
): Promise<number> {
  let moved = 0;
  for (let inPass = -1; inPass !== 0; moved += inPass) {
    inPass = 0;
    for (let after = ''; ;) {
      const page = await readPage(after);
      if (page.length === 0) break;
      inPass += await movePage(page);
      after = page.at(-1)?.hash ?? after;
      await giveTurn();
    }
  }
  return moved;
}
