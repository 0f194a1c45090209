import type { SealedRow } from '../records.ts';
import { IDENTIFIER, PROTECTION, SEAL } from './catalogue.ts';
import { hex, toBytes, WHOLE } from './columns.ts';
import type { StoreWork } from './methods.ts';
import { requireSorted } from './pages.ts';
import { ask, askEach, change, countOf, find, put, read } from './rows.ts';
import type { SqlWork } from './statement.ts';
import { shape } from './table.ts';

const FOUND = shape({ found: WHOLE });
const ELEMENT = shape({ hash: hex(20), element: hex(32) });
const SEALED_TABLES = [IDENTIFIER.name, PROTECTION.name];
/** Parts of a count, by the first byte of the hash. One of a million identifiers takes half a millisecond in memory. */
const PARTS = 256;

/** Fingerprints of sealing keys, and the elements under them. `rehash` (pepper.ts) writes elements to stored rows. */
export const SEAL_WORK = {
  findSeals: () => read(SEAL, 'ORDER BY generation'),

  *addSeal({ generation, fingerprint, addedAt }) {
    yield { lock: ['seal'] };
    const known = yield* read(SEAL, 'ORDER BY generation');
    const last = known.at(-1);
    if (known.length !== generation - 1 || last?.finishedAt === null) return 'taken';
    const completeAt = last?.completeAt ?? null;
    yield* put(SEAL, [{ generation, fingerprint, addedAt, finishedAt: last ? null : addedAt, completeAt }]);
    return 'added';
  },

  *markSeal({ generation, finishedAt, completeAt }) {
    yield { lock: ['seal'] };
    const seal = (yield* read(SEAL, 'ORDER BY generation')).find((one) => one.generation === generation);
    if (finishedAt !== undefined && seal?.finishedAt === null)
      yield* change(SEAL, { generation }, { finishedAt: [null, finishedAt] });
    if (completeAt !== undefined && seal?.completeAt === null)
      yield* change(SEAL, { generation }, { completeAt: [null, completeAt] });
  },

  *findHashes(hashes) {
    const found = yield* askEach(
      FOUND,
      `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM identifier WHERE hash = ?)
        OR EXISTS (SELECT 1 FROM protection WHERE hash = ?)`,
      hashes.map((hash) => [toBytes(hash), toBytes(hash)]),
    );
    return hashes.filter((_, at) => (found[at] ?? []).length > 0);
  },

  *findSealed(reportIds) {
    const sealed: SealedRow[] = [];
    for (const { generation: _generation, element, seal, ...row } of yield* find(IDENTIFIER, 'reportId', reportIds))
      if (element !== null && seal !== null) sealed.push({ ...row, element, seal });
    const places = new Map(reportIds.map((reportId, at) => [reportId, at]));
    const placeOf = ({ reportId }: SealedRow): number => places.get(reportId) ?? 0;
    return sealed.sort((a, b) => placeOf(a) - placeOf(b) || a.position - b.position);
  },

  *readOldElements({ seal, after, limit }) {
    const found = new Map<string, { hash: string; element: string }>();
    for (const table of SEALED_TABLES) {
      const page = yield* ask(
        ELEMENT,
        `SELECT DISTINCT hash, element FROM ${table} WHERE hash > ? AND seal < ? ORDER BY hash LIMIT ?`,
        toBytes(after),
        seal,
        limit,
      );
      requireSorted(
        table,
        page.map(({ hash }) => [hash]),
        [after],
      );
      for (const row of page) found.set(row.hash, row);
    }
    return [...found.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, limit);
  },

  *countUnsealed(): SqlWork<number> {
    let count = 0;
    for (let part = 0; part < PARTS; part++) {
      const digits = part.toString(16).padStart(2, '0');
      const range = [digits.padEnd(40, '0'), digits.padEnd(40, 'f')].map(toBytes);
      for (const table of SEALED_TABLES)
        count += yield* countOf(`${table} WHERE hash BETWEEN ? AND ? AND element IS NULL`, ...range);
      yield { pause: true };
    }
    return count;
  },
} satisfies Partial<StoreWork>;
