import type { Customer } from './customers.ts';
import { DAY_MS } from './start.ts';
import type { Random, Streams } from './streams.ts';

/** A customer at a shop. */
export interface Visit {
  /** Names the visit whatever else the world holds: customer and count. */
  readonly name: string;
  readonly customer: Customer;
  /** Milliseconds since the start of the world. */
  readonly at: number;
}

/** All visits in order of time, each customer's uniform over the world. */
export function createVisits(customers: readonly Customer[], days: number, streams: Streams): Visit[] {
  const visits: Visit[] = [];
  for (const customer of customers) {
    const random = streams('visits of', customer.index);
    for (let i = 0; i < customer.visits; i++)
      visits.push({ name: `${customer.index}.${i}`, customer, at: Math.floor(random() * days * DAY_MS) });
  }
  // The sort is stable: of two at one moment, the customer with the lower index comes first.
  return visits.sort((a, b) => a.at - b.at);
}

/** A uniform sample of `count` visits from that day on, all of them when there are fewer (Knuth's selection sampling). */
export function sampleVisits(visits: readonly Visit[], fromDay: number, count: number, random: Random): Set<Visit> {
  const eligible = visits.filter((visit) => visit.at >= fromDay * DAY_MS);
  const sample = new Set<Visit>();
  eligible.forEach((visit, i) => {
    if (random() * (eligible.length - i) < count - sample.size) sample.add(visit);
  });
  return sample;
}
