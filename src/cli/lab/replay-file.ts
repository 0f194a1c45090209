import { createReadStream } from 'node:fs';
import { LabEventError } from '../../lab/event-error.ts';
import { readEvents } from '../../lab/read-events.ts';
import { replay, type Replayed, type ReplayOptions } from '../../lab/replay.ts';
import { NothingJudgedError } from '../../lab/summarise.ts';
import { wordRefusal } from '../../protocol/wording.ts';
import { createSqljsStore } from '../../store/sqljs/store.ts';
import { CommandError, readWhole, UsageError } from '../arguments.ts';
import { readLines } from '../lines.ts';

export const REPLAY_HELP = `  --exclude-own      leave the asking reporter's own reports out of its queries
  --epoch-days N     days between two times that standings are learnt anew (default 7)
  --seed N           of everything that is drawn (default 1)`;

export const REPLAY_OPTIONS = {
  'exclude-own': { type: 'boolean' },
  'epoch-days': { type: 'string' },
  seed: { type: 'string' },
} as const;

/** The options of {@link REPLAY_OPTIONS}, read. */
export function readReplay(values: {
  readonly 'exclude-own'?: boolean | undefined;
  readonly 'epoch-days'?: string | undefined;
  readonly seed?: string | undefined;
}) {
  return {
    excludeOwn: values['exclude-own'] ?? false,
    epochDays: readWhole('epoch-days', values['epoch-days'] ?? '7', 1, 36_500),
    seed: readWhole('seed', values.seed ?? '1', 0, Number.MAX_SAFE_INTEGER),
  };
}

/** Lives through the NDJSON of a file, or of standard input for `-`. Throws CommandError for lines that are no events. */
export async function replayFile(positionals: readonly string[], options: ReplayOptions): Promise<Replayed> {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError('the lab expects one file of events, or - for standard input; see redflag lab run --help');
  return withProgress(async (onProgress) => {
    const store = await createSqljsStore();
    try {
      const bytes = file === '-' ? (process.stdin as AsyncIterable<Uint8Array>) : createReadStream(file);
      return await replay(readEvents(readLines(bytes)), store, { ...options, onProgress });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new CommandError(`there is no file ${file}; redflag lab --help lists what else the lab does`);
      throw error;
    } finally {
      await store.close();
    }
  });
}

/** Turns what the lab throws about its input into what a person reads. */
export async function worded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LabEventError)
      throw new CommandError(
        error.refusal === undefined ? error.message : `${error.message}: ${wordRefusal(error.refusal)}`,
      );
    if (error instanceof NothingJudgedError || error instanceof RangeError) throw new CommandError(error.message);
    throw error;
  }
}

const REDRAW_MS = 250;

/** Shows on a terminal how many events are through. */
export async function withProgress<T>(work: (onProgress: (events: number) => void) => Promise<T>): Promise<T> {
  const { stderr } = process;
  const startedAt = performance.now();
  let drawnAt = startedAt;
  try {
    return await work((events) => {
      const now = performance.now();
      if (!stderr.isTTY || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      stderr.write(`\r\u001b[K${events} events, ${Math.round((1000 * events) / (now - startedAt))} a second`);
    });
  } finally {
    if (stderr.isTTY) stderr.write('\r\u001b[K');
  }
}
