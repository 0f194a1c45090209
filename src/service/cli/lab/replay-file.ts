import { createReadStream } from 'node:fs';
import { LabEventError, type LabEvent } from '../../../lab/event.ts';
import { readEvents } from '../../../lab/read-events.ts';
import { replay } from '../../../lab/replay.ts';
import type { Replayed, ReplayOptions } from '../../../lab/replayed.ts';
import { NothingJudgedError } from '../../../lab/summarise.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import { createSqljsStore } from '../../../core/store/sqljs/store.ts';
import { CommandError, UsageError } from '../errors.ts';
import { readLines } from '../lines.ts';
import { flag, whole, type ValuesOf } from '../option.ts';
import { toFolderError } from './folder-error.ts';
import { MAP_TYPE, mapTypes, type TypeMap } from './offence-types.ts';
import { requireSorted, sortEvents } from './sort-events.ts';

const REDRAW_MS = 250;

/** The option `--seed`. */
export const SEED = { seed: whole('N', [0, Number.MAX_SAFE_INTEGER], 'seed of all random draws', 1) };

/** The options of a command that replays a file of events. */
export const REPLAY_OPTIONS = {
  'exclude-own': flag("ignore a reporter's own reports in its queries"),
  'epoch-days': whole('N', [1, 36_500], 'days between two recomputations of standings', 7),
  ...SEED,
  sort: flag('sort the events by time, in memory; events of the same time stay in the order of the file'),
  ...MAP_TYPE,
};

type ReplayValues = ValuesOf<typeof REPLAY_OPTIONS>;

/** How to read a file of events. */
export interface EventsLayout {
  readonly sort: boolean;
  readonly types: TypeMap;
}

/** Returns the values of {@link REPLAY_OPTIONS} that concern the file. */
export function readLayout({ sort, 'map-type': types }: ReplayValues): EventsLayout {
  return { sort, types };
}

/** Returns the other values of {@link REPLAY_OPTIONS}. */
export function readReplay(values: ReplayValues) {
  return { excludeOwn: values['exclude-own'], epochDays: values['epoch-days'], seed: values.seed };
}

/**
 * Replays the NDJSON of a file, or of standard input for `-`. Throws UsageError unless one file is named, CommandError
 * if the file does not exist, is a folder, is not in order of time or has unknown offence types, and LabEventError for
 * a line that is not an event.
 */
export async function replayFile(
  positionals: readonly string[],
  layout: EventsLayout,
  options: ReplayOptions,
): Promise<Replayed> {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError('the lab expects one file of events, or - for standard input; see redflag lab run --help');
  return replayEvents(readEventsFile(file, layout), options);
}

/**
 * Reads the NDJSON of a file, or of standard input for `-`. Throws CommandError if the file does not exist, is a
 * folder, is not in order of time or has unknown offence types, and LabEventError for a line that is not an event.
 */
export async function* readEventsFile(file: string, { sort, types }: EventsLayout): AsyncGenerator<LabEvent> {
  try {
    // Open the file only when it is read. An error of a stream that is not read yet would end the process.
    const events = readEvents(readLines(file === '-' ? process.stdin : createReadStream(file)));
    yield* mapTypes(sort ? sortEvents(events) : requireSorted(events), types);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new CommandError(
        `there is no file ${file}; check the path, or see redflag lab --help if you meant a command`,
      );
    throw toFolderError(file, error);
  }
}

/** Replays events on a new store in memory. On a terminal, shows the number of events. */
export function replayEvents(events: Parameters<typeof replay>[0], options: ReplayOptions): Promise<Replayed> {
  return showProgress(async (onProgress) => {
    const store = await createSqljsStore();
    try {
      return await replay(events, store, { ...options, onProgress });
    } finally {
      await store.close();
    }
  });
}

/** Does work that calls `onProgress` with the number of events so far. On a terminal, shows this number meanwhile. */
export async function showProgress<T>(work: (onProgress: (events: number) => void) => Promise<T>): Promise<T> {
  const { stderr } = process;
  let startedAt = performance.now();
  let drawnAt = startedAt;
  let last = 0;
  const onProgress = (events: number): void => {
    const now = performance.now();
    // Another replay begins.
    if (events < last) startedAt = now;
    last = events;
    if (!stderr.isTTY || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    stderr.write(
      `\r\u001b[K${events} events, ${Math.round((1000 * events) / Math.max(1, now - startedAt))} per second`,
    );
  };
  try {
    return await work(onProgress);
  } finally {
    if (stderr.isTTY) stderr.write('\r\u001b[K');
  }
}

/** Rethrows the lab's errors about its input as CommandError. */
export async function withFormattedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LabEventError)
      throw new CommandError(
        error.refusal === undefined ? error.message : `${error.message}: ${formatRefusal(error.refusal)}`,
      );
    if (error instanceof NothingJudgedError || error instanceof RangeError) throw new CommandError(error.message);
    throw error;
  }
}
