import { StoreFormatError } from '../sql/format-error.ts';
import { isWrite, workOf } from '../sql/methods.ts';
import type { SqlWork } from '../sql/statement.ts';
import type { WriteName } from '../sql/work.ts';

/**
 * A journal record is a writing method and its arguments as JSON, `["addReport",{…},0]`: done again on the same content it has the same effect.
 * A method whose meaning changes gets a new name, so that an old journal still means what it meant.
 */
export function encodeRecord(name: WriteName, args: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([name, ...args]));
}

/** What a record says to do. Throws StoreFormatError for one that this program does not know. */
export function decodeRecord(bytes: Uint8Array): { readonly name: WriteName; readonly work: SqlWork<unknown> } {
  const [name, ...args] = JSON.parse(new TextDecoder().decode(bytes)) as [string, ...unknown[]];
  if (!isWrite(name))
    throw new StoreFormatError(
      'the journal holds a kind of record that this program does not know: use a newer redflag',
    );
  return { name, work: workOf(name, args) };
}
