import { DAY_MS } from '../../core/domain/day.ts';
import type { Customer } from './customers.ts';
import type { Random, Streams } from './draws.ts';
import type { WorldOptions } from './world-options.ts';

export interface Visit {
  /** Index of the customer, a dot, index of the visit: `12.3`. The name does not depend on the rest of the world. */
  readonly name: string;
  readonly customer: Customer;
  /** Milliseconds since the start of the world. */
  readonly at: number;
}

/** Returns all visits in order of time. The visits of a customer are uniform over the world, but for the season. */
export function createVisits(customers: readonly Customer[], world: WorldOptions, streams: Streams): Visit[] {
  const { days, visits: common, fraud } = world;
  const visits: Visit[] = [];
  for (const customer of customers) {
    const random = streams('visits of', customer.index);
    const season = customer.fraud ? fraud.season : common.season;
    for (let i = 0; i < customer.visits; i++)
      visits.push({ name: `${customer.index}.${i}`, customer, at: Math.floor(dayAt(random(), days, season) * DAY_MS) });
  }
  // The sort is stable: at equal times, the customer with the lower index comes first.
  return visits.sort((a, b) => a.at - b.at);
}

/** Returns the day before which the share `drawn` of the visits falls, if their density is 1 + season·sin(year). */
function dayAt(drawn: number, days: number, season: number): number {
  if (season === 0) return drawn * days;
  const yearly = (2 * Math.PI) / 365;
  const until = (day: number): number => day + (season / yearly) * (1 - Math.cos(yearly * day));
  let [low, high] = [0, days];
  // 40 halvings of a hundred years leave less than a second.
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (until(middle) < drawn * until(days)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Draws a uniform sample of `count` visits from `fromDay` on (Knuth's selection sampling). If there are fewer, returns
 * all.
 */
export function sampleVisits(visits: readonly Visit[], fromDay: number, count: number, random: Random): Set<Visit> {
  const eligible = visits.filter((visit) => visit.at >= fromDay * DAY_MS);
  const sample = new Set<Visit>();
  eligible.forEach((visit, i) => {
    if (random() * (eligible.length - i) < count - sample.size) sample.add(visit);
  });
  return sample;
}
