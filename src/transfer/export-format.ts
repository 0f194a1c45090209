import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { StoredRow } from '../store/store.ts';
import type { SourceHead } from './row-source.ts';
import { ExportError } from './transfer-errors.ts';

// An export is UTF-8 text, each line ended by LF:
//
//   {"redflag":"export","format":1,"schema":5,"at":"2026-01-02T03:04:05.678Z","secret":"0123456789abcdef","peppers":[]}
//   {"table":"reporter","row":{"reporter_id":"00000000000000aa","name":"Shop","verified":1,"suspended":0,"created_at":5}}
//   {"redflag":"end","rows":{"reporter":1},"sha256":"…"}
//
// `secret` and `peppers` are fingerprints; `secret` may be null. Tables are in the order of the catalogue and rows in that of their keys; bytes are lowercase hex.
// `sha256` is of all lines before, with their ends; `rows` has the tables that have any. The last line is written exactly so.

/** Version of the format of an export, not of the schema. */
const FORMAT = 1;
const FINGERPRINT = /^[0-9a-f]{16}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The first line, without its end. */
export function formatHead({ schema, at, secret, peppers }: SourceHead): string {
  return JSON.stringify({ redflag: 'export', format: FORMAT, schema, at, secret, peppers });
}

/** Throws ExportError for anything else. */
export function parseHead(text: string): SourceHead {
  const head = parseObject(1, text);
  if (head['redflag'] !== 'export') throw new ExportError(1, 'this is no export of redflag');
  if (head['format'] !== FORMAT)
    throw new ExportError(1, `this program reads exports of format ${FORMAT}; the file has another one`);
  const { schema, at, secret, peppers } = head;
  const isHead =
    Number.isSafeInteger(schema) &&
    typeof at === 'string' &&
    MOMENT.test(at) &&
    (secret === null || isFingerprint(secret)) &&
    Array.isArray(peppers) &&
    peppers.every((pepper) => isFingerprint(pepper)) &&
    Object.keys(head).length === 6;
  if (!isHead) throw new ExportError(1, 'the first line does not say what an export says');
  return { schema: schema as number, at, secret: secret as string | null, peppers };
}

/** The line of a row, without its end. */
export function formatRow(table: string, row: StoredRow): string {
  return JSON.stringify({ table, row });
}

/** A row, or undefined for what says that it is the end. Throws ExportError for anything else. */
export function parseRow(
  number: number,
  text: string,
): { readonly table: string; readonly row: StoredRow } | undefined {
  const { table, row, ...more } = parseObject(number, text);
  if (table === undefined && row === undefined && more['redflag'] === 'end') return undefined;
  if (
    typeof table !== 'string' ||
    typeof row !== 'object' ||
    row === null ||
    Array.isArray(row) ||
    Object.keys(more).length > 0
  )
    throw new ExportError(number, 'it is no row of a table');
  // What its values are is proved against the catalogue.
  return { table, row: row as StoredRow };
}

/** Sums up the lines of an export as they go by: what its last line says. */
export function createSum() {
  const digest = sha256.create();
  const counts = new Map<string, number>();
  return {
    /** @param bytes of a line, with its end; `table` of a row. */
    add(bytes: Uint8Array, table?: string): void {
      digest.update(bytes);
      if (table !== undefined) counts.set(table, (counts.get(table) ?? 0) + 1);
    },
    /** The last line, without its end. To be asked for once. */
    lastLine: (): string =>
      JSON.stringify({ redflag: 'end', rows: Object.fromEntries(counts), sha256: bytesToHex(digest.digest()) }),
  };
}

function parseObject(number: number, text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // The parser's words quote what it read.
  }
  throw new ExportError(number, 'it is no JSON object');
}

function isFingerprint(value: unknown): boolean {
  return typeof value === 'string' && FINGERPRINT.test(value);
}
