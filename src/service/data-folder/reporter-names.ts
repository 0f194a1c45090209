import type { Reporter } from '../../core/domain/reporter.ts';
import type { Calls } from './calls.ts';
import { DataFolderError } from './errors.ts';

/** Returns the form in which a store keeps a name that an operator types. */
export function toStoredName(typed: string): string {
  return typed.trim().normalize('NFC');
}

/** Returns the id of the reporter with this name; null for the operator. Throws DataFolderError if there is none. */
export async function requireReporterId(calls: Calls, name: string | null): Promise<string | null> {
  if (name === null) return null;
  const reporter = await calls.findReporter({ name });
  if (!reporter) throw new DataFolderError('no reporter has this name; redflag reporters shows the names');
  return reporter.reporterId;
}

/** Returns a function that finds the reporter of a key or dispute: all reporters, or those with these ids. */
export async function findReporters(
  calls: Calls,
  of?: readonly { readonly reporterId: string }[],
): Promise<(of: { readonly reporterId: string }) => Reporter> {
  const reporterIds = of?.map(({ reporterId }) => reporterId);
  const byId = new Map((await calls.listReporters({ reporterIds })).map((reporter) => [reporter.reporterId, reporter]));
  return ({ reporterId }) => {
    const reporter = byId.get(reporterId);
    if (!reporter)
      throw new DataFolderError('the store lacks a reporter that another row refers to: run redflag check');
    return reporter;
  };
}
