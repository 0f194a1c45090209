import { secretFingerprint } from '../../core/engine/secrets.ts';
import { toAuditNote } from '../../core/domain/audit.ts';
import { unwrap } from '../../core/domain/refusal.ts';
import type { Store } from '../../core/store/store.ts';
import { copyRows, type CopiedRows } from '../../stores/transfer/copy-rows.ts';
import { readSnapshot, type RowSource } from '../../stores/transfer/row-source.ts';
import type { SealedKeys } from '../../sealed/keys.ts';
import { isPostgres } from './address.ts';
import { DataFolderError, withDataFolderErrors } from './errors.ts';
import { openAny, type AnyStore } from './open-any.ts';
import { PEPPER_VARIABLE } from './key-files.ts';
import { sealFingerprint } from './sealed/seal.ts';
import { fingerprintsOf, type StoreKeys } from './store-keys.ts';

/**
 * Copies all rows of the store at `from` into the new or empty store at `to`. Both are addresses for {@link openAny}.
 * Continues an interrupted copy. `data` is the folder with the keys of a store on a PostgreSQL server. Throws
 * DataFolderError if the copy is refused, and then removes the files that it created.
 */
export async function copyStore(from: string, to: string, data: string, by: string): Promise<CopiedRows> {
  const source = await openAny(from, { create: false, data });
  try {
    return await withDataFolderErrors(copyFrom(source, { from, to, data, by }));
  } finally {
    await (source.keys ? source.close() : source.leave());
  }
}

/** What to copy, and who asked for it. */
interface CopyRequest {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly by: string;
}

async function copyFrom(source: AnyStore, request: CopyRequest): Promise<CopiedRows> {
  const { from } = request;
  // The secret is written before the first row, so a store without a secret is empty.
  if (!source.keys)
    throw new DataFolderError(
      `there is no data in ${isPostgres(from) ? 'the database' : from}; set --from to a store with data`,
    );
  const snapshot = await source.store.snapshot();
  try {
    const rows = readSnapshot(snapshot, {
      secret: secretFingerprint(source.keys.secret),
      at: new Date().toISOString(),
    });
    // Compare peppers before a target is created, because the target gets these peppers.
    requirePeppers((await rows.head()).peppers, fingerprintsOf(source.keys).peppers, source.pepperFile);
    return await copyTo(request, rows, source.keys, source.sealed);
  } finally {
    await snapshot.close();
  }
}

async function copyTo(
  { to, data, by }: CopyRequest,
  rows: RowSource,
  keys: StoreKeys,
  sealed: SealedKeys | undefined,
): Promise<CopiedRows> {
  const note = unwrap(toAuditNote(by, Date.now));
  const target = await openAny(to, { create: true, data });
  const state = { wrote: false };
  const store: Store = {
    ...target.store,
    putRows(...args) {
      state.wrote = true;
      return target.store.putRows(...args);
    },
  };
  try {
    const lacksKeys = !target.keys || (await lacksPeppers(target.keys, target.store, keys));
    if (lacksKeys) await target.takeKeys(keys, sealed);
    const used = target.sealed ?? (lacksKeys ? sealed : undefined);
    const fingerprints = fingerprintsOf(lacksKeys || !target.keys ? keys : target.keys);
    const copied = await copyRows(rows, store, { ...fingerprints, seal: used ? sealFingerprint(used) : null });
    await store.addAuditEntry({ ...note, action: 'migrated', reporterId: null, subject: null, amount: copied.added });
    await target.close();
    return copied;
  } catch (error) {
    // If rows were written, keep them: the same command continues the copy. Otherwise, remove the new files.
    await (state.wrote ? target.close() : target.leave());
    throw error;
  }
}

/** Returns true if a store has the same secret, no peppers, and no data under peppers. */
async function lacksPeppers(own: StoreKeys, store: Store, { secret, peppers }: StoreKeys): Promise<boolean> {
  return (
    own.secret === secret && own.peppers.length === 0 && peppers.length > 0 && (await store.findPeppers()).length === 0
  );
}

/** Throws DataFolderError unless the pepper file has the same peppers as the store. Both are fingerprints. */
function requirePeppers(stored: readonly string[], given: readonly string[], file: string): void {
  if (given.join() === stored.join()) return;
  if (given.length === 0)
    throw new DataFolderError(
      `${file} is missing, but the source uses its peppers: without them no identifier can be matched; restore the file, or name it with ${PEPPER_VARIABLE}`,
    );
  if (given.slice(0, stored.length).join() === stored.join())
    throw new DataFolderError(`${file} has a pepper that the source does not use yet; run redflag pepper rotate first`);
  throw new DataFolderError(
    `${file} has other peppers (fingerprints ${given.join(', ')}) than the source uses (${stored.join(', ')}); restore the right file`,
  );
}
