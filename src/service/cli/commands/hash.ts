import { count } from '../../../core/domain/text.ts';
import { hashIdentifiers, hashStream } from '../../../hash.ts';
import { isBlank } from '../../../core/identifiers/clear-value.ts';
import { NOT_IDENTIFIER } from '../../../core/identifiers/not-identifier.ts';
import { formOfKind, type ValueForm } from '../../../core/identifiers/value-form.ts';
import { command, form } from '../command.ts';
import { askAboutFrequent } from '../frequent-value.ts';
import { UsageError } from '../errors.ts';
import { hashCsv, type CsvJob, type CsvSummary } from '../csv/hash-csv.ts';
import { DELIMITER, kindOf, parseKind, readLayout } from '../csv/rows.ts';
import {
  CLEAR_VALUES,
  describeChanges,
  describeLeftOut,
  describeNotCanonical,
  openReading,
  type ReadClear,
} from '../clear-values.ts';
import { openHashing, type Hashing } from '../hash-all.ts';
import { HASHING } from '../hashing-options.ts';
import { readLines } from '../lines.ts';
import { flag, text, whole } from '../option.ts';
import { printWarnings } from '../output.ts';
import { refuseIdentifier } from '../refuse-identifier.ts';
import { createStopSignal } from '../shutdown.ts';

export const hash = command({
  name: 'hash',
  title: 'hash identifiers as a client does',
  about: `Each value is trimmed, its spaces are removed, it is lowercased and hashed. The output is one hash per
line, in order, and an empty line for a value that is no identifier. Put -- before a value that begins with a hyphen, as in: redflag hash -- -x
`,
  forms: {
    '': form({
      usage: '[VALUE…]',
      summary:
        "hash these values. Without a value, or with the value -, the lines of standard input are hashed, so no address ends up in a shell's history",
      options: {
        kind: text('NAME', 'kind of the values, such as email, ip, phone or domain', { read: parseKind }),
        ...CLEAR_VALUES,
        ...HASHING,
      },
      async run({ kind, prefix, iterations, ...values }, words) {
        if (values.canonical && kind === undefined)
          throw new UsageError('--canonical expects --kind and the kind of the values, such as phone');
        const isInput = readsInput(words);
        const lines = createLines(await openReading(values), kind, isInput ? 'line' : 'value');
        await (isInput ? hashInput : hashValues)(words, { prefix, iterations }, lines);
        const { rest, code } = lines.end();
        process.stdout.write(rest);
        return code;
      },
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
        ...CLEAR_VALUES,
        ...HASHING,
      },
      async run({ csv = '', out, workers, wide, prefix, iterations, ...values }) {
        if (out === undefined)
          throw new UsageError('hash --csv expects --out and the name of a new file for the output');
        const layout = { ...readLayout(values), readClear: await openReading(values) };
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

/**
 * The values of one run, in order. A value that is no identifier is named on standard error, and gives an empty line;
 * a value without a canonical form is named, too.
 */
interface Lines {
  /** Returns the text to hash, or undefined if the value is left out. */
  read(value: string): string | undefined;
  /** Number of the value that was read last and is hashed, from 1. */
  place(): number;
  /** Returns the lines of the output up to this hash. */
  with(hash: string): string;
  /** Returns the lines after the last hash, and the exit code: 1 if no value was hashed. */
  end(): { readonly rest: string; readonly code: number };
}

/** Maximum number of values that are named. */
const MAX_NAMED = 20;

function createLines(readClear: ReadClear, kind: string | undefined, what: 'line' | 'value'): Lines {
  /** Of the values without a line in the output: whether they are hashed. */
  const waiting: boolean[] = [];
  let read = 0;
  let place = 0;
  let leftOut = 0;
  let empty = 0;
  let notCanonical = 0;
  let wouldChange = 0;
  let hashed = 0;
  const blanks = (): string => {
    let lines = '';
    for (; waiting[0] === false; waiting.shift()) lines += '\n';
    return lines;
  };
  return {
    read(value) {
      read++;
      if (what === 'line' && isBlank(value)) {
        waiting.push(false);
        if (++empty <= MAX_NAMED) printWarnings([`line ${read} is empty`]);
        return undefined;
      }
      const clear = readClear(kind, value);
      waiting.push(typeof clear !== 'string');
      if (typeof clear !== 'string') {
        place = read;
        if (clear.wouldChange) wouldChange++;
        if (!clear.isCanonical && ++notCanonical <= MAX_NAMED)
          printWarnings([`${what} ${read} ${describeNotCanonical(clear)}`]);
        return clear.text;
      }
      if (++leftOut <= MAX_NAMED)
        printWarnings([`${what} ${read} is left out: it ${NOT_IDENTIFIER[clear]}; --keep-all hashes it`]);
      return undefined;
    },
    place: () => place,
    with(hash) {
      const lines = `${blanks()}${hash}\n`;
      waiting.shift();
      hashed++;
      return lines;
    },
    end() {
      if (empty > MAX_NAMED) printWarnings([`${empty} lines are empty in all`]);
      if (leftOut > MAX_NAMED) printWarnings([`${leftOut} are left out in all`]);
      if (notCanonical > MAX_NAMED) printWarnings([`${notCanonical} have no canonical form in all`]);
      if (wouldChange > 0) printWarnings([describeChanges(wouldChange)]);
      return { rest: blanks(), code: leftOut + empty > 0 && hashed === 0 ? 1 : 0 };
    },
  };
}

async function hashValues(values: readonly string[], options: Chain, lines: Lines): Promise<void> {
  const places: number[] = [];
  const texts: string[] = [];
  for (const value of values) {
    const text = lines.read(value);
    if (text === undefined) continue;
    places.push(lines.place());
    texts.push(text);
  }
  const hashes = await hashIdentifiers(texts, options).catch((error: unknown) =>
    refuseIdentifier(error, (index) => `value ${places[index]}`),
  );
  for (const hashed of hashes) process.stdout.write(lines.with(hashed));
}

/** Hashes each line as soon as it arrives, so that a person who types sees each hash at once. */
async function hashInput(_: readonly string[], options: Chain, lines: Lines): Promise<void> {
  const texts = async function* (): AsyncGenerator<string> {
    for await (const line of readLines(process.stdin)) {
      const text = lines.read(line);
      if (text !== undefined) yield text;
    }
  };
  try {
    for await (const hashed of hashStream(texts(), options)) process.stdout.write(lines.with(hashed));
  } catch (error) {
    // The stream asks for no value after a wrong one.
    refuseIdentifier(error, () => `line ${lines.place()}`);
  }
}

async function hashFile({ hashAll, close }: Hashing, job: CsvJob): Promise<void> {
  try {
    const summary = await hashCsv(job, { hashAll, progress: process.stderr, signal: createStopSignal() });
    printWarnings([describe(summary, formOfKind(kindOf(job.layout) ?? ''))]);
    if (summary.wouldChange !== undefined) printWarnings([describeChanges(summary.wouldChange)]);
    if (summary.frequent !== undefined)
      printWarnings([askAboutFrequent('One value', `${summary.frequent} of ${count(summary.hashed, 'row')}`)]);
  } finally {
    await close();
  }
}

function describe({ rows, hashed, empty, skipped, leftOut, notCanonical }: CsvSummary, form: ValueForm): string {
  const parts = [
    `${hashed} hashed${notCanonical === undefined ? '' : ` (${notCanonical} without the canonical form of their kind)`}`,
    `${empty} empty`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(leftOut === undefined ? [] : [describeLeftOut(leftOut)]),
  ];
  const kind = form === 'other' ? 'no known kind' : `kind ${form}`;
  return `${count(rows, 'row')} of ${kind}: ${parts.join(', ')}${leftOut === undefined ? '' : '; --keep-all hashes those, too'}`;
}
