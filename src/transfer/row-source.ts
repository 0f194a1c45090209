import type { StoredRow, StoreSnapshot } from '../store/store.ts';
import { readTable } from './read-table.ts';

/** What is said of a source before its rows. */
export interface SourceHead {
  /** Version of the schema that the rows are of. */
  readonly schema: number;
  /** When it was as it is, ISO 8601 UTC. */
  readonly at: string;
  /** Fingerprint of the operator's secret, 16 hex characters; null when it was not told. */
  readonly secret: string | null;
  /** Fingerprints of the peppers that the hashes are under, oldest first. */
  readonly peppers: readonly string[];
}

export interface SourceRow {
  readonly table: string;
  readonly row: StoredRow;
  /** Where it stands in an export, counted from 1. */
  readonly line?: number;
}

/** All rows of a store, table by table in the order of its catalogue, each table in the order of its key. The same rows each time they are asked for. */
export interface RowSource {
  head(): Promise<SourceHead>;
  /** Throws ExportError for an export that is not whole, at the latest after its last row. */
  rows(): AsyncIterable<SourceRow>;
}

/** A store as a source. The snapshot stays the caller's to close. */
export function readSnapshot(snapshot: StoreSnapshot, { secret, at }: Pick<SourceHead, 'secret' | 'at'>): RowSource {
  return {
    async head() {
      const peppers: string[] = [];
      for await (const row of readTable(snapshot, 'pepper')) peppers.push(String(row['fingerprint']));
      return { schema: snapshot.schema, at, secret, peppers };
    },
    async *rows() {
      for (const { name } of snapshot.tables)
        for await (const row of readTable(snapshot, name)) yield { table: name, row };
    },
  };
}
