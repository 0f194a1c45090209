import { count } from '../../../core/domain/text.ts';
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { hashIdentifierSync } from '../../../hash.ts';
import { CommandError } from '../errors.ts';
import type { HashAll } from '../hash-all.ts';
import { hashRows } from './hash-rows.ts';
import { Part, refuseTaken, type Identity } from './part.ts';
import { showProgress, type ProgressTarget } from './progress.ts';
import { markOf, readRows, type CsvLayout, type Row } from './rows.ts';

/** The request of `redflag hash --csv`. */
export interface CsvJob {
  readonly csv: string;
  readonly out: string;
  readonly layout: CsvLayout;
  readonly prefix: string;
  readonly iterations: number;
  /** If true, a cell that is not UTF-8 becomes empty. Otherwise, it ends the run. */
  readonly skipBad: boolean;
}

/** Dependencies of the run. */
export interface CsvSurroundings {
  readonly hashAll: HashAll;
  readonly progress: ProgressTarget;
  /** Called before the first row is hashed. Resolves when the run must stop. */
  readonly untilStopped: () => Promise<void>;
}

/** The result. The row counts exclude the header and blank lines. */
export interface CsvSummary {
  readonly rows: number;
  readonly hashed: number;
  readonly empty: number;
  readonly skipped: number;
  /** Rows from an earlier, interrupted run. */
  readonly takenOver: number;
}

/**
 * Copies a CSV file and replaces the cells of one column with hashes. All other bytes stay, except the column's name if
 * a kind is given. Reads the file twice. The first pass finds every mistake before hashing starts, because hashing
 * takes about a thousand times longer. An interrupted run continues only with the same input. Memory use is constant.
 * Throws CommandError if the input is invalid or changes, if the output exists, or if the run is stopped. The message
 * contains no cell content.
 */
export async function hashCsv(job: CsvJob, surroundings: CsvSurroundings): Promise<CsvSummary> {
  const input = await open(job.csv, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new CommandError('the file of --csv does not exist') : error;
  });
  try {
    const before = await input.stat();
    if (!before.isFile()) throw new CommandError('--csv expects a regular file, because it is read twice');
    await refuseTaken(before, job.out);
    const head = Buffer.alloc(3);
    const mark = markOf(head.subarray(0, (await input.read(head, 0, 3, 0)).bytesRead));
    const survey = await takeSurvey(input, mark, before.size, job, surroundings.progress);

    const stopping = surroundings.untilStopped();
    const part = await Part.open(job.out, identify(job, survey));
    try {
      const takenOver = await write(input, mark, before.size, part, job, {
        ...surroundings,
        untilStopped: () => stopping,
      });
      const after = await input.stat();
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
        throw new CommandError('the file of --csv changed during the run; run the same command again');
      await part.finish();
      return { ...survey.counts, takenOver };
    } finally {
      await part.close();
    }
  } finally {
    await input.close();
  }
}

interface Survey {
  readonly digest: string;
  readonly counts: Omit<CsvSummary, 'takenOver'>;
}

/** Reads and validates the whole file. */
async function takeSurvey(
  input: FileHandle,
  mark: Buffer,
  size: number,
  job: CsvJob,
  target: ProgressTarget,
): Promise<Survey> {
  const digest = createHash('sha256').update(mark);
  const progress = showProgress(target, 'checking', size);
  const counts = { rows: 0, hashed: 0, empty: 0, skipped: 0 };
  let bytes = mark.length;
  const digested = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of readFrom(input, mark.length)) {
      digest.update(chunk);
      yield chunk;
    }
  };
  try {
    for await (const { line, size: rowBytes, cell } of readRows(digested(), job.layout)) {
      progress.update(counts.rows, (bytes += rowBytes));
      if (cell === 'kept') continue;
      counts.rows++;
      if (cell === 'empty') counts.empty++;
      else if (cell !== 'bad') counts.hashed++;
      else if (job.skipBad) counts.skipped++;
      else
        throw new CommandError(
          `row ${counts.rows}, on line ${line}, has a cell that is not UTF-8; --skip-bad leaves such cells empty`,
        );
    }
  } finally {
    progress.clear();
  }
  return { digest: digest.digest('hex'), counts };
}

/** Returns everything that determines the bytes of the output. */
function identify({ layout, prefix, iterations }: CsvJob, { digest }: Survey): Identity {
  return {
    format: 1,
    // Hash the digest, too. If a file holds one address, a plain digest of the file makes the address much easier to
    // guess than its hash does.
    input: hashIdentifierSync(digest, { prefix, iterations }),
    prefix,
    iterations,
    column: layout.column,
    kind: layout.kind ?? null,
    delimiter: layout.delimiter,
  };
}

/** Writes the missing rows. Resolves with the number of rows that already existed. Throws CommandError if stopped. */
async function write(
  input: FileHandle,
  mark: Buffer,
  size: number,
  part: Part,
  job: CsvJob,
  { hashAll, progress: target, untilStopped }: CsvSurroundings,
): Promise<number> {
  let isStopping = false;
  void untilStopped().then(() => (isStopping = true));
  let isCut = false;

  const rows = readRows(readFrom(input, mark.length), job.layout);
  const taken = await part.takeOver(rows, await part.begin(mark));
  const remaining = async function* (): AsyncGenerator<Row> {
    for (let row = taken.next; row;) {
      // Begin no new row, but finish the rows that are being hashed.
      if (isStopping) {
        isCut = true;
        return;
      }
      yield row;
      const next = await rows.next();
      row = next.done ? undefined : next.value;
    }
  };

  const progress = showProgress(target, 'hashing', size, mark.length + taken.inputBytes);
  let done = 0;
  let bytes = mark.length + taken.inputBytes;
  try {
    for await (const { row, hash } of hashRows(remaining(), hashAll, {
      prefix: job.prefix,
      iterations: job.iterations,
    })) {
      if (part.add(row.before, Buffer.from(hash ?? '', 'latin1'), row.after)) await part.flush();
      if (row.cell !== 'kept') done++;
      progress.update(done, (bytes += row.size));
    }
  } finally {
    progress.clear();
    // Also after an error: the next run need not hash these rows again.
    await part.flush();
    await rows.return(undefined);
  }
  if (isCut)
    throw new CommandError(
      `stopped after ${count(taken.rows + done, 'row')}; to continue from there, run the same command again`,
    );
  return taken.rows;
}

function readFrom(input: FileHandle, start: number): AsyncIterable<Buffer> {
  return input.createReadStream({ start, autoClose: false, highWaterMark: 64 * 1024 });
}
