import { userInfo } from 'node:os';
import { UsageError } from './arguments.ts';

/** Who does it, for the record: the name given with `--by`, or the login name of whoever calls. */
export function readOperator(by: string | undefined): string {
  if (by !== undefined) return by;
  try {
    return userInfo().username;
  } catch {
    // In a container the user may be a number without an entry.
    throw new UsageError('this user has no name here; say who it is with --by');
  }
}
