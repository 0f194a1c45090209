import fc from 'fast-check';
import type { CalibrationMap } from '../../src/core/scoring/calibration-map.ts';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import type { Evidence, EvidenceReport, Standing } from '../../src/core/scoring/evidence.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { ExplainingModel } from '../../src/core/scoring/model.ts';
import { lawFor } from '../budget.ts';

/** Cases of each law. */
export const LAW_RUNS = lawFor(0.15);

export const VERIFIED: Standing = { precision: 0.7, established: true, verified: true };
export const ESTABLISHED: Standing = { precision: 0.7, established: true, verified: false };
export const NEW_KEY: Standing = { precision: 0.1, established: false, verified: false };
const STANDINGS: readonly Standing[] = [
  VERIFIED,
  NEW_KEY,
  { precision: 0.95, established: true, verified: true },
  ESTABLISHED,
  { precision: 0.03, established: false, verified: false },
];

export const REPORTERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
export const HASHES = ['c0ffee01', 'c0ffee02', 'c0ffee03', 'c0ffee04'].map((part) => part.repeat(5));

export type Draft = Omit<EvidenceReport, 'reportId'>;

const kinds = fc.constantFrom('email', 'phone', 'domain', 'ip', 'passport', 'constructor', '__proto__');
export const draft: fc.Arbitrary<Draft> = fc.record({
  reporterId: fc.constantFrom(...REPORTERS),
  type: fc.constantFrom('fraud', 'spam', 'constructor'),
  severity: fc.integer({ min: 1, max: 10 }),
  // Whole days, as the engine counts them, and any other.
  ageDays: fc.oneof(fc.integer({ min: 0, max: 1500 }), fc.double({ min: 0, max: 4000, noNaN: true })),
  shared: fc.uniqueArray(fc.record({ kind: kinds, hash: fc.constantFrom(...HASHES) }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ hash }) => hash,
  }),
  disputed: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
export const drafts = fc.array(draft, { minLength: 1, maxLength: 9 });

/** Evidence with a standing for each reporter; `e` and `f` are told apart from `a` and `b` by name only. */
export function build(given: readonly Draft[]): Evidence {
  return {
    reports: given.map((one, n) => ({ ...one, reportId: String(n).padStart(3, '0') })),
    standings: new Map(REPORTERS.map((reporterId, n) => [reporterId, STANDINGS[n % STANDINGS.length]!])),
  };
}

/** The same things in an order that the numbers decide. */
export function shuffled<T>(things: readonly T[], numbers: Iterator<number>): T[] {
  return things
    .map((thing) => ({ thing, at: numbers.next().value as number }))
    .sort((x, y) => x.at - y.at)
    .map(({ thing }) => thing);
}

/** Maps whose corners are some way apart: one that is as steep as a wall would show the last digit of what it maps. */
export const calibrationMaps: fc.Arbitrary<CalibrationMap> = fc
  .uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 8 })
  .chain((stated) =>
    fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: stated.length, maxLength: stated.length })
      .map((observed) => {
        const [xs, ys] = [stated, observed].map((values) => [...values].sort((a, b) => a - b)) as [number[], number[]];
        return { version: 3, points: xs.map((x, at) => [x / 100, ys[at]!] as const), support: [], spread: 0 };
      }),
  );

/** The default model, as it is, calibrated, with weights for offence types, and with slowing from two reporters. */
export const linkClaimModels: fc.Arbitrary<ExplainingModel> = fc.oneof(
  fc.constant(createLinkClaimModel()),
  calibrationMaps.map((calibration) => createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, calibration })),
  fc.constant(createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, typeWeights: { spam: 0.4 } })),
  fc.constant(createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, slowFadingFrom: 1 })),
);
