import type { KeyWithReporter } from '../../core/store/records.ts';

/** Connections that strangers use at once. The pool of a process has ten. */
const AT_ONCE = 3;
/** Keys that a process remembers, so that they do not wait. */
const MAX_KEYS = 10_000;

/** Bounds the connections of requests for which no key speaks. */
export interface Strangers {
  /** Runs a work in its turn. If the database does not answer one, those that wait are rejected with the same error. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Runs a read that finds a key: at once if the key worked before, otherwise in its turn. */
  findingKey<T>(
    asked: { readonly digest: string; readonly atMs?: number | undefined },
    read: () => Promise<T>,
    keyOf: (found: T) => KeyWithReporter | undefined,
  ): Promise<T>;
}

/**
 * Returns the bound of a process. Anyone can send requests from many addresses, or with guessed keys, and each has to
 * ask the database. Without the bound, requests with keys that work would wait behind all of them for a connection.
 */
export function createStrangers(): Strangers {
  /** Digests of keys that worked when they were last found, the oldest first. */
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
    async findingKey({ digest, atMs = 0 }, read, keyOf) {
      const found = await (known.has(digest) ? read() : inTurn(read));
      const stored = keyOf(found);
      const works = stored && !stored.reporter.suspended && (stored.key.endsAt ?? Infinity) > atMs;
      if (!works) known.delete(digest);
      else if (!known.has(digest)) {
        const [oldest] = known;
        if (known.size >= MAX_KEYS && oldest !== undefined) known.delete(oldest);
        known.add(digest);
      }
      return found;
    },
  };
}
