import { resolve } from 'node:path';
import { readArguments, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';

/** `redflag export`: all rows of a data folder as a file. */
export const exportData: Command = {
  help: `redflag export: write all that is stored into a file

  redflag export FILE   lines of JSON (NDJSON): what it is an export of, a line a row, and the
                        number of rows with a SHA-256; mode 600, never over a file that is there
      --json            the number of rows for programs
  --data DIR            folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                        where the reports are if they are on a PostgreSQL server

The file holds identifiers as they are stored and the texts of reports. It holds neither the secret
nor the pepper, only their fingerprints: redflag import takes it in under the same ones.
Works while a service runs on the folder: the file is as things were at one moment. Of a SQLite file it
reads a copy, which takes as much room beside it and is gone at the end.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, json: { type: 'boolean' } });
    const path = readPath('export', positionals);
    const answer = await askFolder(values.data ?? DATA_FOLDER, 'export', { path });
    process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : `Exported: ${answer.rows} rows.\n`);
    return 0;
  },
};

/** The one path that a command takes, as whoever serves the folder has to know it. */
export function readPath(command: string, positionals: readonly string[], what = 'the name of a file'): string {
  const [path, ...more] = positionals;
  if (path === undefined || path === '' || more.length > 0) throw new UsageError(`${command} expects ${what}`);
  return resolve(path);
}
