import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { AskedToken } from '../store/records.ts';
import type { SharedStore } from '../store/store.ts';

/** Limits requests per key or address (spec 8). */
export interface Throttle {
  /** Takes one token from the bucket of `who`. If it is empty, refuses with the time until the next token. */
  take(who: string, nowMs: number): Outcome<void> | Promise<Outcome<void>>;
  /** Present if the buckets are in the store: then, another read of the store can also take the token. */
  readonly shared?: {
    tokenOf(who: string, nowMs: number): AskedToken;
    /** Returns the outcome. `waitMs`: milliseconds until a token is available; 0 if the read took one. */
    toOutcome(waitMs: number): Outcome<void>;
  };
}

/**
 * Returns a throttle with one token bucket per caller. If there are more than `bucketsMost` buckets, evicts the least
 * recently used one. Its caller then has a full bucket again.
 */
export function createThrottle(limit: RateLimit, bucketsMost = 100_000) {
  const windowMs = limit.windowSeconds * 1000;
  const tokensPerMs = limit.requests / windowMs;
  // Sorted by last use: a Map iterates in insertion order, and each use reinserts its bucket.
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  return {
    take(who: string, nowMs: number): Outcome<void> {
      const bucket = buckets.get(who) ?? { tokens: limit.requests, atMs: nowMs };
      // A clock that was set back neither refills nor drains.
      const elapsedMs = Math.max(0, nowMs - bucket.atMs);
      const tokens = Math.min(limit.requests, bucket.tokens + elapsedMs * tokensPerMs);
      buckets.delete(who);
      const oldest = buckets.keys().next();
      if (buckets.size >= bucketsMost && !oldest.done) buckets.delete(oldest.value);
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

/**
 * Returns a throttle whose buckets are in the store, so several processes share them. `bucketOf` returns a bucket's
 * name.
 */
export function createSharedThrottle(
  limit: RateLimit,
  shared: SharedStore,
  bucketOf: (name: string) => string,
): Throttle {
  const rate = { requests: limit.requests, windowMs: limit.windowSeconds * 1000 };
  const tokenOf = (who: string, nowMs: number): AskedToken => {
    return { bucket: bucketOf(`${limit.name} ${who}`), ...rate, nowMs };
  };
  const toOutcome = (waitMs: number): Outcome<void> =>
    waitMs === 0
      ? accept(undefined)
      : refuse({ reason: 'limited', limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  return {
    shared: { tokenOf, toOutcome },
    async take(who, nowMs) {
      return toOutcome(await shared.takeToken(tokenOf(who, nowMs).bucket, rate, nowMs));
    },
  };
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
