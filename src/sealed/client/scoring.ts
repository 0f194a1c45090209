import { DAY_MS } from '../../core/domain/day.ts';
import type { Evidence, EvidenceReport, SharedIdentifier, Standing } from '../../core/scoring/evidence.ts';
import { configureLinkClaim } from '../../core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../core/scoring/link-claim-model.ts';
import type { ExplainingModel, ScoringModel } from '../../core/scoring/model.ts';
import { SealedError } from '../errors.ts';
import type { Manifest } from '../manifest-format.ts';
import { REPORT_TAG_BYTES, type RowContent } from '../rows.ts';

/** An identifier of a query, and what its rows say. */
interface IdentifierRows {
  /** 40 lowercase hex characters. */
  readonly hash: string;
  /** Kinds under which the query has the hash: one, rarely more. */
  readonly kinds: readonly string[];
  readonly rows: readonly RowContent[];
}

/** Stands for "other". It is no kind and no offence type, so a model uses its defaults. */
const OTHER = '?';

/**
 * Returns the evidence that the service would have for the query: rows with one report tag are one report, named by the
 * tag in hex, and each rule is that of the service (`core/engine/query.ts`). `now` is milliseconds, UTC.
 */
export function toEvidence(
  manifest: Pick<Manifest, 'kinds' | 'types' | 'matchKinds'>,
  model: ScoringModel,
  now: number,
  identifiers: readonly IdentifierRows[],
): Evidence {
  const { kinds: listed, types, matchKinds } = manifest;
  const standings = new Map<string, Standing>();
  const today = Math.floor(now / DAY_MS);
  const reports: EvidenceReport[] = [];
  const sharedOf = new Map<number, SharedIdentifier[]>();
  for (const { hash, kinds, rows } of identifiers) {
    for (const row of rows) {
      const reportedKind = listed[row.kind] ?? OTHER;
      if (matchKinds === 'exact' && !kinds.includes(reportedKind)) continue;
      const tag = toNumber(row.report);
      let shared = sharedOf.get(tag);
      if (shared === undefined) {
        sharedOf.set(tag, (shared = []));
        if (row.standing) standings.set(String(row.reporter), row.standing);
        reports.push({
          reportId: tag.toString(16).padStart(2 * REPORT_TAG_BYTES, '0'),
          reporterId: String(row.reporter),
          type: types[row.type] ?? OTHER,
          severity: row.severity,
          ageDays: Math.max(0, today - row.days),
          shared,
          disputed: row.disputed,
        });
      }
      for (const kind of kinds)
        if (matchKinds === 'any' || kind === reportedKind) share(model, shared, hash, kind, reportedKind);
    }
  }
  return { reports, standings };
}

/**
 * Adds an identifier that a report shares with the query, under the weaker of its two kinds; of two equal ones under
 * the report's (protocol 2.3, our choice). Of several matches of a hash, only the strongest counts.
 */
function share(
  model: ScoringModel,
  shared: SharedIdentifier[],
  hash: string,
  queriedKind: string,
  reportedKind: string,
): void {
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

/** `link-claim/7`, and with changed constants `link-claim/7+0123abcd`. */
const LINK_CLAIM = new RegExp(`^link-claim/${LINK_CLAIM_CONSTANTS.version}(?:\\+[0-9a-f]{8})?$`);

/**
 * Returns the model of a manifest with the constants of the manifest. Throws {@link SealedError} with `unknown-model`
 * for another name, and for constants that the model refuses or does not know.
 */
export function modelOf({ name, constants }: Manifest['model']): ExplainingModel {
  const problem = 'the manifest has a model or constants that this version lacks; update the client';
  if (!LINK_CLAIM.test(name)) throw new SealedError('unknown-model', problem);
  try {
    // Refuses names that this version does not know: they may change the score.
    configureLinkClaim(constants);
    return createLinkClaimModel(constants as unknown as LinkClaimConstants);
  } catch (cause) {
    throw new SealedError('unknown-model', problem, { cause });
  }
}
