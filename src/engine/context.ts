import type { RateLimit } from '../domain/refusal.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';
import type { Secrets } from './secrets.ts';
import type { Throttle } from './throttle.ts';

/** All that the use-cases act on and through, each effect an argument. */
export interface EngineContext {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly model: ScoringModel;
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
  readonly bounds: { readonly identifiers: number; readonly textCharacters: number; readonly viewReports: number };
  /** A request equal to one this young is the same request. */
  readonly sameRequestSeconds: number;
  readonly throttles: Readonly<Record<RateLimit['name'], Throttle>>;
}

/** 16 fresh lowercase hex characters. */
export function freshCode(context: EngineContext): string {
  return Array.from(context.random(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
