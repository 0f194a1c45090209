import { setFlagsFromString } from 'node:v8';
import type { HasherName } from '../../core/hash/hasher.ts';
import { createHashPool } from '../../node.ts';
import { hashStream } from '../../hash.ts';
import { UsageError } from './errors.ts';

export interface HashAllOptions {
  readonly prefix?: string;
  readonly iterations?: number;
  readonly signal?: AbortSignal;
}

/** Hashes a stream of identifiers, in order. Reads ahead only enough to keep all workers busy. */
export type HashAll = (values: AsyncIterable<string>, options: HashAllOptions) => AsyncIterable<string>;

export interface Hashing {
  readonly hashAll: HashAll;
  close(): Promise<void>;
}

/** The first version of Node whose V8 has the revectorizer. */
const NODE_WITH_WIDE = 22;

/** Chooses how to hash a stream: with one worker per core, or on this thread only. */
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

/** Enables V8's revectorizer for all later compilations of this process. Throws UsageError if Node lacks it. */
export function allowWide(): HasherName {
  if (Number(process.versions.node.split('.')[0]) < NODE_WITH_WIDE)
    throw new UsageError(`--wide expects Node ${NODE_WITH_WIDE} or later`);
  setFlagsFromString('--experimental-wasm-revectorize');
  return 'wide';
}
