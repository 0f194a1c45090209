import { setFlagsFromString } from 'node:v8';
import type { HasherName } from '../hash/hasher.ts';
import { createHashPool } from '../node.ts';
import { hashStream } from '../hash.ts';
import { UsageError } from './arguments.ts';

/** How identifiers are hashed; as the options of `redflag/hash`. */
export interface HashAllOptions {
  readonly prefix?: string;
  readonly iterations?: number;
  readonly signal?: AbortSignal;
}

/** Hashes a stream of identifiers: the answers come in its order, and it reads only so far ahead as it needs to keep busy. */
export type HashAll = (values: AsyncIterable<string>, options: HashAllOptions) => AsyncIterable<string>;

/** What hashes a stream, and what ends it. */
export interface Hashing {
  readonly hashAll: HashAll;
  close(): Promise<void>;
}

/** The first version of Node whose V8 has the revectorizer. */
const NODE_WITH_WIDE = 22;

/** The one place where the program chooses what hashes a stream: a worker for each core, or this thread alone. */
export function openHashing({
  workers,
  wide = false,
}: {
  readonly workers: number | undefined;
  readonly wide?: boolean | undefined;
}): Hashing {
  const hasher = wide ? allowWide() : undefined;
  if (workers === 1)
    return { hashAll: (values, options) => hashStream(values, { ...options, hasher }), close: async () => {} };
  const pool = createHashPool({ size: workers, hasher });
  return { hashAll: (values, options) => pool.hashStream(values, options), close: () => pool.close() };
}

/** Turns V8's revectorizer on, for this process and for what is compiled from now on. Throws UsageError where there is none. */
export function allowWide(): HasherName {
  if (Number(process.versions.node.split('.')[0]) < NODE_WITH_WIDE)
    throw new UsageError(`--wide expects Node ${NODE_WITH_WIDE} or later`);
  setFlagsFromString('--experimental-wasm-revectorize');
  return 'wide';
}
