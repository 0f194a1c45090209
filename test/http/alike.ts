// Whether two kinds of requests can be told apart by the time that they take.

/** The times of requests of two kinds, in nanoseconds, in any order. */
export interface Times {
  readonly one: Float64Array;
  readonly other: Float64Array;
}

/**
 * Sends `each` requests of two kinds in random order, after a warm-up, and measures them. `random` returns a number
 * from 0 to 1. `one` and `other` prepare a request; only the returned function is measured.
 */
export async function measure(
  each: number,
  random: () => number,
  kinds: readonly [() => () => Promise<unknown>, () => () => Promise<unknown>],
): Promise<Times> {
  const times = [new Float64Array(each), new Float64Array(each)] as const;
  const counts: [number, number] = [0, 0];
  const warm = Math.ceil(each / 20);
  for (let n = -warm; counts[0] + counts[1] < 2 * each; n++) {
    // Prepare both kinds, so that what was done before a request does not tell its kind.
    const both = [kinds[0](), kinds[1]()] as const;
    const left = [each - counts[0], each - counts[1]] as const;
    const kind = random() * (left[0] + left[1]) < left[0] ? 0 : 1;
    const send = both[kind];
    const begin = process.hrtime.bigint();
    await send();
    const took = Number(process.hrtime.bigint() - begin);
    if (n >= 0) times[kind][counts[kind]++] = took;
  }
  return { one: times[0], other: times[1] };
}

/**
 * The z of Mann and Whitney: how surely `one` takes another time than `other` plus `shift`. It looks at ranks only, so
 * pauses of the machine count little. Above 4.9, chance alone gives such a value once in a million times.
 */
export function surely({ one, other }: Times, shift = 0): number {
  const first = Float64Array.from(one).sort();
  const second = other.map((time) => time + shift).sort();
  let [below, upTo, wins] = [0, 0, 0];
  for (const time of first) {
    while (below < second.length && second[below]! < time) below++;
    while (upTo < second.length && second[upTo]! <= time) upTo++;
    wins += below + (upTo - below) / 2;
  }
  const [n, m] = [first.length, second.length];
  return (wins - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

/** z of a chance of one in a million, on both sides. */
export const Z = 4.9;

/** The differences of time, in nanoseconds, that the measurement does not exclude: those that {@link Z} allows. */
export function intervalOf(times: Times): readonly [number, number] {
  const bound = (z: number): number => {
    let [low, high] = [-1e7, 1e7];
    while (high - low > 1) {
      const middle = (low + high) / 2;
      if (surely(times, middle) > z) low = middle;
      else high = middle;
    }
    return Math.round(low);
  };
  return [bound(Z), bound(-Z)];
}
