import type { Outcome, RateLimit } from '../../core/domain/refusal.ts';
import type { Reporter } from '../../core/domain/reporter.ts';
import {
  COUNTED,
  MAX_ENTRIES,
  refuseUntil,
  use,
  withBudget,
  type Limits,
  type Throttle,
} from '../../core/engine/throttle.ts';
import type { BucketRequest, TokensRequest, TokensResult } from '../../core/store/records.ts';
import type { SharedStore } from '../../core/store/store.ts';

/** A process takes at most one part of this many of a bucket ahead. So limits below 64 tokens stay exact. */
const AHEAD_PARTS = 32;
/** Minimum time between two times that a process takes tokens ahead from one bucket. */
const AHEAD_MS = 1000;

/** Tokens of one bucket that this process has taken, but not spent. */
interface TokensAhead {
  tokens: number;
  /** When the process last asked for more tokens than a request costs. */
  requestedMs: number;
  /** Tokens in the bucket after it was last asked. */
  left: number;
}

/** The tokens that this process has taken from the buckets of a reporter or address. */
interface HeldTokens {
  readonly ahead: readonly TokensAhead[];
  /** The reporter's own budget. With another one, it has other buckets. */
  readonly budget: number | null;
}

/** What a shared throttle depends on. */
export interface SharedBuckets {
  readonly shared: Pick<SharedStore, 'takeTokens'>;
  /** Returns the name of a bucket: hex characters. */
  readonly bucketOf: (name: string) => string;
  readonly monotonic: () => number;
  /** Time of the buckets in the store. Undefined: the store's own clock. Only tests need another one. */
  readonly storeTime?: (() => number) | undefined;
}

/**
 * Returns a throttle whose buckets are in the store, so several processes share them. A process takes up to 1/32 of a
 * bucket's tokens ahead, and then counts requests without asking the store.
 *
 * Every request costs its tokens, as without this. But tokens that a process holds can be spent at once with a full
 * bucket: each process may then allow up to 1/32 more than the limit.
 */
export function createSharedThrottle({ verified, others }: Limits, buckets: SharedBuckets): Throttle {
  const { shared, bucketOf, monotonic, storeTime } = buckets;
  const prefixes = verified.map(({ name }) => bucketOf(name));
  const heldOf = new Map<string, HeldTokens>();
  // A key never changes its reporter, so nothing expires. Whether a key works is not remembered.
  const reporterOf = new Map<string, string>();

  /** Takes what the process holds. Returns what it took from each bucket, and what to ask the store for. */
  const begin = (ahead: readonly TokensAhead[] | undefined, cost: number, nameOf: (at: number) => string) => {
    const nowMs = monotonic();
    const asked: (BucketRequest & { readonly at: number })[] = [];
    const held = verified.map(({ name, requests, windowSeconds }, at) => {
      const own = ahead?.[at];
      const spent = Math.min(cost, own?.tokens ?? 0);
      if (own) own.tokens -= spent;
      const missing = cost - spent;
      if (missing === 0) return spent;
      let tokens = missing;
      if (own && nowMs - own.requestedMs >= AHEAD_MS) {
        own.requestedMs = nowMs;
        tokens = Math.max(missing, Math.floor(own.left / AHEAD_PARTS));
      }
      const unverified = others[at]?.requests ?? requests;
      const windowMs = windowSeconds * 1000;
      const isBudget = name === 'identifiers';
      asked.push({ at, bucket: nameOf(at), requests, unverified, isBudget, windowMs, cost: missing, tokens });
      return spent;
    });
    let isOpen = true;
    const giveBack = (): void => {
      if (isOpen) for (const [at, own] of ahead?.entries() ?? []) own.tokens += held[at] ?? 0;
      isOpen = false;
    };
    /** Ends what was begun, with the store's answer. */
    const end = (
      who: string,
      limits: readonly RateLimit[],
      taken: TokensResult,
      budget: number | null = null,
    ): Outcome<void> => {
      const known = heldOf.get(who);
      // Tokens of another budget are dropped, except for those of this request.
      const own =
        known?.budget === budget
          ? known
          : { ahead: verified.map(() => ({ tokens: 0, requestedMs: -Infinity, left: 0 })), budget };
      use(heldOf, who, own, MAX_ENTRIES);
      let over: RateLimit | undefined;
      let waitMs = -1;
      for (const [n, { at }] of asked.entries()) {
        const { taken: got = 0, waitMs: wait = 1 } = taken[n] ?? {};
        if (got > 0 || wait <= waitMs) continue;
        over = limits[at];
        waitMs = wait;
      }
      if (over) {
        giveBack();
        return refuseUntil(over, waitMs);
      }
      isOpen = false;
      for (const [n, { at, cost: missing }] of asked.entries()) {
        const [bucket, got] = [own.ahead[at], taken[n]];
        if (!bucket || !got) continue;
        bucket.tokens += got.taken - missing;
        bucket.left = got.left;
      }
      return COUNTED;
    };
    return { tokens: asked.length > 0 ? { nowMs: storeTime?.(), buckets: asked } : undefined, giveBack, end };
  };

  return {
    async take(address) {
      const begun = begin(heldOf.get(address)?.ahead, 1, (at) => bucketOf(`${verified[at]?.name} ${address}`));
      return begun.end(address, verified, begun.tokens ? await shared.takeTokens(begun.tokens) : []);
    },
    ask(digest, cost) {
      const known = reporterOf.get(digest);
      const begun = begin(known === undefined ? undefined : heldOf.get(known)?.ahead, cost, (at) => prefixes[at] ?? '');
      const { tokens } = begun;
      let counted: { readonly ahead: readonly TokensAhead[]; readonly limits: readonly RateLimit[] } | undefined;
      return {
        tokens,
        knownReporterId: known,
        async count({ reporter, tokens: taken }) {
          use(reporterOf, digest, reporter.reporterId, MAX_ENTRIES);
          const answer = tokens ? (taken ?? (await shared.takeTokens(ofReporter(tokens, reporter)))) : [];
          const { reporterId, identifiersPerDay: budget } = reporter;
          const standard = reporter.verified ? verified : others;
          const limits = budget === null ? standard : withBudget(standard, budget);
          const outcome = begun.end(reporterId, limits, answer, budget);
          counted = { ahead: heldOf.get(reporterId)?.ahead ?? [], limits };
          return outcome;
        },
        cancel() {
          begun.giveBack();
          // The key may not work any more. Its next request asks the store, which then reads nothing else.
          reporterOf.delete(digest);
        },
        giveBack() {
          // This process holds them. A bucket's worth at most, so that they never allow more than twice the limit.
          for (const [at, own] of counted?.ahead.entries() ?? [])
            own.tokens = Math.min(counted?.limits[at]?.requests ?? 0, own.tokens + cost);
        },
      };
    },
  };
}

/** Returns the same tokens for a store that did not take them together with the key. */
function ofReporter({ nowMs, buckets }: TokensRequest, reporter: Reporter): TokensRequest {
  const { reporterId, verified, identifiersPerDay } = reporter;
  return {
    nowMs,
    buckets: buckets.map((asked) => {
      const budget = asked.isBudget === true ? identifiersPerDay : null;
      const bucket = asked.bucket + reporterId + (budget === null ? '' : budget.toString(16).padStart(16, '0'));
      return { ...asked, bucket, requests: budget ?? (verified ? asked.requests : asked.unverified) };
    }),
  };
}
