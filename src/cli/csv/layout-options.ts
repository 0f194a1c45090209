import { isReserved, toFieldName } from '../../protocol/field-name.ts';
import { readWhole, UsageError } from '../arguments.ts';
import type { CsvLayout } from './rows.ts';

/** More columns than any program writes. */
const MOST_COLUMNS = 1_000_000;

/** Reads how a CSV file is laid out from the options of the command line. Throws UsageError. */
export function readLayout(values: {
  column?: string;
  'no-header'?: boolean;
  kind?: string;
  delimiter?: string;
}): CsvLayout {
  if (values.column === undefined || values.column === '')
    throw new UsageError('hash --csv expects the column to hash, with --column');
  const hasHeader = values['no-header'] !== true;
  if (!hasHeader && values.kind !== undefined)
    throw new UsageError('--kind renames the column in the header, which --no-header says is not there');
  return {
    delimiter: readDelimiter(values.delimiter ?? ','),
    column: hasHeader ? values.column : readWhole('column', values.column, 1, MOST_COLUMNS),
    kind: values.kind === undefined ? undefined : readKind(values.kind),
  };
}

function readDelimiter(text: string): string {
  const delimiter = text === '\\t' ? '\t' : text;
  // A letter or digit would cut hashes and names of kinds in two.
  if (!/^[\t\x20-\x7e]$/.test(delimiter) || /["A-Za-z0-9_-]/.test(delimiter)) {
    throw new UsageError(
      '--delimiter expects one ASCII character that is no letter, digit, quote, hyphen or underscore; \\t is a tab',
    );
  }
  return delimiter;
}

function readKind(text: string): string {
  const name = toFieldName(text);
  if (name === undefined || isReserved(name))
    throw new UsageError(
      '--kind expects a name that the protocol takes for an identifier, like email: letters, digits, _ and -, at most 32, a letter first',
    );
  return name;
}
