import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { SharedStore } from '../store/store.ts';

/** Counts requests per key or address (spec 8). */
export interface Throttle {
  /** Takes one request of `who` from its bucket, or says how long until there is one. */
  take(who: string, nowMs: number): Outcome<void> | Promise<Outcome<void>>;
}

/** One that knows at once. */
export interface LocalThrottle extends Throttle {
  take(who: string, nowMs: number): Outcome<void>;
}

/**
 * A token bucket for each of the last callers: `requests` at once, refilled evenly over the window.
 * Memory is bounded by `bucketsMost`: past it the caller unseen for longest is forgotten, which can only ever be to its advantage.
 */
export function createThrottle(limit: RateLimit, bucketsMost = 100_000): LocalThrottle {
  const windowMs = limit.windowSeconds * 1000;
  const tokensPerMs = limit.requests / windowMs;
  // In order of last use: a Map iterates in the order of insertion, and each use inserts anew.
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  return {
    take(who, nowMs) {
      const bucket = buckets.get(who) ?? { tokens: limit.requests, atMs: nowMs };
      // A clock that was set back refills nothing and takes nothing away.
      const elapsedMs = Math.max(0, nowMs - bucket.atMs);
      const tokens = Math.min(limit.requests, bucket.tokens + elapsedMs * tokensPerMs);
      buckets.delete(who);
      if (buckets.size >= bucketsMost) buckets.delete(buckets.keys().next().value!);
      const allowed = tokens >= 1;
      buckets.set(who, { tokens: allowed ? tokens - 1 : tokens, atMs: Math.max(nowMs, bucket.atMs) });
      if (allowed) return accept(undefined);
      return refuse({
        reason: 'limited',
        limit,
        retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / tokensPerMs / 1000)),
      });
    },
  };
}

/** The same bucket in a store that several processes share. `bucketOf` gives a bucket's name, 32 hex characters that say nothing of who it is. */
export function createSharedThrottle(
  limit: RateLimit,
  shared: SharedStore,
  bucketOf: (name: string) => string,
): Throttle {
  const rate = { requests: limit.requests, windowMs: limit.windowSeconds * 1000 };
  return {
    async take(who, nowMs) {
      const waitMs = await shared.takeToken(bucketOf(`${limit.name} ${who}`), rate, nowMs);
      return waitMs === 0
        ? accept(undefined)
        : refuse({ reason: 'limited', limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    },
  };
}

/**
 * The name under which an address is counted: an IPv6 address by its /64 network, because whoever has one address has them all;
 * an IPv4 address in IPv6 clothes by itself; anything else as it is.
 */
export function addressBucket(address: string): string {
  const plain = address.replace(/^\[|\]$|%.*$/g, '').toLowerCase();
  const mapped = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped) return mapped[1]!;
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
