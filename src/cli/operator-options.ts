import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from './arguments.ts';

/** Default data folder: a visible folder in the working directory. `--data` names another. */
export const DATA_FOLDER = 'redflag-data';

/** Returns the help text for `--data`. Descriptions begin at the column `indent`. */
export function dataHelp(indent: number): string {
  return `${'  --data DIR'.padEnd(indent)}data folder (default ${DATA_FOLDER}); if the reports are on a
${' '.repeat(indent)}PostgreSQL server, set the variable REDFLAG_STORE to its address`;
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
