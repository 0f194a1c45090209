import type { Identifier } from '../domain/identifier.ts';
import type { Outcome } from '../domain/refusal.ts';
import type { NewIdentifier, KeyGenerations } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Effects } from './effects.ts';

/** Identifiers with their stored hashes. */
export interface StoredHashes extends KeyGenerations {
  readonly identifiers: readonly NewIdentifier[];
  /** What the client sent, as a hash, by stored hash. */
  readonly sent: ReadonlyMap<string, string>;
  /** Number of peppers applied to the stored hashes. */
  readonly generation: number;
}

/** Which peppers the stored hashes have. */
export interface PepperSteps {
  /** Number of peppers of new hashes. */
  readonly generation: number;
  /** The smallest number that may still be stored. */
  readonly oldest: number;
  /** Applies the peppers of these generations to a hash. */
  readonly raise: (hash: string, from: number, to: number) => string;
}

/**
 * A step before the peppers: identifiers are stored under other names than their hashes. A feature brings it as the
 * option `conceal` of the engine.
 */
export interface Concealment<State extends { readonly generation: number } = { readonly generation: number }> {
  /** Reads what the store holds. When its generation changes, running requests end before the next one begins. */
  read(): Promise<State>;
  /** Validates the identifiers of a request, as `toIdentifiers` of the domain does. */
  toIdentifiers(identifiers: unknown, maxIdentifiers: number, emptyHash: string): Promise<Outcome<Identifier[]>>;
  /** Returns the stored hashes. Moves rows that are stored under earlier ones first. */
  conceal(identifiers: readonly Identifier[], state: State, peppering: PepperSteps): Promise<StoredHashes>;
}

/** What a concealment gets from the engine. */
export interface ConcealmentTools<State> extends Pick<Effects, 'clock' | 'wait'> {
  readonly store: Store;
  /** Returns the state that the engine read last, with the peppers. */
  current(): Promise<{ readonly state: State; readonly peppering: PepperSteps }>;
  /** Reads the state again at the next request. */
  forget(): void;
}
