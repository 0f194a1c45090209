import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { StoreProblem } from '../store/store.ts';
import { CommandError, readArguments, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { holderOf, reasonOf, SQLITE_NAME } from './open-store.ts';
import { formatTable } from './table.ts';

/** `redflag check`: whether what is stored is as it was written, and fits together. */
export const check: Command = {
  help: `redflag check: prove that what is stored fits together

  --json       what is wrong, for programs
  --data DIR   folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
               where the reports are if they are on a PostgreSQL server

Reads everything: each row against its checksum, each identifier against its report, reports
against their reporters, disputes, links, what must be erased, peppers, and the form of ids and
hashes. Restore a backup where a row is not as it was written. Damage to the journal's bytes
is found when the folder is opened. Exits with 1 when something is wrong.
Works while a service runs on the folder; of a SQLite file it then reads a copy, which takes as much
room on the disk and is gone at the end.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, json: { type: 'boolean' } });
    if (positionals.length > 0) throw new UsageError('check takes no values, only options');
    const problems = await findProblems(resolve(values.data ?? DATA_FOLDER));
    if (values.json) process.stdout.write(`${JSON.stringify(problems)}\n`);
    else
      process.stdout.write(
        problems.length === 0
          ? 'Sound: nothing is wrong.\n'
          : formatTable([
              ['COUNT', 'WHAT IS WRONG'],
              ...problems.map(({ problem, count }) => [String(count), problem]),
            ]),
      );
    return problems.length === 0 ? 0 : 1;
  },
};

async function findProblems(folder: string): Promise<readonly StoreProblem[]> {
  const answer = await askFolder(folder, 'check', {
    copy: join(holderOf(join(folder, SQLITE_NAME)), `copy-${randomBytes(4).toString('hex')}`),
  });
  if (answer.problems) return answer.problems;
  const { checkCopy } = await import('../store/sqlite/file-copy.ts');
  return checkCopy(answer.copy).catch((error: unknown) => {
    throw new CommandError(reasonOf(error));
  });
}
