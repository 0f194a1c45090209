import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from './arguments.ts';

/** Default data folder: a visible folder in the working directory. `--data` names another. */
export const DATA_FOLDER = 'redflag-data';

/** Environment variable for the data folder. The option `--data` overrides it. */
const DATA_VARIABLE = 'REDFLAG_DATA';

/** Returns the data folder: the value of `--data`, the variable, or the default. An empty variable counts as unset. */
export function dataFolder(given: string | undefined): string {
  return given ?? (process.env[DATA_VARIABLE] || DATA_FOLDER);
}

/** Returns the help text for `--data`. Descriptions begin at the column `indent`. */
export function dataHelp(indent: number): string {
  return `${'  --data DIR'.padEnd(indent)}data folder (variable REDFLAG_DATA, default ${DATA_FOLDER}); if the
${' '.repeat(indent)}reports are on a PostgreSQL server, set REDFLAG_STORE to its address,
${' '.repeat(indent)}or REDFLAG_STORE_FILE to a file with the address`;
}

/** Returns the operator's name for the record: the value of `--by`, or the user's login name. */
export function readOperator(by: string | undefined): string {
  if (by !== undefined) return by;
  try {
    return userInfo().username;
  } catch {
    // In a container, the user may be a number without a login name.
    throw new UsageError('this user has no login name; name the operator with --by');
  }
}

/** Returns the one path that a command takes, as an absolute path: a service may have another working directory. */
export function readPath(command: string, positionals: readonly string[], what = 'the name of a file'): string {
  const [path, ...more] = positionals;
  if (path === undefined || path === '' || more.length > 0) throw new UsageError(`${command} expects ${what}`);
  return resolve(path);
}
