import { count } from '../../../core/domain/text.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX, hashIdentifiers, hashStream } from '../../../hash.ts';
import { readArguments, readWhole, refuseOptions, UsageError, type Command } from '../arguments.ts';
import { hashCsv, type CsvJob, type CsvSummary } from '../csv/hash-csv.ts';
import { readLayout } from '../csv/rows.ts';
import { openHashing, type Hashing } from '../hash-all.ts';
import { readLines } from '../lines.ts';
import { refuseIdentifier } from '../refuse-identifier.ts';
import { signalled, untilAborted } from '../shutdown.ts';

export const hash: Command = {
  help: `redflag hash [VALUE…]: hash identifiers as a client does

Each value is trimmed, its spaces are removed, it is lowercased and hashed. The output is one hash per line, in order.
Without a value, or with the value -, the lines of standard input are hashed, so no address ends up in a shell's history.

  --prefix TEXT      prefix of the service, put before the value in each round (default service-)
  --iterations N     rounds of the service (default 32000)

Put -- before a value that begins with a hyphen, as in: redflag hash -- -x

redflag hash --csv IN --column NAME --out OUT: hash one column of a CSV file of any size

All other bytes stay as they are; an empty cell stays empty. The whole file is validated before anything is hashed.
To continue an interrupted run, run the same command again. Until it is complete, the output is in OUT.part, with
OUT.part.json beside it. OUT is never overwritten.

  --csv IN           file to read, in UTF-8, with LF or CR LF
  --out OUT          file to create, for its owner only (mode 600)
  --column NAME      column to hash, by its name in the header
  --no-header        the file has no header; --column takes the column's number, from 1
  --kind NAME        new name of the column, such as email, ip, phone or domain; it must be a valid kind
  --delimiter CHAR   character between cells (default a comma; \\t is a tab)
  --workers N        threads that hash (default one per core)
  --wide             hash eight chains at a time (experimental V8 flag, Node 22 or later): about twice as fast
  --skip-bad         leave cells that are not UTF-8 empty, and count them; without this option they are an error
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['prefix', 'iterations', 'csv', 'out', 'column', 'kind', 'delimiter', 'workers'],
      flags: ['no-header', 'skip-bad', 'wide'],
    });
    const options = {
      prefix: values.prefix ?? DEFAULT_PREFIX,
      iterations: readWhole('iterations', values.iterations ?? String(DEFAULT_ITERATIONS), 1, 0xffff_ffff),
    };
    if (values.csv === undefined) {
      const own = ['out', 'column', 'no-header', 'kind', 'delimiter', 'skip-bad', 'workers', 'wide'];
      refuseOptions(values, own, 'belongs to hash --csv');
      await (readsInput(positionals) ? hashInput(options) : hashValues(positionals, options));
      return;
    }
    if (positionals.length > 0) throw new UsageError('hash --csv takes no values, only options');
    if (values.out === undefined)
      throw new UsageError('hash --csv expects --out and the name of a new file for the output');
    const workers = values.workers === undefined ? undefined : readWhole('workers', values.workers, 1, 1024);
    await hashFile(openHashing({ workers, wide: values.wide }), {
      csv: values.csv,
      out: values.out,
      layout: readLayout(values),
      skipBad: values['skip-bad'] ?? false,
      ...options,
    });
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
    throw new UsageError('- means standard input; pass it without other values');
  return values.length === 0 || values[0] === '-';
}

async function hashValues(values: readonly string[], options: Chain): Promise<void> {
  const hashes = await hashIdentifiers(values, options).catch((error: unknown) =>
    refuseIdentifier(error, (index) => `value ${index + 1}`),
  );
  for (const line of hashes) process.stdout.write(`${line}\n`);
}

/** Hashes each line as soon as it arrives, so that a person who types sees each hash at once. */
async function hashInput(options: Chain): Promise<void> {
  try {
    for await (const hashed of hashStream(readLines(process.stdin), options)) process.stdout.write(`${hashed}\n`);
  } catch (error) {
    refuseIdentifier(error, (index) => `line ${index + 1}`);
  }
}

async function hashFile({ hashAll, close }: Hashing, job: CsvJob): Promise<void> {
  try {
    const summary = await hashCsv(job, {
      hashAll,
      progress: process.stderr,
      untilStopped: () => untilAborted(signalled()),
    });
    process.stderr.write(`redflag: ${describe(summary)}\n`);
  } finally {
    await close();
  }
}

function describe({ rows, hashed, empty, skipped, takenOver }: CsvSummary): string {
  const parts = [`${hashed} hashed`, `${empty} empty`, ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  return `${count(rows, 'row')}: ${parts.join(', ')}${takenOver > 0 ? `; ${takenOver} of them by an earlier run` : ''}`;
}
