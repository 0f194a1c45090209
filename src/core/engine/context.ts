import type { Effects } from './effects.ts';
import type { Bounds } from '../domain/bounds.ts';
import type { PersonalDataPolicy } from '../domain/personal-data.ts';
import type { EngineNotice } from './notices.ts';
import type { Peppers } from './peppers.ts';
import type { SecretCheck, Secrets } from './secrets.ts';
import type { EpochWatch } from './standings/compute.ts';
import type { StandingsKeeper } from './standings/keeper.ts';
import type { Limits, Throttle } from './throttle.ts';
import type { Usage } from './usage.ts';
import type { Views } from './views.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';

/** Limits that count requests of a reporter, over all its keys. Queries count identifiers. */
export type KeyLimit = 'query' | 'report' | 'delete';
/** Limits that count requests of a client's address. */
export type AddressLimit = 'viewer' | 'dispute' | 'panel' | 'unknown-key';

/** Everything that the operations of the engine need. */
export interface EngineContext extends Effects {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly secretCheck: SecretCheck;
  readonly peppers: Peppers;
  readonly model: ScoringModel;
  /** Undefined if the model has no standings. */
  readonly standings: StandingsKeeper | undefined;
  /** What looks at the identifiers of each day's standings. A feature adds itself before the first request. */
  readonly epochWatches: EpochWatch[];
  readonly notify: (notice: EngineNotice) => void;
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
  readonly throttles: Readonly<Record<KeyLimit | AddressLimit, Throttle>>;
  /** Returns a throttle for a feature's own limits, in the store if several processes share it. */
  readonly createThrottle: (limits: Limits) => Throttle;
  readonly keyLimits: Readonly<Record<KeyLimit, Limits>>;
  readonly usage: Usage;
  readonly views: Views;
}

/** What features build on: an engine, or its context alone. */
export interface WithContext {
  /** As in `Engine`. */
  readonly context: EngineContext;
}
