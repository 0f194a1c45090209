import { SHA256 } from '../../core/crypto/crypto.ts';
import { TABLES } from '../../core/store/sql/catalogue.ts';
import type { SqlValue } from '../../core/store/sql/statement.ts';

/** A statement in PostgreSQL syntax. Each connection prepares it once, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

type Lists = readonly (readonly SqlValue[])[];

/**
 * Translates statements to PostgreSQL syntax: `?` becomes `$1`, and tables get their schema. Each is translated once.
 */
export interface Statements {
  one(sql: string): PreparedStatement;
  /**
   * A statement for several lists of parameters of equal lengths and types. Each row ends with the number of its list,
   * from 0. If a condition is given and does not hold, there are no rows.
   */
  many(sql: string, lists: Lists, onlyIf?: string): PreparedStatement;
  /**
   * Like {@link many}, with one row of another statement from the same snapshot. The parameters of `beside` come last.
   * Each row ends with the columns of `beside`. If `sql` finds no row, its columns are NULL in a single row.
   */
  manyBeside(sql: string, lists: Lists, beside: string): PreparedStatement;
}

const NAMES = [...TABLES.map(({ name }) => name), 'reporter_writes', 'rate_bucket', 'redflag_version'].join('|');
/** After these words comes a table. Any other name there is defined in the statement itself. */
const TABLE = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN)\\s+(${NAMES})\\b`, 'g');

/** Quotes `schema` only because it may be a keyword. */
export function createStatements(schema: string): Statements {
  /** By the text, by its addition, and by the number of lists. */
  const made = new Map<string, Map<string, PreparedStatement[]>>();
  const prepared = (sql: string, addition: string, lists: number, text: () => string): PreparedStatement => {
    const additions = made.get(sql) ?? new Map<string, PreparedStatement[]>();
    made.set(sql, additions);
    const statements = additions.get(addition) ?? [];
    additions.set(addition, statements);
    let statement = statements[lists];
    if (statement === undefined) {
      const inSchema = text().replace(TABLE, `$1 "${schema}".$2`);
      // The name is derived from the text, so that stores can share a pool, and programs a pooler.
      statement = { name: `redflag_${SHA256.digest(inSchema).slice(0, 32)}`, text: inSchema };
      statements[lists] = statement;
    }
    return statement;
  };
  const many = (sql: string, lists: Lists): string => {
    // The planner does not know values that come as rows, so it plans once. With known values, it would plan at each
    // run.
    const types = first(lists).map(typeOf);
    const rows = lists.map(
      (_, row) => `(${row}, ${types.map((type, at) => `$${row * types.length + at + 1}::${type}`).join(', ')})`,
    );
    return `SELECT found.*, list.at FROM (VALUES ${rows.join(', ')}) AS list (at, ${types.map((_, at) => `p${at + 1}`).join(', ')})
          CROSS JOIN LATERAL (${replaced(sql, (at) => `list.p${at}`)}) AS found`;
  };
  return {
    one: (sql) => prepared(sql, '', 0, () => replaced(sql, (at) => `$${at}`)),
    many: (sql, lists, onlyIf = '') =>
      prepared(sql, onlyIf, lists.length, () => many(sql, lists) + (onlyIf && ` WHERE ${onlyIf}`)),
    manyBeside: (sql, lists, beside) =>
      prepared(
        sql,
        beside,
        lists.length,
        () =>
          `SELECT listed.*, beside.* FROM (${replaced(beside, (at) => `$${lists.length * first(lists).length + at}`)}) AS beside LEFT JOIN (${many(sql, lists)}) AS listed ON true`,
      ),
  };
}

/** Replaces each `?`, numbered from 1. No statement has a `?` in a string. */
function replaced(sql: string, by: (at: number) => string): string {
  const count = { at: 0 };
  return sql.replace(/\?/g, () => by(++count.at));
}

function first(lists: Lists): readonly SqlValue[] {
  const [list] = lists;
  if (!list) throw new RangeError('"lists" expected at least one list of parameters');
  return list;
}

function typeOf(value: SqlValue): string {
  if (value instanceof Uint8Array) return 'BYTEA';
  return typeof value === 'number' ? 'BIGINT' : 'TEXT';
}
