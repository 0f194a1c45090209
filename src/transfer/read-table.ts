import type { StoredRow, StoreSnapshot } from '../store/store.ts';

/** What is in memory at once: a page has some hundred kilobytes, with the longest texts a few megabytes. */
const PAGE = 500;

/** All rows of a table, a page at a time. Others get their turn between two pages, also where a page is read without waiting. */
export async function* readTable(snapshot: StoreSnapshot, table: string): AsyncGenerator<StoredRow> {
  for (let after: StoredRow | undefined; ;) {
    const page = await snapshot.readRows(table, after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
