import { getHeapStatistics } from 'node:v8';
import type { LabEvent } from '../../../lab/event.ts';
import { CommandError } from '../errors.ts';

/** Events between two looks at the heap. */
const STEP = 1000;

/**
 * Yields the events in order of time. Events of the same time stay in the order of the file. Keeps all events in
 * memory. Throws CommandError if they do not fit.
 *
 * @param hasRoom returns false if no more events fit. Default: half of the heap is free, because the replay needs
 * memory too.
 */
export async function* sortEvents(
  events: AsyncIterable<LabEvent>,
  hasRoom: () => boolean = isHalfFree,
): AsyncGenerator<LabEvent, void, void> {
  const all: LabEvent[] = [];
  for await (const event of events) {
    if (all.push(event) % STEP === 0 && !hasRoom())
      throw new CommandError(
        `--sort keeps all events in memory, and only ${all.length} fit; sort the file by time first, or give more memory with NODE_OPTIONS=--max-old-space-size=MEGABYTES`,
      );
  }
  yield* all.sort((a, b) => a.at - b.at);
}

/** Yields the events unchanged. Throws CommandError for an event that is earlier than the previous one. */
export async function* requireSorted(events: AsyncIterable<LabEvent>): AsyncGenerator<LabEvent, void, void> {
  let last = -Infinity;
  for await (const event of events) {
    if (event.at < last)
      throw new CommandError(
        `line ${event.line}: it is earlier than the previous event; use --sort to sort the events by time`,
      );
    last = event.at;
    yield event;
  }
}

function isHalfFree(): boolean {
  const heap = getHeapStatistics();
  return heap.used_heap_size < heap.heap_size_limit / 2;
}
