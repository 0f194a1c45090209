import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { SqlValue } from '../sql/statement.ts';

/** A statement as PostgreSQL takes it, with the name under which a connection prepares it once. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** Statements of the store in PostgreSQL's spelling: `?` as `$1`, tables in their schema. Each is made once. */
export interface Statements {
  one(sql: string): PreparedStatement;
  /** The statement for several lists of parameters at once; after its own columns a row has its list's number, from 0. The lists are alike in length and types. */
  many(sql: string, lists: readonly (readonly SqlValue[])[]): PreparedStatement;
  /** The same, and in the same snapshot one row of another statement, whose parameters come last: its columns come after those of each row, or after NULLs when there is none. */
  manyBeside(sql: string, lists: readonly (readonly SqlValue[])[], beside: string): PreparedStatement;
}

const TABLES = [
  'reporter',
  'api_key',
  'report',
  'identifier',
  'link_identifier',
  'dispute',
  'protection',
  'trust_epoch',
  'trust_record',
  'pepper',
  'reporter_writes',
];
/** Tables are named after these words only; what else comes after one is a name of the statement's own. */
const TABLE = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN)\\s+(${TABLES.join('|')})\\b`, 'g');

/** `schema` is a name that needs no quoting but for what it may be a keyword. */
export function createStatements(schema: string): Statements {
  const made = new Map<string, PreparedStatement>();
  const prepared = (key: string, text: () => string): PreparedStatement => {
    let statement = made.get(key);
    if (statement === undefined) {
      const inSchema = text().replace(TABLE, `$1 "${schema}".$2`);
      // By its text, so that several stores may share a pool, and several programs a pooler.
      made.set(
        key,
        (statement = { name: `redflag_${bytesToHex(sha256(utf8ToBytes(inSchema))).slice(0, 32)}`, text: inSchema }),
      );
    }
    return statement;
  };
  const many = (sql: string, lists: readonly (readonly SqlValue[])[]): string => {
    // The planner takes the lists for rows that it does not know beforehand, so it plans once: for values that it knew it would choose their tables anew each time.
    const types = lists[0]!.map(typeOf);
    const rows = lists.map(
      (_, row) => `(${row}, ${types.map((type, at) => `$${row * types.length + at + 1}::${type}`).join(', ')})`,
    );
    return `SELECT found.*, list.at FROM (VALUES ${rows.join(', ')}) AS list (at, ${types.map((_, at) => `p${at + 1}`).join(', ')})
          CROSS JOIN LATERAL (${replaced(sql, (at) => `list.p${at}`)}) AS found`;
  };
  return {
    one: (sql) => prepared(sql, () => replaced(sql, (at) => `$${at}`)),
    many: (sql, lists) => prepared(`${lists.length} × ${sql}`, () => many(sql, lists)),
    manyBeside: (sql, lists, beside) =>
      prepared(
        `${lists.length} × ${sql} beside ${beside}`,
        () =>
          `SELECT listed.*, beside.* FROM (${replaced(beside, (at) => `$${lists.length * lists[0]!.length + at}`)}) AS beside LEFT JOIN (${many(sql, lists)}) AS listed ON true`,
      ),
  };
}

/** Each `?` by what stands for it, counted from 1. No statement of the store has a `?` in a string. */
function replaced(sql: string, by: (at: number) => string): string {
  const count = { at: 0 };
  return sql.replace(/\?/g, () => by(++count.at));
}

function typeOf(value: SqlValue): string {
  if (value instanceof Uint8Array) return 'BYTEA';
  return typeof value === 'number' ? 'BIGINT' : 'TEXT';
}
