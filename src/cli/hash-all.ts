import { hashIdentifiers } from '../hash.ts';

/** How identifiers are hashed; as the options of `redflag/hash`. */
export interface HashAllOptions {
  readonly prefix?: string;
  readonly iterations?: number;
  readonly signal?: AbortSignal;
}

/** Hashes a stream of identifiers: the answers come in its order, and it reads only so far ahead as it needs to keep busy. */
export type HashAll = (values: AsyncIterable<string>, options: HashAllOptions) => AsyncIterable<string>;

/** Values that are hashed together: some tenths of a second of work, which is also how long Ctrl-C waits. */
const CHUNK = 64;

/** The one place where the program chooses what hashes a stream. */
export const hashAll: HashAll = async function* (values, options) {
  let chunk: string[] = [];
  for await (const value of values) {
    chunk.push(value);
    if (chunk.length < CHUNK) continue;
    yield* await hashIdentifiers(chunk, options);
    chunk = [];
  }
  yield* await hashIdentifiers(chunk, options);
};
