import { DEFAULT_BOUNDS } from '../domain/bounds.ts';
import { isHash } from '../domain/identifier.ts';
import type { RateLimit } from '../domain/refusal.ts';
import { OFFENCE_TYPES } from '../domain/report.ts';
import { createLinkClaimModel } from '../scoring/link-claim.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';
import type { EngineContext } from './context.ts';
import { createPeppers } from './peppers.ts';
import { createSecrets } from './secrets.ts';
import { createSharedThrottle, createThrottle } from './throttle.ts';
import { createTrustFollower } from './trust-follower.ts';
import { createTrustKeeper } from './trust-keeper.ts';

/** What the engine is made of. All but the first four have defaults that suit a service. */
export interface ServiceOptions {
  readonly store: Store;
  /** The operator's secret, at least 16 bytes; the same one for the life of the store: keys, deletion codes and links follow from it. */
  readonly secret: string | Uint8Array;
  /**
   * Under which identifiers are stored, oldest first, each at least 16 bytes: a stolen store cannot be ground for addresses without them. The same ones for the life of
   * the store; another one is put on top by `rotatePepper`. None unless given. Whoever loses one loses what is stored.
   */
  readonly peppers?: readonly (string | Uint8Array)[];
  /** The absolute URL of a link hash. */
  readonly linkTo: (linkHash: string) => string;
  /** Milliseconds since the epoch, UTC. */
  readonly clock: () => number;
  /** Fresh bytes from a cryptographic source, or from a seeded one for a test that must repeat itself. */
  readonly random: (byteCount: number) => Uint8Array;
  /** How evidence becomes points and reliability; the link × claim model unless given. */
  readonly model?: ScoringModel;
  /**
   * When standings of reporters are learnt anew: `daily`, the default, in the background when the first request of a day (UTC) comes; `on-demand` only by
   * `recomputeTrust()`. Either way each report and deletion touches them at once.
   */
  readonly trustEpoch?: 'daily' | 'on-demand';
  /** Resolves when others had their turn; called between slices of long work. */
  readonly giveTurn: () => Promise<void>;
  /** Allowed offence types, each `[a-z][a-z0-9_]*` (spec 2.1). */
  readonly offenceTypes?: readonly string[];
  /** `exact` matches a hash only under the same kind; `any`, the default, whatever the kind is called (silent: 2.3). */
  readonly matchKinds?: 'any' | 'exact';
  /** The chain's end for the empty string under the operator's prefix and rounds; it is nobody's identifier. Default: that of `service-` and 32,000 rounds. */
  readonly emptyHash?: string;
  readonly bounds?: Partial<EngineContext['bounds']>;
  /** A request equal to one of the last so many seconds is a retry and answers the same receipt; 86,400 unless given, 0 turns it off. */
  readonly sameRequestSeconds?: number;
  readonly limits?: Partial<Record<RateLimit['name'], { readonly requests: number; readonly windowSeconds: number }>>;
}

/** Requests per window (spec 8): generous for a checkout and for a person who reads, tight enough that a leaked key cannot empty the database. */
const LIMITS = {
  query: { requests: 600, windowSeconds: 60 },
  report: { requests: 120, windowSeconds: 60 },
  delete: { requests: 120, windowSeconds: 60 },
  viewer: { requests: 60, windowSeconds: 60 },
} as const;

const BOUNDS: EngineContext['bounds'] = {
  ...DEFAULT_BOUNDS,
  // More than anybody reads; each is some 300 bytes of JSON.
  viewReports: 1000,
  // A shared address is asked about with many different sets; this many shops' latest links stay good.
  linksPerIdentifier: 1000,
};

const EMPTY_HASH = '1419ad7330f8c784a57d9713a4f99fcbe66fdcea';
const DAY_SECONDS = 86_400;

/** Proves every option, so that a running engine cannot be misconfigured. Throws TypeError or RangeError that names the option. */
export function createContext(options: ServiceOptions): EngineContext {
  if (typeof options.store?.addReport !== 'function')
    throw new TypeError('"store" expected a store, as createSqljsStore opens one');
  for (const name of ['clock', 'random'] as const) {
    if (typeof options[name] !== 'function')
      throw new TypeError(`"${name}" expected a function, got ${typeof options[name]}`);
  }
  const offenceTypes = options.offenceTypes ?? OFFENCE_TYPES;
  if (
    offenceTypes.length === 0 ||
    !offenceTypes.every((type) => typeof type === 'string' && /^[a-z][a-z0-9_]{0,31}$/.test(type))
  ) {
    throw new TypeError('"offenceTypes" expected at least one name of [a-z][a-z0-9_]*, at most 32 characters each');
  }
  const emptyHash = options.emptyHash ?? EMPTY_HASH;
  if (!isHash(emptyHash)) throw new TypeError('"emptyHash" expected 40 lowercase hex characters');
  const matchKinds = options.matchKinds ?? 'any';
  if (matchKinds !== 'any' && matchKinds !== 'exact') throw new TypeError('"matchKinds" expected "any" or "exact"');

  const model = options.model ?? createLinkClaimModel();
  if (typeof model.score !== 'function' || typeof model.explain !== 'function')
    throw new TypeError('"model" expected a scoring model');
  const trustEpoch = options.trustEpoch ?? 'daily';
  if (trustEpoch !== 'daily' && trustEpoch !== 'on-demand')
    throw new TypeError('"trustEpoch" expected "daily" or "on-demand"');
  const bounds = { ...BOUNDS, ...options.bounds };
  known('bounds', options.bounds, BOUNDS);
  known('limits', options.limits, LIMITS);
  for (const [name, value] of Object.entries(bounds)) whole(`bounds.${name}`, value, 1);
  const sameRequestSeconds = options.sameRequestSeconds ?? DAY_SECONDS;
  whole('sameRequestSeconds', sameRequestSeconds, 0);

  const { store, giveTurn } = options;
  const secrets = createSecrets(options.secret);
  const throttle = (name: RateLimit['name']) => {
    known(`limits.${name}`, options.limits?.[name], LIMITS[name]);
    const limit = { name, ...LIMITS[name], ...options.limits?.[name] };
    whole(`limits.${name}.requests`, limit.requests, 1);
    whole(`limits.${name}.windowSeconds`, limit.windowSeconds, 1);
    return store.shared ? createSharedThrottle(limit, store.shared, secrets.bucket) : createThrottle(limit);
  };

  const clock = (): number => {
    const now = options.clock();
    if (!Number.isSafeInteger(now)) throw new TypeError(`"clock" expected whole milliseconds, got ${String(now)}`);
    return now;
  };

  const createKeeper = store.shared ? createTrustFollower : createTrustKeeper;
  return {
    store,
    secrets,
    peppers: createPeppers(store, options.peppers ?? [], clock),
    model,
    trust: model.trust && createKeeper({ store, rules: model.trust, clock, giveTurn, epoch: trustEpoch }),
    giveTurn,
    clock,
    random: options.random,
    linkTo: options.linkTo,
    offenceTypes: new Set(offenceTypes),
    matchKinds,
    nobody: new Set([emptyHash]),
    bounds,
    sameRequestSeconds,
    throttles: {
      query: throttle('query'),
      report: throttle('report'),
      delete: throttle('delete'),
      viewer: throttle('viewer'),
    },
  };
}

/** A misspelt name would leave the default in force without a word. */
function known(label: string, given: object | undefined, names: object): void {
  for (const name of Object.keys(given ?? {}))
    if (!Object.hasOwn(names, name)) throw new TypeError(`"${label}.${name}" is not an option`);
}

function whole(label: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new RangeError(`"${label}" expected a whole number of at least ${least}, got ${value}`);
}
