import { describe, expect, it } from 'vitest';
import { findClaims } from '../../../src/core/scoring/standings/claims.ts';
import { createConfirmation } from '../../../src/core/scoring/standings/confirmation.ts';
import { createPairGatherer } from '../../../src/core/scoring/standings/pairs.ts';
import { emptyRecord, type ReporterTrust } from '../../../src/core/scoring/standings/table.ts';

interface Seen {
  readonly by: string;
  readonly hash: string;
  readonly weight: number;
  readonly upheld?: boolean;
}

/** Each reporter has one report. All have the precision given here and are established, unless `newKeys` has them. */
const PRECISIONS: Readonly<Record<string, number>> = { a: 0.7, b: 0.1, c: 0.07, d: 0.13, e: 0.05 };

/** Returns the chance that others confirm the claim of a reporter. All sightings of one hash must be adjacent. */
function confirmationOf(reporterId: string, sightings: readonly Seen[], newKeys = ''): number {
  const gatherer = createPairGatherer();
  for (const { by, hash, weight, upheld = false } of sightings)
    gatherer.add({ hash, kind: 'email', reportId: by, reporterId: by, createdAt: 1, upheld }, weight);
  const pairs = gatherer.finish([]);
  const claims = findClaims(pairs);
  const standings = pairs.reporters.map((id): ReporterTrust => ({
    ...emptyRecord({ reporterId: id, verified: false }),
    originality: 1,
    corroboration: 1,
    disputes: 1,
    precision: PRECISIONS[id]!,
    established: !newKeys.includes(id),
  }));
  const speaks = standings.map(({ established }) => established);
  const confirm = createConfirmation(pairs, claims, standings, speaks);
  const claim = claims.reporter.indexOf(pairs.reporters.indexOf(reporterId));
  const first = confirm(claim);
  // No claim leaves something behind for the next one.
  for (const other of claims.reporter.keys()) confirm(other);
  expect(confirm(claim)).toBe(first);
  return first;
}

const on = (hash: string, weight: number, reporters: string): Seen[] =>
  [...reporters].map((by) => ({ by, hash, weight }));

describe('the confirmation of a claim', () => {
  it('is 1 − Π (1 − W · p) over the other reporters that share an identifier', () => {
    expect(confirmationOf('a', on('x', 0.95, 'a'))).toBe(0);
    expect(confirmationOf('a', on('x', 0.5, 'ab'))).toBeCloseTo(0.05, 12);
    expect(confirmationOf('b', on('x', 0.5, 'ab'))).toBeCloseTo(0.35, 12);
    expect(confirmationOf('a', [...on('x', 0.5, 'ab'), ...on('y', 0.8, 'ac')])).toBeCloseTo(1 - 0.95 * 0.944, 12);
    expect(confirmationOf('b', [...on('x', 0.5, 'ab'), ...on('y', 0.8, 'ac')])).toBeCloseTo(0.35, 12);
  });

  it('counts a reporter once: by the strongest identifier, as strong as the weaker of the two sightings', () => {
    const strong = on('y', 0.9, 'ab');
    for (const hashes of [
      [...on('x', 0.5, 'ab'), ...strong],
      [...strong, ...on('z', 0.5, 'ab')],
    ])
      expect(confirmationOf('a', hashes)).toBeCloseTo(0.09, 12);
    expect(confirmationOf('a', [...on('x', 0.9, 'a'), ...on('x', 0.4, 'b')])).toBeCloseTo(0.04, 12);
    expect(confirmationOf('a', [...on('x', 0.4, 'a'), ...on('x', 0.9, 'b')])).toBeCloseTo(0.04, 12);
  });

  it('needs an established reporter whose report was not found wrong', () => {
    expect(confirmationOf('a', on('x', 0.5, 'ab'), 'b')).toBe(0);
    expect(confirmationOf('a', on('x', 0.5, 'ab'), 'a')).toBeCloseTo(0.05, 12);
    expect(confirmationOf('a', [...on('x', 0.5, 'a'), { by: 'b', hash: 'x', weight: 0.5, upheld: true }])).toBe(0);
  });

  it('is the same to the last bit in any order of sightings: reporters are multiplied by id', () => {
    const [b, c, d, e] = [0.1, 0.07, 0.13, 0.05].map((p) => 1 - 0.95 * p) as [number, number, number, number];
    const expected = 1 - b * c * d * e;
    expect(1 - e * d * c * b).not.toBe(expected);
    for (const order of ['abcde', 'edcba', 'bdace', 'caebd', 'debca', 'cbade', 'ebadc', 'acdbe'])
      expect(confirmationOf('a', on('x', 0.95, order)), order).toBe(expected);
  });
});
