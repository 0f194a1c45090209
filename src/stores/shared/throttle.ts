import type { Outcome, RateLimit } from '../../core/domain/refusal.ts';
import { COUNTED, MAX_ENTRIES, refuseUntil, use, type Throttle } from '../../core/engine/limits.ts';
import type { TokensRequest, TokensResult } from '../../core/store/records.ts';
import type { SharedStore } from '../../core/store/store.ts';

/** A process takes at most one part of this many of a bucket ahead. So limits below 64 tokens stay exact. */
const AHEAD_PARTS = 32;
/** Minimum time between two times that a process takes tokens ahead from one bucket. */
const AHEAD_MS = 1000;

/** Tokens of a bucket that this process has taken, but not spent. */
interface TokensAhead {
  tokens: number;
  /** When the process last asked for more tokens than a request costs. */
  requestedMs: number;
  /** Tokens in the bucket after it was last asked. */
  left: number;
  /** A cost for which the bucket has too few tokens until a time: no process can put any into it. */
  refused?: { readonly cost: number; readonly untilMs: number } | undefined;
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
export function createSharedThrottle(limit: RateLimit, buckets: SharedBuckets): Throttle {
  const { shared, bucketOf, monotonic, storeTime } = buckets;
  const { name, requests: capacity, windowSeconds } = limit;
  const prefix = bucketOf(name);
  const aheadOf = new Map<string, TokensAhead>();
  // A key never changes its reporter, so nothing expires. Whether a key works is not remembered.
  const reporterOf = new Map<string, string>();

  /** Takes what the process holds. Returns what to ask the store for. */
  const begin = (own: TokensAhead | undefined, cost: number, bucket: string) => {
    const nowMs = monotonic();
    const held = Math.min(cost, own?.tokens ?? 0);
    if (own) own.tokens -= held;
    const missing = cost - held;
    let tokens = missing;
    if (missing > 0 && own && nowMs - own.requestedMs >= AHEAD_MS) {
      own.requestedMs = nowMs;
      tokens = Math.max(missing, Math.floor(own.left / AHEAD_PARTS));
    }
    const asked: TokensRequest | undefined =
      missing === 0
        ? undefined
        : { nowMs: storeTime?.(), bucket, requests: capacity, windowMs: windowSeconds * 1000, cost: missing, tokens };
    let isOpen = true;
    const giveBack = (): void => {
      if (isOpen && own) own.tokens += held;
      isOpen = false;
    };
    /** Ends what was begun, with the store's answer. */
    const end = (who: string, answer: TokensResult | undefined): Outcome<void> => {
      const ahead = aheadOf.get(who) ?? { tokens: 0, requestedMs: -Infinity, left: 0 };
      use(aheadOf, who, ahead, MAX_ENTRIES);
      if (asked && !answer?.taken) {
        giveBack();
        if (answer) ahead.refused = { cost, untilMs: monotonic() + answer.waitMs };
        return refuseUntil(limit, answer?.waitMs ?? 1);
      }
      isOpen = false;
      ahead.refused = undefined;
      if (answer) {
        ahead.tokens += answer.taken - missing;
        ahead.left = answer.left;
      }
      return COUNTED;
    };
    return { asked, giveBack, end };
  };

  /** Answers without the store, in which each refusal would be a transaction under the lock of the bucket. */
  const refusedBefore = (address: string, cost: number): Outcome<void> | undefined => {
    const refused = aheadOf.get(address)?.refused;
    const leftMs = refused && cost >= refused.cost ? refused.untilMs - monotonic() : 0;
    return leftMs > 0 ? refuseUntil(limit, leftMs) : undefined;
  };
  const takeNow = async (address: string, cost: number): Promise<Outcome<void>> => {
    const refused = refusedBefore(address, cost);
    if (refused) return refused;
    const begun = begin(aheadOf.get(address), cost, bucketOf(`${name} ${address}`));
    return begun.end(address, begun.asked && (await shared.takeTokens(begun.asked)));
  };
  /** The last request of each address that asks the store, or waits for another one of the address. */
  const askingOf = new Map<string, Promise<Outcome<void>>>();

  return {
    async take(address, cost = 1) {
      const refused = refusedBefore(address, cost);
      if (refused) return refused;
      // One after the other. If one is refused, those that wait are, too, without the store. If it fails, they fail.
      const before = askingOf.get(address);
      const taken = before ? before.then(() => takeNow(address, cost)) : takeNow(address, cost);
      askingOf.set(address, taken);
      try {
        return await taken;
      } finally {
        if (askingOf.get(address) === taken) askingOf.delete(address);
      }
    },
    ask(digest, cost) {
      const known = reporterOf.get(digest);
      const begun = begin(known === undefined ? undefined : aheadOf.get(known), cost, prefix);
      const { asked } = begun;
      let counted: TokensAhead | undefined;
      return {
        tokens: asked,
        knownReporterId: known,
        async count({ reporter: { reporterId }, tokens: taken }) {
          use(reporterOf, digest, reporterId, MAX_ENTRIES);
          // A store that did not take them together with the key.
          const take = () => shared.takeTokens({ ...asked!, bucket: prefix + reporterId });
          const outcome = begun.end(reporterId, asked && (taken ?? (await take())));
          counted = aheadOf.get(reporterId);
          return outcome;
        },
        cancel() {
          begun.giveBack();
          // The key may not work any more. Its next request asks the store, which then reads nothing else.
          reporterOf.delete(digest);
        },
        giveBack() {
          // This process holds them. A bucket's worth at most, so that they never allow more than twice the limit.
          if (counted) counted.tokens = Math.min(capacity, counted.tokens + cost);
        },
      };
    },
  };
}
