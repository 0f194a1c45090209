import { bytesToHex } from '@noble/hashes/utils.js';
import type { Bounds } from '../domain/bounds.ts';
import type { RateLimit } from '../domain/refusal.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';
import type { Peppers } from './peppers.ts';
import type { Secrets } from './secrets.ts';
import type { Throttle } from './throttle.ts';
import type { TrustKeeper } from './trust-keeper.ts';

/** All that the use-cases act on and through, each effect an argument. */
export interface EngineContext {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly peppers: Peppers;
  readonly model: ScoringModel;
  /** What is learnt of reporters; undefined for a model that learns nothing. */
  readonly trust: TrustKeeper | undefined;
  /** Lets others have their turn between two slices of a long piece of work. */
  readonly giveTurn: () => Promise<void>;
  /** Milliseconds since the epoch, UTC. */
  readonly clock: () => number;
  /** Fresh bytes from a cryptographic source. */
  readonly random: (byteCount: number) => Uint8Array;
  /** The absolute URL of a link hash. */
  readonly linkTo: (linkHash: string) => string;
  readonly offenceTypes: ReadonlySet<string>;
  readonly matchKinds: 'any' | 'exact';
  /** Hashes that are nobody's: the chain's end for the empty string. */
  readonly nobody: ReadonlySet<string>;
  readonly bounds: Bounds & {
    /** Newest reports that one view shows. */
    readonly viewReports: number;
    /** Links kept for one identifier, the newest: each different set that is asked with it makes one, and a key can ask for many. */
    readonly linksPerIdentifier: number;
  };
  /** A request equal to one this young is the same request. */
  readonly sameRequestSeconds: number;
  readonly throttles: Readonly<Record<RateLimit['name'], Throttle>>;
}

/** 16 fresh lowercase hex characters. */
export function freshCode(context: EngineContext): string {
  const bytes = context.random(8);
  if (!(bytes instanceof Uint8Array) || bytes.length !== 8)
    throw new TypeError('"random" expected to give as many bytes as it was asked for, got something else');
  return bytesToHex(bytes);
}

/** Draws until `attempt` takes what it drew. Two draws of 64 bits hardly ever meet; many in a row say that `random` is none. */
export async function drawUntil<T>(
  context: EngineContext,
  attempt: (fresh: string) => Promise<T | 'taken'>,
): Promise<T> {
  for (let draws = 0; draws < 8; draws++) {
    const result = await attempt(freshCode(context));
    if (result !== 'taken') return result as T;
  }
  throw new Error('"random" expected fresh bytes at each call, got the same ones again');
}
