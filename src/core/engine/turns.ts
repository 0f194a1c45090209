import { refuse, type Outcome } from '../domain/refusal.ts';

/** Works that read very many rows at the same time. The others wait, so that light requests get their turn. */
const MAX_READING = 2;

/** Bounds how much long work runs at once. */
export interface Turns {
  /** Returns how many works read now, and how many wait to do so. */
  load(): { readonly reading: number; readonly waiting: number };
  /**
   * Runs a work that reads very many rows, now or later. Works of one name that wait are run once, and have one
   * outcome. Refuses with `overloaded` if too many others wait. An owner has one work that runs and some that wait; the
   * next turn goes to the owner whose last turn was the longest ago. Without `owner`, a work is its own.
   */
  inTurn<T>(name: unknown, read: () => Promise<Outcome<T>>, owner?: string): Promise<Outcome<T>>;
}

interface WaitingWork {
  owner: unknown;
  readonly begin: () => void;
  readonly outcome: Promise<Outcome<unknown>>;
}

/** `mostOfOwner`: how many works of one owner wait. */
export function createTurns(giveTurn: () => Promise<void>, maxWaiting: number, mostOfOwner = 16): Turns {
  /** The owners of the works that run. */
  const reading = new Set<unknown>();
  /** By name, in the order of their turns. */
  const waiting = new Map<unknown, WaitingWork>();
  const ofOwner = (isTurn: (owner: unknown) => boolean) => [...waiting].filter(([, { owner }]) => isTurn(owner));

  const run = async <T>(owner: unknown, read: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    try {
      return await read();
    } finally {
      reading.delete(owner);
      // Owners take turns: what this one waits for comes behind the works of others.
      for (const [name, work] of ofOwner((other) => other === owner)) {
        waiting.delete(name);
        waiting.set(name, work);
      }
      const [next] = ofOwner((other) => !reading.has(other));
      if (next !== undefined) {
        const [name, { begin, owner: following }] = next;
        // Who asks from now on may have seen a write that this work does not read.
        waiting.delete(name);
        reading.add(following);
        begin();
      }
    }
  };

  return {
    load: () => ({ reading: reading.size, waiting: waiting.size }),
    async inTurn<T>(name: unknown, read: () => Promise<Outcome<T>>, owner: unknown = {}) {
      if (reading.size < MAX_READING && !reading.has(owner)) {
        reading.add(owner);
        return run(owner, read);
      }
      const known = waiting.get(name);
      const own = ofOwner((other) => other === owner).length;
      if (known) {
        // An owner that waits for nothing else need not wait behind the works of the first one.
        if (own === 0 && !reading.has(owner)) known.owner = owner;
        return known.outcome as Promise<Outcome<T>>;
      }
      if (waiting.size >= maxWaiting || own >= mostOfOwner)
        return refuse({ reason: 'overloaded', retryAfterSeconds: 2 });
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      // Without a turn, works that wait would follow each other before any other request.
      const outcome = begun.then(giveTurn).then(() => run(work.owner, read));
      const work: WaitingWork = { owner, begin, outcome };
      waiting.set(name, work);
      return outcome;
    },
  };
}
