import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { Reporter } from '../domain/reporter.ts';
import type { AskedBucket, AskedTokens, FoundKey, TakenTokens } from '../store/records.ts';
import type { SharedStore } from '../store/store.ts';

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
  readonly tokens?: AskedTokens | undefined;
  /** On a shared store: the key's reporter, if this process has found the key before. The key may have ended since. */
  readonly knownReporterId?: string | undefined;
  /** Counts the request. `found` is the store's answer to the key and the tokens. */
  count(found: FoundKey): MaybePromise<Outcome<void>>;
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
const MOST = 100_000;
/** Part of the entries that is forgotten at once. */
const FORGOTTEN_PART = 0.01;
/** Refilling adds fractions. Their rounding must not refuse a request that waited as long as told. */
const ROUNDING = 1e-9;

/** Returns the limits with a reporter's own budget of identifiers a day. */
function withBudget(limits: readonly RateLimit[], requests: number): readonly RateLimit[] {
  return limits.map((limit) => (limit.name === 'identifiers' ? { ...limit, requests } : limit));
}

/** Returns a throttle with buckets in memory. Buckets that were forgotten, or of a changed budget, are full again. */
export function createThrottle({ verified, others }: Limits, monotonic: () => number, most = MOST) {
  const entries = new Map<string, { readonly tokens: number[]; atMs: number; readonly budget: number | null }>();

  const take = (who: string, cost = 1, limits = verified, budget: number | null = null): Outcome<void> => {
    const nowMs = monotonic();
    const known = entries.get(who);
    const entry =
      known?.budget === budget ? known : { tokens: limits.map(({ requests }) => requests), atMs: nowMs, budget };
    const elapsedMs = Math.max(0, nowMs - entry.atMs);
    entry.atMs += elapsedMs;
    use(entries, who, entry, most);
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

/** A process takes at most one part of this many of a bucket ahead. So limits below 64 tokens stay exact. */
const AHEAD_PARTS = 32;
/** Minimum time between two times that a process takes tokens ahead from one bucket. */
const AHEAD_MS = 1000;

/** Tokens of one bucket that this process has taken, but not spent. */
interface Ahead {
  tokens: number;
  /** When the process last asked for more tokens than a request costs. */
  askedMs: number;
  /** Tokens in the bucket after it was last asked. */
  left: number;
}

/** The tokens that this process has taken from the buckets of a reporter or address. */
interface Held {
  readonly ahead: readonly Ahead[];
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
  const heldOf = new Map<string, Held>();
  // A key never changes its reporter, so nothing expires. Whether a key works is not remembered.
  const reporterOf = new Map<string, string>();

  /** Takes what the process holds. Returns what it took from each bucket, and what to ask the store for. */
  const begin = (ahead: readonly Ahead[] | undefined, cost: number, nameOf: (at: number) => string) => {
    const nowMs = monotonic();
    const asked: (AskedBucket & { readonly at: number })[] = [];
    const held = verified.map(({ name, requests, windowSeconds }, at) => {
      const own = ahead?.[at];
      const spent = Math.min(cost, own?.tokens ?? 0);
      if (own) own.tokens -= spent;
      const missing = cost - spent;
      if (missing === 0) return spent;
      let tokens = missing;
      if (own && nowMs - own.askedMs >= AHEAD_MS) {
        own.askedMs = nowMs;
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
      taken: TakenTokens,
      budget: number | null = null,
    ): Outcome<void> => {
      const known = heldOf.get(who);
      // Tokens of another budget are dropped, except for those of this request.
      const own =
        known?.budget === budget
          ? known
          : { ahead: verified.map(() => ({ tokens: 0, askedMs: -Infinity, left: 0 })), budget };
      use(heldOf, who, own, MOST);
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
      let counted: { readonly ahead: readonly Ahead[]; readonly limits: readonly RateLimit[] } | undefined;
      return {
        tokens,
        knownReporterId: known,
        async count({ reporter, tokens: taken }) {
          use(reporterOf, digest, reporter.reporterId, MOST);
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
function ofReporter({ nowMs, buckets }: AskedTokens, reporter: Reporter): AskedTokens {
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

const COUNTED: Outcome<void> = accept(undefined);

function refuseUntil(limit: RateLimit, waitMs: number): Outcome<never> {
  return refuse({ reason: 'limited', limit, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}

/** Sets an entry as the most recently used one. If there are too many, deletes the least recently used ones. */
function use<T>(entries: Map<string, T>, name: string, value: T, most: number): void {
  // A Map iterates in insertion order, and each use reinserts its entry.
  entries.delete(name);
  if (entries.size >= most) {
    // Many at once: to find the first entry, V8 passes the places of all deleted ones. That took .1 ms each time.
    let left = Math.max(1, Math.floor(most * FORGOTTEN_PART));
    for (const oldest of entries.keys()) {
      entries.delete(oldest);
      if (--left === 0) break;
    }
  }
  entries.set(name, value);
}
