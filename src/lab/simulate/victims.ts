import type { Identifier } from '../../domain/identifier.ts';
import type { Customer } from './customers.ts';
import type { PublicRecord } from './public-record.ts';
import { DAY_MS } from './start.ts';
import type { Random } from './streams.ts';
import type { Visit } from './visits.ts';
import type { WorldOptions } from './world-options.ts';

export interface Victim {
  readonly customer: Customer;
  /** All that the customer goes by at the attack, whether or not some shop has seen it. */
  readonly identifiers: readonly Identifier[];
}

/**
 * Draws honest customers who were about lately, whose identifiers nobody ever reported and of whom no two share one: what is said of them afterwards
 * is the attack's doing alone. `visits` are those before the attack. Throws a RangeError when there are too few.
 */
export function pickVictims(
  { attack }: WorldOptions,
  visits: readonly Visit[],
  record: PublicRecord,
  random: Random,
): Victim[] {
  const attackAt = attack.day * DAY_MS;
  const recent = visits.filter((visit) => visit.at >= attackAt - attack.activeDays * DAY_MS && !visit.customer.fraud);
  const ranked = [...new Set(recent.map((visit) => visit.customer))]
    .map((customer) => ({ customer, rank: random() }))
    .sort((a, b) => a.rank - b.rank);

  const taken = new Set<string>();
  const victims: Victim[] = [];
  for (const { customer } of ranked) {
    if (victims.length === attack.victims) break;
    const identifiers = customer.lines
      .filter((line) => line.until > attackAt)
      .map(({ kind, hash }) => ({ kind, hash }));
    // An email that ran out since the last visit: somebody who is leaving.
    if (identifiers[0]?.kind !== 'email') continue;
    if (customer.lines.some(({ hash }) => record.has(hash) || taken.has(hash))) continue;
    for (const { hash } of identifiers) taken.add(hash);
    victims.push({ customer, identifiers });
  }
  if (victims.length < attack.victims)
    throw new RangeError(
      `"world.attack.victims" expected at most the ${victims.length} honest customers who fit, got ${attack.victims}`,
    );
  return victims;
}
