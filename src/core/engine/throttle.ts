import { ipv6Groups } from '../domain/text.ts';
import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { TokensRequest, KeyWithReporter } from '../store/records.ts';

type MaybePromise<T> = T | Promise<T>;

/**
 * Limits requests per reporter or address (protocol 8), with a token bucket for each. Buckets are in memory, or in a
 * store that processes share.
 */
export interface Throttle {
  /** Takes tokens of an address, by default one. If its bucket has too few, refuses with the time until it has them. */
  take(address: string, cost?: number): MaybePromise<Outcome<void>>;
  /** Begins to take tokens of a key's reporter, so that the read that finds the key can also take them. */
  ask(digest: string, cost: number): Ticket;
}

/** A request that is not counted yet. */
export interface Ticket {
  /** What the store must take. Undefined if the process has the tokens. */
  readonly tokens?: TokensRequest | undefined;
  /** On a shared store: the key's reporter, if this process has found the key before. The key may have ended since. */
  readonly knownReporterId?: string | undefined;
  /** Counts the request. `stored` is the store's answer to the key and the tokens. */
  count(stored: KeyWithReporter): MaybePromise<Outcome<void>>;
  /** Counts nothing: the key does not work, or the request has failed. After {@link count}, does nothing. */
  cancel(): void;
  /** Gives back what {@link count} took, for work that was not done. Call it once at most, after `count` accepted. */
  giveBack(): void;
}

/** Maximum number of reporters or addresses in memory. The least recently used ones are forgotten. */
export const MAX_ENTRIES = 100_000;
/** Part of the entries that is forgotten at once. */
const FORGOTTEN_PART = 0.01;
/** Refilling adds fractions. Their rounding must not refuse a request that waited as long as told. */
const ROUNDING = 1e-9;

/** Returns a throttle with buckets in memory. A bucket that was forgotten is full again. */
export function createThrottle(limit: RateLimit, monotonic: () => number, maxEntries = MAX_ENTRIES) {
  const { requests, windowSeconds } = limit;
  const perMs = requests / (windowSeconds * 1000);
  const entries = new Map<string, { tokens: number; atMs: number }>();

  const take = (who: string, cost = 1): Outcome<void> => {
    const nowMs = monotonic();
    const entry = entries.get(who) ?? { tokens: requests, atMs: nowMs };
    const elapsedMs = Math.max(0, nowMs - entry.atMs);
    entry.atMs += elapsedMs;
    entry.tokens = Math.min(requests, entry.tokens + elapsedMs * perMs);
    use(entries, who, entry, maxEntries);
    const missing = Math.min(cost, requests) - entry.tokens;
    if (missing > ROUNDING) return refuseUntil(limit, missing / perMs);
    entry.tokens -= cost;
    return COUNTED;
  };
  return {
    take,
    ask(_: string, cost: number): Ticket {
      let counted: { tokens: number } | undefined;
      return {
        count({ reporter: { reporterId } }) {
          const outcome = take(reporterId, cost);
          counted = entries.get(reporterId);
          return outcome;
        },
        cancel: () => undefined,
        giveBack() {
          if (counted) counted.tokens += cost;
        },
      };
    },
    /** Number of reporters or addresses in memory. */
    size: () => entries.size,
  } satisfies Throttle & { size(): number };
}

export const COUNTED: Outcome<void> = accept(undefined);

export function refuseUntil(limit: RateLimit, waitMs: number): Outcome<never> {
  return refuse({ reason: 'limited', limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}

/** Sets an entry as the most recently used one. If there are too many, deletes the least recently used ones. */
export function use<T>(entries: Map<string, T>, name: string, value: T, maxEntries: number): void {
  // A Map iterates in insertion order, and each use reinserts its entry.
  entries.delete(name);
  if (entries.size >= maxEntries) {
    // Many at once: to find the first entry, V8 passes the places of all deleted ones. That took .1 ms each time.
    let left = Math.max(1, Math.floor(maxEntries * FORGOTTEN_PART));
    for (const oldest of entries.keys()) {
      entries.delete(oldest);
      if (--left === 0) break;
    }
  }
  entries.set(name, value);
}

/**
 * Returns the bucket name of a client address, the same for each notation. IPv6 uses the network of `bits`. Usually one
 * client owns all of a /64, and with less, strangers would wait for each other. But where each network has a voice,
 * pass 48: anyone can get a /48, which has 65,536 networks of /64. An address of IPv4 mapped into IPv6, of NAT64 or of
 * 6to4 counts as its IPv4 address. Ignores brackets, and the zone, which says by which interface the address was
 * reached (RFC 4007). Any other text is its own bucket.
 */
export function addressBucket(address: string, bits: 48 | 64 = 64): string {
  const plain = /[^%\]]*/.exec(address.toLowerCase().replace('[', ''))![0];
  if (!plain.includes(':')) return plain;
  try {
    const short = hostname(`[${plain}]`).slice(1, -1);
    const groups = ipv6Groups(short);
    // IPv4 is in the last two groups, but `::1` is none.
    const isLast = /^(::(ffff:(0:)?|(?=\w+:))|64:ff9b::)\w+(:\w+)?$/.test(short);
    const at = isLast ? 6 : 1;
    return isLast || groups[0] === '2002'
      ? hostname(`0x${groups[at]}${groups[at + 1]!.padStart(4, '0')}`)
      : `${groups.slice(0, bits / 16).join(':')}::/${bits}`;
  } catch {
    return plain;
  }
}

/** Returns a host in the only notation of the URL standard. Throws TypeError for an address that is none. */
function hostname(host: string): string {
  return new URL(`http://${host}`).hostname;
}
