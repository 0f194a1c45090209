import type { Identifier } from '../../core/domain/identifier.ts';
import { DAY_MS } from '../../core/domain/day.ts';
import type { Customer } from './customers.ts';
import type { Random } from './draws.ts';
import type { PublicRecord } from './reports.ts';
import type { Visit } from './visits.ts';
import { anchorOf, type WorldOptions } from './world-options.ts';

export interface Victim {
  readonly customer: Customer;
  /** All identifiers of the customer at the time of the attack, even if no shop has seen them. */
  readonly identifiers: readonly Identifier[];
}

/**
 * Draws honest customers with recent visits. None of their identifiers has a report, and no two of them share an
 * identifier. So their scores after the attack come from the attack alone.
 *
 * @param visits visits before the attack.
 * @throws RangeError if too few customers qualify.
 */
export function pickVictims(
  world: WorldOptions,
  visits: readonly Visit[],
  record: PublicRecord,
  random: Random,
): Victim[] {
  const { attack } = world;
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
    // Skip a customer whose main identifier has expired since the last visit: the customer no longer uses it.
    if (!identifiers.some(({ kind }) => kind === anchorOf(world))) continue;
    if (customer.lines.some(({ hash }) => record.has(hash) || taken.has(hash))) continue;
    for (const { hash } of identifiers) taken.add(hash);
    victims.push({ customer, identifiers });
  }
  if (victims.length < attack.victims)
    throw new RangeError(
      `"world.attack.victims" expected at most ${victims.length}, the number of honest customers who qualify, got ${attack.victims}`,
    );
  return victims;
}
