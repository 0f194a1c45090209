import { validatePostgresUrl } from '../../data-folder/address.ts';
import { copyStore } from '../../data-folder/copy-store.ts';
import { command, form } from '../command.ts';
import { asUsage, UsageError } from '../errors.ts';
import { flag, text } from '../option.ts';
import { BY, dataOption } from '../operator-options.ts';
import { printAnswer } from '../output.ts';
import { refusePassword } from '../settings/password.ts';

export const migrate = command({
  name: 'migrate',
  title: 'copy all stored data to another store',
  forms: {
    '': form({
      options: {
        from: text('STORE', 'the source: a data folder, sqlite:FOLDER, or postgres://…'),
        to: text(
          'STORE',
          'the target, new or empty: also a data folder, sqlite:FOLDER, or postgres://…; beside a new folder DIR, DIR-keys gets the secret and the pepper of the source',
        ),
        data: dataOption('data folder of a PostgreSQL store: its secret and pepper are in DIR-keys'),
        json: flag('print the numbers of read and copied rows as JSON'),
        ...BY,
      },
      async run({ from, to, data, json, by }, words) {
        if (words.length > 0 || !from || !to) throw new UsageError('migrate expects --from STORE and --to STORE');
        refusePassword('--from', from);
        refusePassword('--to', to);
        for (const address of [from, to]) await asUsage(() => validatePostgresUrl(address));
        const copied = await copyStore(from, to, data, by);
        const rows = Object.values(copied.rows).reduce((sum, count) => sum + count, 0);
        printAnswer(
          { rows, added: copied.added },
          json,
          ({ added }) =>
            `Migrated: ${added} rows of ${rows}${added < rows ? '; the others were already there' : ''}. All rows match in number and digest in both stores.\n`,
        );
      },
    }),
  },
  notes: `An address with a password is refused, because the process list would show it: leave the password out
and set PGPASSWORD, PGPASSFILE or ~/.pgpass.
Stop every service on both stores first. Both are verified completely before the first row is written.
Afterwards the target is read back and compared. To continue an interrupted copy, run the same command
again. A rejected copy leaves no rows and no files. The source does not change.
`,
});
