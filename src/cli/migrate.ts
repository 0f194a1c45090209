import { pepperFingerprint } from '../engine/peppers.ts';
import { secretFingerprint } from '../engine/secrets.ts';
import type { Store } from '../store/store.ts';
import { copyRows, type CopiedRows, type TargetKeys } from '../transfer/copy-rows.ts';
import { readSnapshot, type RowSource } from '../transfer/row-source.ts';
import { CommandError, readArguments, UsageError, type Command } from './arguments.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { openAny, type AnyStore, type StoreKeys } from './open-any.ts';
import { isPostgres } from './open-store.ts';
import { PEPPER_VARIABLE } from './pepper-file.ts';
import { provePostgresUrl } from './postgres-url.ts';
import { rethrow } from './transfer-refusals.ts';

/** `redflag migrate`: from one store to another. */
export const migrate: Command = {
  help: `redflag migrate: copy all that is stored to another store

  --from STORE   where it is: a data folder, sqlite:FOLDER, or postgres://…
  --to STORE     where it goes: the same, new or empty; a new folder gets the secret and the pepper of
                 the first
  --data DIR     folder with the secret and the pepper of a PostgreSQL store (default redflag-data)
  --json         how many rows there are and how many were copied, for programs

Both are proved to the last row before one is written, and the second is read again afterwards. What
was interrupted goes on with the same command, and what was refused leaves nothing behind. No service
may run on either; the first stays as it is.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      from: { type: 'string' },
      to: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    });
    if (positionals.length > 0 || !values.from || !values.to)
      throw new UsageError('migrate expects --from STORE and --to STORE');
    for (const address of [values.from, values.to]) await provePostgresUrl(address);
    const { rows, added } = await copy(values.from, values.to, values.data ?? DATA_FOLDER);
    const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ rows: all, added })}\n`
        : `Migrated: ${added} rows of ${all}${added < all ? ', the others were there' : ''}. Number and digest are the same in both.\n`,
    );
    return 0;
  },
};

async function copy(from: string, to: string, data: string): Promise<CopiedRows> {
  const source = await openAny(from, { make: false, data });
  try {
    // An address without a secret is one that nothing was ever stored at.
    if (!source.keys) throw new CommandError(`there is nothing in ${isPostgres(from) ? 'the database' : from} yet`);
    const snapshot = await source.store.snapshot();
    try {
      const rows = readSnapshot(snapshot, {
        secret: secretFingerprint(source.keys.secret),
        at: new Date().toISOString(),
      });
      // Before a target is made: it would get these peppers.
      provePeppers((await rows.head()).peppers, fingerprints(source.keys).peppers, source.pepperFile);
      return await copyTo(to, data, rows, source.keys);
    } finally {
      await snapshot.close();
    }
  } catch (error) {
    return rethrow(error);
  } finally {
    await (source.keys ? source.close() : source.leave());
  }
}

async function copyTo(to: string, data: string, rows: RowSource, keys: StoreKeys): Promise<CopiedRows> {
  const target = await openAny(to, { make: true, data });
  const state = { wrote: false };
  const store: Store = {
    ...target.store,
    putRows(...args) {
      state.wrote = true;
      return target.store.putRows(...args);
    },
  };
  try {
    const takes = await lacksKeys(target, keys);
    if (takes) await target.takeKeys(keys);
    const copied = await copyRows(rows, store, fingerprints(takes ? keys : target.keys!));
    await target.close();
    return copied;
  } catch (error) {
    // What has rows goes on with the same command; the rest would only be in its way.
    await (state.wrote ? target.close() : target.leave());
    throw error;
  }
}

/** True for a store without keys, or with this secret alone and nothing that is under a pepper. */
async function lacksKeys({ keys, store }: AnyStore, { secret, peppers }: StoreKeys): Promise<boolean> {
  if (!keys) return true;
  return (
    keys.secret === secret &&
    keys.peppers.length === 0 &&
    peppers.length > 0 &&
    (await store.findPeppers()).length === 0
  );
}

/** Throws CommandError when what is stored is not under the peppers of its file. Both are fingerprints. */
function provePeppers(stored: readonly string[], given: readonly string[], file: string): void {
  if (given.join() === stored.join()) return;
  if (given.length === 0)
    throw new CommandError(
      `${file} is missing while what is to be copied is under its peppers: without it nothing is found again; put the file back, or say where it is with ${PEPPER_VARIABLE}`,
    );
  if (given.slice(0, stored.length).join() === stored.join())
    throw new CommandError(
      `${file} has a pepper that what is to be copied is not under yet: redflag pepper rotate puts it under all of them`,
    );
  throw new CommandError(
    `${file} has other peppers (fingerprints ${given.join(', ')}) than what is to be copied is under (${stored.join(', ')}); put the right file back`,
  );
}

function fingerprints({ secret, peppers }: StoreKeys): TargetKeys {
  return { secret: secretFingerprint(secret), peppers: peppers.map((pepper) => pepperFingerprint(pepper)) };
}
