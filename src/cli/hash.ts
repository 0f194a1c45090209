import { DEFAULT_ITERATIONS, DEFAULT_PREFIX, hashIdentifiers, hashStream, IdentifierError } from '../hash.ts';
import { CommandError, readArguments, readWhole, UsageError, type Command } from './arguments.ts';
import { hashCsv, type CsvJob, type CsvSummary } from './csv/hash-csv.ts';
import { readLayout } from './csv/layout-options.ts';
import { count } from './csv/rows.ts';
import { openHashing, type Hashing } from './hash-all.ts';
import { readLines } from './lines.ts';
import { signalled } from './stop.ts';

/** `redflag hash`: one line of 40 hex characters for each value, in order (spec 2.3); or a CSV file with one column hashed. */
export const hash: Command = {
  help: `redflag hash [VALUE…]: hash identifiers as a client does

Each value is trimmed, its spaces are removed, it is lowercased and hashed; the answers come one a line, in order.
Without a value, or with the value -, the lines of standard input are hashed, so that no address ends up in a shell's history.

  --prefix TEXT      put before the value in each round (default service-)
  --iterations N     rounds (default 32000)

A value that begins with a hyphen goes behind --, as in: redflag hash -- -x

redflag hash --csv IN --column NAME --out OUT: hash one column of a CSV file of any size

All other bytes stay as they are; an empty cell stays empty. The file is checked as a whole before anything is hashed.
A run that was interrupted goes on where it stopped when the same command is given again. Until it is complete the output
is in OUT.part, with OUT.part.json beside it; OUT is never overwritten.

  --csv IN           file to read, in UTF-8, with LF or CR LF
  --out OUT          file to make, for its owner alone (mode 600)
  --column NAME      column to hash, by its name in the header
  --no-header        the file has no header; --column takes the column's number, from 1
  --kind NAME        rename the column, as to email, ip, phone or domain: a name that the protocol takes
  --delimiter CHAR   what stands between cells (default a comma; \\t is a tab)
  --workers N        threads that hash (default one a core)
  --wide             eight chains at a time by an experimental flag of V8, on Node 22 or later: about twice as fast
  --skip-bad         leave a cell empty that is not UTF-8, and count it; without, it is an error before anything is hashed
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      prefix: { type: 'string' },
      iterations: { type: 'string' },
      csv: { type: 'string' },
      out: { type: 'string' },
      column: { type: 'string' },
      'no-header': { type: 'boolean' },
      kind: { type: 'string' },
      delimiter: { type: 'string' },
      'skip-bad': { type: 'boolean' },
      workers: { type: 'string' },
      wide: { type: 'boolean' },
    });
    const options = {
      prefix: values.prefix ?? DEFAULT_PREFIX,
      iterations: readWhole('iterations', values.iterations ?? String(DEFAULT_ITERATIONS), 1, 0xffff_ffff),
    };
    if (values.csv === undefined) {
      for (const name of ['out', 'column', 'no-header', 'kind', 'delimiter', 'skip-bad', 'workers', 'wide'] as const) {
        if (values[name] !== undefined) throw new UsageError(`--${name} belongs to hash --csv`);
      }
      await (readsInput(positionals) ? hashInput(options) : hashValues(positionals, options));
      return 0;
    }
    if (positionals.length > 0) throw new UsageError('hash --csv takes no values, only options');
    if (values.out === undefined) throw new UsageError('hash --csv expects the file to make, with --out');
    const workers = values.workers === undefined ? undefined : readWhole('workers', values.workers, 1, 1024);
    await hashFile(openHashing({ workers, wide: values.wide }), {
      csv: values.csv,
      out: values.out,
      layout: readLayout(values),
      skipBad: values['skip-bad'] ?? false,
      ...options,
    });
    return 0;
  },
};

interface Chain {
  readonly prefix: string;
  readonly iterations: number;
}

function readsInput(values: readonly string[]): boolean {
  if (values.length === 0 && process.stdin.isTTY)
    throw new UsageError('hash expects at least one value, or lines on standard input');
  if (values.length > 1 && values.includes('-'))
    throw new UsageError('- stands for standard input and goes with no other value');
  return values.length === 0 || values[0] === '-';
}

async function hashValues(values: readonly string[], options: Chain): Promise<void> {
  const hashes = await hashIdentifiers(values, options).catch((error: unknown) =>
    complain(error, (index) => `value ${index + 1}`),
  );
  for (const line of hashes) process.stdout.write(`${line}\n`);
}

/** A line that has come is not kept waiting for the next: who types one sees its hash at once. */
async function hashInput(options: Chain): Promise<void> {
  try {
    for await (const hashed of hashStream(readLines(process.stdin), options)) process.stdout.write(`${hashed}\n`);
  } catch (error) {
    complain(error, (index) => `line ${index + 1}`);
  }
}

async function hashFile({ hashAll, close }: Hashing, job: CsvJob): Promise<void> {
  try {
    const summary = await hashCsv(job, { hashAll, progress: process.stderr, untilStopped: signalled });
    process.stderr.write(`redflag: ${describe(summary)}\n`);
  } finally {
    await close();
  }
}

function describe({ rows, hashed, empty, skipped, takenOver }: CsvSummary): string {
  const parts = [`${hashed} hashed`, `${empty} empty`, ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  return `${count(rows, 'row')}: ${parts.join(', ')}${takenOver > 0 ? `; ${takenOver} of them by the run before` : ''}`;
}

/** Says which value is nobody's identifier, never the value. */
function complain(error: unknown, where: (index: number) => string): never {
  if (error instanceof IdentifierError)
    throw new CommandError(`${where(error.index ?? 0)} ${error.reason === 'empty' ? 'is empty' : 'is no text'}`);
  throw error;
}
