import type { ExplainingModel } from '../../core/scoring/model.ts';
import type { Manifest } from '../manifest-format.ts';
import { RANGES, rangeOf, type RangeEntry } from '../ranges.ts';
import { parseReporters } from '../reporters.ts';
import type { RowKeys } from '../rows.ts';
import { lookUp } from '../snapshot.ts';
import type { Downloads } from './downloads.ts';
import { toStandings } from './local-evidence.ts';
import { modelOf } from './manifest-model.ts';
import type { LocalRows, Publication, PublicationSource } from './publication.ts';

/** Ranges that are kept in memory, for the next query about the same customer. */
const RANGES_KEPT = 64;

/** What a source does that keeps nothing for the next process. */
const NOTHING_KEPT = {
  readKept: async () => ({ rows: undefined, seen: undefined }),
  load: async () => undefined,
  keepSeen: async () => undefined,
  close: async () => undefined,
};

/**
 * Returns a source that fetches one range of the snapshot per identifier: 1 of 1,024. The service learns at most 10
 * bits of each identifier's address, and all of those of a query together.
 */
export function createBucketSource(downloads: Downloads, model?: ExplainingModel): PublicationSource {
  let current: (Publication & { readonly index: readonly RangeEntry[] }) | undefined;
  let reporters: { readonly sha256: string; readonly standings: LocalRows['standings'] } | undefined;

  function rangesOf(manifest: Manifest, index: readonly RangeEntry[]): LocalRows['rowsOf'] {
    const kept = new Map<number, Uint8Array>();
    return async (keys: RowKeys, signal?: AbortSignal) => {
      const range = withRows(index, rangeOf(keys.address));
      let bytes = kept.get(range);
      if (bytes === undefined) {
        bytes = await downloads.range(manifest, range, index[range]!, signal);
        const [oldest] = kept.keys();
        if (kept.size >= RANGES_KEPT && oldest !== undefined) kept.delete(oldest);
        kept.set(range, bytes);
      }
      return lookUp(bytes, keys);
    };
  }

  return {
    get current() {
      return current;
    },
    ...NOTHING_KEPT,

    async update(manifest) {
      const scoring = modelOf(manifest.model, model);
      const isSame = current?.manifest.sequence === manifest.sequence;
      const index = isSame ? current!.index : await downloads.index(manifest);
      if (reporters?.sha256 !== manifest.reporters) {
        const standings = toStandings(parseReporters(await downloads.reporters(manifest)));
        reporters = { sha256: manifest.reporters, standings };
      }
      if (isSame) return 'unchanged';
      const rowsOf = rangesOf(manifest, index);
      const local = { source: 'buckets' as const, model: scoring, standings: reporters.standings, rowsOf };
      current = { manifest, index, local };
      return 'manifest';
    },
  };
}

/**
 * Returns this range, or if it is empty, the next one with rows; after the last one follows the first. No request at
 * all would tell the service that the identifier has no rows. In a store without rows, nothing has.
 */
function withRows(index: readonly RangeEntry[], range: number): number {
  for (let step = 0; step < RANGES; step++) {
    const at = (range + step) % RANGES;
    if (index[at]!.from < index[at]!.to) return at;
  }
  return range;
}

/** Returns a source without rows: the service answers each query. */
export function createOnlineSource(): PublicationSource {
  let current: Publication | undefined;
  return {
    get current() {
      return current;
    },
    ...NOTHING_KEPT,
    async update(manifest) {
      const isSame = current?.manifest.sequence === manifest.sequence;
      current = { manifest, local: undefined };
      return isSame ? 'unchanged' : 'manifest';
    },
  };
}
