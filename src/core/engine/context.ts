import type { Bounds } from '../domain/bounds.ts';
import type { PersonalDataPolicy } from '../domain/personal-data.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';
import type { Effects } from './effects.ts';
import type { EngineNotice } from './notices.ts';
import type { Peppers } from './peppers.ts';
import type { SecretCheck, Secrets } from './secrets.ts';
import type { KeeperOptions, StandingsKeeper } from './standings/keeper.ts';
import type { EngineLimits, Throttle } from './limits.ts';
import type { RateLimit } from '../domain/refusal.ts';
import type { Turns } from './turns.ts';
import type { Usage } from './usage.ts';
import type { Views } from './views.ts';

/** The parts of an engine. An operation takes those that it needs. */
export interface EngineContext {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly secretCheck: SecretCheck;
  readonly peppers: Peppers;
  readonly model: ScoringModel;
  /** Undefined if the model has no standings. */
  readonly standings: StandingsKeeper | undefined;
  readonly usage: Usage;
  readonly views: Views;
  /** The turns of queries that match very many reports. */
  readonly queries: Turns;
  readonly limits: EngineLimits;
  readonly settings: EngineSettings;
  /** The text before the hash in a link. */
  readonly linkStart: string;
  readonly effects: Effects;
  readonly notify: (notice: EngineNotice) => void;
}

/** What the operator has set about reports, queries and views. */
export interface EngineSettings {
  readonly offenceTypes: ReadonlySet<string>;
  readonly matchKinds: 'any' | 'exact';
  readonly personalData: PersonalDataPolicy;
  /** Hash of the empty string, which identifies no person. */
  readonly emptyHash: string;
  readonly bounds: Bounds & {
    /** Maximum number of reports in one view. The newest are shown. */
    readonly viewReports: number;
    /** Maximum bytes of JSON of one view. The newest reports are shown, and at least one. */
    readonly viewBytes: number;
    /**
     * Maximum number of a reporter's links per identifier. The newest are kept. A reporter can query many sets with
     * the same identifier, and each set has its own link.
     */
    readonly linksPerIdentifier: number;
  };
  /** Retry window: an equal report within this time is a retry. */
  readonly sameRequestSeconds: number;
}

/** What features build on: an engine, or its context alone. */
export interface WithContext {
  /** As in `Engine`. */
  readonly context: EngineContext;
}

/** What the engine does in another way if several processes share its store. */
export interface Coordination {
  /** Keeps the standings: one process computes the table of a day, and the others load it. */
  createStandings(options: KeeperOptions): StandingsKeeper;
  /** Counts requests in buckets that all processes share. `bucketOf` returns the name of a bucket: hex characters. */
  createThrottle(
    limit: RateLimit,
    options: Pick<Effects, 'monotonic' | 'storeTime'> & { readonly bucketOf: (name: string) => string },
  ): Throttle;
}

/** A store as an engine takes it. A store that several processes share brings the engine's part for it. */
export type EngineStore = Store & { readonly coordination?: Coordination };
