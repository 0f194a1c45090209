import type { Database, SqlJsStatic, Statement } from 'sql.js';
import { StoreFormatError } from '../sql/format-error.ts';
import { MIGRATIONS } from '../sql/schema.ts';
import { answerAtOnce, onlyReads, type SqlRow, type SqlValue, type SqlWork } from '../sql/statement.ts';

/** Runs {@link SqlWork} on SQLite in this process: wholly, at once, with nothing in between. */
export interface SqljsDatabase {
  /** Runs the work as one transaction. `changed` is false when it wrote nothing. */
  run<T>(work: SqlWork<T>): { readonly value: T; readonly changed: boolean };
  /** Everything that runs until {@link endBulk} is one transaction: for replay, where a commit each would cost more than the work. */
  beginBulk(): void;
  endBulk(): void;
  /** The whole database as the bytes of a SQLite file. */
  export(): Uint8Array;
  close(): void;
}

/** Opens a database, empty or from the bytes of a file, and brings its schema up to date. Throws {@link StoreFormatError}. */
export function openSqljsDatabase(SQL: SqlJsStatic, bytes?: Uint8Array): SqljsDatabase {
  const db = open(SQL, bytes);
  const prepared = new Map<string, { statement: Statement; writes: boolean }>();
  // Lives as long as the database; true from the first writing statement of a transaction until its end.
  const state = { writing: false, bulk: false };

  const prepare = (text: string) => {
    let entry = prepared.get(text);
    if (entry === undefined) prepared.set(text, (entry = { statement: db.prepare(text), writes: !onlyReads(text) }));
    return entry;
  };

  const step = (text: string, values: readonly SqlValue[]): readonly SqlRow[] => {
    const { statement, writes } = prepare(text);
    if (writes && !state.writing) {
      // A transaction starts with the first write: work that finds nothing to do costs no commit.
      if (!state.bulk) prepare('BEGIN').statement.run();
      state.writing = true;
    }
    if (writes) {
      statement.run(values as SqlValue[]);
      return [];
    }
    statement.bind(values as SqlValue[]);
    const rows: SqlRow[] = [];
    while (statement.step()) rows.push(statement.get());
    statement.reset();
    return rows;
  };

  const run = <T>(work: SqlWork<T>) => {
    try {
      let next = work.next([]);
      while (!next.done) next = work.next(answerAtOnce(next.value, step));
      const changed = state.writing;
      if (changed && !state.bulk) prepare('COMMIT').statement.run();
      return { value: next.value, changed };
    } catch (error) {
      if (state.writing && !state.bulk) prepare('ROLLBACK').statement.run();
      throw error;
    } finally {
      state.writing = false;
    }
  };

  return {
    run,
    beginBulk() {
      db.run('BEGIN');
      state.bulk = true;
    },
    endBulk() {
      state.bulk = false;
      db.run('COMMIT');
    },
    export: () => db.export(),
    close() {
      for (const { statement } of prepared.values()) statement.free();
      prepared.clear();
      db.close();
    },
  };
}

function open(SQL: SqlJsStatic, bytes: Uint8Array | undefined): Database {
  // Without its class: sql.js copies with `slice`, which on a Buffer of Node copies nothing, and then writes into it.
  const db = new SQL.Database(bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  try {
    // One connection, in memory: no lock to take anew at each statement, no rollback journal file; a removed row's bytes are overwritten, not just unlinked.
    db.run('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;');
    const version = Number(db.exec('PRAGMA user_version')[0]!.values[0]![0]);
    const tables = Number(db.exec('SELECT count(*) FROM sqlite_schema')[0]!.values[0]![0]);
    if (version > MIGRATIONS.length) throw new StoreFormatError(`the store has schema version ${version} and this program knows ${MIGRATIONS.length}: use a newer redflag`);
    if (version === 0 && tables > 0) throw new StoreFormatError('the bytes are a SQLite database of another program');
    for (let at = version; at < MIGRATIONS.length; at++) {
      db.exec(`BEGIN; ${MIGRATIONS[at]!} PRAGMA user_version = ${at + 1}; COMMIT;`);
    }
    return db;
  } catch (error) {
    db.close();
    throw error instanceof StoreFormatError ? error : new StoreFormatError('the bytes are not a SQLite database', { cause: error });
  }
}
