import { record } from './audit.ts';
import {
  CLAIM,
  ELEMENT_KEY,
  HASHED_TABLES,
  IDENTIFIER,
  LINK_IDENTIFIER,
  PEPPER,
  PROTECTION,
  STORE_SECRET,
} from './catalogue.ts';
import { hex, toBytes, WHOLE } from './columns.ts';
import { requireSorted } from './pages.ts';
import { ask, change, countOf, exists, put, read } from './rows.ts';
import { EVERYBODY, hashLock, sql, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { shape } from './table.ts';

const GENERATION = shape({ generation: WHOLE });
const HASH = shape({ hash: hex(20), generation: WHOLE });
const GENERATIONS = HASHED_TABLES.map(({ name }) => `SELECT generation FROM ${name} WHERE hash = ?`).join(' UNION ');

/** The fingerprints of the operator's keys, and the move of hashes to the next pepper. */
export const PEPPER_WORK = {
  *findSecretFingerprint(): SqlWork<string | undefined> {
    const [secret] = yield* read(STORE_SECRET);
    return secret?.fingerprint;
  },

  *adoptSecretFingerprint(secret) {
    yield { lock: ['secret'] };
    if (yield* exists('store_secret')) return 'known';
    yield* put(STORE_SECRET, [secret]);
    return 'adopted';
  },

  findPeppers: () => read(PEPPER, 'ORDER BY generation'),

  *addPepper(pepper, note) {
    yield { lock: ['pepper'] };
    if ((yield* countOf('pepper')) !== pepper.generation - 1) return 'taken';
    yield* put(PEPPER, [{ ...pepper, finishedAt: null }]);
    yield* record(note, { action: 'pepper-rotated', subject: pepper.fingerprint });
    return 'added';
  },

  *finishPepper({ generation, finishedAt }) {
    const unfinished = yield* ask(
      GENERATION,
      'SELECT generation FROM pepper WHERE generation <= ? AND finished_at IS NULL',
      generation,
    );
    for (const pepper of unfinished)
      yield* change(PEPPER, { ...pepper, finishedAt: null }, { finishedAt: [null, finishedAt] });
  },

  *readOldHashes({ generation, after, limit }) {
    const found: { hash: string; generation: number }[] = [];
    // Read one table after the other: each read follows its own order and stops at a full page.
    for (const { name: table } of HASHED_TABLES) {
      const page = yield* ask(
        HASH,
        `SELECT hash, min(generation) FROM ${table} WHERE hash > ? AND generation < ? GROUP BY hash ORDER BY hash LIMIT ?`,
        toBytes(after),
        generation,
        limit,
      );
      requireSorted(
        table,
        page.map(({ hash }) => [hash]),
        [after],
      );
      found.push(...page);
    }
    return found.sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, limit);
  },

  *rehash(moves, generation): SqlWork<number> {
    yield { lock: [...new Set(moves.flatMap(({ from, to }) => [hashLock(from), hashLock(to)]))] };
    const moved = { count: 0 };
    for (const { from, to } of moves) {
      const [hash, target] = [toBytes(from), toBytes(to)];
      // Almost always one: all rows of one hash went through the same number of peppers.
      const stored = yield* ask(GENERATION, GENERATIONS, ...HASHED_TABLES.map(() => hash));
      if (stored.length === 0) continue;
      moved.count++;
      for (const old of stored) {
        const where = { hash: from, ...old };
        const changes = { hash: [from, to] as const, generation: [old.generation, generation] as const };
        yield* change(IDENTIFIER, where, changes);
        yield* change(PROTECTION, where, changes);
        yield* change(CLAIM, where, changes);
      }
      // A link may contain both hashes, if the same set was queried under each.
      yield* sql(
        'DELETE FROM link_identifier WHERE hash = ? AND EXISTS (SELECT 1 FROM link_identifier moved WHERE moved.link_hash = link_identifier.link_hash AND moved.hash = ? AND moved.kind = link_identifier.kind)',
        hash,
        target,
      );
      yield* change(LINK_IDENTIFIER, { hash: from }, { hash: [from, to] });
    }
    // From now on, no reporter may find the old hashes.
    if (moved.count > 0) yield { seenBy: [EVERYBODY] };
    return moved.count;
  },

  findElementKeys: () => read(ELEMENT_KEY, 'ORDER BY generation'),

  *addElementKey({ fingerprint, addedAt }) {
    yield { lock: [ELEMENT_KEY.name] };
    if (yield* exists(ELEMENT_KEY.name)) return 'taken';
    yield* put(ELEMENT_KEY, [{ generation: 1, fingerprint, addedAt, finishedAt: addedAt, completeAt: null }]);
    return 'added';
  },
} satisfies Partial<StoreWork>;
