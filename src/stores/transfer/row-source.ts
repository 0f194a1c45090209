import type { StoredRow, StoreSnapshot } from '../../core/store/upkeep.ts';
import { refuseUnknown, requireFunction } from '../../core/domain/options.ts';

/** Header of a source. */
export interface SourceHead {
  /** Version of the schema, an integer. */
  readonly schema: number;
  /** Moment of the content, ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Fingerprint of the operator's secret, 16 hex characters; null if unknown. */
  readonly secret: string | null;
  /** Fingerprints of the peppers of the stored hashes, oldest first. */
  readonly peppers: readonly string[];
}

/** A row and where it comes from. */
export interface SourceRow {
  /** Name of the table. */
  readonly table: string;
  /** By column name, as a snapshot returns it. */
  readonly row: StoredRow;
  /** Line of the export, counted from 1; undefined if the source is a store. */
  readonly line?: number;
}

/**
 * All rows of a store. Tables are in the order of the catalogue, rows in the order of their keys. Each read returns the
 * same rows.
 */
export interface RowSource {
  /** Returns what the source says about itself. Throws ExportError for a damaged export. */
  head(): Promise<SourceHead>;
  /** Throws ExportError for a damaged export, at the latest after its last row. */
  rows(): AsyncIterable<SourceRow>;
}

/**
 * Returns a store as a source. The caller closes the snapshot.
 *
 * @param options `secret` and `at` as in {@link SourceHead}. Throws TypeError for other options or values.
 */
export function readSnapshot(snapshot: StoreSnapshot, options: Pick<SourceHead, 'secret' | 'at'>): RowSource {
  requireFunction('snapshot.readRows', snapshot?.readRows);
  refuseUnknown(options, ['secret', 'at']);
  const { secret, at } = options;
  requireSecret('secret', secret);
  if (!isMoment(at)) throw new TypeError('"at" expected an ISO 8601 time like 2026-01-02T03:04:05.678Z');
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

/** Maximum number of rows in memory at once: some hundred kilobytes, or a few megabytes with the longest texts. */
const PAGE_ROWS = 500;

/** Yields all rows of a table, page by page. Returns to the event loop between pages. */
export async function* readTable(snapshot: StoreSnapshot, table: string): AsyncGenerator<StoredRow, undefined> {
  for (let after: StoredRow | undefined; ;) {
    const page = await snapshot.readRows(table, after, PAGE_ROWS);
    yield* page;
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

export function requireSource(source: RowSource): void {
  requireFunction('source.head', source?.head);
  requireFunction('source.rows', source.rows);
}

export function requireSecret(label: string, value: unknown): void {
  if (value !== null && !isFingerprint(value))
    throw new TypeError(`"${label}" expected a fingerprint of 16 lowercase hex characters, or null`);
}

/** Returns true for the fingerprint of a secret or pepper: 16 lowercase hex characters. */
export function isFingerprint(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{16}$/.test(value);
}

/** True for a time as `Date.toISOString` writes it. */
export function isMoment(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
}
