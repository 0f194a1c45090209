import { DAY_MS } from '../../core/domain/day.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import { createSeries } from '../../core/domain/series.ts';
import { createEngine, unwrap } from '../../index.ts';
import { createExplanations, type QueryExplanation } from '../../operator.ts';
import { MODEL_NAMES, type ModelName } from '../../lab/models.ts';
import { LINK_CLAIM_CONSTANTS, configureLinkClaim, createLinkClaimModel, type ScoringModel } from '../../scoring.ts';
import { createSqljsStore, type SqljsStore, type StartedSqlJs } from '../../sqljs.ts';
import { SECRET, SERVICE, type Session } from './session.ts';

/** Answers queries with other models and at other times. It works on a copy, so the reports do not change. */
export interface WhatIf {
  explain(identifiers: readonly Identifier[], model: ScoringModel, daysFromNow: number): Promise<QueryExplanation>;
  close(): Promise<void>;
}

/** Copies the reports of a session. */
export async function createWhatIf(session: Session, sqlJs: StartedSqlJs): Promise<WhatIf> {
  const copy: SqljsStore = await createSqljsStore({ bytes: session.store.export(), sqlJs });
  // One after the other: each engine computes the standings of its model.
  const inSeries = createSeries();
  const nowMs = Date.now();
  return {
    explain: (identifiers, model, daysFromNow) =>
      inSeries(async () => {
        const clock = (): number => nowMs + daysFromNow * DAY_MS;
        const engine = createEngine({ store: copy, secret: SECRET, publicUrl: SERVICE, model, clock });
        return unwrap(await createExplanations(engine).explain({ identifiers }));
      }),
    close: () => inSeries(() => copy.close()),
  };
}

/** A constant that the page changes. */
export interface Slider {
  /** Path in the constants. */
  readonly path: string;
  readonly label: string;
  readonly help: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Written after the value. */
  readonly unit?: string;
}

/** The constants that matter most. */
export const SLIDERS: readonly Slider[] = [
  slider('kinds.email.weight', 'Weight of an email', 'Chance that two customers with this email are one person', 0.99),
  slider('kinds.phone.weight', 'Weight of a phone number', 'The same for a phone number', 0.99),
  slider('kinds.ip.weight', 'Weight of an IP address', 'The same for an IP address', 0.99),
  slider('precision.established', 'Verified reporters are right', 'Chance that a report of them is right', 0.95),
  slider('precision.newKey', 'New reporters are right', 'The same for a reporter without a record', 0.95),
  slider('severityExponent', 'Effect of severity', 'At 0, a mild report counts as much as a grave one', 2, 0.05),
  slider('crowdFactor', 'Crowd of new reporters', 'How much each further voice that is not verified says', 0.95),
  slider('unverifiedMost', 'Bound on new reporters', 'The most that all unverified voices say together', 1, 0.01, 0.11),
  slider(
    'aloneMost',
    'Bound on one verified reporter',
    'The most Points for one voice without a second',
    1,
    0.01,
    0.02,
  ),
  halfLife('kinds.email.halfLifeDays', 'Half-life of an email', 'Usual time until half of the weight has faded'),
  halfLife('kinds.phone.halfLifeDays', 'Half-life of a phone number', 'The same for a phone number'),
];

function slider(path: string, label: string, help: string, max: number, step = 0.01, min = 0): Slider {
  return { path, label, help, min, max, step };
}

function halfLife(path: string, label: string, help: string): Slider {
  return { ...slider(path, label, help, 2000, 5, 5), unit: 'days' };
}

/** Days that the page looks ahead at most. */
export const MAX_DAYS = 1460;

/** True if a constant of that path has a slider, and the value is in its range. */
export function isChange(path: string, value: unknown): value is number {
  const known = SLIDERS.find((other) => other.path === path);
  return known !== undefined && typeof value === 'number' && value >= known.min && value <= known.max;
}

/** Changed constants by path, such as `precision.newKey`. */
export type Changes = Readonly<Record<string, number>>;

/** The compared models by name, as the page calls them. */
export const MODEL_WORDS: Readonly<Record<ModelName, string>> = {
  'link-claim': 'Your model',
  default: 'Default model',
  'one-voice': 'Strongest report only',
  'report-count': 'Number of reports',
  'severity-sum': 'Sum of severities',
};

/** Returns the models to compare. The default model is one of them only if it differs from the changed one. */
export function comparedModels(changes: Changes): ModelName[] {
  const isChanged = Object.keys(changes).length > 0;
  return MODEL_NAMES.filter((name) => isChanged || name !== 'default');
}

/** Returns the default value of a constant. */
export function defaultOf(path: string): number {
  let value: unknown = LINK_CLAIM_CONSTANTS;
  for (const name of path.split('.')) value = (value as Record<string, unknown>)[name];
  return value as number;
}

/** Returns the constants with changes. Throws RangeError for a number out of range. */
export function toConstants(changes: Changes) {
  const nested: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop()!;
    let at = nested;
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return configureLinkClaim(nested);
}

/** Returns the model with changes. */
export function toModel(changes: Changes): ScoringModel {
  return createLinkClaimModel(toConstants(changes));
}

/** A half-life that shows no fading in any decimal of the page. */
const UNFADING = { halfLifeDays: 1e9 };

/** Returns the model with changes in which no identifier fades. */
export function toUnfadingModel(changes: Changes): ScoringModel {
  const constants = toConstants(changes);
  const kinds = Object.fromEntries(Object.entries(constants.kinds).map(([kind, k]) => [kind, { ...k, ...UNFADING }]));
  return createLinkClaimModel({ ...constants, kinds, otherKinds: { ...constants.otherKinds, ...UNFADING } });
}
