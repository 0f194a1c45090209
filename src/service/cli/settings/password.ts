import { holdsPassword } from '../../data-folder/address.ts';
import { UsageError } from '../errors.ts';

const OTHER_WAYS = 'leave the password out and set PGPASSWORD, PGPASSFILE or ~/.pgpass';

/**
 * Throws UsageError if an address on the command line holds a password, because the process list shows it to every user
 * of the machine. `variable` may hold the address instead.
 */
export function refusePassword(option: string, address: string, variable?: string): void {
  if (!holdsPassword(address)) return;
  const ways = variable === undefined ? OTHER_WAYS : `set ${variable} or ${variable}_FILE instead, or ${OTHER_WAYS}`;
  throw new UsageError(`${option} holds a password, which the process list shows to every user; ${ways}`);
}
