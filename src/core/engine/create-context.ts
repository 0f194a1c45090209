import { DEFAULT_BOUNDS } from '../domain/bounds.ts';
import { isHash } from '../domain/identifier.ts';
import { createNotifier } from '../domain/notices.ts';
import { refuseUnknown, requireFunction, requireOneOf, requireWhole } from '../domain/options.ts';
import { PERSONAL_DATA_POLICIES, type PersonalDataPolicy } from '../domain/personal-data.ts';
import { OFFENCE_TYPES, toOffenceTypes, type OffenceType } from '../domain/report.ts';
import { createLinkClaim } from '../scoring/link-claim.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { EngineContext, EngineSettings, EngineStore } from './context.ts';
import type { Effects } from './effects.ts';
import type { EngineNotice } from './notices.ts';
import { createPeppers, type CreateConcealment } from './peppers.ts';
import { createSecrets, SecretCheck, secretFingerprint } from './secrets.ts';
import { createStandingsKeeper, type KeeperOptions } from './standings/keeper.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import { createUsage } from './usage.ts';
import { createTurns } from './turns.ts';
import { createViews } from './views.ts';

/** Options of the engine. All options from `peppers` on are optional. */
export interface ServiceOptions extends LimitOptions {
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
  /** Called if work in the background or after a commit fails, or a key may be misused. Errors of it are ignored. */
  readonly onNotice?: (notice: EngineNotice) => unknown;
}

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

const EMPTY_HASH = '1419ad7330f8c784a57d9713a4f99fcbe66fdcea';
const DAY_SECONDS = 86_400;

/**
 * Validates the values of all options and returns the context. A link is `linkStart` and its hash. Throws TypeError or
 * RangeError for an invalid option.
 */
export function createContext(options: ServiceOptions, effects: Effects, linkStart = ''): EngineContext {
  const { store, secret, conceal, onNotice, limits, budgets, ...others } = options;
  const { peppers = [], trustEpoch: epoch = 'daily', model = createLinkClaim().model, ...rules } = others;
  const settings = toSettings(rules);
  for (const [name, value] of Object.entries({ ...effects, conceal, onNotice }))
    if (value !== undefined) requireFunction(name, value);
  if (typeof store?.addReport !== 'function')
    throw new TypeError('"store" expected a store, e.g. from createSqljsStore');
  const { coordination } = store;
  if (store.shared && !coordination)
    throw new TypeError('"store" expected its "coordination", because several processes may share it');
  requireOneOf('trustEpoch', epoch, ['daily', 'on-demand']);
  if (typeof model?.score !== 'function')
    throw new TypeError('"model" expected an object with score(), as createLinkClaimModel returns');
  const secrets = createSecrets(secret);
  const { monotonic, storeTime } = effects;
  const counted = createLimits(
    { limits, budgets },
    store,
    effects,
    coordination && ((limit) => coordination.createThrottle(limit, { bucketOf: secrets.bucket, monotonic, storeTime })),
  );
  const notify = createNotifier(onNotice);
  const keeperOptions: KeeperOptions | undefined = model.trust && { store, rules: model.trust, effects, notify, epoch };
  const peppering = createPeppers(store, peppers, effects, conceal);
  const now: unknown = effects.clock();
  if (!Number.isSafeInteger(now))
    throw new TypeError('"clock" expected a function that returns whole milliseconds, got another result');
  return {
    store,
    secrets,
    secretCheck: new SecretCheck(store, secretFingerprint(secret), effects.clock, notify),
    peppers: peppering,
    model,
    standings:
      keeperOptions &&
      (coordination ? coordination.createStandings(keeperOptions) : createStandingsKeeper(keeperOptions)),
    usage: createUsage(store, effects, notify),
    views: createViews(effects.giveTurn),
    queries: createTurns(effects.giveTurn, MAX_WAITING_QUERIES),
    limits: counted,
    settings,
    linkStart,
    effects,
    notify,
  };
}

function toSettings({
  matchKinds = 'any',
  personalData = 'refuse',
  emptyHash = EMPTY_HASH,
  sameRequestSeconds = DAY_SECONDS,
  offenceTypes = OFFENCE_TYPES,
  bounds: given,
  ...unknown
}: Partial<ServiceOptions>): EngineSettings {
  refuseUnknown(unknown, []);
  if (!isHash(emptyHash)) throw new TypeError('"emptyHash" expected 40 lowercase hex characters');
  requireOneOf('matchKinds', matchKinds, ['any', 'exact']);
  requireOneOf('personalData', personalData, PERSONAL_DATA_POLICIES);
  refuseUnknown(given, Object.keys(BOUNDS), 'bounds.');
  const bounds = { ...BOUNDS, ...given };
  for (const [name, value] of Object.entries(bounds)) requireWhole(`bounds.${name}`, value, 1);
  requireWhole('sameRequestSeconds', sameRequestSeconds, 0);
  return {
    offenceTypes: new Set(toOffenceTypes(offenceTypes)),
    matchKinds,
    personalData,
    emptyHash,
    bounds,
    sameRequestSeconds,
  };
}
