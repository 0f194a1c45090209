import fc from 'fast-check';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import type { Sighting } from '../../src/core/scoring/standings/pairs.ts';
import type { TrustTable } from '../../src/core/scoring/standings/table.ts';
import { createTrustRules } from '../../src/core/scoring/standings/rules.ts';

export const DAY = 86_400_000;
/** The moment of every table here: day 100. */
export const EPOCH = 100 * DAY;

/** A report as the trust table sees it; the reporter is a number, an identifier is `kind:hash`. */
export interface WorldReport {
  readonly by: number;
  readonly day: number;
  readonly names: readonly string[];
  readonly upheld?: boolean;
}

export interface World {
  /** By number of reporter. */
  readonly verified: readonly boolean[];
  readonly lost?: readonly number[];
  readonly reports: readonly WorldReport[];
}

export const reporterName = (by: number): string => `k${by}`;

export interface Order {
  readonly hashes: (hashes: string[]) => string[];
  readonly sightings: (ofOneHash: Sighting[]) => Sighting[];
  readonly reporters: <T>(all: T[]) => T[];
}
const AS_IT_IS: Order = { hashes: (hashes) => hashes, sightings: (all) => all, reporters: (all) => all };

/** The table that the rules make of a world; `order` says how the sightings are handed in. */
export function tableOf(world: World, order: Order = AS_IT_IS, constants = LINK_CLAIM_CONSTANTS): TrustTable {
  const ledger = createTrustRules(constants).createLedger(EPOCH);
  const byHash = new Map<string, Sighting[]>();
  world.reports.forEach(({ by, day, names, upheld = false }, at) => {
    for (const name of names) {
      const [kind, hash] = name.split(':') as [string, string];
      byHash.set(hash, [
        ...(byHash.get(hash) ?? []),
        { kind, hash, reportId: `r${at}`, reporterId: reporterName(by), createdAt: day * DAY, upheld },
      ]);
    }
  });
  for (const hash of order.hashes([...byHash.keys()].sort()))
    for (const sighting of order.sightings(byHash.get(hash)!)) ledger.add(sighting);
  const work = ledger.table(
    order.reporters(
      world.verified.map((verified, by) => ({ reporterId: reporterName(by), verified, lost: world.lost?.[by] ?? 0 })),
    ),
  );
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const kinds = fc.oneof(
  { weight: 6, arbitrary: fc.constant('email') },
  { weight: 4, arbitrary: fc.constantFrom('phone', 'domain', 'ip', 'passport', 'constructor') },
);
const names = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }).map((hash) => [`email:${hash}`]) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.tuple(kinds, fc.integer({ min: 1, max: 8 })).map(([kind, hash]) => `${kind}:${hash}`),
      { minLength: 1, maxLength: 3 },
    ),
  },
);
const report = fc.record({
  by: fc.integer({ min: 0, max: 5 }),
  // Few days, so that some reports meet in one moment. Day 10 is 90 days before the epoch, day 55 is 45 days before it,
  // and day 100 is after it.
  day: fc.constantFrom(0, 1, 2, 10, 11, 20, 54, 55, 56, 99, 100),
  names,
  upheld: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

/** Small worlds of 1 to 6 reporters and 1 to 8 hashes, in which everything happens. */
export const worlds: fc.Arbitrary<World> = fc
  .integer({ min: 1, max: 6 })
  .chain((count) =>
    fc.record({
      verified: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      lost: fc.array(fc.constantFrom(0, 0, 0, 1, 3), { minLength: count, maxLength: count }),
      reports: fc
        .array(report, { maxLength: 45, size: 'max' })
        .map((reports) => reports.map((one) => ({ ...one, by: one.by % count }))),
    }),
  );
