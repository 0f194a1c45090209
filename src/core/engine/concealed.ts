import type { ValidIdentifier } from '../domain/identifier.ts';
import type { ConcealedIdentifier, HashMove } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import type { Seals, SealState } from '../../sealed/engine/seals.ts';

/** Identifiers with their stored hashes. */
export interface Concealed {
  readonly identifiers: readonly ConcealedIdentifier[];
  /** The client's hash, by stored hash. For an identifier that arrived as an element, the name of the element. */
  readonly sent: ReadonlyMap<string, string>;
  /** Number of peppers applied to the stored hashes. */
  readonly generation: number;
  /** Generation of the sealing key of the elements. Undefined without one. */
  readonly seal?: number | undefined;
}

/** What {@link concealElements} uses. */
interface Tools {
  readonly store: Store;
  readonly seals: Seals;
  /** Applies the peppers of these generations to a hash. */
  readonly raise: (hash: string, from: number, to: number) => string;
}

/** Which rows the store may hold. */
interface MayHold {
  readonly sealed: SealState;
  /** Generation of new hashes. */
  readonly generation: number;
  /** Oldest generation that may still be stored. */
  readonly oldest: number;
}

/**
 * Returns identifiers with their elements, and with the stored hashes that follow from the elements. Moves rows that
 * are stored under an earlier hash first: that of the client, of the previous sealing key or of earlier peppers.
 */
export async function concealElements(
  { store, seals, raise }: Tools,
  identifiers: readonly ValidIdentifier[],
  { sealed, generation, oldest }: MayHold,
): Promise<Concealed> {
  const names = await Promise.all(identifiers.map((one) => seals.namesOf(one, sealed)));
  const stored = new Map<string, ConcealedIdentifier>();
  const sent = new Map<string, string>();
  const moves: HashMove[] = [];
  for (const [at, { kind, hash }] of identifiers.entries()) {
    const { element, name, earlier } = names[at]!;
    const to = raise(name, 0, generation);
    // The same identifier may have been sent as a hash and as an element.
    if (!stored.has(`${to} ${kind}`)) stored.set(`${to} ${kind}`, { kind, hash: to, element });
    sent.set(to, hash);
    for (let from = oldest; from < generation; from++) moves.push({ from: raise(name, 0, from), to, element });
    for (const one of earlier)
      for (let from = oldest; from <= generation; from++) moves.push({ from: raise(one, 0, from), to, element });
  }
  const needed = oldest < generation ? moves : await present(store, moves);
  if (needed.length > 0) await store.rehash(needed, generation, sealed.generation);
  return { identifiers: [...stored.values()], generation, sent, seal: sealed.generation };
}

/**
 * Returns the moves of rows that are stored. A write takes locks and a flush, and almost always there is nothing to
 * move. Do not look first during a rotation of peppers: it may move a row after the look. `rehash` locks all hashes.
 */
async function present(store: Store, moves: readonly HashMove[]): Promise<readonly HashMove[]> {
  if (moves.length === 0) return moves;
  const found = new Set(await store.findHashes(moves.map(({ from }) => from)));
  return moves.filter(({ from }) => found.has(from));
}
