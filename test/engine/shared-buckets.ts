import type { TokensRequest, TokensResult } from '../../src/core/store/records.ts';

/** Token buckets that several engines of one test share, as processes share those of PostgreSQL. */
export function createSharedBuckets() {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return async ({ nowMs = 0, bucket, requests, windowMs, cost, tokens }: TokensRequest): Promise<TokensResult> => {
    const { tokens: before, atMs } = buckets.get(bucket) ?? { tokens: requests, atMs: nowMs };
    const filled = Math.min(requests, before + (Math.max(0, nowMs - atMs) * requests) / windowMs);
    const missing = Math.min(cost, requests) - filled;
    const waitMs = Math.max(0, Math.ceil((missing * windowMs) / requests));
    if (missing > 0) return { taken: 0, waitMs, left: filled };
    const taken = filled >= tokens ? tokens : cost;
    buckets.set(bucket, { tokens: filled - taken, atMs: nowMs });
    return { taken, waitMs, left: filled - taken };
  };
}
