/**
 * The kind of a SQLite error. `corrupt`: stored data is damaged or is no database. `unavailable`: the disk, the memory
 * or a lock prevents the call. Undefined for other errors: a constraint, a value of a wrong type, misuse.
 */
export type SqliteFault = 'corrupt' | 'unavailable';

/** The code of errors that have no code of their own. */
const GENERIC = 1;

interface KnownFault {
  readonly code: number;
  readonly name: string;
  readonly text: string;
  readonly fault: SqliteFault;
}

/**
 * Result codes, their names and SQLite's texts. Each build reports a different one of the three. The texts are stable.
 */
const FAULTS: readonly KnownFault[] = (
  [
    // The schema was up to date when the database was opened. If something is missing now, it was lost.
    [GENERIC, 'ERROR', 'no such table', 'corrupt'],
    [GENERIC, 'ERROR', 'no such column', 'corrupt'],
    [GENERIC, 'ERROR', 'has no column named', 'corrupt'],
    [GENERIC, 'ERROR', 'foreign key mismatch', 'corrupt'],
    // Reported for a damaged file header.
    [GENERIC, 'ERROR', 'unsupported file format', 'corrupt'],
    [3, 'PERM', 'access permission denied', 'unavailable'],
    [5, 'BUSY', 'database is locked', 'unavailable'],
    [6, 'LOCKED', 'database table is locked', 'unavailable'],
    [7, 'NOMEM', 'out of memory', 'unavailable'],
    [8, 'READONLY', 'attempt to write a readonly database', 'unavailable'],
    [9, 'INTERRUPT', 'interrupted', 'unavailable'],
    [10, 'IOERR', 'disk I/O error', 'unavailable'],
    [11, 'CORRUPT', 'database disk image is malformed', 'corrupt'],
    [11, 'CORRUPT', 'malformed database schema', 'corrupt'],
    [13, 'FULL', 'database or disk is full', 'unavailable'],
    [14, 'CANTOPEN', 'unable to open database file', 'unavailable'],
    [15, 'PROTOCOL', 'locking protocol', 'unavailable'],
    [26, 'NOTADB', 'file is not a database', 'corrupt'],
  ] as const
).map(([code, name, text, fault]) => ({ code, name, text, fault }));

/** Returns the kind of a driver's error. */
export function faultOf(error: unknown): SqliteFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // node:sqlite reports an extended result code. Its low byte is the code.
  if (typeof errcode === 'number' && errcode !== GENERIC)
    return FAULTS.find((known) => known.code === (errcode & 255))?.fault;
  // better-sqlite3 reports a name, also for an extended code, such as SQLITE_IOERR_WRITE.
  if (typeof code === 'string' && code.startsWith('SQLITE_') && code !== 'SQLITE_ERROR')
    return FAULTS.find(({ name }) => code === `SQLITE_${name}` || code.startsWith(`SQLITE_${name}_`))?.fault;
  // node-sqlite3-wasm reports only the text. Errors with the generic code are also identified by their text.
  return FAULTS.find(({ text }) => error.message.includes(text))?.fault;
}
