import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from './errors.ts';
import { flag, text, withDefault } from './option.ts';

/** Default data folder: a visible folder in the working directory. `--data` names another. */
export const DATA_FOLDER = 'redflag-data';

/** Environment variable for the data folder. The option `--data` overrides it. An empty variable counts as unset. */
const DATA_VARIABLE = 'REDFLAG_DATA';

/** The option `--json`. */
export const JSON_OUTPUT = { json: flag('print JSON') };

/** The option `--data`, with a data folder as its value. */
export const DATA = {
  data: dataOption(
    'data folder; if the reports are on a PostgreSQL server, set REDFLAG_STORE to its address, or REDFLAG_STORE_FILE to a file with the address',
  ),
};

export function dataOption(help: string) {
  return withDefault(
    text('DIR', help),
    `${DATA_FOLDER}, variable ${DATA_VARIABLE}`,
    () => process.env[DATA_VARIABLE] || DATA_FOLDER,
  );
}

/** The option `--by`, with the operator's name as its value. */
export const BY = {
  by: withDefault(text('NAME', "the operator's name, for the audit log"), 'your login name', loginName),
};

function loginName(): string {
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
