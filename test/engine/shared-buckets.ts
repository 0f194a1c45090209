import type { AskedTokens, TakenTokens } from '../../src/store/records.ts';

/** Token buckets that several engines of one test share, as processes share those of PostgreSQL. */
export function createSharedBuckets() {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return async ({ bucket, requests, windowMs, nowMs, tokens }: AskedTokens): Promise<TakenTokens> => {
    const { tokens: before, atMs } = buckets.get(bucket) ?? { tokens: requests, atMs: nowMs };
    const filled = Math.min(requests, before + (Math.max(0, nowMs - atMs) * requests) / windowMs);
    const taken = filled >= tokens ? tokens : filled >= 1 ? 1 : 0;
    const left = filled - taken;
    buckets.set(bucket, { tokens: left, atMs: Math.max(nowMs, atMs) });
    return { taken, waitMs: taken > 0 ? 0 : Math.max(1, Math.ceil(((1 - left) * windowMs) / requests)), left };
  };
}
