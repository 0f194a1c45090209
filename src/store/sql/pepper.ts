import type { StoredPepper } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { CHECKSUM_CHANGED, difference } from './checksum.ts';
import { proveSorted } from './order.ts';
import { hashLock } from './removal.ts';
import { put, read } from './rows.ts';
import { EVERYBODY, lock, seenBy, sql, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** Under which peppers the identifiers are kept, and their move from one to the next. */
export const PEPPER_WORK: Pick<StoreWork, 'findPeppers' | 'addPepper' | 'finishPepper' | 'readOldHashes' | 'rehash'> = {
  *findPeppers() {
    const rows = yield* read('pepper', 'ORDER BY generation');
    return rows.map(([generation, fingerprint, addedAt, finishedAt]): StoredPepper => ({
      generation: Number(generation),
      fingerprint: toHex(fingerprint),
      addedAt: Number(addedAt),
      finishedAt: finishedAt === null ? null : Number(finishedAt),
    }));
  },

  *addPepper({ generation, fingerprint, addedAt }) {
    yield* lock('pepper');
    const [row] = yield* sql('SELECT count(*) FROM pepper');
    if (Number(row![0]) !== generation - 1) return 'taken';
    yield* put('pepper', [[generation, toBytes(fingerprint), addedAt, null]]);
    return 'added';
  },

  *finishPepper({ generation, finishedAt }) {
    const change = difference('pepper', { finished_at: [null, finishedAt] });
    yield* sql(
      `UPDATE pepper SET finished_at = ?, ${CHECKSUM_CHANGED} WHERE generation <= ? AND finished_at IS NULL`,
      finishedAt,
      change,
      generation,
    );
  },

  *readOldHashes({ generation, after, limit }) {
    const found: { hash: string; generation: number }[] = [];
    // One table at a time: each is walked in its own order and stops where the page is full.
    for (const table of ['identifier', 'protection']) {
      const rows = yield* sql(
        `SELECT hash, min(generation) FROM ${table} WHERE hash > ? AND generation < ? GROUP BY hash ORDER BY hash LIMIT ?`,
        toBytes(after),
        generation,
        limit,
      );
      proveSorted(
        table,
        rows.map(([hash]) => [hash!]),
        [toBytes(after)],
      );
      found.push(...rows.map(([hash, of]) => ({ hash: toHex(hash), generation: Number(of) })));
    }
    return found.sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, limit);
  },

  *rehash(moves, generation): SqlWork<number> {
    yield* lock(...new Set(moves.flatMap(({ from, to }) => [hashLock(from), hashLock(to)])));
    const moved = { count: 0 };
    for (const move of moves) {
      const [from, to] = [toBytes(move.from), toBytes(move.to)];
      // Hardly ever more than one: a hash has gone through so many peppers.
      const stored = yield* sql(
        'SELECT generation FROM identifier WHERE hash = ? UNION SELECT generation FROM protection WHERE hash = ?',
        from,
        from,
      );
      if (stored.length === 0) continue;
      moved.count++;
      for (const [of] of stored) {
        for (const table of ['identifier', 'protection']) {
          const change = difference(table, { hash: [from, to], generation: [of!, generation] });
          yield* sql(
            `UPDATE ${table} SET hash = ?, generation = ?, ${CHECKSUM_CHANGED} WHERE hash = ? AND generation = ?`,
            to,
            generation,
            change,
            from,
            of!,
          );
        }
      }
      // A link of the same set may have been asked for under both.
      yield* sql(
        'DELETE FROM link_identifier WHERE hash = ? AND EXISTS (SELECT 1 FROM link_identifier moved WHERE moved.link_hash = link_identifier.link_hash AND moved.hash = ? AND moved.kind = link_identifier.kind)',
        from,
        to,
      );
      yield* sql(
        `UPDATE link_identifier SET hash = ?, ${CHECKSUM_CHANGED} WHERE hash = ?`,
        to,
        difference('link_identifier', { hash: [from, to] }),
        from,
      );
    }
    // Nobody looks for the old hashes any more.
    if (moved.count > 0) yield* seenBy(EVERYBODY);
    return moved.count;
  },
};
