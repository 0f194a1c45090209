import type { HashAll, HashAllOptions } from '../hash-all.ts';
import type { Row } from './rows.ts';

/** A row and the hash for its cell; undefined for a row without. */
export interface HashedRow {
  readonly row: Row;
  readonly hash: string | undefined;
}

interface Answer {
  hash: string | undefined;
}

/** Values whose hash is remembered: customers come in clusters. With texts of at most so many UTF-16 units: a few megabytes. */
const MOST_REMEMBERED = 4096;
const LONGEST_REMEMBERED = 256;

/** Rows, and bytes of them, that may wait for a hash before the stream is ended and begun anew. */
const MOST_WAITING_ROWS = 4096;
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

/**
 * Gives every row its hash, in order. A value that comes again soon is not hashed again.
 * Rows without a value of their own would pile up while the hashing asks for more, so the stream of values ends when too many wait: then all that
 * is owed must come, whatever the hashing gathers before it works, and the next stream goes on from there.
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
      while (waiting.length < MOST_WAITING_ROWS && bytes < MOST_WAITING_BYTES) {
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
      owed.shift()!.hash = hash;
      yield* takeReady();
    }
    yield* takeReady();
    if (waiting.length > 0) throw new Error('the hashing ended before it had hashed everything');
  }
}

/** The answer to a value that was asked lately, which is by that the latest again. */
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
  // A Map keeps the order of insertion, so the first is the one that was asked least lately.
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
}
