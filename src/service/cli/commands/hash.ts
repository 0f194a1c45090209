import { count } from '../../../core/domain/text.ts';
import { hashIdentifiers, hashStream } from '../../../hash.ts';
import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { hashCsv, type CsvJob, type CsvSummary } from '../csv/hash-csv.ts';
import { DELIMITER, parseKind, readLayout } from '../csv/rows.ts';
import { openHashing, type Hashing } from '../hash-all.ts';
import { HASHING } from '../hashing-options.ts';
import { readLines } from '../lines.ts';
import { flag, text, whole } from '../option.ts';
import { refuseIdentifier } from '../refuse-identifier.ts';
import { createStopSignal } from '../shutdown.ts';

export const hash = command({
  name: 'hash',
  title: 'hash identifiers as a client does',
  about: `Each value is trimmed, its spaces are removed, it is lowercased and hashed. The output is one hash per
line, in order. Put -- before a value that begins with a hyphen, as in: redflag hash -- -x
`,
  forms: {
    '': form({
      usage: '[VALUE…]',
      summary:
        "hash these values. Without a value, or with the value -, the lines of standard input are hashed, so no address ends up in a shell's history",
      options: HASHING,
      run: (options, words) => (readsInput(words) ? hashInput(options) : hashValues(words, options)),
    }),
    '--csv': form({
      options: {
        csv: text('IN', 'hash one column of a CSV file of any size, in UTF-8, with LF or CR LF'),
        out: text('OUT', 'file to create, for its owner only (mode 600)'),
        column: text('NAME', 'column to hash, by its name in the header'),
        'no-header': flag("the file has no header; --column takes the column's number, from 1"),
        kind: text('NAME', 'new name of the column, such as email, ip, phone or domain; it must be a valid kind', {
          read: parseKind,
        }),
        ...DELIMITER,
        workers: whole('N', [1, 1024], 'threads that hash (default one per core)'),
        wide: flag('hash eight chains at a time (experimental V8 flag, Node 22 or later): about twice as fast'),
        'skip-bad': flag('leave cells that are not UTF-8 empty, and count them; without this option they are an error'),
        ...HASHING,
      },
      async run({ csv = '', out, workers, wide, prefix, iterations, ...values }) {
        if (out === undefined)
          throw new UsageError('hash --csv expects --out and the name of a new file for the output');
        const layout = readLayout(values);
        const job = { csv, out, layout, skipBad: values['skip-bad'], prefix, iterations };
        await hashFile(openHashing({ workers, wide }), job);
      },
    }),
  },
  notes: `With --csv, all other bytes stay as they are; an empty cell stays empty. The whole file is validated
before anything is hashed. OUT appears when it is complete, and is never overwritten.
`,
});

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
    const summary = await hashCsv(job, { hashAll, progress: process.stderr, signal: createStopSignal() });
    process.stderr.write(`redflag: ${describe(summary)}\n`);
  } finally {
    await close();
  }
}

function describe({ rows, hashed, empty, skipped }: CsvSummary): string {
  const parts = [`${hashed} hashed`, `${empty} empty`, ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  return `${count(rows, 'row')}: ${parts.join(', ')}`;
}
