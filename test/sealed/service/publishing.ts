import type { Standing } from '../../../src/core/scoring/evidence.ts';
import type { PublishedRow } from '../../../src/sealed/engine/sealing.ts';
import { toHex } from '../../../src/sealed/encoding.ts';
import { createKeys } from '../../../src/sealed/keys.ts';
import { createPace } from '../../../src/sealed/service/pace.ts';
import type { HeadKeeper, PublicationStore } from '../../../src/sealed/service/publications.ts';
import { createPublisher, type PublisherParts } from '../../../src/sealed/service/publisher.ts';
import type { PublishedRules, SealedSource } from '../../../src/sealed/service/make-snapshot.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator, toEpoch } from '../test-evaluator.ts';

export const START = Date.UTC(2030, 0, 1);
export const DAY = 86_400_000;
export const HOUR = 3_600_000;

export const rules: PublishedRules = {
  kinds: ['email', 'phone', 'ip'],
  types: ['chargeback', 'fraud'],
  model: { name: 'test/1', constants: { version: 1 } },
  matchKinds: 'any',
};

/** No other place keeps the head. */
export const NO_HEADS: HeadKeeper = { read: () => undefined, keep: async () => undefined };

/** One report of the source. */
export interface SampleReport {
  readonly id: number;
  readonly reporter: number;
  readonly persons: readonly number[];
  disputeOpen: boolean;
}

export const idOf = (name: string, number: number): string => toHex(seededRandom(`${name} ${number}`)(8));
export const hashOf = (person: number): string => toHex(seededRandom(`person ${person}`)(20));
const KINDS = ['email', 'phone', 'other-kind'];

/** A source, its keys and a clock, all of which a test may change. */
export function createWorld(store: PublicationStore, seed = 'world') {
  const random = seededRandom(seed);
  const evaluator = createTestEvaluator(`evaluator of ${seed}`);
  const sealed = new Map<number, Uint8Array>();
  /** E of a person. Kept, because a publication reads all reports. */
  const sealPerson = (person: number): Uint8Array => {
    const element = sealed.get(person) ?? evaluator.sealHash(hashOf(person));
    sealed.set(person, element);
    return element;
  };
  const world = {
    now: START,
    evaluator,
    keys: createKeys(evaluator.access, START, random),
    reports: [] as SampleReport[],
    protectedPersons: new Set<number>(),
    random,
    turns: 0,
    rowsOf(report: SampleReport): (PublishedRow & { readonly person: number })[] {
      return report.persons
        .filter((person) => !world.protectedPersons.has(person))
        .map((person) => ({
          person,
          element: toHex(sealPerson(person)),
          reportId: idOf('report', report.id),
          reporterId: idOf('reporter', report.reporter),
          kind: KINDS[(report.id + person) % KINDS.length]!,
          type: report.id % 3 === 0 ? 'fraud' : 'unlisted',
          severity: 1 + (report.id % 10),
          disputeOpen: report.disputeOpen,
          createdAt: START + 1000 * report.id,
        }));
    },
    /** N of a person in an epoch. */
    pointOf: (person: number, epoch: number): Uint8Array => toEpoch(world.keys, epoch, sealPerson(person)),
    /** A publisher as a fresh process has it. */
    start: (more: Partial<PublisherParts> = {}) =>
      createPublisher({
        keys: () => world.keys,
        source,
        store,
        rules,
        clock: () => world.now,
        random,
        askSignature: evaluator.sign,
        pace: createPace(
          async () => {
            world.turns++;
          },
          () => performance.now(),
          0,
        ),
        ...more,
      }),
  };
  const source: SealedSource = {
    async *readRows() {
      for (let at = 0; at < world.reports.length; at += 3)
        yield world.reports.slice(at, at + 3).flatMap((report) => world.rowsOf(report));
    },
    readReporters: async () =>
      new Map<string, Standing>(
        world.reports.map(({ reporter }) => [
          idOf('reporter', reporter),
          { precision: 1 / (2 + reporter), established: reporter % 2 === 0, verified: reporter === 0 },
        ]),
      ),
  };
  return world;
}

export type World = ReturnType<typeof createWorld>;
