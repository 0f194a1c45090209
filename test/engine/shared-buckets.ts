import type { TokensRequest, TokensResult } from '../../src/core/store/records.ts';

/** Token buckets that several engines of one test share, as processes share those of PostgreSQL. */
export function createSharedBuckets() {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return async ({ nowMs = 0, buckets: asked }: TokensRequest): Promise<TokensResult> => {
    const states = asked.map(({ bucket, requests, windowMs, cost, tokens }) => {
      const { tokens: before, atMs } = buckets.get(bucket) ?? { tokens: requests, atMs: nowMs };
      const filled = Math.min(requests, before + (Math.max(0, nowMs - atMs) * requests) / windowMs);
      const missing = Math.min(cost, requests) - filled;
      return { filled, missing, waitMs: Math.max(0, Math.ceil((missing * windowMs) / requests)), cost, tokens };
    });
    const admitted = states.every(({ missing }) => missing <= 0);
    return states.map(({ filled, waitMs, cost, tokens }, at) => {
      const taken = !admitted ? 0 : filled >= tokens ? tokens : cost;
      if (admitted) buckets.set(asked[at]!.bucket, { tokens: filled - taken, atMs: nowMs });
      return { taken, waitMs, left: filled - taken };
    });
  };
}
