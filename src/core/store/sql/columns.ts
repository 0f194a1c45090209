import { StoreDamagedError } from '../errors.ts';
import type { SqlValue } from './statement.ts';

/** A column of a table or of an answer. `T` is its type in the program. */
export interface Column<T> {
  /** In the program, `bytes` are lowercase hex text and a `flag` is a boolean. In the table, a `flag` is 0 or 1. */
  readonly type: 'bytes' | 'whole' | 'flag' | 'real' | 'text';
  readonly nullable: boolean;
  /** Exact number of bytes. */
  readonly bytes?: number;
  /** The version of the schema that added the column. Only columns that are newer than checksums have it. */
  readonly since?: number;
  /** Exists only for the type `T`; never set. */
  readonly value?: T;
}

/** Columns by their name in the program: `reporterId` is `reporter_id` in SQL. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row as an object, by column name. */
export type RowOf<C extends Columns> = { readonly [N in keyof C]: C[N] extends Column<infer T> ? T : never };

/** A value of a row as the program sees it. */
export type Cell = string | number | boolean | null;

export const hex = (bytes: number): Column<string> => ({ type: 'bytes', nullable: false, bytes });
/** A whole number up to 2^53, such as milliseconds UTC. */
export const WHOLE: Column<number> = { type: 'whole', nullable: false };
export const FLAG: Column<boolean> = { type: 'flag', nullable: false };
export const REAL: Column<number> = { type: 'real', nullable: false };
export const TEXT: Column<string> = { type: 'text', nullable: false };
export const orNull = <T>(column: Column<T>): Column<T | null> => ({ ...column, nullable: true });
/** A column that a later version added to its table. It is nullable: NULL leaves checksums as they are. */
export const addedIn = <T>(since: number, column: Column<T>): Column<T | null> => ({ ...orNull(column), since });

/** Returns the name of a column in SQL. */
export function sqlName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the value to store. Hex text must have been validated. Throws TypeError for a missing value. */
export function toSql<T>({ type }: Column<T>, value: T): SqlValue {
  if (typeof value === 'string') return type === 'bytes' ? toBytes(value) : value;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null) return null;
  throw new TypeError(`a column expected ${type}, got ${typeof value}`);
}

/** Converts a stored value for the program. Throws StoreDamagedError if the value has another type. */
export function fromSql({ type, nullable }: Column<unknown>, value: SqlValue | undefined): Cell {
  if (type === 'bytes' && value instanceof Uint8Array) return toHex(value);
  if (type === 'text' && typeof value === 'string') return value;
  if (typeof value === 'number' && type !== 'bytes' && type !== 'text') return type === 'flag' ? value === 1 : value;
  if (value === null && nullable) return null;
  throw new StoreDamagedError(`a stored value has the wrong type, expected ${type}`);
}

const DIGITS = '0123456789abcdef';
// The character codes of a byte's two hex digits.
const HIGH = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >> 4));
const LOW = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte & 15));

/** Returns the bytes of lowercase hex text of even length, which must have been validated. */
export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let at = 0; at < bytes.length; at++) {
    const high = text.charCodeAt(2 * at);
    const low = text.charCodeAt(2 * at + 1);
    bytes[at] = (high <= 57 ? high - 48 : high - 87) * 16 + (low <= 57 ? low - 48 : low - 87);
  }
  return bytes;
}

/** Returns lowercase hex text. */
export function toHex(bytes: Uint8Array): string {
  const codes: number[] = [];
  for (const byte of bytes) codes.push(HIGH[byte] ?? 0, LOW[byte] ?? 0);
  // Build one flat string: V8 keeps concatenated pieces as a tree, which costs garbage collection.
  return String.fromCharCode(...codes);
}
