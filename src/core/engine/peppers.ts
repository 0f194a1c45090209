import { SHA256 } from '../crypto/crypto.ts';
import type { AuditNote } from '../domain/audit.ts';
import { toIdentifiers, type UnvalidatedIdentifier, type Identifier } from '../domain/identifier.ts';
import type { Outcome } from '../domain/refusal.ts';
import { count } from '../domain/text.ts';
import type { Effects } from './effects.ts';
import { derive, toKeyBytes } from './secrets.ts';
import { SealError, StoreKeyError } from '../store/errors.ts';
import type { NewIdentifier, HashMove, KeyGenerations, StoredPepper } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Hashes moved per transaction, which takes about ten milliseconds. */
const MOVES_AT_ONCE = 200;
/** If several processes share a store, each checks this often for an announced pepper. */
const LOOK_MS = 2_000;
/** Time from the announcement of a pepper to its first use. By then all processes know the pepper. */
const ANNOUNCED_MS = 3 * LOOK_MS;
const WAIT_MS = 200;

/** Which of the engine's peppers the store uses. */
export interface PepperStatus {
  /** Number of given peppers that the store uses. */
  readonly generation: number;
  /** Fingerprints of these peppers, 16 hex characters each. */
  readonly fingerprints: readonly string[];
  /** True while the store may hold hashes of an earlier generation. */
  readonly moving: boolean;
  /** Number of given peppers that the store does not use yet. */
  readonly spare: number;
}

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
export interface Concealment {
  /** Resolves if the store is of this concealment. */
  ready(): Promise<void>;
  /** Validates the identifiers of a request, as `toIdentifiers` of the domain does. */
  toIdentifiers(identifiers: unknown, maxIdentifiers: number, emptyHash: string): Promise<Outcome<Identifier[]>>;
  /** Returns the stored hashes. Moves rows that are stored under earlier ones first. */
  conceal(identifiers: readonly Identifier[], peppering: PepperSteps): Promise<StoredHashes>;
}

/** What a concealment gets from the engine. */
export interface ConcealmentTools extends Pick<Effects, 'clock'> {
  readonly store: Store;
}

type PepperEffects = Pick<Effects, 'clock' | 'monotonic' | 'wait'>;

/** Makes the step before the peppers. */
export type CreateConcealment = (tools: ConcealmentTools) => Concealment;

/**
 * Returns the functions for the operator's peppers. `given` lists them, oldest first, each at least 16 bytes. An empty
 * store adopts all of them. In any other store, {@link Peppers.rotate} adds the new ones.
 * @throws TypeError or RangeError for an invalid pepper.
 */
export function createPeppers(
  store: Store,
  given: readonly (string | Uint8Array)[],
  effects: PepperEffects,
  createConcealment?: CreateConcealment,
): Peppers {
  if (!Array.isArray(given)) throw new TypeError('"peppers" expected an array of strings or Uint8Arrays');
  const peppers = given.map((pepper, at) => createPepper(pepper, `peppers[${at}]`));
  return new Peppers(store, peppers, effects, createConcealment);
}

/**
 * Converts a client's hash into the stored hash. Each pepper is applied in turn: the first 20 bytes of HMAC-SHA-256.
 * Without the peppers, a thief of the store cannot test guessed addresses. A new pepper is applied to the stored hash,
 * because a stored hash cannot be converted back.
 *
 * With a {@link Concealment}, the peppers are applied to the names that it gives.
 */
export class Peppers {
  /** The step before the peppers; undefined without one. */
  readonly concealment: Concealment | undefined;
  readonly #store: Store;
  readonly #peppers: Pepper[];
  readonly #effects: PepperEffects;
  #reading: Promise<State> | undefined;
  #last: State | undefined;
  #lookedAt = -Infinity;
  /** How far the clock that all processes share is ahead of `monotonic`. Read during a rotation only. */
  #sharedAheadMs: number | undefined;
  readonly #uses = new Set<Promise<unknown>>();

  constructor(store: Store, peppers: Pepper[], effects: PepperEffects, createConcealment?: CreateConcealment) {
    this.#store = store;
    this.#peppers = peppers;
    this.#effects = effects;
    this.concealment = createConcealment?.({ store, ...effects });
  }

  /** Validates the identifiers of a request. A concealment may take others than hashes. */
  toIdentifiers(
    identifiers: readonly UnvalidatedIdentifier[],
    most: number,
    emptyHash: string,
  ): Outcome<Identifier[]> | Promise<Outcome<Identifier[]>> {
    return this.concealment
      ? this.concealment.toIdentifiers(identifiers, most, emptyHash)
      : toIdentifiers(identifiers, most, emptyHash);
  }

  /**
   * Converts identifiers to stored hashes, in the same order, and calls `use` with them. No hash is moved while `use`
   * runs. During a rotation, moves these identifiers first, so `use` needs only their newest hashes. Rejects with a
   * `StoreKeyError` if the store uses a pepper or another key that was not given.
   */
  async withStoredHashes<T>(
    identifiers: readonly Identifier[],
    use: (concealed: StoredHashes) => Promise<T>,
  ): Promise<T> {
    const running = this.#toStored(identifiers).then(use);
    this.#uses.add(running);
    try {
      return await running;
    } finally {
      this.#uses.delete(running);
    }
  }

  /**
   * True if only a valid key may cause `withStoredHashes`: it may write, because a rotation may be running, or it takes
   * time. Then a query checks its key first instead of in the read of its facts.
   */
  get needsKey(): boolean {
    return (
      this.concealment !== undefined ||
      this.#last === undefined ||
      this.#last.oldest < this.#last.generation ||
      this.#isOld()
    );
  }

  async status(): Promise<PepperStatus> {
    const { generation, oldest } = await this.#state();
    return {
      generation,
      fingerprints: this.#peppers.slice(0, generation).map(({ fingerprint }) => fingerprint),
      moving: oldest < generation,
      spare: this.#peppers.length - generation,
    };
  }

  /**
   * Applies all given peppers, and then `next`, to the stored hashes. Continues an interrupted rotation. Returns the
   * number of moved hashes. Rejects with RangeError if there is no new pepper and no rotation to continue, and with
   * TypeError or RangeError for an invalid `next`.
   */
  async rotate(next: string | Uint8Array | undefined, giveTurn: () => Promise<void>, note: AuditNote): Promise<number> {
    const store = this.#store;
    const peppers = this.#peppers;
    const before = await this.#state();
    const added = next === undefined ? undefined : createPepper(next, 'pepper');
    // A repeated call has the pepper already.
    if (added && !peppers.some(({ fingerprint }) => fingerprint === added.fingerprint)) peppers.push(added);
    if (peppers.length === before.announced && before.oldest === before.announced)
      throw new RangeError('"pepper" expected a pepper that the store does not use yet');
    await this.#readSharedClock();
    await this.#addAll(before.announced, this.#now() + (store.shared ? ANNOUNCED_MS : 0), note);
    this.#reading = undefined;
    while ((await this.#state()).generation < peppers.length) await this.#effects.wait(WAIT_MS);
    const { generation, raise } = await this.#state();
    const moved = await moveHashes(
      (after) => store.readOldHashes({ generation, after, limit: MOVES_AT_ONCE }),
      (page) =>
        store.rehash(
          page.map((old) => ({ from: old.hash, to: raise(old.hash, old.generation, generation) })),
          generation,
        ),
      giveTurn,
    );
    await store.finishPepper({ generation, finishedAt: this.#effects.clock() });
    this.#reading = undefined;
    return moved;
  }

  async #toStored(identifiers: readonly Identifier[]): Promise<StoredHashes> {
    const state = await this.#state();
    const { generation, oldest, raise } = state;
    if (this.concealment) return this.concealment.conceal(identifiers, state);
    if (generation === 0) return { identifiers, generation, sent: new Map() };
    const stored: NewIdentifier[] = [];
    const sent = new Map<string, string>();
    const moves: HashMove[] = [];
    for (const { kind, hash } of identifiers) {
      const to = raise(hash, 0, generation);
      stored.push({ kind, hash: to });
      sent.set(to, hash);
      for (let earlier = oldest; earlier < generation; earlier++) moves.push({ from: raise(hash, 0, earlier), to });
    }
    if (moves.length > 0) await this.#store.rehash(moves, generation);
    return { identifiers: stored, generation, sent };
  }

  #state(): Promise<State> {
    if (this.#isOld()) this.#reading = undefined;
    return (this.#reading ??= this.#readAgain());
  }

  /** True if the state of a shared store must be read again: another process may have begun a rotation. */
  #isOld(): boolean {
    if (!this.#store.shared) return false;
    const atMs = this.#now();
    const nextAt = this.#last?.nextAt ?? Infinity;
    // Also when an announced pepper becomes active: another process may now move hashes.
    return Math.abs(atMs - this.#lookedAt) >= LOOK_MS || (this.#lookedAt < nextAt && atMs >= nextAt);
  }

  async #readAgain(): Promise<State> {
    // Wait for earlier uses: they rely on hashes of the previous generation.
    const before = [...this.#uses];
    this.#lookedAt = this.#now();
    try {
      const found = await this.#read();
      const last = this.#last;
      if (last?.generation !== found.generation || last.oldest !== found.oldest) await Promise.allSettled(before);
      return (this.#last = found);
    } catch (error) {
      // The store may be unavailable for a moment, so the next call reads again.
      this.#reading = undefined;
      throw error;
    }
  }

  async #read(): Promise<State> {
    const store = this.#store;
    const { clock } = this.#effects;
    const [stored] = await Promise.all([
      store.findPeppers(),
      this.concealment ? this.concealment.ready() : refuseElements(store),
    ]);
    if (
      stored.length === 0 &&
      this.#peppers.length > 0 &&
      (await store.readOldHashes({ generation: 1, after: '', limit: 1 })).length === 0
    ) {
      await this.#addAll(0, clock());
      await store.finishPepper({ generation: this.#peppers.length, finishedAt: clock() });
      return this.#toState(await store.findPeppers());
    }
    if (stored.some(({ finishedAt }) => finishedAt === null)) await this.#readSharedClock();
    return this.#toState(stored);
  }

  #toState(stored: readonly StoredPepper[]): State {
    requirePeppers(stored, this.#peppers);
    const atMs = this.#now();
    // A pepper that has moved all hashes is in use, whatever the clock says now.
    const isActive = ({ addedAt, finishedAt }: StoredPepper): boolean => addedAt <= atMs || finishedAt !== null;
    return {
      // A clock that is set back must not put a pepper out of use.
      generation: Math.max(this.#last?.generation ?? 0, stored.filter(isActive).length),
      oldest: stored.filter(({ finishedAt }) => finishedAt !== null).length,
      announced: stored.length,
      nextAt: stored.find((one) => !isActive(one))?.addedAt ?? Infinity,
      raise: (hash, from, to) => this.#peppers.slice(from, to).reduce((value, pepper) => pepper.of(value), hash),
    };
  }

  async #addAll(from: number, usedFrom: number, note?: AuditNote): Promise<void> {
    for (const [at, { fingerprint }] of this.#peppers.entries()) {
      if (at < from) continue;
      if ((await this.#store.addPepper({ generation: at + 1, fingerprint, addedAt: usedFrom }, note)) === 'taken')
        break;
    }
  }

  /** All processes must begin to use an announced pepper at the same time, so their own clocks do not count. */
  #now(): number {
    const { clock, monotonic } = this.#effects;
    return this.#sharedAheadMs === undefined ? clock() : Math.floor(monotonic() + this.#sharedAheadMs);
  }

  async #readSharedClock(): Promise<void> {
    const { shared } = this.#store;
    if (shared) this.#sharedAheadMs = (await shared.nowMs()) - this.#effects.monotonic();
  }
}

interface State extends PepperSteps {
  /** Number of peppers known to the store, active or announced. */
  readonly announced: number;
  /** Time when the next announced pepper becomes active (ms, UTC); Infinity if there is none. */
  readonly nextAt: number;
}

/** Rejects if the store has elements: without their key, nothing would be found. */
async function refuseElements(store: Store): Promise<void> {
  const fingerprint = (await store.findElementKeys()).at(-1)?.fingerprint;
  if (fingerprint !== undefined)
    throw new SealError(
      `the identifiers of the store are sealed, but no sealing key was given; ` +
        `give the sealing key with the fingerprint ${fingerprint}`,
    );
}

/** The stored hashes use a pepper that was not given. No query could find them. */
export class PepperError extends StoreKeyError {
  /** @internal */
  static override readonly kind = 'PepperError';
}

/** One of the operator's keys for stored hashes. */
export interface Pepper {
  readonly fingerprint: string;
  /** Returns the first 20 bytes of HMAC-SHA-256 of a hash, as 40 hex characters. */
  of(hash: string): string;
}

/** Returns 16 hex characters that identify a pepper without revealing it. */
export function pepperFingerprint(pepper: string | Uint8Array): string {
  return SHA256.keyed(pepper)('redflag/1 pepper').slice(0, 16);
}

/** Returns a pepper. Throws TypeError or RangeError, with its label, for an invalid one. */
function createPepper(pepper: string | Uint8Array, label: string): Pepper {
  const bytes = toKeyBytes(label, pepper);
  const keyed = derive(bytes, 'redflag/1 stored hash');
  return { fingerprint: pepperFingerprint(bytes), of: (hash) => keyed(hash, 'hex').slice(0, 40) };
}

/** Throws PepperError unless the engine has the peppers of the store. */
export function requirePeppers(stored: readonly StoredPepper[], peppers: readonly Pepper[]): void {
  for (const [at, { fingerprint }] of stored.entries()) {
    const pepper = peppers[at];
    if (pepper === undefined)
      throw new PepperError(
        `the store needs ${count(stored.length, 'pepper')}, but got ${peppers.length}; ` +
          `add the pepper with the fingerprint ${fingerprint}`,
      );
    if (pepper.fingerprint !== fingerprint)
      throw new PepperError(
        `pepper ${at + 1} has the fingerprint ${pepper.fingerprint}, but the store expects ${fingerprint}; ` +
          'give the peppers of the store, oldest first',
      );
  }
}

/**
 * Moves stored hashes page by page. Returns how many were moved. Repeats until a pass moves nothing: a concurrent write
 * may insert before the current position.
 */
async function moveHashes<Old extends { readonly hash: string }>(
  readPage: (after: string) => Promise<readonly Old[]>,
  movePage: (page: readonly Old[]) => Promise<number>,
  giveTurn: () => Promise<void>,
): Promise<number> {
  let moved = 0;
  for (let inPass = -1; inPass !== 0; moved += inPass) {
    inPass = 0;
    for (let after = ''; ;) {
      const page = await readPage(after);
      if (page.length === 0) break;
      inPass += await movePage(page);
      after = page.at(-1)?.hash ?? after;
      await giveTurn();
    }
  }
  return moved;
}
