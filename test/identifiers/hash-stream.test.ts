import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChainParameters } from '../../src/core/hash/chain.ts';
import type { ChunkRunner } from '../../src/core/hash/runner.ts';
import { hashIdentifiers, hashIdentifierSync, hashStream } from '../../src/hash.ts';
import { budget } from '../budget.ts';
import { createManyHashing } from '../../src/core/identifiers/hash-many.ts';
import { chunkSize, evenChunkSize } from '../../src/core/identifiers/run-chunks.ts';

const few = { iterations: 2 };
const people = (count: number): string[] => Array.from({ length: count }, (_, at) => `person${at}@example.com`);
const hashesOf = (values: readonly string[]): string[] => values.map((value) => hashIdentifierSync(value, few));
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** A runner whose chunks end in any order: the order is `after`'s. */
function shuffledRunner(
  size: number,
  { prefix, rounds }: ChainParameters,
  after: () => number,
): ChunkRunner & { readonly lengths: number[]; cancelled: number } {
  const runner = {
    size,
    ahead: 2 * size,
    lengths: [] as number[],
    cancelled: 0,
    start(values: readonly string[], _first: number) {
      runner.lengths.push(values.length);
      let cancelled = false;
      const hashes = (async () => {
        for (let left = after(); left > 0 && !cancelled; left--) await turn();
        return values.map((value) =>
          hashIdentifierSync(value, { prefix: new TextDecoder().decode(prefix), iterations: rounds }),
        );
      })();
      return {
        hashes,
        cancel: () => {
          cancelled = true;
          runner.cancelled++;
        },
      };
    },
    close: () => {},
  };
  return runner;
}

/** A source that tells what was asked of it. */
function watched(count: number): {
  readonly asked: number;
  readonly closed: number;
  values: Iterable<string>;
  later: AsyncIterable<string>;
} {
  const seen = { asked: 0, closed: 0 };
  const step = (): IteratorResult<string> =>
    seen.asked >= count ? { done: true, value: undefined } : { done: false, value: `x${seen.asked++}` };
  return {
    get asked() {
      return seen.asked;
    },
    get closed() {
      return seen.closed;
    },
    values: {
      [Symbol.iterator]: () => ({
        next: step,
        return: () => {
          seen.closed++;
          return { done: true, value: undefined };
        },
      }),
    },
    later: {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve().then(step),
        return: async () => {
          seen.closed++;
          return { done: true, value: undefined };
        },
      }),
    },
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('hashStream', () => {
  it('keeps the order, from any iterable, whatever the order in which chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3500 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 5 })),
        fc.infiniteStream(fc.boolean()),
        async (count, size, delays, slow) => {
          const values = people(count);
          const { hashStream: stream, hashIdentifiers: list } = createManyHashing((parameters) =>
            shuffledRunner(size, parameters, () => delays.next().value),
          );
          const later = async function* () {
            for (const value of values) {
              if (count < 200 && slow.next().value) await turn();
              yield value;
            }
          };
          const expected = hashesOf(values);
          expect(await collect(stream(values, few))).toEqual(expected);
          expect(await collect(stream(later(), few))).toEqual(expected);
          expect(await list(values, few)).toEqual(expected);
          expect(await collect(hashStream(later(), few))).toEqual(expected);
        },
      ),
      { numRuns: budget(8) },
    );
  });

  it.each(['values', 'later'] as const)('reads only as far as it promises (%s)', async (kind) => {
    const source = watched(1_000_000);
    for (const [open, bound] of [
      [(parameters: ChainParameters) => shuffledRunner(2, parameters, () => 0), 4000],
      [undefined, 1000],
    ] as const) {
      const from = source.asked;
      const stream = open ? createManyHashing(open).hashStream(source[kind], few) : hashStream(source[kind], few);
      expect(source.asked).toBe(from);
      let taken = 0;
      for await (const _ of stream) {
        taken++;
        // A slow consumer: whatever could read ahead has the time to.
        if (taken % 500 === 1) for (let wait = 0; wait < 5; wait++) await turn();
        expect(source.asked - from - taken).toBeLessThanOrEqual(bound);
        if (taken === 5000) break;
      }
    }
    expect(source.closed).toBe(2);
  });

  it('reads 24 ahead at 32,000 iterations, in one thread', async () => {
    const source = watched(1000);
    const stream = hashStream(source.values);
    await stream.next();
    expect(source.asked).toBe(24);
    await stream.return();
    expect(source.closed).toBe(1);
  });

  it('does not keep a value waiting: a source that waits for the last answer is served', async () => {
    let answered: (hash: string) => void = () => {};
    async function* asking() {
      for (let at = 0; at < 5; at++) {
        const answer = new Promise<string>((resolve) => (answered = resolve));
        yield `x${at}`;
        expect(await answer).toBe(hashIdentifierSync(`x${at}`, few));
      }
    }
    const runners = [undefined, (parameters: ChainParameters) => shuffledRunner(3, parameters, () => 1)];
    for (const open of runners) {
      const stream = open ? createManyHashing(open).hashStream(asking(), few) : hashStream(asking(), few);
      let count = 0;
      for await (const hash of stream) {
        count++;
        answered(hash);
      }
      expect(count).toBe(5);
    }
  });

  it('fills chunks from an asynchronous source that has values at hand', async () => {
    let runner!: ReturnType<typeof shuffledRunner>;
    const { hashStream: stream } = createManyHashing((parameters) => (runner = shuffledRunner(2, parameters, () => 1)));
    await collect(stream(watched(3500).later, few));
    expect(runner.lengths).toEqual([1000, 1000, 1000, 500]);
  });

  it('bounds what long values take', async () => {
    let runner!: ReturnType<typeof shuffledRunner>;
    const { hashStream: stream } = createManyHashing((parameters) => (runner = shuffledRunner(2, parameters, () => 1)));
    await collect(
      stream(
        Array.from({ length: 7 }, () => 'y'.repeat(50_000)),
        few,
      ),
    );
    expect(runner.lengths).toEqual([2, 2, 2, 1]);
  });

  it.each([
    ['empty', '  '],
    ['lone-surrogate', 'secret\ud800'],
    ['not-a-string', 7],
  ])('names the index of a value that is %s, after the hashes before it', async (reason, wrong) => {
    let closed = 0;
    function* source() {
      try {
        yield* people(33);
        yield wrong as string;
        throw new Error('was read too far');
      } finally {
        closed++;
      }
    }
    const got: string[] = [];
    const error: unknown = await (async () => {
      for await (const hash of hashStream(source(), few)) got.push(hash);
    })().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'IdentifierError', reason, index: 33 });
    expect(JSON.stringify([String(error), error])).not.toContain('secret');
    expect(got).toEqual(hashesOf(people(33)));
    expect(closed).toBe(1);
  });

  it('passes on what the source throws, after the hashes before it', async () => {
    const mine = new Error('the file is gone');
    function* soon() {
      yield* people(3);
      throw mine;
    }
    async function* later() {
      yield* people(3);
      throw mine;
    }
    for (const source of [soon, later]) {
      const got: string[] = [];
      await expect(
        (async () => {
          for await (const hash of hashStream(source(), few)) got.push(hash);
        })(),
      ).rejects.toBe(mine);
      expect(got).toHaveLength(3);
    }
    await expect(
      collect(
        hashStream({
          [Symbol.iterator]: () => {
            throw mine;
          },
        }),
      ),
    ).rejects.toBe(mine);
    await expect(
      collect(hashStream({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(mine) }) })),
    ).rejects.toBe(mine);
  });

  it('closes the source when the loop is left, and passes on its complaint', async () => {
    const source = watched(10_000);
    for await (const _ of hashStream(source.later, few)) break;
    expect(source.closed).toBe(1);
    const mine = new Error('cannot close');
    const broken = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false, value: 'x' }) as const,
        return: () => {
          throw mine;
        },
      }),
    };
    await expect(
      (async () => {
        for await (const _ of hashStream(broken, few)) break;
      })(),
    ).rejects.toBe(mine);
    // When something else is wrong, that counts.
    await expect(
      (async () => {
        for await (const _ of hashStream(broken, few)) throw new Error('the loop itself');
      })(),
    ).rejects.toThrow('the loop itself');
  });

  it('opens nothing that is never asked for', async () => {
    const open = vi.fn(() => people(1)[Symbol.iterator]());
    const stream = hashStream({ [Symbol.iterator]: open });
    await stream.return();
    expect(open).not.toHaveBeenCalled();
  });

  it('does not wait for a read that never comes back when it is stopped', async () => {
    let closed = 0;
    const silent = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: () => {
          closed++;
          return new Promise<never>(() => {});
        },
      }),
    };
    const reason = new Error('enough');
    const controller = new AbortController();
    const running = collect(hashStream(silent, { signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 20);
    await expect(running).rejects.toBe(reason);
    expect(closed).toBe(1);
  });

  it('leaves no unhandled rejection if the source cannot be closed while a read is pending', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const broken = {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<never>(() => {}),
          return: () => Promise.reject(new Error('cannot close')),
        }),
      };
      const controller = new AbortController();
      const running = collect(hashStream(broken, { signal: controller.signal }));
      await turn();
      controller.abort(new Error('enough'));
      await expect(running).rejects.toThrow('enough');
      await turn();
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });

  it('begins nothing when a read comes back after the end', async () => {
    let runner!: ReturnType<typeof shuffledRunner>;
    const { hashStream: stream } = createManyHashing((parameters) => (runner = shuffledRunner(1, parameters, () => 1)));
    let give: (step: IteratorResult<string>) => void = () => {};
    const steps = [
      { done: false, value: 'x' },
      { done: false, value: 'y' },
    ] as const;
    let at = 0;
    const slow = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          at === 0 ? Promise.resolve(steps[at++]!) : new Promise<IteratorResult<string>>((resolve) => (give = resolve)),
      }),
    };
    const hashing = stream(slow, few);
    await hashing.next();
    await hashing.return();
    give({ done: true, value: undefined });
    await turn();
    expect(runner.lengths).toEqual([1]);
  });

  it('stops in the middle of a chunk, and before the first', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let got = 0;
    await expect(
      (async () => {
        for await (const _ of hashStream(people(100), { ...few, signal: controller.signal }))
          if (++got === 7) controller.abort(reason);
      })(),
    ).rejects.toBe(reason);
    expect(got).toBe(7);
    const source = watched(10);
    await expect(collect(hashStream(source.values, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(source.asked).toBe(0);

    let runner!: ReturnType<typeof shuffledRunner>;
    const { hashStream: stream } = createManyHashing(
      (parameters) => (runner = shuffledRunner(2, parameters, () => 1e9)),
    );
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(reason), 20);
    await expect(collect(stream(people(5000), { ...few, signal: stopping.signal }))).rejects.toBe(reason);
    expect(runner.cancelled).toBeGreaterThanOrEqual(4);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await collect(hashStream(people(3), { ...few, signal }));
    await hashIdentifiers(people(3), { ...few, signal });
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed).toHaveBeenCalledTimes(2);
  });

  it('lets timers run while it works', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await collect(hashStream(people(20)));
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(5);
  });

  it.each([
    [{ iterations: 0 }, RangeError],
    [{ prefix: 7 }, TypeError],
    [{ hasher: 'md5' }, TypeError],
    [{ signal: {} }, TypeError],
    [{ onProgress: 'x' }, TypeError],
  ])('refuses the options %j at once', (options, kind) => {
    expect(() => hashStream(['x'], options as never)).toThrow(kind);
  });

  it.each([
    ['a@example.com', 'string'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'object'],
  ])('refuses %j for a source', (values, got) => {
    expect(() => hashStream(values as never)).toThrow(new TypeError(`"values" expected a list of strings, got ${got}`));
  });
});

describe('onProgress', () => {
  it('is told at the end, and at most ten times a second before', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const seen: object[] = [];
    const open = (parameters: ChainParameters) => {
      const runner = shuffledRunner(1, parameters, () => 1);
      return {
        ...runner,
        start: (values: readonly string[], first: number) => {
          vi.advanceTimersByTime(40);
          return runner.start(values, first);
        },
      };
    };
    const { hashIdentifiers: list, hashStream: stream } = createManyHashing(open);
    await list(people(7000), { ...few, onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ done: 7000, total: 7000 });
    expect(seen.length).toBeLessThanOrEqual(4);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    seen.length = 0;
    await collect(stream(people(7000), { ...few, onProgress: (progress) => seen.push(progress) }));
    expect(seen.at(-1)).toEqual({ done: 7000 });
    expect(seen.length).toBeLessThanOrEqual(4);
  });

  it('is told of an empty list, and ends the call with what it throws', async () => {
    const onProgress = vi.fn();
    await hashIdentifiers([], { onProgress });
    expect(onProgress.mock.calls).toEqual([[{ done: 0, total: 0 }]]);
    const mine = new Error('no');
    await expect(
      hashIdentifiers(['x'], {
        ...few,
        onProgress: () => {
          throw mine;
        },
      }),
    ).rejects.toBe(mine);
    await expect(hashIdentifiers(['x'], { onProgress: 1 as never })).rejects.toThrow(
      '"onProgress" expected a function, got number',
    );
  });
});

describe('the sizes of chunks', () => {
  it('are 24 at 32,000 rounds, more for short chains, always a multiple of the lanes', () => {
    expect(chunkSize(32_000)).toBe(24);
    expect(chunkSize(1)).toBe(1000);
    expect(chunkSize(2 ** 40)).toBe(24);
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e6 }), (rounds) => chunkSize(rounds) % 8 === 0));
  });

  it('give every worker of a pool as much of a list, within the lanes of each chunk', () => {
    expect(evenChunkSize(32_000, 64, 2)).toBe(16);
    expect(evenChunkSize(32_000, 3, 2)).toBe(2);
    expect(evenChunkSize(32_000, 0, 2)).toBe(24);
    expect(evenChunkSize(32_000, 72, 2)).toBe(20);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 2, max: 64 }), (length, workers) => {
        const size = evenChunkSize(32_000, length, workers);
        const busiest = Math.ceil(Math.ceil(length / size) / workers) * size;
        return (
          size >= 1 &&
          size <= 24 &&
          (size < 4 || size % 4 === 0) &&
          busiest < length / workers + 4 * (1 + Math.ceil(length / (workers * 24)))
        );
      }),
    );
  });
});
