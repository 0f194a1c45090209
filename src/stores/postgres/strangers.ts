/** Connections that strangers use at once. The pool of a process has ten. */
const AT_ONCE = 3;
/** Keys and sessions that a process remembers, so that they do not wait. */
const MAX_KNOWN = 10_000;

/** Bounds the connections of requests for which no key or session speaks. */
export interface Strangers {
  /** Runs a work in its turn. If the database does not answer one, those that wait are rejected with the same error. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Runs a read that finds a key or session: at once if it worked when it was last found, otherwise in its turn. */
  find<T>(digest: string, read: () => Promise<T>, works: (found: T) => boolean): Promise<T>;
}

/**
 * Returns the bound of a process. Anyone can send requests from many addresses, or with guessed keys and sessions, and
 * each has to ask the database. Without the bound, requests with keys that work would wait for a connection behind all
 * of them.
 */
export function createStrangers(): Strangers {
  /** Digests of what worked when it was last found, the oldest first. */
  const known = new Set<string>();
  const state = { running: 0 };
  let waiting: { readonly begin: () => void; readonly fail: (error: unknown) => void }[] = [];

  const inTurn: Strangers['inTurn'] = async (work) => {
    if (state.running < AT_ONCE) state.running++;
    else await new Promise<void>((begin, fail) => waiting.push({ begin, fail }));
    try {
      return await work();
    } catch (error) {
      // Each of them would wait for the time limit, one after the other.
      const failed = waiting;
      waiting = [];
      for (const { fail } of failed) fail(error);
      throw error;
    } finally {
      const next = waiting.shift();
      if (next) next.begin();
      else state.running--;
    }
  };

  return {
    inTurn,
    async find(digest, read, works) {
      const found = await (known.has(digest) ? read() : inTurn(read));
      if (!works(found)) known.delete(digest);
      else if (!known.has(digest)) {
        const [oldest] = known;
        if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
        known.add(digest);
      }
      return found;
    },
  };
}
