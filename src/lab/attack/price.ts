import { accusingDays, type Attack } from '../simulate/attacks.ts';
import type { WorldOptions } from '../simulate/world-options.ts';

/** What an attacker spends to make one honest person look suspicious. */
export interface AttackPrice {
  /** Keys of verified reporters that the attacker owns, or whose owners the attacker deceives. */
  readonly verifiedKeys: number;
  /** New, unverified keys. */
  readonly newKeys: number;
  /** Reports of real frauds that the new keys file before they accuse. */
  readonly trueReports: number;
  /** Reports about invented people. */
  readonly inventedReports: number;
  /** Reports about the honest person. */
  readonly accusingReports: number;
  /** Identifiers of the honest person that the attacker must know. */
  readonly identifiers: number;
  /** Whole days from the registration of the new keys to the last accusation. */
  readonly days: number;
  /** Sum of the parts, weighted by {@link ATTACK_PRICES}. Its unit is one accusing report. */
  readonly total: number;
}

/** A part of a price. */
export type PricePart = Exclude<keyof AttackPrice, 'total'>;

/**
 * Price of one of each part, in accusing reports. These numbers are assumptions: they put plans in order, and they are
 * not amounts of money.
 */
export const ATTACK_PRICES: Readonly<Record<PricePart, number>> = {
  // The operator knows a verified reporter. So such a key costs more than a hundred new ones.
  verifiedKeys: 1000,
  // A new key needs a name and an address that do not lead to the attacker's other keys.
  newKeys: 10,
  // The attacker must know a real fraud before a verified reporter reports it.
  trueReports: 20,
  inventedReports: 1,
  accusingReports: 1,
  // The attacker must find out an email, phone, domain or ip.
  identifiers: 2,
  // Waiting costs no work.
  days: 0.2,
};

/** Names of the parts, in the order of {@link AttackPrice}. */
export const PRICE_PARTS = Object.keys(ATTACK_PRICES) as readonly PricePart[];

/**
 * Returns the price of one victim. Keys that accuse several victims count in full. `numbers` are those of the world
 * with which the attack is simulated.
 */
export function priceOf(attack: Attack, numbers: WorldOptions['attack']): AttackPrice {
  const parts = { ...NOTHING, ...partsOf(attack, numbers), identifiers: numbers.identifiers };
  const total = PRICE_PARTS.reduce((sum, part) => sum + parts[part] * ATTACK_PRICES[part], 0);
  // Without rounding, sums of .2 differ in their last digits.
  return { ...parts, total: Math.round(total * 10) / 10 };
}

const NOTHING: Readonly<Record<PricePart, number>> = {
  verifiedKeys: 0,
  newKeys: 0,
  trueReports: 0,
  inventedReports: 0,
  accusingReports: 0,
  identifiers: 0,
  days: 0,
};

function partsOf(attack: Attack, numbers: WorldOptions['attack']): Partial<Record<PricePart, number>> {
  switch (attack.kind) {
    case 'duplicates':
      return { newKeys: 1, accusingReports: attack.copies };
    case 'sybil':
      return { newKeys: attack.keys, accusingReports: attack.keys };
    case 'ring':
      return {
        newKeys: attack.keys,
        inventedReports: attack.keys * numbers.ringParties,
        accusingReports: attack.keys,
        days: Math.ceil(numbers.ringDays),
      };
    case 'camouflage':
      return {
        newKeys: attack.keys,
        trueReports: attack.keys * numbers.camouflageReports,
        accusingReports: attack.keys,
        days: Math.ceil(numbers.camouflageDays),
      };
    case 'rogue':
      return { verifiedKeys: attack.keys, accusingReports: attack.keys };
    case 'patient':
    case 'sleeper':
    case 'drip':
    case 'launder': {
      const leadingDays = attack.reports === 0 ? 0 : numbers.day - numbers.patientFromDay;
      const deceived = attack.kind === 'launder' ? 1 : 0;
      return {
        verifiedKeys: deceived,
        newKeys: attack.keys,
        trueReports: attack.keys * attack.reports,
        accusingReports: attack.keys + deceived,
        days: Math.ceil(leadingDays + accusingDays(attack, numbers)),
      };
    }
  }
}
