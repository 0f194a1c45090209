import { DEFAULT_BOUNDS } from '../domain/bounds.ts';
import { isHash } from '../domain/identifier.ts';
import { createNotifier } from '../domain/notices.ts';
import { refuseUnknown, requireFunction, requireOneOf, requireWhole } from '../domain/options.ts';
import { PERSONAL_DATA_POLICIES, type PersonalDataPolicy } from '../domain/personal-data.ts';
import type { RateLimit } from '../domain/refusal.ts';
import { OFFENCE_TYPES, toOffenceTypes, type OffenceType } from '../domain/report.ts';
import { createLinkClaim } from '../scoring/link-claim.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { AddressLimit, EngineContext, EngineLimits, EngineSettings, KeyLimit } from './context.ts';
import type { Effects } from './effects.ts';
import type { EngineStore } from './coordination.ts';
import type { EngineNotice } from './notices.ts';
import { createPeppers, type CreateConcealment } from './peppers.ts';
import { createSecretCheck, createSecrets, secretFingerprint, type Secrets } from './secrets.ts';
import { createStandingsKeeper, type KeeperOptions } from './standings/keeper.ts';
import { COUNTED, createThrottle, refuseUntil } from './throttle.ts';
import { createUsage } from './usage.ts';
import { createTurns } from './turns.ts';
import { createViews } from './views.ts';

/** Options of the engine. All options from `peppers` on are optional. */
export interface ServiceOptions {
  /** Where reports are kept. The engine owns it and closes it. */
  readonly store: EngineStore;
  /**
   * The operator's secret, at least 16 bytes. Key digests, deletion codes and links are derived from it. Never change
   * it while you keep the store.
   */
  readonly secret: string | Uint8Array;
  /**
   * Keys for the stored hashes, oldest first, each at least 16 bytes; default none. A thief who has the store but not
   * the peppers cannot test guessed addresses. Never change or lose a pepper: the stored hashes would be useless.
   * `rotatePepper` adds one.
   */
  readonly peppers?: readonly (string | Uint8Array)[];
  /**
   * A step before the peppers, such as `sealIdentifiers(seal)` of `redflag/sealed`; default none: hashes are stored as
   * clients send them, under the peppers.
   */
  readonly conceal?: CreateConcealment;
  /** Converts evidence into a score; default: the link × claim model. */
  readonly model?: ScoringModel;
  /**
   * When standings are recomputed. `daily` (default): in the background, at the first request of a day (UTC).
   * `on-demand`: by `recomputeTrust()`. Each report and deletion also updates standings at once. With both, a new
   * process brings the stored standings up to date, in the background.
   */
  readonly trustEpoch?: 'daily' | 'on-demand';
  /** Allowed offence types, each `[a-z][a-z0-9_]*` (protocol 2.1). */
  readonly offenceTypes?: readonly OffenceType[];
  /** `any` (default) matches a hash under any kind, `exact` only under the same kind (protocol 2.3, our choice). */
  readonly matchKinds?: 'any' | 'exact';
  /**
   * What to do with a report whose public text holds an email address, phone number, IP address, card number or IBAN:
   * `refuse` (default) it, `redact` the text, e.g. to `[email address]`, or `allow` it. Detection misses some; see
   * docs/operating.md.
   */
  readonly personalData?: PersonalDataPolicy;
  /** Hash of the empty string under the operator's prefix and rounds; default `service-` and 32,000 rounds. */
  readonly emptyHash?: string;
  /**
   * Upper bounds, whole numbers of at least 1. Defaults: `identifiers` 32, `textCharacters` 2,000, `viewReports`
   * 1,000, `viewBytes` 1,048,576, `linksPerIdentifier` 1,000.
   */
  readonly bounds?: Partial<EngineSettings['bounds']>;
  /** An equal report within this time is a retry and gets the same receipt. Default: 86,400. 0 disables the check. */
  readonly sameRequestSeconds?: number;
  /**
   * Tokens per window. Defaults, a minute: `query` 1,800 identifiers, `report` 120, `delete` 120, `viewer` 60,
   * `panel` 120, `unknown-key` 20; an hour: `dispute` 5. `query`, `report` and `delete` count by reporter (protocol 8),
   * `panel` by session, and without one like the others by client address.
   */
  readonly limits?: Partial<
    Record<KeyLimit | AddressLimit, { readonly requests: number; readonly windowSeconds: number }>
  >;
  /**
   * Identifiers that a reporter may send in queries and stored reports in any 24 hours, over all its keys. Which ones
   * it looked up is never stored. `setBudget` gives one reporter another budget. Defaults: 20,000 for a verified
   * reporter, 2,000 for a new one.
   */
  readonly budgets?: { readonly identifiers?: { readonly verified?: number; readonly new?: number } };
  /** Called if work in the background or after a commit fails, or a key may be misused. Errors of it are ignored. */
  readonly onNotice?: (notice: EngineNotice) => unknown;
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

/** Queries that match very many reports and wait, of all reporters. */
const MAX_WAITING_QUERIES = 128;

const BOUNDS: EngineSettings['bounds'] = {
  ...DEFAULT_BOUNDS,
  // More than a person can read; about 300 bytes of JSON per report.
  viewReports: 1000,
  // Made and sent in a few milliseconds, also to a client with a slow line.
  viewBytes: 1024 * 1024,
  // An identifier can be in many sets that a reporter queries, and each set has a link. The oldest are evicted.
  linksPerIdentifier: 1000,
};

const SETTINGS: Readonly<Record<keyof ServiceOptions, true>> = {
  store: true,
  secret: true,
  peppers: true,
  conceal: true,
  model: true,
  trustEpoch: true,
  offenceTypes: true,
  matchKinds: true,
  personalData: true,
  emptyHash: true,
  bounds: true,
  sameRequestSeconds: true,
  limits: true,
  budgets: true,
  onNotice: true,
};

export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);

const EMPTY_HASH = '1419ad7330f8c784a57d9713a4f99fcbe66fdcea';
const DAY_SECONDS = 86_400;

/**
 * Validates the values of all options and returns the context. A link is `linkStart` and its hash. Throws TypeError or
 * RangeError for an invalid option.
 */
export function createContext(options: ServiceOptions, effects: Effects, linkStart = ''): EngineContext {
  const { store, conceal, onNotice } = options;
  for (const [name, value] of Object.entries({ ...effects, conceal, onNotice }))
    if (value !== undefined) requireFunction(name, value);
  if (typeof store?.addReport !== 'function')
    throw new TypeError('"store" expected a store, e.g. from createSqljsStore');
  const { coordination } = store;
  if (store.shared && !coordination)
    throw new TypeError('"store" expected its "coordination", because several processes may share it');
  const epoch = options.trustEpoch ?? 'daily';
  requireOneOf('trustEpoch', epoch, ['daily', 'on-demand']);
  const model = options.model ?? createLinkClaim().model;
  if (typeof model.score !== 'function')
    throw new TypeError('"model" expected an object with score(), as createLinkClaimModel returns');
  const settings = toSettings(options);
  const secrets = createSecrets(options.secret);
  const limits = createLimits(options, secrets, effects);
  const notify = createNotifier(onNotice);
  const keeper: KeeperOptions | undefined = model.trust && { store, rules: model.trust, effects, notify, epoch };
  const peppers = createPeppers(store, options.peppers ?? [], effects, conceal);
  const now: unknown = effects.clock();
  if (!Number.isSafeInteger(now))
    throw new TypeError('"clock" expected a function that returns whole milliseconds, got another result');
  return {
    store,
    secrets,
    secretCheck: createSecretCheck(store, secretFingerprint(options.secret), effects.clock, notify),
    peppers,
    model,
    standings: keeper && (coordination ? coordination.createStandings(keeper) : createStandingsKeeper(keeper)),
    usage: createUsage(store, effects, notify),
    views: createViews(effects.giveTurn),
    queries: createTurns(effects.giveTurn, MAX_WAITING_QUERIES),
    limits,
    settings,
    linkStart,
    effects,
    notify,
  };
}

function toSettings(options: ServiceOptions): EngineSettings {
  const matchKinds = options.matchKinds ?? 'any';
  const personalData = options.personalData ?? 'refuse';
  const emptyHash = options.emptyHash ?? EMPTY_HASH;
  const sameRequestSeconds = options.sameRequestSeconds ?? DAY_SECONDS;
  const offenceTypes = new Set(toOffenceTypes(options.offenceTypes ?? OFFENCE_TYPES));
  if (!isHash(emptyHash)) throw new TypeError('"emptyHash" expected 40 lowercase hex characters');
  requireOneOf('matchKinds', matchKinds, ['any', 'exact']);
  requireOneOf('personalData', personalData, PERSONAL_DATA_POLICIES);
  refuseUnknown(options.bounds, Object.keys(BOUNDS), 'bounds.');
  const bounds = { ...BOUNDS, ...options.bounds };
  for (const [name, value] of Object.entries(bounds)) requireWhole(`bounds.${name}`, value, 1);
  requireWhole('sameRequestSeconds', sameRequestSeconds, 0);
  return { offenceTypes, matchKinds, personalData, emptyHash, bounds, sameRequestSeconds };
}

function createLimits(
  { store, limits, budgets }: ServiceOptions,
  { bucket }: Secrets,
  { clock, monotonic, storeTime }: Effects,
): EngineLimits {
  const { coordination } = store;
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
  const throttle = (limit: RateLimit) =>
    coordination
      ? coordination.createThrottle(limit, { bucketOf: bucket, monotonic, storeTime })
      : createThrottle(limit, monotonic);
  const ofKeys = { query: limitOf('query'), report: limitOf('report'), delete: limitOf('delete') };
  const throttles = {
    query: throttle(ofKeys.query),
    report: throttle(ofKeys.report),
    delete: throttle(ofKeys.delete),
    viewer: throttle(limitOf('viewer')),
    dispute: throttle(limitOf('dispute')),
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
    createThrottle: throttle,
    budgetOf: ({ verified, identifiersPerDay }) => ({
      name: 'identifiers',
      requests: identifiersPerDay ?? (verified ? sizes.verified : sizes.new),
      windowSeconds: DAY_SECONDS,
    }),
  };
}
