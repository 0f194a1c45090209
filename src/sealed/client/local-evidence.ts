import { DAY_MS } from '../../core/domain/day.ts';
import type { Evidence, EvidenceReport, SharedIdentifier, Standing } from '../../core/scoring/evidence.ts';
import type { ScoringModel } from '../../core/scoring/model.ts';
import type { CodeLists } from '../codes.ts';
import type { MatchKinds } from '../manifest-format.ts';
import { REPORT_TAG_BYTES, type RowContent } from '../rows.ts';

/** An identifier of a query, and what its rows say. */
export interface IdentifierRows {
  /** 40 lowercase hex characters. */
  readonly hash: string;
  /** Kinds under which the query has the hash: one, rarely more. */
  readonly kinds: readonly string[];
  readonly rows: readonly RowContent[];
}

/** What else the evidence depends on. */
export interface EvidenceContext {
  readonly lists: CodeLists;
  readonly matchKinds: MatchKinds;
  readonly model: ScoringModel;
  /** Milliseconds, UTC. */
  readonly now: number;
}

/** Stands for "other". It is no kind and no offence type, so a model uses its defaults. */
const OTHER = '?';

/**
 * Returns the evidence that the service would have for the query: rows with one report tag are one report, named by the
 * tag in hex, and each rule is that of the service (`core/engine/query.ts`).
 */
export function toEvidence(context: EvidenceContext, identifiers: readonly IdentifierRows[]): Evidence {
  const { lists, matchKinds, now } = context;
  const standings = new Map<string, Standing>();
  const today = Math.floor(now / DAY_MS);
  const reports: EvidenceReport[] = [];
  const sharedOf = new Map<number, SharedIdentifier[]>();
  for (const { hash, kinds, rows } of identifiers) {
    for (const row of rows) {
      const reportedKind = lists.kinds[row.kind] ?? OTHER;
      if (matchKinds === 'exact' && !kinds.includes(reportedKind)) continue;
      const tag = toNumber(row.report);
      let shared = sharedOf.get(tag);
      if (shared === undefined) {
        sharedOf.set(tag, (shared = []));
        if (row.standing) standings.set(String(row.reporter), row.standing);
        reports.push({
          reportId: tag.toString(16).padStart(2 * REPORT_TAG_BYTES, '0'),
          reporterId: String(row.reporter),
          type: lists.types[row.type] ?? OTHER,
          severity: row.severity,
          ageDays: Math.max(0, today - row.days),
          shared,
          disputed: row.disputed,
        });
      }
      for (const kind of kinds) share(context, shared, hash, kind, reportedKind);
    }
  }
  return { reports, standings };
}

/**
 * Adds an identifier that a report shares with the query, under the weaker of its two kinds; of two equal ones under
 * the report's (protocol 2.3, our choice). Of several matches of a hash, only the strongest counts.
 */
function share(
  { model, matchKinds }: EvidenceContext,
  shared: SharedIdentifier[],
  hash: string,
  queriedKind: string,
  reportedKind: string,
): void {
  if (matchKinds === 'exact' && queriedKind !== reportedKind) return;
  const kind =
    queriedKind !== reportedKind && model.weightOfKind(reportedKind) <= model.weightOfKind(queriedKind)
      ? reportedKind
      : queriedKind;
  const at = shared.findIndex((other) => other.hash === hash);
  const known = shared[at];
  if (known === undefined) shared.push({ hash, kind });
  else if (model.weightOfKind(kind) > model.weightOfKind(known.kind)) shared[at] = { hash, kind };
}

/** Returns 48 bits as a number. */
function toNumber(tag: Uint8Array): number {
  let value = 0;
  for (const byte of tag) value = value * 256 + byte;
  return value;
}
