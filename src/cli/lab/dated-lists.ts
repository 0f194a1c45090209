import type { ImportOptions, ReportRow } from '../../lab/import-rows.ts';
import { readMoment, UsageError } from '../arguments.ts';
import { onOneLine } from '../table.ts';
import { readLabelRows, readReportRows } from './read-lists.ts';

export const LISTS_HELP = `REPORTS is a file of CSV with the header kind,value,reporter,date,removed,type, and LABELS one with kind,value,label,source,date; .gz is unpacked.

  --judge LIST       reporters whose reports are left out: the labels are their word
  --unverified       the reporters are nobody that the operator knows`;

/** The two files that a command line names. Throws UsageError. */
export function proveFiles(positionals: readonly string[]): readonly [reports: string, labels: string] {
  const [reports, labels, ...more] = positionals;
  if (reports === undefined || labels === undefined || more.length > 0)
    throw new UsageError('expected a file of reports and a file of labels; see redflag lab judge --help');
  return [reports, labels];
}

export async function readLists([reports, labels]: readonly [reports: string, labels: string]) {
  return [await readReportRows(reports), await readLabelRows(labels)] as const;
}

const NAMES_SHOWN = 20;

/** Throws a UsageError for a judge who reported nothing: a name with a mistake would judge the judge by its own reports. */
export function proveJudges(judges: readonly string[], reports: readonly ReportRow[]): void {
  const names = [...new Set(reports.map(({ reporter }) => reporter))].sort();
  if (judges.every((judge) => names.includes(judge))) return;
  const more = names.length - NAMES_SHOWN;
  throw new UsageError(
    `--judge expects names out of the list of reports, separated by commas: ${onOneLine(names.slice(0, NAMES_SHOWN).join(', '))}${more > 0 ? ` and ${more} more` : ''}`,
  );
}

export function readJudges(text: string | undefined): readonly string[] {
  return text?.split(',') ?? [];
}

export function readImport(
  judges: readonly string[],
  unverified: boolean | undefined,
  cut: string | undefined,
): ImportOptions {
  return { judges, verified: !unverified, ...(cut === undefined ? {} : { cut: readMoment('cut', cut) }) };
}
