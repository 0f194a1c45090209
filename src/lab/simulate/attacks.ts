import { requireString } from '../../core/domain/options.ts';
import { requireObject } from '../options.ts';

/**
 * How an attacker with new keys makes honest people look suspicious. All attacks use the numbers of
 * `WorldOptions.attack`.
 */
export type Attack =
  /** For each victim, a new key files `copies` copies of one report. */
  | { readonly kind: 'duplicates'; readonly copies: number }
  /** `keys` new keys for each victim file one report each. */
  | { readonly kind: 'sybil'; readonly keys: number }
  /** `keys` keys first confirm each other's reports about invented people; then each reports every victim. */
  | { readonly kind: 'ring'; readonly keys: number }
  /** `keys` keys first copy true reports; then each reports every victim. */
  | { readonly kind: 'camouflage'; readonly keys: number }
  /**
   * For each victim, `keys` keys first file `reports` true reports each, a day before a verified reporter does; then
   * each reports the victim.
   */
  | { readonly kind: 'patient'; readonly keys: number; readonly reports: number }
  /**
   * As `patient`, but the keys are silent for `sleeperDays` before they report the victim. Rules that look at recent
   * reports only see a good record.
   */
  | { readonly kind: 'sleeper'; readonly keys: number; readonly reports: number }
  /**
   * As `patient`, but the keys report the victim one after the other, every `dripDays`. Rules that look for many
   * reports in a short time see single ones. `reports` may be 0.
   */
  | { readonly kind: 'drip'; readonly keys: number; readonly reports: number }
  /**
   * As `patient`, and `launderDays` later a verified reporter of the world believes the keys and repeats their
   * accusation. Rules that only discount new voices count the repetition in full. `reports` may be 0.
   */
  | { readonly kind: 'launder'; readonly keys: number; readonly reports: number }
  /** `keys` verified reporters report each victim. Other verified ones report the next victim. */
  | { readonly kind: 'rogue'; readonly keys: number };

/**
 * Maximum number of copies or keys. With one report per minute, the attack ends before the queries about the victims,
 * at least a day later.
 */
const MAX_NUMBER = 1000;

const EXPECTED =
  `duplicates, sybil, ring, camouflage or rogue with a whole number from 1 to ${MAX_NUMBER}, e.g. sybil:100, ` +
  'or patient, sleeper, drip or launder with keys and true reports of each, e.g. patient:10x6';

/** Kinds whose keys file true reports first, and the least number of reports of each key. */
const MIN_REPORTS = { patient: 1, sleeper: 1, drip: 0, launder: 0 } as const;
type LeadingKind = keyof typeof MIN_REPORTS;

/** An attack whose keys file true reports before a verified reporter does. */
export type LeadingAttack = Extract<Attack, { readonly kind: LeadingKind }>;

export function isLeading(attack: Attack): attack is LeadingAttack {
  return isLeadingKind(attack.kind);
}

function isLeadingKind(name: string | undefined): name is LeadingKind {
  return name !== undefined && Object.hasOwn(MIN_REPORTS, name);
}

/** Parses `sybil:100`, `patient:10x6`. Throws RangeError for another text, TypeError if it is not text. */
export function parseAttack(text: string): Attack {
  requireString('attack', text);
  const [, name, digits, more] = /^([a-z]+):([0-9]{1,4})(?:x([0-9]{1,4}))?$/.exec(text) ?? [];
  const [count, reports] = [Number(digits), Number(more)];
  const isValid = (number: number, least = 1): boolean => number >= least && number <= MAX_NUMBER;
  if (isValid(count) && isLeadingKind(name) && isValid(reports, MIN_REPORTS[name]))
    return { kind: name, keys: count, reports };
  if (isValid(count) && more === undefined) {
    if (name === 'duplicates') return { kind: name, copies: count };
    if (name === 'sybil' || name === 'ring' || name === 'camouflage' || name === 'rogue')
      return { kind: name, keys: count };
  }
  throw new RangeError(`"attack" expected ${EXPECTED}`);
}

/** Returns the text that `parseAttack` reads. TypeError or RangeError for an invalid attack. */
export function formatAttack(attack: Attack): string {
  requireObject('attack', attack);
  const count = attack.kind === 'duplicates' ? attack.copies : attack.keys;
  const text = `${attack.kind}:${count}${isLeading(attack) ? `x${attack.reports}` : ''}`;
  parseAttack(text);
  return text;
}

/** Returns the days from the first accusation about a victim to the last one, at least 0. */
export function accusingDays(
  attack: Attack,
  { dripDays, launderDays }: { readonly dripDays: number; readonly launderDays: number },
): number {
  if (attack.kind === 'drip') return (attack.keys - 1) * dripDays;
  return attack.kind === 'launder' ? launderDays : 0;
}
