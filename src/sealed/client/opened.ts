import { createRowKeys, type RowKeys } from '../rows.ts';
import type { EvaluationEpoch } from './element-source.ts';

/** What a query needs of an evaluated identifier. */
export interface OpenedIdentifier {
  /** N, 32 bytes. */
  readonly element: Uint8Array;
  readonly keys: RowKeys;
}

/** Identifiers that are kept in memory: a few MB. */
const MAX_IDENTIFIERS = 4096;

/** Keeps the last identifiers of one epoch in memory, so that a query about them reads no store and derives no keys. */
export interface OpenedIdentifiers {
  get(epoch: EvaluationEpoch, hash: string): OpenedIdentifier | undefined;
  put(epoch: EvaluationEpoch, hash: string, element: Uint8Array): OpenedIdentifier;
}

export function createOpenedIdentifiers(): OpenedIdentifiers {
  let epochKey = '';
  const opened = new Map<string, OpenedIdentifier>();
  return {
    get: (epoch, hash) => (epoch.publicKey === epochKey ? opened.get(hash) : undefined),
    put({ number, publicKey }, hash, element) {
      if (publicKey !== epochKey) {
        epochKey = publicKey;
        opened.clear();
      }
      // Evict the oldest.
      const [oldest] = opened.keys();
      if (opened.size >= MAX_IDENTIFIERS && oldest !== undefined) opened.delete(oldest);
      const one = { element, keys: createRowKeys(number, element) };
      opened.set(hash, one);
      return one;
    },
  };
}
