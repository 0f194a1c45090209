import { validatePostgresUrl } from '../../data-folder/address.ts';
import { copyStore } from '../../data-folder/copy-store.ts';
import { asUsage, readArguments, UsageError, type Command } from '../arguments.ts';
import { DATA_FOLDER, dataFolder, readOperator } from '../operator-options.ts';
import { printAnswer } from '../output.ts';
import { refusePassword } from '../settings/password.ts';

export const migrate: Command = {
  help: `redflag migrate: copy all stored data to another store

  --from STORE   the source: a data folder, sqlite:FOLDER, or postgres://…
  --to STORE     the target, new or empty: also a data folder, sqlite:FOLDER, or postgres://…;
                 beside a new folder DIR, DIR-keys gets the secret and the pepper of the source
  --data DIR     data folder of a PostgreSQL store: its secret and pepper are in DIR-keys (variable
                 REDFLAG_DATA, default ${DATA_FOLDER})
  --json         print the numbers of read and copied rows as JSON
  --by NAME      the operator's name, for the audit log of the target (default your login name)

An address with a password is refused, because the process list would show it: leave the password out
and set PGPASSWORD, PGPASSFILE or ~/.pgpass.
Stop every service on both stores first. Both are verified completely before the first row is written.
Afterwards the target is read back and compared. To continue an interrupted copy, run the same command
again. A rejected copy leaves no rows and no files. The source does not change.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['from', 'to', 'data', 'by'], flags: ['json'] });
    const { from, to, data } = values;
    if (positionals.length > 0 || !from || !to) throw new UsageError('migrate expects --from STORE and --to STORE');
    refusePassword('--from', from);
    refusePassword('--to', to);
    for (const address of [from, to]) await asUsage(() => validatePostgresUrl(address));
    const copied = await copyStore(from, to, dataFolder(data), readOperator(values.by));
    const rows = Object.values(copied.rows).reduce((sum, count) => sum + count, 0);
    printAnswer(
      { rows, added: copied.added },
      values.json,
      ({ added }) =>
        `Migrated: ${added} rows of ${rows}${added < rows ? '; the others were already there' : ''}. All rows match in number and digest in both stores.\n`,
    );
  },
};
