import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { TokensRequest, KeyWithReporter } from '../store/records.ts';

type MaybePromise<T> = T | Promise<T>;

/**
 * Limits requests per reporter or address (protocol 8), with one token bucket for each limit. A request takes its
 * tokens from all of its buckets, or from none.
 */
export interface Throttle {
  /** Takes one token of an address. If a bucket is empty, refuses with the time until the next token. */
  take(address: string): MaybePromise<Outcome<void>>;
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

/** Limits of one kind of request. Both lists name the same limits, in the same order. */
export interface Limits {
  /** Of a verified reporter, or of an address. */
  readonly verified: readonly RateLimit[];
  /** Of any other reporter. */
  readonly others: readonly RateLimit[];
}

/** Maximum number of reporters or addresses in memory. The least recently used ones are forgotten. */
export const MAX_ENTRIES = 100_000;
/** Part of the entries that is forgotten at once. */
const FORGOTTEN_PART = 0.01;
/** Refilling adds fractions. Their rounding must not refuse a request that waited as long as told. */
const ROUNDING = 1e-9;

/** Returns the limits with a reporter's own budget of identifiers a day. */
export function withBudget(limits: readonly RateLimit[], requests: number): readonly RateLimit[] {
  return limits.map((limit) => (limit.name === 'identifiers' ? { ...limit, requests } : limit));
}

/** Returns a throttle with buckets in memory. Buckets that were forgotten, or of a changed budget, are full again. */
export function createThrottle({ verified, others }: Limits, monotonic: () => number, maxEntries = MAX_ENTRIES) {
  const entries = new Map<string, { readonly tokens: number[]; atMs: number; readonly budget: number | null }>();

  const take = (who: string, cost = 1, limits = verified, budget: number | null = null): Outcome<void> => {
    const nowMs = monotonic();
    const known = entries.get(who);
    const entry =
      known?.budget === budget ? known : { tokens: limits.map(({ requests }) => requests), atMs: nowMs, budget };
    const elapsedMs = Math.max(0, nowMs - entry.atMs);
    entry.atMs += elapsedMs;
    use(entries, who, entry, maxEntries);
    let over: RateLimit | undefined;
    let waitMs = 0;
    for (const [at, limit] of limits.entries()) {
      const { requests, windowSeconds } = limit;
      const windowMs = windowSeconds * 1000;
      const tokens = Math.min(requests, (entry.tokens[at] ?? requests) + (elapsedMs * requests) / windowMs);
      entry.tokens[at] = tokens;
      const missing = Math.min(cost, requests) - tokens;
      if (missing <= ROUNDING || (missing * windowMs) / requests <= waitMs) continue;
      over = limit;
      waitMs = (missing * windowMs) / requests;
    }
    if (over) return refuseUntil(over, waitMs);
    for (const at of limits.keys()) entry.tokens[at] = (entry.tokens[at] ?? 0) - cost;
    return COUNTED;
  };
  return {
    take: (address: string) => take(address),
    ask(_: string, cost: number): Ticket {
      let counted: { readonly tokens: number[] } | undefined;
      return {
        count({ reporter }) {
          const { reporterId, identifiersPerDay: budget } = reporter;
          const limits = reporter.verified ? verified : others;
          const outcome = take(reporterId, cost, budget === null ? limits : withBudget(limits, budget), budget);
          counted = entries.get(reporterId);
          return outcome;
        },
        cancel: () => undefined,
        giveBack() {
          for (const at of counted?.tokens.keys() ?? []) counted!.tokens[at]! += cost;
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
 * Returns the bucket name of a client address, the same for each notation. IPv6 uses the /64 network, because one
 * client usually owns all of it. An address of IPv4 mapped into IPv6, of NAT64 or of 6to4 counts as its IPv4 address.
 * Ignores brackets, and the zone, which says by which interface the address was reached (RFC 4007). Any other text is
 * its own bucket.
 */
export function addressBucket(address: string): string {
  const plain = /[^%\]]*/.exec(address.toLowerCase().replace('[', ''))![0];
  if (!plain.includes(':')) return plain;
  try {
    const short = hostname(`[${plain}]`).slice(1, -1);
    const [head, tail = []] = short.split('::').map((side) => side.split(':').filter(Boolean));
    while (head!.length + tail.length < 8) head!.push('0');
    const groups = [...head!, ...tail];
    // IPv4 is in the last two groups, but `::1` is none.
    const isLast = /^(::(ffff:(0:)?|(?=\w+:))|64:ff9b::)\w+(:\w+)?$/.test(short);
    const at = isLast ? 6 : 1;
    return isLast || groups[0] === '2002'
      ? hostname(`0x${groups[at]}${groups[at + 1]!.padStart(4, '0')}`)
      : `${groups.slice(0, 4).join(':')}::/64`;
  } catch {
    return plain;
  }
}

/** Returns a host in the only notation of the URL standard. Throws TypeError for an address that is none. */
function hostname(host: string): string {
  return new URL(`http://${host}`).hostname;
}
