import type { LabEvent } from '../../lab/event.ts';
import { createModels, type ModelName } from '../../lab/models.ts';
import { replay } from '../../lab/replay.ts';
import type { Replayed } from '../../lab/replayed.ts';
import { simulateWorld } from '../../lab/simulate/world.ts';
import type { ScenarioName } from '../../lab/simulate/world-options.ts';
import { NothingJudgedError, summarise } from '../../lab/summarise.ts';
import { createSqljsStore, type StartedSqlJs } from '../../sqljs.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import type { PlayedEvent } from './events.ts';
import { comparedModels, toConstants, type Changes } from './what-if.ts';

/** Which world to simulate, and with which constants. */
export interface WorldTask {
  readonly seed: number;
  readonly scenario: ScenarioName;
  readonly changes: Changes;
}

/** How well a model told fraudsters from honest customers. */
export interface WorldScore {
  readonly name: ModelName;
  /** Chance that a fraudster ranks above an honest customer, with its 95 % interval. */
  readonly ranking: { readonly value: number; readonly low: number; readonly high: number };
}

/** A simulated world and the answers of the models in it. */
export interface World {
  readonly reporters: number;
  readonly reports: number;
  readonly queries: number;
  /** Queries with a match, and how many of them were about fraudsters. */
  readonly judged: number;
  readonly frauds: number;
  readonly scores: readonly WorldScore[];
  /** What happened, for the page's own engine. The last event is now. */
  readonly events: readonly PlayedEvent[];
  /** Customers with reports, to ask about. */
  readonly people: readonly { readonly fraud: boolean; readonly identifiers: readonly Identifier[] }[];
}

/** About 800 reports: a few seconds. */
const SIZE = { days: 900, customers: 1500, reporters: 20, queries: { fromDay: 300, count: 600 } };
const PEOPLE = 6;

/** Simulates a world and replays it on an engine. `onProgress` gets a share from 0 to 1. */
export async function runWorld(
  { seed, scenario, changes }: WorldTask,
  sqlJs: StartedSqlJs,
  onProgress: (share: number) => void,
): Promise<World> {
  const events = [...simulateWorld({ seed, scenario, options: SIZE })];
  const names = comparedModels(changes);
  const models = createModels(names, toConstants(changes));
  const store = await createSqljsStore({ sqlJs });
  let replayed: Replayed;
  try {
    let done = 0;
    const counted = function* (): Iterable<LabEvent> {
      for (const event of events) {
        if (done++ % 50 === 0) onProgress(done / events.length);
        yield event;
      }
    };
    replayed = await replay(counted(), store, { models, excludeOwn: true, misses: 0 });
  } finally {
    await store.close();
  }
  const { counts, models: results } = summarise([replayed], { title: scenario, models: names, resamples: 100 });
  return {
    reporters: counts.reporters,
    reports: counts.reports,
    queries: counts.queries,
    judged: counts.judged,
    frauds: counts.positives,
    scores: results.map(({ rocAuc }, at) => ({ name: names[at]!, ranking: rocAuc })),
    events: toPlayed(events),
    people: findPeople(events),
  };
}

/** Moves the events so that the last one is now. */
function toPlayed(events: readonly LabEvent[]): PlayedEvent[] {
  const shift = Date.now() - (events.at(-1)?.at ?? 0);
  return events.flatMap((event, index): PlayedEvent[] => {
    const at = event.at + shift;
    if (event.do === 'reporter') return [{ do: 'reporter', at, name: event.name, verified: event.verified }];
    if (event.do === 'remove') return [{ do: 'remove', at, id: event.id }];
    if (event.do !== 'report') return [];
    const { id, reporter, type, severity, identifiers } = event;
    // Equal reports of a day would be retries, so each has its own text.
    return [{ do: 'report', at, id, reporter, type, severity, identifiers, text: `Simulated, event ${index}.` }];
  });
}

/** Returns the last customers who were asked about and have a report, fraudsters and honest ones in turn. */
function findPeople(events: readonly LabEvent[]): World['people'] {
  const reported = new Set(
    events.flatMap((event) => (event.do === 'report' ? event.identifiers.map(({ hash }) => hash) : [])),
  );
  const found = events
    .filter((event) => event.do === 'query')
    .filter(({ identifiers }) => identifiers.some(({ kind, hash }) => kind !== 'ip' && reported.has(hash)))
    .reverse();
  return [1, 0].flatMap((label) =>
    found
      .filter((query) => query.label === label)
      .slice(0, PEOPLE / 2)
      .map(({ identifiers }) => ({ fraud: label === 1, identifiers })),
  );
}

/** Returns the message for a world that cannot be judged or run. */
export function worldFailure(error: unknown): string {
  if (error instanceof NothingJudgedError) return 'This world has too few matches. Choose another seed.';
  return error instanceof Error ? error.message : String(error);
}
