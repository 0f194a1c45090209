import { DAY_MS } from '../../domain/day.ts';
import type { Customer } from './customers.ts';
import type { Random, Streams } from './draws.ts';

export interface Visit {
  /** Index of the customer, a dot, index of the visit: `12.3`. The name does not depend on the rest of the world. */
  readonly name: string;
  readonly customer: Customer;
  /** Milliseconds since the start of the world. */
  readonly at: number;
}

/** Returns all visits in order of time. The visits of a customer are uniform over the world. */
export function createVisits(customers: readonly Customer[], days: number, streams: Streams): Visit[] {
  const visits: Visit[] = [];
  for (const customer of customers) {
    const random = streams('visits of', customer.index);
    for (let i = 0; i < customer.visits; i++)
      visits.push({ name: `${customer.index}.${i}`, customer, at: Math.floor(random() * days * DAY_MS) });
  }
  // The sort is stable: at equal times, the customer with the lower index comes first.
  return visits.sort((a, b) => a.at - b.at);
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
