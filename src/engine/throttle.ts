import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { AskedTokens, TakenTokens } from '../store/records.ts';
import type { SharedStore } from '../store/store.ts';

type MaybePromise<T> = T | Promise<T>;

/** Limits requests per key or address (spec 8), with one token bucket for each. */
export interface Throttle {
  /** Takes one token from the bucket of `who`. If it is empty, refuses with the time until the next token. */
  take(who: string, nowMs: number): MaybePromise<Outcome<void>>;
  /** Like {@link take}, in two steps, so that another read of the store can take the token. */
  ask(who: string, nowMs: number): Ticket;
}

/** A request that is not counted yet. */
export interface Ticket {
  /** What the store must take. Undefined if the process has the token. */
  readonly tokens?: AskedTokens | undefined;
  /** Counts the request. `answer` is the store's answer to `tokens`. */
  count(answer: TakenTokens | undefined): MaybePromise<Outcome<void>>;
}

/** Maximum number of buckets in memory. The least recently used one is forgotten. */
const BUCKETS_MOST = 100_000;

/** Returns a throttle with buckets in memory. A bucket that was forgotten is full again. */
export function createThrottle(limit: RateLimit, bucketsMost = BUCKETS_MOST) {
  const windowMs = limit.windowSeconds * 1000;
  const tokensPerMs = limit.requests / windowMs;
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  const take = (who: string, nowMs: number): Outcome<void> => {
    const bucket = buckets.get(who) ?? { tokens: limit.requests, atMs: nowMs };
    // A clock that was set back neither refills nor drains.
    const elapsedMs = Math.max(0, nowMs - bucket.atMs);
    const tokens = Math.min(limit.requests, bucket.tokens + elapsedMs * tokensPerMs);
    const allowed = tokens >= 1;
    use(buckets, who, { tokens: allowed ? tokens - 1 : tokens, atMs: Math.max(nowMs, bucket.atMs) }, bucketsMost);
    return allowed ? accept(undefined) : refuseUntil(limit, (1 - tokens) / tokensPerMs);
  };
  return { take, ask: (who: string, nowMs: number) => ({ count: () => take(who, nowMs) }) };
}

/** A process takes at most one part of this many of a bucket ahead. So limits below 64 requests stay exact. */
const AHEAD_PARTS = 32;
/** Minimum time between two times that a process takes tokens ahead from one bucket. */
const AHEAD_MS = 1000;

/** Tokens of one bucket that this process has taken, but not spent. */
interface Ahead {
  tokens: number;
  /** When the process last asked for several tokens. */
  askedMs: number;
  /** Tokens in the bucket after it was last asked. */
  readonly left: number;
}

/**
 * Returns a throttle whose buckets are in the store, so several processes share them. `bucketOf` returns a bucket's
 * name. A process takes up to 1/32 of a bucket's tokens ahead, and then counts requests without asking the store.
 *
 * Every request costs one token of the bucket, as without this. But tokens that a process holds can be spent at once
 * with a full bucket: each process may then allow up to 1/32 more than the limit.
 */
export function createSharedThrottle(
  limit: RateLimit,
  shared: SharedStore,
  bucketOf: (name: string) => string,
): Throttle {
  const windowMs = limit.windowSeconds * 1000;
  const aheadOf = new Map<string, Ahead>();

  /** Returns how many tokens to take for a request; 0 if it spends one that was taken ahead. */
  const tokensFor = (who: string, nowMs: number): number => {
    const ahead = aheadOf.get(who);
    if (!ahead) return 1;
    if (ahead.tokens >= 1) {
      ahead.tokens--;
      return 0;
    }
    const ageMs = nowMs - ahead.askedMs;
    if (ageMs >= 0 && ageMs < AHEAD_MS) return 1;
    ahead.askedMs = nowMs;
    return Math.max(1, Math.floor(ahead.left / AHEAD_PARTS));
  };

  const ask = (who: string, nowMs: number): Ticket => {
    const tokens = tokensFor(who, nowMs);
    if (tokens === 0) return TAKEN;
    const asked = { bucket: bucketOf(`${limit.name} ${who}`), requests: limit.requests, windowMs, nowMs, tokens };
    return {
      tokens: asked,
      async count(answer) {
        const { taken, waitMs, left } = answer ?? (await shared.takeTokens(asked));
        if (taken === 0) return refuseUntil(limit, waitMs);
        const known = aheadOf.get(who);
        const ahead = { tokens: (known?.tokens ?? 0) + taken - 1, askedMs: known?.askedMs ?? -Infinity, left };
        use(aheadOf, who, ahead, BUCKETS_MOST);
        return accept(undefined);
      },
    };
  };
  return { ask, take: (who, nowMs) => ask(who, nowMs).count(undefined) };
}

const TAKEN: Ticket = { count: () => accept(undefined) };

function refuseUntil(limit: RateLimit, waitMs: number): Outcome<never> {
  return refuse({ reason: 'limited', limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}

/** Sets an entry, and makes it the most recently used one. If there are too many, deletes the least recently used. */
function use<T>(entries: Map<string, T>, name: string, value: T, most: number): void {
  // A Map iterates in insertion order, and each use reinserts its entry.
  entries.delete(name);
  if (entries.size >= most) {
    const oldest = entries.keys().next();
    if (!oldest.done) entries.delete(oldest.value);
  }
  entries.set(name, value);
}

/**
 * Returns the bucket name of a client address. IPv6 uses the /64 network, because one client usually owns all of it.
 * IPv4 mapped into IPv6 becomes IPv4. Any other text is returned unchanged.
 */
export function addressBucket(address: string): string {
  const plain = address.replace(/^\[|\]$|%.*$/g, '').toLowerCase();
  const mapped = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
