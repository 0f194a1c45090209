import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from './errors.ts';
import { flag, text, value, withDefault, type Option } from './option.ts';

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

/** The options of a command that only reads. */
export const READ = { ...JSON_OUTPUT, ...DATA };

/** The options of a command that writes, and notes the operator's name. */
export const WRITE = { ...BY, ...READ };

/** A value that is a path. It becomes absolute, because a service may have another working directory. */
export function path(placeholder: string, expected: string): Option<string> {
  return value(placeholder, expected, (given) => (given === '' ? undefined : resolve(given)));
}
