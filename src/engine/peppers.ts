import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Identifier } from '../domain/identifier.ts';
import { StoreUnavailableError, type Store, type StoredPepper } from '../store/store.ts';

/** Least length of a pepper: 128 bits. */
const PEPPER_BYTES_LEAST = 16;
/** Hashes moved in one transaction: some ten milliseconds. */
const MOVES_AT_ONCE = 200;
/** Where other processes use the store too, each looks so often whether a new pepper is announced, and nobody uses it before all have looked. */
const LOOK_MS = 2_000;
const ANNOUNCED_MS = 3 * LOOK_MS;
const WAIT_MS = 200;

/** The store's hashes are under a pepper that was not given, or under another one: nothing can be found in it, so nothing is answered. */
export class PepperError extends StoreUnavailableError {
  override readonly name = 'PepperError';
}

/** Identifiers as they are stored, and under how many peppers that is. */
export interface Concealed {
  readonly identifiers: readonly Identifier[];
  /** The hash that was sent, by the stored one. */
  readonly sent: ReadonlyMap<string, string>;
  readonly generation: number;
}

export interface PepperStatus {
  /** How many of the given peppers the store's hashes are under, and their fingerprints, 16 hex characters each. */
  readonly generation: number;
  readonly fingerprints: readonly string[];
  /** True while hashes of an earlier generation may be there. */
  readonly moving: boolean;
  /** Given ones that the store is not under yet. */
  readonly spare: number;
}

/**
 * What stands between a client's hash and the stored one: HMAC-SHA-256, its first 20 bytes, under each pepper in turn. Whoever has the file and not the peppers
 * cannot try addresses on it. A new pepper goes on top of the others, because a stored hash cannot be turned back.
 */
export interface Peppers {
  /**
   * Conceals identifiers, in the same order, for as long as `use` runs: no hash is moved under it. While hashes are being moved to a new pepper, these are moved
   * first, so that whoever asks finds all of them in one place.
   */
  conceal<T>(identifiers: readonly Identifier[], use: (concealed: Concealed) => Promise<T>): Promise<T>;
  status(): Promise<PepperStatus>;
  /**
   * Puts the store's hashes under all given peppers, and under `next` on top of them; goes on where an earlier run was interrupted. Answers how many it moved.
   * Rejects with RangeError when there is no pepper that the store is not under.
   */
  rotate(next: string | Uint8Array | undefined, giveTurn: () => Promise<void>): Promise<number>;
}

interface Pepper {
  readonly fingerprint: string;
  of(hash: string): string;
}

/**
 * @param given oldest first, each text or bytes, at least 16 bytes. A store without any hash takes all of them; otherwise those that the store is not under wait for {@link Peppers.rotate}.
 * @throws TypeError or RangeError when one cannot be a pepper.
 */
export function createPeppers(store: Store, given: readonly (string | Uint8Array)[], clock: () => number): Peppers {
  if (!Array.isArray(given)) throw new TypeError('"peppers" expected a list of texts or bytes, got something else');
  const peppers = given.map((pepper, at) => createPepper(pepper, `peppers[${at}]`));
  const known: { state: Promise<State> | undefined; last: State | undefined; lookedAt: number } = {
    state: undefined,
    last: undefined,
    lookedAt: -Infinity,
  };
  const uses = new Set<Promise<unknown>>();

  const raise = (hash: string, from: number, to: number): string =>
    peppers.slice(from, to).reduce((value, pepper) => pepper.of(value), hash);

  const prove = (stored: readonly StoredPepper[]): State => {
    for (const [at, { fingerprint }] of stored.entries()) {
      if (peppers[at] === undefined)
        throw new PepperError(
          `the store is under ${stored.length} peppers and ${peppers.length} were given; the first that is missing has the fingerprint ${fingerprint}`,
        );
      if (peppers[at].fingerprint !== fingerprint)
        throw new PepperError(
          `pepper ${at + 1} is not the one that the store is under: it has the fingerprint ${peppers[at].fingerprint}, the store's has ${fingerprint}`,
        );
    }
    const now = clock();
    return {
      generation: stored.filter(({ addedAt }) => addedAt <= now).length,
      oldest: stored.filter(({ finishedAt }) => finishedAt !== null).length,
      announced: stored.length,
      nextAt: stored.find(({ addedAt }) => addedAt > now)?.addedAt ?? Infinity,
    };
  };

  const addAll = async (from: number, usedFrom: number): Promise<void> => {
    for (const [at, { fingerprint }] of peppers.entries()) {
      if (at >= from && (await store.addPepper({ generation: at + 1, fingerprint, addedAt: usedFrom })) === 'taken')
        break;
    }
  };

  const learn = async (): Promise<State> => {
    const stored = await store.findPeppers();
    if (
      stored.length === 0 &&
      peppers.length > 0 &&
      (await store.readOldHashes({ generation: 1, after: '', limit: 1 })).length === 0
    ) {
      await addAll(0, clock());
      await store.finishPepper({ generation: peppers.length, finishedAt: clock() });
      return prove(await store.findPeppers());
    }
    return prove(stored);
  };

  const state = (): Promise<State> => {
    const now = clock();
    const nextAt = known.last?.nextAt ?? Infinity;
    // Also at the moment from which another process may move hashes: looking for them under the old pepper would miss them.
    if (store.shared && (Math.abs(now - known.lookedAt) >= LOOK_MS || (known.lookedAt < nextAt && now >= nextAt)))
      known.state = undefined;
    if (known.state === undefined) known.lookedAt = clock();
    known.state ??= look([...uses]).catch((error: unknown) => {
      // The store may be back when it is asked again.
      known.state = undefined;
      throw error;
    });
    return known.state;
  };

  /** Whoever began before goes by what was known then: nothing is moved under it. */
  const look = async (before: readonly Promise<unknown>[]): Promise<State> => {
    const now = await learn();
    const { last } = known;
    if (last?.generation !== now.generation || last.oldest !== now.oldest) await Promise.allSettled(before);
    return (known.last = now);
  };

  const concealed = async (identifiers: readonly Identifier[]): Promise<Concealed> => {
    const { generation, oldest } = await state();
    if (generation === 0) return { identifiers, generation, sent: new Map() };
    const stored = identifiers.map(({ kind, hash }) => ({ kind, hash: raise(hash, 0, generation) }));
    if (oldest < generation) {
      const earlier = Array.from({ length: generation - oldest }, (_, step) => oldest + step);
      await store.rehash(
        identifiers.flatMap(({ hash }, at) =>
          earlier.map((of) => ({ from: raise(hash, 0, of), to: stored[at]!.hash })),
        ),
        generation,
      );
    }
    return {
      identifiers: stored,
      generation,
      sent: new Map(stored.map(({ hash }, at) => [hash, identifiers[at]!.hash])),
    };
  };

  return {
    conceal(identifiers, use) {
      const running = concealed(identifiers).then(use);
      uses.add(running);
      const done = (): unknown => uses.delete(running);
      running.then(done, done);
      return running;
    },

    async status() {
      const { generation, oldest } = await state();
      return {
        generation,
        fingerprints: peppers.slice(0, generation).map(({ fingerprint }) => fingerprint),
        moving: oldest < generation,
        spare: peppers.length - generation,
      };
    },

    async rotate(next, giveTurn) {
      const before = await state();
      if (next !== undefined) peppers.push(createPepper(next, 'pepper'));
      if (peppers.length === before.announced && before.oldest === before.announced)
        throw new RangeError('"pepper" expected one that the store is not under yet, got none');
      await addAll(before.announced, clock() + (store.shared ? ANNOUNCED_MS : 0));
      known.state = undefined;
      while ((await state()).generation < peppers.length) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      const { generation } = await state();
      const moved = { all: 0 };
      // Until a pass finds nothing: what was written meanwhile may be behind the walk.
      for (let inPass = -1; inPass !== 0;) {
        inPass = 0;
        for (let after = ''; ;) {
          const page = await store.readOldHashes({ generation, after, limit: MOVES_AT_ONCE });
          if (page.length === 0) break;
          inPass += await store.rehash(
            page.map((old) => ({ from: old.hash, to: raise(old.hash, old.generation, generation) })),
            generation,
          );
          after = page.at(-1)!.hash;
          await giveTurn();
        }
        moved.all += inPass;
      }
      await store.finishPepper({ generation, finishedAt: clock() });
      known.state = undefined;
      return moved.all;
    },
  };
}

interface State {
  /** What is written now. */
  readonly generation: number;
  /** The oldest that may still be stored. */
  readonly oldest: number;
  /** How many the store knows, in use or soon to be. */
  readonly announced: number;
  /** When the next of them begins to be used; Infinity when there is none. */
  readonly nextAt: number;
}

/** Tells peppers apart and gives nothing of them away, 16 hex characters. */
export function pepperFingerprint(pepper: string | Uint8Array): string {
  return bytesToHex(
    hmac(sha256, typeof pepper === 'string' ? utf8ToBytes(pepper) : pepper, utf8ToBytes('redflag/1 pepper')),
  ).slice(0, 16);
}

function createPepper(pepper: string | Uint8Array, label: string): Pepper {
  if (typeof pepper !== 'string' && !(pepper instanceof Uint8Array))
    throw new TypeError(`"${label}" expected text or bytes, got ${typeof pepper}`);
  const bytes = typeof pepper === 'string' ? utf8ToBytes(pepper) : Uint8Array.from(pepper);
  if (bytes.length < PEPPER_BYTES_LEAST)
    throw new RangeError(`"${label}" expected at least ${PEPPER_BYTES_LEAST} bytes, got ${bytes.length}`);
  const keyed = hmac.create(sha256, hmac(sha256, bytes, utf8ToBytes('redflag/1 stored hash')));
  return {
    fingerprint: pepperFingerprint(bytes),
    of: (hash) => bytesToHex(keyed.clone().update(hexToBytes(hash)).digest().subarray(0, 20)),
  };
}
