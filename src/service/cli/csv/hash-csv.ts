import { lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { writeWholeFile } from '../../../stores/holds/whole-file.ts';
import type { LeftOut } from '../clear-values.ts';
import { CommandError } from '../errors.ts';
import { createFrequentValue } from '../frequent-value.ts';
import type { HashAll } from '../hash-all.ts';
import { hashRows } from './hash-rows.ts';
import { showProgress, type ProgressTarget } from './progress.ts';
import { markOf, NOT_UTF8, readRows, type CsvLayout, type Row } from './rows.ts';

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
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
}

/** The result. The row counts exclude the header and blank lines. */
export interface CsvSummary {
  readonly rows: number;
  readonly hashed: number;
  readonly empty: number;
  readonly skipped: number;
  /** Values that are no identifier; undefined if there is none. */
  readonly leftOut?: LeftOut;
  /** Hashed, but without the canonical form of their kind; undefined if there is none. */
  readonly notCanonical?: number;
  /** Hashed in a form that `--canonical` would change; undefined if there is none. */
  readonly wouldChange?: number;
  /** How many rows have the most frequent value; undefined if these are few. */
  readonly frequent?: number;
}

/**
 * Copies a CSV file and replaces the cells of one column with hashes. All other bytes stay, except the column's name if
 * a kind is given. Reads the file twice. The first pass finds every mistake before hashing starts, because hashing
 * takes about a thousand times longer. Memory use is constant. Throws CommandError if the input is invalid or changes,
 * if the output exists, or if the run is stopped; then there is no output. The message contains no cell content.
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
    const summary = await takeSurvey(input, mark, before.size, job, surroundings);
    const written = writeWholeFile(job.out, async (file) => {
      await file.append(mark);
      for await (const piece of hashPieces(input, mark, before.size, job, surroundings)) await file.append(piece);
      const after = await input.stat();
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
        throw new CommandError('the file of --csv changed during the run; run the same command again');
    });
    await written.catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new CommandError(TAKEN) : error;
    });
    return summary;
  } finally {
    await input.close();
  }
}

const TAKEN = 'the file of --out already exists and is never overwritten; delete it or choose another name';

/** Throws CommandError if the output already exists, or is the input under another name. */
async function refuseTaken(input: { readonly dev: number; readonly ino: number }, out: string): Promise<void> {
  const there = await stat(out).catch(ignoreMissing);
  if (there && there.dev === input.dev && there.ino === input.ino)
    throw new CommandError('--csv and --out use the same file; choose another --out');
  if (await lstat(out).catch(ignoreMissing)) throw new CommandError(TAKEN);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Reads and validates the whole file. */
async function takeSurvey(
  input: FileHandle,
  mark: Buffer,
  size: number,
  job: CsvJob,
  { progress: target, signal }: CsvSurroundings,
): Promise<CsvSummary> {
  const progress = showProgress(target, 'checking', size);
  const counts: { -readonly [Name in keyof CsvSummary]: CsvSummary[Name] } = {
    rows: 0,
    hashed: 0,
    empty: 0,
    skipped: 0,
  };
  const values = createFrequentValue();
  let bytes = mark.length;
  try {
    for await (const { line, size: rowBytes, cell } of readRows(readFrom(input, mark.length), job.layout)) {
      if (signal.aborted) throw stopped();
      progress.update(counts.rows, (bytes += rowBytes));
      if (cell === 'kept') continue;
      counts.rows++;
      if (cell === 'empty') counts.empty++;
      else if (typeof cell !== 'string') {
        counts.hashed++;
        values.add(cell.normalised);
        if (!cell.isCanonical) counts.notCanonical = (counts.notCanonical ?? 0) + 1;
        if (cell.wouldChange) counts.wouldChange = (counts.wouldChange ?? 0) + 1;
      } else if (cell !== 'bad') counts.leftOut = { ...counts.leftOut, [cell]: (counts.leftOut?.[cell] ?? 0) + 1 };
      else if (job.skipBad) counts.skipped++;
      else
        throw new CommandError(
          `row ${counts.rows}, on line ${line}, has a cell that is ${NOT_UTF8}; --skip-bad leaves such cells empty`,
        );
    }
    const frequent = values.rows(counts.hashed);
    return { ...counts, ...(frequent !== undefined && { frequent }) };
  } finally {
    progress.clear();
  }
}

/** Yields the bytes of the output after the mark. */
async function* hashPieces(
  input: FileHandle,
  mark: Buffer,
  size: number,
  { layout, prefix, iterations }: CsvJob,
  { hashAll, progress: target, signal }: CsvSurroundings,
): AsyncGenerator<Uint8Array> {
  const rows = readRows(readFrom(input, mark.length), layout);
  const untilStopped = async function* (): AsyncGenerator<Row> {
    for await (const row of rows) {
      if (signal.aborted) throw stopped();
      yield row;
    }
  };
  const progress = showProgress(target, 'hashing', size);
  let done = 0;
  let bytes = mark.length;
  try {
    for await (const { row, hash } of hashRows(untilStopped(), hashAll, { prefix, iterations })) {
      yield* [row.before, Buffer.from(hash ?? '', 'latin1'), row.after];
      if (row.cell !== 'kept') done++;
      progress.update(done, (bytes += row.size));
    }
  } finally {
    progress.clear();
    await rows.return(undefined);
  }
}

function stopped(): CommandError {
  return new CommandError('stopped; nothing was written');
}

function readFrom(input: FileHandle, start: number): AsyncIterable<Buffer> {
  return input.createReadStream({ start, autoClose: false, highWaterMark: 64 * 1024 });
}
