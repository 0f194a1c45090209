import { toLabIdentifier } from '../../src/lab/event.ts';
import type {
  DisputeEvent,
  LabEvent,
  QueryEvent,
  RemoveEvent,
  ReporterEvent,
  ReportEvent,
} from '../../src/lab/event.ts';
import { createModels } from '../../src/lab/models.ts';
import { replay } from '../../src/lab/replay.ts';
import type { Judged, Replayed, ReplayOptions } from '../../src/lab/replayed.ts';
import { createMemoryStore } from '../memory-store.ts';

export const DAY = 86_400_000;
export const START = Date.UTC(2021, 0, 1);

/** Returns the time some days after the start. */
export const day = (days: number): number => START + days * DAY;
export const email = (name: string) => toLabIdentifier('email', `${name}@example.com`);

export const reporter = (name: string, verified = true, at = START): ReporterEvent => ({
  at,
  do: 'reporter',
  name,
  verified,
});
export const report = (days: number, id: string, by: string, about: string, severity = 8): ReportEvent => ({
  at: day(days),
  do: 'report',
  id,
  reporter: by,
  type: 'fraud',
  severity,
  identifiers: [email(about)],
});
export const remove = (days: number, id: string): RemoveEvent => ({ at: day(days), do: 'remove', id });
export const dispute = (days: number, id: string, upheld?: boolean): DisputeEvent => ({
  at: day(days),
  do: 'dispute',
  id,
  ...(upheld === undefined ? {} : { upheld }),
});
export const query = (
  days: number,
  about: string,
  label?: 0 | 1,
  rest: { reporter?: string; group?: string } = {},
): QueryEvent => ({
  at: day(days),
  do: 'query',
  identifiers: [email(about)],
  ...(label === undefined ? {} : { label }),
  ...rest,
});

/** Replays a history on a new store, with the default model unless another is given. */
export async function live(
  events: Iterable<LabEvent> | AsyncIterable<LabEvent>,
  options: Partial<ReplayOptions> = {},
): Promise<Replayed> {
  const store = await createMemoryStore();
  try {
    return await replay(events, store, { models: createModels(['link-claim']), ...options });
  } finally {
    await store.close();
  }
}

/** Returns a judged query with the scores of the models. `chance` follows from the score. */
export function judged(
  label: 0 | 1,
  scores: readonly number[],
  rest: {
    reported?: number;
    group?: string;
    kinds?: readonly string[];
    stated?: boolean;
    at?: number;
    age?: number;
  } = {},
): Judged {
  const { reported = 1, group, kinds = ['email'], stated = true, at = START, age = 1 } = rest;
  return {
    at,
    label,
    group,
    reported,
    kinds,
    youngest: reported === 0 ? [] : kinds.map((kind) => ({ kind, ageDays: age })),
    answers: scores.map((score) => ({
      score,
      chance: stated ? score / 100 : undefined,
      points: Math.min(100, Math.round(score)),
    })),
  };
}

/** Returns the result of a replay; fields that are not given are 0 or empty. */
export function replayed(samples: readonly Judged[], rest: Partial<Replayed> = {}): Replayed {
  return {
    events: 0,
    from: START,
    to: START,
    reporters: 0,
    reports: 0,
    removed: 0,
    disputes: 0,
    queries: samples.length,
    labelled: samples.length,
    matched: samples.filter(({ reported }) => reported > 0).length,
    samples,
    unlabelled: new Map(),
    misses: [],
    ...rest,
  };
}
