/**
 * What SQLite's errors are about: `corrupt` when what is stored is damaged or no database, `unavailable` when the disk, the memory or a lock is in the way.
 * Undefined for anything else: a constraint, a value of a wrong type, a mistake in the program.
 */
export type SqliteFault = 'corrupt' | 'unavailable';

/** The code of every error without one of its own. */
const GENERIC = 1;

/** Result codes, their names, and how SQLite says them: each build tells another of the three. The texts are parts of SQLite's own and have not changed for years. */
const FAULTS: readonly (readonly [code: number, name: string, text: string, fault: SqliteFault])[] = [
  // Of a schema that was brought up to date when the database was opened: what is missing from it now was lost.
  [GENERIC, 'ERROR', 'no such table', 'corrupt'],
  [GENERIC, 'ERROR', 'no such column', 'corrupt'],
  [GENERIC, 'ERROR', 'has no column named', 'corrupt'],
  [GENERIC, 'ERROR', 'foreign key mismatch', 'corrupt'],
  // Of the file's first bytes.
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
];

export function faultOf(error: unknown): SqliteFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // node:sqlite: an extended result code, whose low byte is the code.
  if (typeof errcode === 'number' && errcode !== GENERIC)
    return FAULTS.find(([number]) => number === (errcode & 255))?.[3];
  // better-sqlite3: the name, also of an extended code, as SQLITE_IOERR_WRITE.
  if (typeof code === 'string' && code.startsWith('SQLITE_') && code !== 'SQLITE_ERROR')
    return FAULTS.find(([, name]) => code.split('_')[1] === name)?.[3];
  // node-sqlite3-wasm: the text and nothing else. The same for the code that says nothing.
  return FAULTS.find(([, , text]) => error.message.includes(text))?.[3];
}
