import { randomExponential } from 'd3-random';
import { DAY_MS } from './start.ts';
import { drawHash, type Random, type Streams } from './streams.ts';
import { createWeightedPick } from './weighted-pick.ts';
import type { Kind, WorldOptions } from './world-options.ts';

/** A customer's place for an identifier of one kind, and what is in it. Changed by `createLines` only. */
export interface Line {
  readonly kind: Kind;
  /** Empty before the first use. */
  hash: string;
  /** Milliseconds since the start of the world when it is given up: always a midnight. */
  until: number;
  /** Whether somebody else gets it then. */
  handedOn: boolean;
}

/** How identifiers come, run out and go to the next customer. Times are milliseconds since the start of the world and must not go back. */
export interface Lines {
  /** Gives up what has run out by now. */
  advance(at: number): void;
  /** Puts an identifier into a line that is empty or has run out; a fraudster may change a good one. */
  renew(line: Line, fraud: boolean, at: number, random: Random): void;
}

export function createLines({ days, kinds, sharedAddresses }: WorldOptions, streams: Streams): Lines {
  const mint = streams('hashes');
  const addressMint = streams('shared addresses');
  const addresses = Array.from({ length: sharedAddresses.count }, () => drawHash(addressMint));
  const pickAddress = createWeightedPick(addresses.map((_, i) => (i + 1) ** -sharedAddresses.zipf));
  /** First released, first handed on. */
  const released: Record<Kind, { hashes: string[]; next: number }> = {
    email: { hashes: [], next: 0 },
    phone: { hashes: [], next: 0 },
    domain: { hashes: [], next: 0 },
    ip: { hashes: [], next: 0 },
  };
  /** By the day on whose midnight they run out. */
  const ending: { line: Line; hash: string; until: number }[][] = Array.from({ length: days + 1 }, () => []);
  let today = 0;

  const release = (kind: Kind, hash: string, handedOn: boolean): void => {
    if (handedOn) released[kind].hashes.push(hash);
  };

  const next = (kind: Kind): string => {
    const queue = released[kind];
    return queue.next < queue.hashes.length ? queue.hashes[queue.next++]! : drawHash(mint);
  };

  return {
    advance(at) {
      for (; today < Math.floor(at / DAY_MS); today++) {
        for (const { line, hash, until } of ending[today + 1] ?? []) {
          // A fraudster may have given it up before its time.
          if (line.hash === hash && line.until === until) release(line.kind, hash, line.handedOn);
        }
      }
    },

    renew(line, fraud, at, random) {
      const options = kinds[line.kind];
      const held = line.until > at;
      if (held && !(fraud && random() < options.fraudChange)) return;
      const before = { ...line };

      const shared = line.kind === 'ip' && random() < (fraud ? sharedAddresses.fraud : sharedAddresses.honest);
      line.hash = shared ? addresses[pickAddress(random())]! : next(line.kind);
      const lifeMs = randomExponential.source(random)(1 / options.lifeDays)() * DAY_MS;
      const lastDay = Math.floor((at + lifeMs) / DAY_MS) + 1;
      line.until = lastDay * DAY_MS;
      line.handedOn = !shared && random() < options.handedOn;
      ending[lastDay]?.push({ line, hash: line.hash, until: line.until });

      // Only now: whoever gives one up does not get it back at once.
      if (held) release(before.kind, before.hash, before.handedOn);
    },
  };
}
