import type { Bounds } from '../domain/bounds.ts';
import { toKind, type UnvalidatedIdentifier } from '../domain/identifier.ts';
import { refuseUnknown, requireWhole } from '../domain/options.ts';
import { accept, refuse, type Outcome, type RateLimit } from '../domain/refusal.ts';
import type { Reporter } from '../domain/reporter.ts';
import { ipv6Groups } from '../domain/text.ts';
import type { TokensRequest, KeyWithReporter } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Effects } from './effects.ts';

/** Limits that count requests of a reporter, over all its keys. Queries count identifiers. */
export type KeyLimit = 'query' | 'report' | 'delete';
/** Limits that count requests of a client's address, of the panel by session if there is one. */
export type AddressLimit = 'viewer' | 'dispute' | 'panel' | 'unknown-key';

/** Limits of requests (protocol 8), and what counts them. */
export interface EngineLimits {
  readonly throttles: Readonly<Record<KeyLimit | AddressLimit, Throttle>>;
  readonly ofKeys: Readonly<Record<KeyLimit, RateLimit>>;
  /** Returns how many identifiers a reporter may send in any 24 hours. */
  readonly budgetOf: BudgetOf;
  /** Counts identifiers against a budget of {@link budgetOf}, or refuses. `store.giveBack` takes it back. */
  readonly spend: (reporter: Reporter, budget: RateLimit, cost: number) => Outcome<void> | Promise<Outcome<void>>;
  /** True if this process has refused a request of the reporter just now: the next one needs no other read. */
  readonly isSpent: (reporterId: string) => boolean;
  /** Returns a throttle for a feature's own limit, in the store if several processes share it. */
  readonly createThrottle: (limit: RateLimit) => Throttle;
}

/** Returns a reporter's budget as a limit. */
export type BudgetOf = (reporter: Pick<Reporter, 'verified' | 'identifiersPerDay'>) => RateLimit;

/** Options of the limits. */
export interface LimitOptions {
  /**
   * Tokens per window. Defaults, a minute: `query` 1,800 identifiers, `report` 120, `delete` 120, `viewer` 60,
   * `panel` 120, `unknown-key` 20; an hour: `dispute` 5. `query`, `report` and `delete` count by reporter (protocol 8),
   * `panel` by session, and without one like the others by client address.
   */
  readonly limits?:
    Partial<Record<KeyLimit | AddressLimit, { readonly requests: number; readonly windowSeconds: number }>> | undefined;
  /**
   * Identifiers that a reporter may send in queries and stored reports in any 24 hours, over all its keys. Which ones
   * it looked up is never stored. `setBudget` gives one reporter another budget. Defaults: 20,000 for a verified
   * reporter, 2,000 for a new one.
   */
  readonly budgets?: { readonly identifiers?: { readonly verified?: number; readonly new?: number } } | undefined;
}

/** Tokens per window (protocol 8). Enough for a checkout, too few to copy the database with a leaked key. */
const LIMITS = {
  // Identifiers: 600 requests with three of them.
  query: { requests: 1800, windowSeconds: 60 },
  report: { requests: 120, windowSeconds: 60 },
  delete: { requests: 120, windowSeconds: 60 },
  viewer: { requests: 60, windowSeconds: 60 },
  // A person needs few pages a minute, and an office may share an address.
  panel: { requests: 120, windowSeconds: 60 },
  'unknown-key': { requests: 20, windowSeconds: 60 },
  // More than a person needs, too few to find out by other means which identifiers have reports.
  dispute: { requests: 5, windowSeconds: 3600 },
} as const;

/** Identifiers in any 24 hours. A new reporter may send few: it may not be asking about its own customers. */
const BUDGET = { verified: 20_000, new: 2_000 };

const DAY_SECONDS = 86_400;

/**
 * Returns the limits of an engine. `newThrottle` creates those that a shared store keeps; default: in memory. Throws
 * TypeError or RangeError for an invalid option.
 */
export function createLimits(
  { limits, budgets }: LimitOptions,
  store: Store,
  { clock, monotonic, storeTime }: Pick<Effects, 'clock' | 'monotonic' | 'storeTime'>,
  newThrottle: EngineLimits['createThrottle'] = (limit) => createThrottle(limit, monotonic),
): EngineLimits {
  refuseUnknown(limits, Object.keys(LIMITS), 'limits.');
  const limitOf = (name: keyof typeof LIMITS): RateLimit => {
    refuseUnknown(limits?.[name], Object.keys(LIMITS[name]), `limits.${name}.`);
    const limit = { name, ...LIMITS[name], ...limits?.[name] };
    requireWhole(`limits.${name}.requests`, limit.requests, 1);
    requireWhole(`limits.${name}.windowSeconds`, limit.windowSeconds, 1);
    return limit;
  };
  refuseUnknown(budgets, ['identifiers'], 'budgets.');
  refuseUnknown(budgets?.identifiers, Object.keys(BUDGET), 'budgets.identifiers.');
  const sizes = { ...BUDGET, ...budgets?.identifiers };
  for (const [name, value] of Object.entries(sizes)) requireWhole(`budgets.identifiers.${name}`, value, 1);
  const ofKeys = { query: limitOf('query'), report: limitOf('report'), delete: limitOf('delete') };
  const throttles = {
    query: newThrottle(ofKeys.query),
    report: newThrottle(ofKeys.report),
    delete: newThrottle(ofKeys.delete),
    viewer: newThrottle(limitOf('viewer')),
    dispute: newThrottle(limitOf('dispute')),
    // Always in memory: a guess must not cause a write.
    panel: createThrottle(limitOf('panel'), monotonic),
    'unknown-key': createThrottle(limitOf('unknown-key'), monotonic),
  };
  // The clock may be set while the process runs. The time between requests is that of the other clock.
  const startedAt = clock() - monotonic();
  const nowMs = (): number => Math.floor(startedAt + monotonic());
  return {
    throttles,
    ofKeys,
    isSpent: (reporterId) => store.isSpent(reporterId, nowMs()),
    spend({ reporterId }, limit, cost) {
      const answer = (waitMs: number) => (waitMs > 0 ? refuseUntil(limit, waitMs) : COUNTED);
      const waitMs = store.spend({ reporterId, budget: limit.requests, cost, nowMs: nowMs(), storeMs: storeTime?.() });
      return waitMs instanceof Promise ? waitMs.then(answer) : answer(waitMs);
    },
    createThrottle: newThrottle,
    budgetOf: ({ verified, identifiersPerDay }) => ({
      name: 'identifiers',
      requests: identifiersPerDay ?? (verified ? sizes.verified : sizes.new),
      windowSeconds: DAY_SECONDS,
    }),
  };
}

/**
 * Returns what a query or a report costs: one for each identifier, distinct within the request. With `perKind`, a hash
 * counts once for each of its kinds. An invalid request costs one.
 */
export function countIdentifiers(
  bounds: Bounds,
  { identifiers }: { readonly identifiers: readonly UnvalidatedIdentifier[] },
  perKind?: boolean,
): number {
  if (!Array.isArray(identifiers)) return 1;
  const found = new Set<unknown>();
  for (const identifier of identifiers) {
    const name = identifier?.hash ?? identifier?.element;
    found.add(perKind && typeof name === 'string' ? toKind(identifier.kind) + name : name);
  }
  return found.size > bounds.identifiers ? 1 : Math.max(1, found.size);
}

type MaybePromise<T> = T | Promise<T>;

/**
 * Limits requests per reporter or address (protocol 8), with a token bucket for each. Buckets are in memory, or in a
 * store that processes share.
 */
export interface Throttle {
  /** Takes tokens of an address, by default one. If its bucket has too few, refuses with the time until it has them. */
  take(address: string, cost?: number): MaybePromise<Outcome<void>>;
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

/** Maximum number of reporters or addresses in memory. The least recently used ones are forgotten. */
export const MAX_ENTRIES = 100_000;
/** Part of the entries that is forgotten at once. */
const FORGOTTEN_PART = 0.01;
/** Refilling adds fractions. Their rounding must not refuse a request that waited as long as told. */
const ROUNDING = 1e-9;

/** Returns a throttle with buckets in memory. A bucket that was forgotten is full again. */
export function createThrottle(limit: RateLimit, monotonic: () => number, maxEntries = MAX_ENTRIES) {
  const { requests: capacity, windowSeconds } = limit;
  const perMs = capacity / (windowSeconds * 1000);
  const entries = new Map<string, { tokens: number; atMs: number }>();

  const take = (who: string, cost = 1): Outcome<void> => {
    const nowMs = monotonic();
    const entry = entries.get(who) ?? { tokens: capacity, atMs: nowMs };
    const elapsedMs = Math.max(0, nowMs - entry.atMs);
    entry.atMs += elapsedMs;
    entry.tokens = Math.min(capacity, entry.tokens + elapsedMs * perMs);
    use(entries, who, entry, maxEntries);
    const missing = Math.min(cost, capacity) - entry.tokens;
    if (missing > ROUNDING) return refuseUntil(limit, missing / perMs);
    entry.tokens -= cost;
    return COUNTED;
  };
  return {
    take,
    ask(_: string, cost: number): Ticket {
      let counted: { tokens: number } | undefined;
      return {
        count({ reporter: { reporterId } }) {
          const outcome = take(reporterId, cost);
          counted = entries.get(reporterId);
          return outcome;
        },
        cancel: () => undefined,
        giveBack() {
          if (counted) counted.tokens += cost;
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
 * Returns the bucket name of a client address, the same for each notation. IPv6 uses the network of `bits`. Usually one
 * client owns all of a /64, and with less, strangers would wait for each other. But where each network has a voice,
 * pass 48: anyone can get a /48, which has 65,536 networks of /64. An address of IPv4 mapped into IPv6, of NAT64 or of
 * 6to4 counts as its IPv4 address. Ignores brackets, and the zone, which says by which interface the address was
 * reached (RFC 4007). Any other text is its own bucket.
 */
export function addressBucket(address: string, bits: 48 | 64 = 64): string {
  const plain = /[^%\]]*/.exec(address.toLowerCase().replace('[', ''))![0];
  if (!plain.includes(':')) return plain;
  try {
    const short = hostname(`[${plain}]`).slice(1, -1);
    const groups = ipv6Groups(short);
    // IPv4 is in the last two groups, but `::1` is none.
    const isLast = /^(::(ffff:(0:)?|(?=\w+:))|64:ff9b::)\w+(:\w+)?$/.test(short);
    const at = isLast ? 6 : 1;
    return isLast || groups[0] === '2002'
      ? hostname(`0x${groups[at]}${groups[at + 1]!.padStart(4, '0')}`)
      : `${groups.slice(0, bits / 16).join(':')}::/${bits}`;
  } catch {
    return plain;
  }
}

/** Returns a host in the only notation of the URL standard. Throws TypeError for an address that is none. */
function hostname(host: string): string {
  return new URL(`http://${host}`).hostname;
}
