import { randomExponential } from 'd3-random';
import { DAY_MS } from '../../core/domain/day.ts';
import { createWeightedPick, drawHash, type Random, type Streams } from './draws.ts';
import type { Kind, WorldOptions } from './world-options.ts';

/** A customer's slot for an identifier of one kind, with its current identifier. Only `createLines` changes it. */
export interface Line {
  readonly kind: Kind;
  /** Empty before the first use. */
  hash: string;
  /** Time at which the customer releases the identifier: a midnight, milliseconds since the start of the world. */
  until: number;
  /** Whether another customer then gets the identifier. */
  handedOn: boolean;
}

/** How identifiers expire and pass on. Times are milliseconds since the start of the world and never decrease. */
export interface Lines {
  /** Releases the identifiers that have expired. */
  advance(at: number): void;
  /** Fills a line that is empty or expired. A fraudster may also replace a valid identifier. */
  renew(line: Line, fraud: boolean, at: number, random: Random): void;
}

export function createLines({ days, kinds, sharedAddresses }: WorldOptions, streams: Streams): Lines {
  const mint = streams('hashes');
  const addressMint = streams('shared addresses');
  const addresses = Array.from({ length: sharedAddresses.count }, () => drawHash(addressMint));
  const pickAddress = createWeightedPick(addresses, (_, i) => (i + 1) ** -sharedAddresses.zipf);
  /** Queues: identifiers are handed on in the order of their release. */
  const released: Record<Kind, { hashes: string[]; next: number }> = {
    email: { hashes: [], next: 0 },
    phone: { hashes: [], next: 0 },
    domain: { hashes: [], next: 0 },
    ip: { hashes: [], next: 0 },
  };
  /** Index: the day at whose midnight the identifiers expire. */
  const ending: { line: Line; hash: string; until: number }[][] = Array.from({ length: days + 1 }, () => []);
  let today = 0;

  const next = (kind: Kind): string => {
    const queue = released[kind];
    const hash = queue.hashes[queue.next];
    if (hash === undefined) return drawHash(mint);
    queue.next++;
    return hash;
  };

  return {
    advance(at) {
      for (; today < Math.floor(at / DAY_MS); today++) {
        for (const { line, hash, until } of ending[today + 1] ?? []) {
          // A fraudster may have replaced the identifier before it expired.
          if (line.handedOn && line.hash === hash && line.until === until) released[line.kind].hashes.push(hash);
        }
      }
    },

    renew(line, fraud, at, random) {
      const options = kinds[line.kind];
      const held = line.until > at;
      if (held && !(fraud && random() < options.fraudChange)) return;
      const before = { ...line };

      const shared = line.kind === 'ip' && random() < (fraud ? sharedAddresses.fraud : sharedAddresses.honest);
      line.hash = shared ? pickAddress(random) : next(line.kind);
      const lifeMs = randomExponential.source(random)(1 / options.lifeDays)() * DAY_MS;
      const lastDay = Math.floor((at + lifeMs) / DAY_MS) + 1;
      line.until = lastDay * DAY_MS;
      line.handedOn = !shared && random() < options.handedOn;
      ending[lastDay]?.push({ line, hash: line.hash, until: line.until });

      // Release the old identifier last, so that the customer does not get it back at once.
      if (held && before.handedOn) released[before.kind].hashes.push(before.hash);
    },
  };
}
