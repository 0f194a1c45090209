import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { hashIdentifierSync } from '../../hash.ts';
import { CommandError } from '../arguments.ts';
import type { HashAll } from '../hash-all.ts';
import { hashRows } from './hash-rows.ts';
import { Part, refuseTaken, type Identity } from './part.ts';
import { showProgress, type ProgressTarget } from './progress.ts';
import { count, markOf, readRows, type CsvLayout, type Row } from './rows.ts';

/** What `redflag hash --csv` was asked to do. */
export interface CsvJob {
  readonly csv: string;
  readonly out: string;
  readonly layout: CsvLayout;
  readonly prefix: string;
  readonly iterations: number;
  /** A cell that is no UTF-8 becomes empty instead of ending the run. */
  readonly skipBad: boolean;
}

/** What it is done with. */
export interface CsvSurroundings {
  readonly hashAll: HashAll;
  readonly progress: ProgressTarget;
  /** Called when the first row is about to be hashed. What it gives resolves when the run is to stop. */
  readonly untilStopped: () => Promise<void>;
}

/** How it went. Rows are those of data: no header, no blank lines. */
export interface CsvSummary {
  readonly rows: number;
  readonly hashed: number;
  readonly empty: number;
  readonly skipped: number;
  /** Rows that an interrupted run before had written. */
  readonly takenOver: number;
}

/**
 * Copies a CSV file with the hash in place of one column's cells, and every other byte as it is (but the column's name, when a kind is given).
 * The file is read twice: a mistake anywhere in it is found before the first row is hashed, which takes some thousand times longer, and an
 * interrupted run goes on only with the very same input. Constant memory. Throws CommandError, with no content of any cell.
 */
export async function hashCsv(job: CsvJob, surroundings: CsvSurroundings): Promise<CsvSummary> {
  const input = await openInput(job.csv);
  try {
    const before = await input.stat();
    if (!before.isFile()) throw new CommandError('--csv expects a file: it is read twice');
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
        throw new CommandError('the file that --csv names was changed meanwhile; run the same command again');
      await part.finish();
      return { ...survey.counts, takenOver };
    } finally {
      await part.close();
    }
  } finally {
    await input.close();
  }
}

async function openInput(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new CommandError('there is no file that --csv names') : error;
  });
}

interface Survey {
  readonly digest: string;
  readonly counts: Omit<CsvSummary, 'takenOver'>;
}

/** Reads all of the file and proves it. */
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

/** Everything that the bytes of the output follow from. */
function identify({ layout, prefix, iterations }: CsvJob, { digest }: Survey): Identity {
  return {
    format: 1,
    // A file of one address could be found out from its plain digest much sooner than from its hash, so this one is as hard.
    input: hashIdentifierSync(digest, { prefix, iterations }),
    prefix,
    iterations,
    column: layout.column,
    kind: layout.kind ?? null,
    delimiter: layout.delimiter,
  };
}

/** Writes the rows that are not there yet; resolves with how many were. Throws CommandError when it was stopped. */
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
    if (!taken.next) return;
    let row: Row | undefined = taken.next;
    while (row) {
      // No new row is begun; those that are being hashed are finished.
      if (isStopping) {
        isCut = true;
        return;
      }
      yield row;
      row = (await rows.next()).value as Row | undefined;
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
    // Also after an error: what is hashed is not hashed again.
    await part.flush();
    await rows.return(undefined);
  }
  if (isCut)
    throw new CommandError(`stopped after ${count(taken.rows + done, 'row')}; the same command goes on from there`);
  return taken.rows;
}

function readFrom(input: FileHandle, start: number): AsyncIterable<Buffer> {
  return input.createReadStream({ start, autoClose: false, highWaterMark: 64 * 1024 });
}
