import { binOf, CALIBRATION_BINS } from './metrics/bins.ts';
import { atLeast, validateOptions } from './options.ts';
import { createRandom } from './random.ts';
import type { AnsweredQuery } from './replayed.ts';
import { createReservoir, type Reservoir } from './reservoir.ts';

/** A query to label by hand: its answer, and nothing about the person. */
export interface AuditedQuery {
  /** Number of the query among all queries of the events, from 1. */
  readonly number: number;
  /** Line of its event, as in {@link AnsweredQuery}. */
  readonly line: number;
  /** When it was asked (ms, UTC). */
  readonly at: number;
  /** Group of the query; undefined without one. */
  readonly group: string | undefined;
  /** Rounded Points, 1 to 100. */
  readonly points: number;
  /** Rounded Reliability, 1 to 10. */
  readonly reliability: number;
}

/** A sample of queries for an audit. It holds at most ten times its size. */
export interface AuditSample {
  /** Offers a query. It is ignored if no report matches, or if the first model states no chance. */
  offer(query: AnsweredQuery): void;
  /** Returns the sample, sorted by number. */
  choose(): readonly AuditedQuery[];
  /** Returns how many queries with a match were offered, and in how many bins of stated chance they are. */
  counts(): { readonly matched: number; readonly bins: number };
}

/**
 * Creates a sample that is stratified over ten equal bins of the first model's stated chance. Each bin gives the same
 * number of queries as far as it has enough; within a bin, each query has the same probability. The same seed gives the
 * same sample.
 *
 * @param options `size`: at least 1. `seed`: a whole number of at least 0.
 * @throws TypeError or RangeError for an invalid option.
 */
export function createAuditSample(options: { readonly size: number; readonly seed: number }): AuditSample {
  validateOptions('options', options, { size: atLeast(1), seed: atLeast(0) });
  const { size, seed } = options;
  const random = createRandom(seed);
  const seedOfBin = (): number => Math.floor(random() * 2 ** 32);
  const bins = Array.from({ length: CALIBRATION_BINS }, (): Reservoir<AuditedQuery> =>
    createReservoir(size, seedOfBin()),
  );
  const filled = (): readonly Reservoir<AuditedQuery>[] => bins.filter(({ items }) => items.length > 0);
  return {
    offer({ number, line, at, group, reported, answers }) {
      const { chance, verdict } = answers[0] ?? {};
      if (reported === 0 || chance === undefined || verdict === undefined) return;
      const { points, reliability } = verdict;
      bins[binOf(chance)]!.offer({ number, line, at, group, points, reliability });
    },
    choose() {
      // A reservoir is in no random order, so its first items are no random part of it.
      const order = createRandom(seed);
      const shuffled = filled().map(({ items }) =>
        items
          .map((item) => ({ item, place: order() }))
          .sort((a, b) => a.place - b.place)
          .map(({ item }) => item),
      );
      const chosen: AuditedQuery[] = [];
      for (let round = 0; round < size && chosen.length < size; round++)
        chosen.push(...shuffled.flatMap((items) => items.slice(round, round + 1)).slice(0, size - chosen.length));
      return chosen.sort((a, b) => a.number - b.number);
    },
    counts: () => ({ matched: bins.reduce((sum, { offered }) => sum + offered(), 0), bins: filled().length }),
  };
}
