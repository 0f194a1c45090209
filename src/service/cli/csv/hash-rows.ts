import type { HashAll, HashAllOptions } from '../hash-all.ts';
import type { Row } from './rows.ts';

/** A row and the hash for its cell. The hash is undefined if the row has no value. */
export interface HashedRow {
  readonly row: Row;
  readonly hash: string | undefined;
}

interface Answer {
  hash: string | undefined;
}

/** Maximum number of values whose hashes are kept. The rows of one customer are often close together. */
const MAX_REMEMBERED_VALUES = 4096;
/** Longest kept value, in UTF-16 units. Limits memory to a few megabytes. */
const LONGEST_REMEMBERED = 256;

/** Maximum number of rows that may wait for a hash. At this number, the stream of values ends and restarts. */
const MAX_WAITING_ROWS = 4096;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/**
 * Yields every row with its hash, in order. A value that recurs soon is hashed once.
 *
 * If too many rows wait, the stream of values ends. The hasher must then return all pending hashes, and a new stream
 * continues. Otherwise, rows without a new value would accumulate while the hasher asks for more values.
 */
export async function* hashRows(
  rows: AsyncIterator<Row>,
  hashAll: HashAll,
  options: HashAllOptions,
): AsyncGenerator<HashedRow> {
  const remembered = new Map<string, Answer>();
  let isDone = false;
  while (!isDone) {
    const waiting: { row: Row; answer: Answer | undefined }[] = [];
    const owed: Answer[] = [];
    let bytes = 0;

    const values = async function* (): AsyncGenerator<string> {
      while (waiting.length < MAX_WAITING_ROWS && bytes < MAX_WAITING_BYTES) {
        const next = await rows.next();
        if (next.done) {
          isDone = true;
          return;
        }
        const row = next.value;
        bytes += row.size;
        if (typeof row.cell === 'string') {
          waiting.push({ row, answer: undefined });
          continue;
        }
        const { normalised } = row.cell;
        const known = recall(remembered, normalised);
        const answer = known ?? { hash: undefined };
        waiting.push({ row, answer });
        if (known) continue;
        owed.push(answer);
        remember(remembered, normalised, answer);
        yield normalised;
      }
    };

    const takeReady = function* (): Generator<HashedRow> {
      let ready = 0;
      for (const { row, answer } of waiting) {
        if (answer && answer.hash === undefined) break;
        ready++;
        bytes -= row.size;
        yield { row, hash: answer?.hash };
      }
      waiting.splice(0, ready);
    };

    for await (const hash of hashAll(values(), options)) {
      const answer = owed.shift();
      if (answer) answer.hash = hash;
      yield* takeReady();
    }
    yield* takeReady();
    if (waiting.length > 0) throw new Error('hashing ended before the last row; run the same command again');
  }
}

/** Returns the answer for a recent value, and makes the value the most recent. */
function recall(remembered: Map<string, Answer>, value: string): Answer | undefined {
  const answer = remembered.get(value);
  if (answer) {
    remembered.delete(value);
    remembered.set(value, answer);
  }
  return answer;
}

function remember(remembered: Map<string, Answer>, value: string, answer: Answer): void {
  if (value.length > LONGEST_REMEMBERED) return;
  remembered.set(value, answer);
  if (remembered.size <= MAX_REMEMBERED_VALUES) return;
  // A Map keeps the order of insertion, so its first key is the least recent.
  for (const oldest of remembered.keys()) return void remembered.delete(oldest);
}
