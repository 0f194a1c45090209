import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Store, StoredRow, StoredTable, StoreSnapshot, StoredTrust } from '../store/store.ts';
import { align } from './align.ts';
import { readTable } from './read-table.ts';
import type { RowSource, SourceHead } from './row-source.ts';
import { textOf } from './rows.ts';
import { ExportError, TransferError } from './transfer-errors.ts';

/** Rows that are put in one transaction: so many, or fewer when their texts are long. */
const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 1024 * 1024;

/** What the engine over the target is given; a copy under anything else would be of no use there. */
export interface TargetKeys {
  /** Fingerprint of the operator's secret, or null where the source names none. */
  readonly secret: string | null;
  /** Fingerprints of the peppers, oldest first. */
  readonly peppers: readonly string[];
}

export interface CopiedRows {
  /** Rows by table: what the source has, and the target now. */
  readonly rows: Readonly<Record<string, number>>;
  /** How many of them the target did not have before. */
  readonly added: number;
}

/**
 * Copies all rows of a source into a store that is empty, or holds nothing but rows of the source: what an interrupted copy left. It first proves source and target to the last
 * row, then puts what is missing, then reads the target again. Meanwhile the source must not change, and nobody else may write to the target.
 * Rejects with ExportError or TransferError, having written nothing unless its problem is `verification`; or with what the store says.
 */
export async function copyRows(source: RowSource, target: Store, keys: TargetKeys): Promise<CopiedRows> {
  const before = await target.snapshot();
  try {
    const head = await source.head();
    proveHead(head, before, keys);
    const proved = await prove(source, before, head).catch(async (error: unknown) => {
      // A damaged export differs from what was copied of it before; that it is damaged is the better answer, and shows at its end at the latest.
      if (error instanceof TransferError && error.problem === 'target') for await (const _ of source.rows());
      throw error;
    });
    if (proved.missing > 0) {
      // What was learnt of fewer rows; with other rules than any engine's it is learnt anew.
      if (await target.findTrustEpoch()) await target.putTrust(NOTHING_LEARNT);
      await putMissing(source, before, target);
    }
    await verify(target, proved.sums);
    return {
      rows: Object.fromEntries([...proved.sums].map(([table, { count }]) => [table, count])),
      added: proved.missing,
    };
  } finally {
    await before.close();
  }
}

function proveHead(head: SourceHead, { schema }: StoreSnapshot, keys: TargetKeys): void {
  if (head.schema !== schema)
    throw new TransferError(
      'schema',
      `the source has schema version ${head.schema} and the target ${schema}: use the redflag that wrote it, or bring the store up to date and export it again`,
    );
  proveKeys(head, keys);
}

/** Throws TransferError when rows of a source are of no use under the target's keys; copyRows proves it, too. */
export function proveKeys(head: SourceHead, keys: TargetKeys): void {
  if (head.secret !== keys.secret)
    throw new TransferError(
      'secret',
      `the source is of another secret (fingerprint ${head.secret ?? 'not told'}) than the target (${keys.secret ?? 'not told'}): its keys, codes and links would be worth nothing`,
    );
  if (head.peppers.join() !== keys.peppers.join())
    throw new TransferError(
      'peppers',
      `the source is under other peppers (${listOf(head.peppers)}) than the target (${listOf(keys.peppers)}): nobody would be found in it`,
    );
}

function listOf(fingerprints: readonly string[]): string {
  return fingerprints.length === 0 ? 'none' : `fingerprints ${fingerprints.join(', ')}`;
}

type Sums = ReadonlyMap<string, { readonly count: number; readonly digest: string }>;

/** Goes along source and target to the end of both. */
async function prove(
  source: RowSource,
  before: StoreSnapshot,
  head: SourceHead,
): Promise<{ readonly sums: Sums; readonly missing: number }> {
  const sums = new Map(before.tables.map((table) => [table.name, createTableSum(table)]));
  const peppers: string[] = [];
  let missing = 0;
  for await (const { table, row, isStored } of align(source, before)) {
    sums.get(table.name)!.add(row);
    if (table.name === 'pepper') peppers.push(String(row['fingerprint']));
    if (!isStored) missing++;
  }
  if (peppers.join() !== head.peppers.join())
    throw new ExportError(1, 'it names other peppers than the rows behind it');
  return { sums: new Map([...sums].map(([table, sum]) => [table, sum.end()])), missing };
}

async function putMissing(source: RowSource, before: StoreSnapshot, target: Store): Promise<void> {
  const page: { table: string; rows: StoredRow[]; characters: number } = { table: '', rows: [], characters: 0 };
  const put = async (table: string): Promise<void> => {
    if (page.rows.length > 0) await target.putRows(page.table, page.rows);
    Object.assign(page, { table, rows: [], characters: 0 });
  };
  for await (const { table, row, isStored } of align(source, before)) {
    if (isStored) continue;
    if (table.name !== page.table || page.rows.length === ROWS_AT_ONCE || page.characters > CHARACTERS_AT_ONCE)
      await put(table.name);
    page.rows.push(row);
    for (const value of Object.values(row)) if (typeof value === 'string') page.characters += value.length;
  }
  await put('');
}

async function verify(target: Store, sums: Sums): Promise<void> {
  const after = await target.snapshot();
  try {
    for (const table of after.tables) {
      const sum = createTableSum(table);
      for await (const row of readTable(after, table.name)) sum.add(row);
      const [found, expected] = [sum.end(), sums.get(table.name)!];
      if (found.count !== expected.count || found.digest !== expected.digest) {
        throw new TransferError(
          'verification',
          `the target does not hold what the source has: ${table.name} has ${found.count} rows of ${expected.count}, or other ones; somebody else may have written to it`,
        );
      }
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

const NOTHING_LEARNT: StoredTrust = {
  rules: 'none',
  epochAt: 0,
  learntAt: 0,
  sums: { claims: 0, preceded: 0, establishedClaims: 0, establishedCorroborated: 0 },
  records: [],
};
