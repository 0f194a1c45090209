import type { Dispute } from '../core/domain/dispute.ts';
import { DISPUTE } from '../core/store/sql/catalogue.ts';
import {
  findAlike,
  findAskedDeleted,
  hashesOf,
  judgedFrom,
  knownFrom,
  namedBy,
  type Effort,
  type JudgedDispute,
  type LinkRules,
} from '../core/store/sql/repeats.ts';
import { find } from '../core/store/sql/rows.ts';
import type { SqlWork } from '../core/store/sql/statement.ts';

// Reads the reports that a decision finds wrong together with the disputed one, or would.

/** Finds what `upholdAlike` of the store takes, for a dispute. Pauses: very many reports may be alike. */
export function* searchAlike(
  dispute: JudgedDispute,
  rules: LinkRules,
  atMs: number,
  alike: boolean,
): SqlWork<string[]> {
  const from = yield* judgedFrom(dispute, rules, alike);
  return yield* searchBetween(dispute, rules, atMs, from, Number.MAX_SAFE_INTEGER);
}

function* searchBetween(
  report: Pick<Dispute, 'reportId' | 'reporterId'>,
  rules: LinkRules,
  atMs: number,
  from: number,
  before: number,
  effort?: Effort,
): SqlWork<string[]> {
  for (;;) {
    const identifiers = yield* namedBy([report.reportId]);
    const found = yield* findAlike(report, identifiers, rules, atMs, from, before, effort);
    // If a hash moved to another pepper during a pause, the rest was not found.
    const hashes = hashesOf(yield* namedBy([report.reportId]));
    if (identifiers.every(({ hash }) => hashes.has(hash)) || hashes.size === 0) return found;
  }
}

/**
 * Returns how many alike reports an upheld dispute would leave without `alike`. For a deleted report that only has
 * requests, returns how many there are at all. Undefined for other reports. If the `effort` ends, there may be more.
 */
export function* countEarlier(
  reportId: string,
  rules: LinkRules,
  atMs: number,
  effort: Effort,
): SqlWork<number | undefined> {
  const open = (yield* find(DISPUTE, 'reportId', [reportId])).find(({ decidedAt }) => decidedAt === null);
  if (open) return (yield* searchBetween(open, rules, atMs, 0, (yield* knownFrom(open)) - 1, effort)).length;
  const report = yield* findAskedDeleted(reportId);
  return report && (yield* searchBetween(report, rules, atMs, 0, Number.MAX_SAFE_INTEGER, effort)).length;
}
