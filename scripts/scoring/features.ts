// Simple features of the evidence of a query, for a model that learns from them. They read no score and no label.
import type { EvidenceReport, Standing } from '../../src/core/scoring/evidence.ts';
import type { ScoringModel } from '../../src/core/scoring/model.ts';

/** What is known about reporters and kinds, beside the reports. */
export interface FeatureContext {
  /** By reporter id, as the model sees them. A missing reporter has the standing of a new key. */
  readonly standings: ReadonlyMap<string, Standing>;
  readonly model: Pick<ScoringModel, 'weightOfKind' | 'standingOf'>;
}

/** Kinds with their own column. All others share `kind other`. Of kinds with equal weights, the first one wins. */
const KINDS = ['email', 'phone', 'domain', 'ip'] as const;

export interface Feature {
  readonly name: string;
  /** Columns of one group say one thing together, and their importance is measured together. */
  readonly group: string;
}

/** Names of the numbers of {@link featuresOf}, in their order. */
export const FEATURES: readonly Feature[] = [
  ...[
    'reports',
    'reporters',
    'verified reporters',
    'established reporters',
    'sum of severities',
    'highest severity',
    'mean severity',
    'age of youngest',
    'age of oldest',
    'mean age',
  ].map((name) => ({ name, group: name })),
  ...[...KINDS, 'other'].map((kind) => ({ name: `kind ${kind}`, group: 'strongest kind' })),
  ...[
    'shared identifiers',
    'strongest link',
    'sum of links',
    'highest precision',
    'mean precision',
    'share disputed',
  ].map((name) => ({ name, group: name })),
];

/**
 * Returns the features of a query, one number of at least 0 per entry of {@link FEATURES}. They do not depend on the
 * order of reports.
 *
 * Ages are in days and severities 1 to 10. A link is `1 − Π (1 − W)` over the identifiers that a report shares, without
 * decay: ages are features of their own. Precisions are those of reporters, each once.
 *
 * @throws RangeError without a report.
 */
export function featuresOf(reports: readonly EvidenceReport[], context: FeatureContext): number[] {
  if (reports.length === 0) throw new RangeError('"reports" expected at least one report, got none');
  const { standings, model } = context;
  const reporters = [...new Set(reports.map(({ reporterId }) => reporterId))];
  const voices = reporters.map((id) => standings.get(id) ?? model.standingOf({ verified: false }));
  const severities = reports.map(({ severity }) => severity);
  const ages = reports.map(({ ageDays }) => ageDays);
  const links = reports.map(({ shared }) => linkOf(shared, model));
  const precisions = voices.map(({ precision }) => precision);
  const kind = strongestKind(reports, model);
  return [
    reports.length,
    reporters.length,
    voices.filter(({ verified }) => verified).length,
    voices.filter(({ established }) => established).length,
    sumOf(severities),
    Math.max(...severities),
    meanOf(severities),
    Math.min(...ages),
    Math.max(...ages),
    meanOf(ages),
    ...[...KINDS, 'other'].map((name) => (name === kind ? 1 : 0)),
    new Set(reports.flatMap(({ shared }) => shared.map(({ hash }) => hash))).size,
    Math.max(...links),
    sumOf(links),
    Math.max(...precisions),
    meanOf(precisions),
    reports.filter(({ disputed }) => disputed === true).length / reports.length,
  ];
}

/** Returns one of {@link KINDS}, or `other`. */
function strongestKind(reports: readonly EvidenceReport[], model: FeatureContext['model']): string {
  const matched = new Set(reports.flatMap(({ shared }) => shared.map(({ kind }) => kind)));
  const known = KINDS.filter((kind) => matched.has(kind));
  const others = [...matched].filter((kind) => !KINDS.some((name) => name === kind));
  let strongest = 'other';
  let most = Math.max(-1, ...others.map((kind) => model.weightOfKind(kind)));
  for (const kind of known) {
    const weight = model.weightOfKind(kind);
    if (weight <= most) continue;
    strongest = kind;
    most = weight;
  }
  return strongest;
}

function linkOf(shared: EvidenceReport['shared'], model: FeatureContext['model']): number {
  const misses = inOrder(shared.map(({ kind }) => 1 - model.weightOfKind(kind)));
  return 1 - misses.reduce((product, miss) => product * miss, 1);
}

/** Sorts, because the last bits of a sum or a product depend on the order. */
function inOrder(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function sumOf(values: readonly number[]): number {
  return inOrder(values).reduce((sum, value) => sum + value, 0);
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}
