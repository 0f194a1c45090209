import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { StoredRow } from '../../core/store/upkeep.ts';
import { isFingerprint, isMoment, type SourceHead } from './row-source.ts';
import { ExportError } from './transfer-errors.ts';

// An export is UTF-8 text. Each line ends with LF:
//
//   {"redflag":"export","format":1,"schema":5,"at":"2026-01-02T03:04:05.678Z","secret":"0123456789abcdef","peppers":[]}
//   {"table":"reporter","row":{"reporter_id":"00000000000000aa","name":"Shop","verified":1,"suspended":0,…}}
//   {"redflag":"end","rows":{"reporter":1},"sha256":"…"}
//
// `secret` and `peppers` are fingerprints; `secret` may be null. Tables are in the order of the catalogue, rows in the
// order of their keys. Bytes are lowercase hex. `rows` counts the rows of each table that has any. `sha256` is over all
// lines before the last one, including their line ends. A reader compares the last line byte by byte.

/** Version of the export format; the schema has a separate version. */
const FORMAT = 1;

export function formatHead({ schema, at, secret, peppers }: SourceHead): string {
  return JSON.stringify({ redflag: 'export', format: FORMAT, schema, at, secret, peppers });
}

export function parseHead(text: string): SourceHead {
  const { redflag, format, schema, at, secret, peppers, ...more } = parseObject(1, text);
  if (redflag !== 'export') throw new ExportError(1, 'the file is not an export of redflag');
  if (format !== FORMAT)
    throw new ExportError(
      1,
      `this program reads export format ${FORMAT}, but the file has another one; use the version of redflag that wrote the file`,
    );
  if (
    typeof schema !== 'number' ||
    !Number.isSafeInteger(schema) ||
    !isMoment(at) ||
    !(secret === null || isFingerprint(secret)) ||
    !Array.isArray(peppers) ||
    !peppers.every(isFingerprint) ||
    Object.keys(more).length > 0
  )
    throw new ExportError(1, 'the first line is not the header of an export');
  return { schema, at, secret, peppers };
}

export function formatRow(table: string, row: StoredRow): string {
  return JSON.stringify({ table, row });
}

/** Parses the line of a row; returns undefined for the last line. Throws ExportError for anything else. */
export function parseRow(
  number: number,
  text: string,
): { readonly table: string; readonly row: StoredRow } | undefined {
  const { table, row, ...more } = parseObject(number, text);
  if (table === undefined && row === undefined && more['redflag'] === 'end') return undefined;
  if (typeof table !== 'string' || !isRecord(row) || Object.keys(more).length > 0)
    throw new ExportError(number, 'the line is not a row of a table');
  // `align` validates the values against the catalogue.
  return { table, row: row as StoredRow };
}

/** Collects the lines of an export, one by one, and computes the last line. */
export function createSum() {
  const digest = sha256.create();
  const counts = new Map<string, number>();
  return {
    /**
     * Adds a line.
     *
     * @param bytes the line, including its line end.
     * @param table the row's table; undefined if the line is not a row.
     */
    add(bytes: Uint8Array, table?: string): void {
      digest.update(bytes);
      if (table !== undefined) counts.set(table, (counts.get(table) ?? 0) + 1);
    },
    /** Returns the last line, without its line end. Call it once. */
    lastLine: (): string =>
      JSON.stringify({ redflag: 'end', rows: Object.fromEntries(counts), sha256: bytesToHex(digest.digest()) }),
  };
}

function parseObject(number: number, text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isRecord(parsed)) return parsed;
  } catch {
    // The parser's message quotes its input, so drop it.
  }
  throw new ExportError(number, 'the line is not a JSON object');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
