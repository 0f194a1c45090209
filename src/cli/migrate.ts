import { pepperFingerprint } from '../engine/peppers.ts';
import { secretFingerprint } from '../engine/secrets.ts';
import { copyRows, type CopiedRows, type TargetKeys } from '../transfer/copy-rows.ts';
import { readSnapshot } from '../transfer/row-source.ts';
import { ExportError, TransferError } from '../transfer/transfer-errors.ts';
import { CommandError, readArguments, UsageError, type Command } from './arguments.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { openAny, type StoreKeys } from './open-any.ts';

/** `redflag migrate`: from one store to another. */
export const migrate: Command = {
  help: `redflag migrate: copy all that is stored to another store

  --from STORE   where it is: a data folder, sqlite:FOLDER, or postgres://…
  --to STORE     where it goes: the same, new or empty; a new folder gets the secret and the pepper of
                 the first
  --data DIR     folder with the secret and the pepper of a PostgreSQL store (default redflag-data)
  --json         how many rows there are and how many were copied, for programs

Both are proved to the last row before one is written, and the second is read again afterwards. What
was interrupted goes on with the same command. No service may run on either; the first stays as it is.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { from: { type: 'string' }, to: { type: 'string' }, data: { type: 'string' }, json: { type: 'boolean' } });
    if (positionals.length > 0 || !values.from || !values.to) throw new UsageError('migrate expects --from STORE and --to STORE');
    const { rows, added } = await copy(values.from, values.to, values.data ?? DATA_FOLDER);
    const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
    process.stdout.write(values.json ? `${JSON.stringify({ rows: all, added })}\n` : `Migrated: ${added} rows of ${all}${added < all ? ', the others were there' : ''}. Number and digest are the same in both.\n`);
    return 0;
  },
};

async function copy(from: string, to: string, data: string): Promise<CopiedRows> {
  const source = await openAny(from, { make: false, data });
  try {
    if (!source.keys) throw new CommandError(`there is nothing in ${from} yet`);
    const target = await openAny(to, { make: true, data });
    try {
      // An address without a secret is one that nothing was ever stored at.
      if (!target.keys) await target.takeKeys(source.keys);
      const snapshot = await source.store.snapshot();
      try {
        const rows = readSnapshot(snapshot, { secret: secretFingerprint(source.keys.secret), at: new Date().toISOString() });
        return await copyRows(rows, target.store, fingerprints(target.keys ?? source.keys));
      } finally {
        await snapshot.close();
      }
    } catch (error) {
      throw error instanceof TransferError || error instanceof ExportError ? new CommandError(error.message) : error;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function fingerprints({ secret, peppers }: StoreKeys): TargetKeys {
  return { secret: secretFingerprint(secret), peppers: peppers.map((pepper) => pepperFingerprint(pepper)) };
}
