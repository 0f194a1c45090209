import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { refuseUnknown, requireFunction } from '../../core/domain/options.ts';
import type { Store } from '../../core/store/store.ts';
import { NOTHING_LEARNT, UNFINISHED_COPY, type StoredTrust } from '../../core/store/records.ts';
import type { StoredRow, StoredTable, StoreSnapshot } from '../../core/store/upkeep.ts';
import { align } from './align.ts';
import {
  isFingerprint,
  readTable,
  requireSecret,
  requireSource,
  type RowSource,
  type SourceHead,
} from './row-source.ts';
import { textOf } from './rows.ts';
import { ExportError, TransferError } from './transfer-errors.ts';

/** The oldest version of the exported tables that can be copied. The catalogue knows which columns are newer. */
const OLDEST_SCHEMA = 6;

/** Limits of one transaction: number of rows, and characters in their texts. */
const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 1024 * 1024;

/** Fingerprints of the target engine's keys. The engine cannot use rows under other keys. */
export interface TargetKeys {
  /** Of the operator's secret; null if the source has none. */
  readonly secret: string | null;
  /** Of the peppers, oldest first. */
  readonly peppers: readonly string[];
  /**
   * Of the sealing key, which a sealed source must have; null without one. Undefined: only the engine on the target
   * compares them, at its start.
   */
  readonly seal?: string | null | undefined;
}

/** The result of {@link copyRows}. */
export interface CopiedRows {
  /** Number of rows by table; equal in source and target. */
  readonly rows: Readonly<Record<string, number>>;
  /** Rows that the target did not have before. */
  readonly added: number;
}

/**
 * Copies all rows of a source into a store. The store is empty, or holds rows from an interrupted copy of this source.
 * The source may be an export of an older version of redflag: columns that were added since are null.
 *
 * Reads source and target completely before it writes the missing rows. Then it verifies the target. Between, the
 * target has a mark, which an interrupted copy leaves: the program opens such a store for another copy alone. Until the
 * promise settles, the source must not change, and no other process may write to the target.
 *
 * Rejects with ExportError for a damaged export, and with TransferError if the rows cannot be copied
 * (`TransferProblem`). Nothing is written then, unless the problem is `verification`. Also rejects with the store's
 * errors, and with TypeError for arguments of another type.
 */
export async function copyRows(source: RowSource, target: Store, keys: TargetKeys): Promise<CopiedRows> {
  requireSource(source);
  requireFunction('target.putRows', target?.putRows);
  refuseUnknown(keys, ['secret', 'peppers', 'seal'], 'keys.');
  requireSecret('keys.secret', keys.secret);
  if (!Array.isArray(keys.peppers) || !keys.peppers.every(isFingerprint))
    throw new TypeError('"keys.peppers" expected a list of fingerprints of 16 lowercase hex characters each');
  if (keys.seal !== undefined && keys.seal !== null && !isFingerprint(keys.seal))
    throw new TypeError('"keys.seal" expected a fingerprint of 16 lowercase hex characters');

  const before = await target.snapshot();
  try {
    const head = await source.head();
    if (head.schema > before.schema)
      throw new TransferError(
        'schema',
        `the source has schema version ${head.schema} and the target ${before.schema}: use the version of redflag that wrote the source, or a newer one`,
      );
    if (head.schema < OLDEST_SCHEMA)
      throw new TransferError(
        'schema',
        `the source has schema version ${head.schema}, but the oldest one that can be copied is ${OLDEST_SCHEMA}: open its store with this version of redflag and export it again`,
      );
    verifyKeys(head, keys);
    const { sums, missing } = await verifySource(source, before, head, keys).catch(async (error: unknown) => {
      // A damaged export may also differ from its earlier copy. Read the export to its end, so that the damage is
      // reported instead.
      if (error instanceof TransferError && error.problem === 'target') for await (const _ of source.rows());
      throw error;
    });
    if (missing > 0) {
      // This also removes the stored standings, which come from fewer rows.
      await target.putTrust(learnt(UNFINISHED_COPY));
      await putMissing(source, before, head, target);
    }
    await verifyTarget(target, sums);
    if ((await target.findTrustEpoch())?.rules === UNFINISHED_COPY) await target.putTrust(learnt(NOTHING_LEARNT));
    return { rows: Object.fromEntries([...sums].map(([table, { count }]) => [table, count])), added: missing };
  } finally {
    await before.close();
  }
}

/** Throws TransferError if source and target have different keys. `copyRows` also calls this function. */
export function verifyKeys(head: SourceHead, keys: TargetKeys): void {
  if (head.secret !== keys.secret)
    throw new TransferError(
      'secret',
      `the secrets of source (${head.secret ?? 'unknown'}) and target (${keys.secret ?? 'unknown'}) differ. Use the secret of the source; with another one, its API keys, deletion codes and links are invalid`,
    );
  if (head.peppers.join() !== keys.peppers.join())
    throw new TransferError(
      'peppers',
      `the peppers of source (${listOf(head.peppers)}) and target (${listOf(keys.peppers)}) differ. Use the peppers of the source; with other ones, queries cannot match its identifiers`,
    );
}

function listOf(fingerprints: readonly string[]): string {
  return fingerprints.length === 0 ? 'none' : `fingerprints ${fingerprints.join(', ')}`;
}

type Sums = ReadonlyMap<string, { readonly count: number; readonly digest: string }>;

/** Reads source and target completely and counts the rows that the target lacks. Throws the same errors as `align`. */
async function verifySource(
  source: RowSource,
  before: StoreSnapshot,
  head: SourceHead,
  { seal: given }: TargetKeys,
): Promise<{ readonly sums: Sums; readonly missing: number }> {
  const sums = new Map(before.tables.map((table) => [table.name, createTableSum(table)]));
  const peppers: string[] = [];
  let elementKey: string | undefined;
  let missing = 0;
  for await (const { table, row, isStored } of align(source, before, head.schema)) {
    sums.get(table.name)?.add(row);
    if (table.name === 'pepper') peppers.push(String(row['fingerprint']));
    if (table.name === 'seal') elementKey = String(row['fingerprint']);
    if (!isStored) missing++;
  }
  if (peppers.join() !== head.peppers.join())
    throw new ExportError(1, 'the peppers in the header differ from the rows of the table pepper; export again');
  if (elementKey !== undefined && given !== undefined && given !== elementKey)
    throw new TransferError(
      'seal',
      `the sealing keys of source (fingerprint ${elementKey}) and target (${given === null ? 'none' : `fingerprint ${given}`}) differ. Use the file of the sealed keys of the source; with another one, queries cannot match its identifiers`,
    );
  return { sums: new Map([...sums].map(([table, sum]) => [table, sum.end()])), missing };
}

async function putMissing(source: RowSource, before: StoreSnapshot, head: SourceHead, target: Store): Promise<void> {
  const page: { table: string; rows: StoredRow[]; characters: number } = { table: '', rows: [], characters: 0 };
  const put = async (table: string): Promise<void> => {
    if (page.rows.length > 0) await target.putRows(page.table, page.rows);
    Object.assign(page, { table, rows: [], characters: 0 });
  };
  for await (const { table, row, isStored } of align(source, before, head.schema)) {
    if (isStored) continue;
    if (table.name !== page.table || page.rows.length === ROWS_AT_ONCE || page.characters > CHARACTERS_AT_ONCE)
      await put(table.name);
    page.rows.push(row);
    for (const value of Object.values(row)) if (typeof value === 'string') page.characters += value.length;
  }
  await put('');
}

async function verifyTarget(target: Store, sums: Sums): Promise<void> {
  const after = await target.snapshot();
  try {
    for (const table of after.tables) {
      const sum = createTableSum(table);
      const expected = sums.get(table.name);
      let rows = 0;
      for await (const row of readTable(after, table.name)) {
        // The target's log may go on.
        if (table.grows && rows++ === expected?.count) break;
        sum.add(row);
      }
      const found = sum.end();
      if (found.count === expected?.count && found.digest === expected.digest) continue;
      const difference =
        found.count === expected?.count
          ? 'has rows with other values'
          : `has ${found.count} rows, expected ${expected?.count ?? 0}`;
      throw new TransferError(
        'verification',
        `the target differs from the source: the table ${table.name} ${difference}. Another process may have written to the target. Copy into an empty store`,
      );
    }
  } finally {
    await after.close();
  }
}

function createTableSum(table: StoredTable) {
  const digest = sha256.create();
  const state = { count: 0 };
  return {
    add(row: StoredRow): void {
      state.count++;
      digest.update(utf8ToBytes(`${textOf(table, row)}\n`));
    },
    end: () => ({ count: state.count, digest: bytesToHex(digest.digest()) }),
  };
}

const learnt = (rules: string): StoredTrust => ({
  rules,
  epochAt: 0,
  learntAt: 0,
  sums: { establishedClaims: 0, establishedCorroborated: 0 },
  records: [],
});
