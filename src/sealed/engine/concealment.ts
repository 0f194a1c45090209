import { elementName } from '../../core/crypto/crypto.ts';
import {
  isCode,
  toIdentifier,
  toIdentifiersBy,
  toKind,
  type UnvalidatedIdentifier,
  type Identifier,
} from '../../core/domain/identifier.ts';
import { accept, refuse, type Outcome } from '../../core/domain/refusal.ts';
import type {
  StoredHashes,
  Concealment,
  ConcealmentTools,
  PepperSteps,
  CreateConcealment,
} from '../../core/engine/peppers.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import type { NewIdentifier, HashMove } from '../../core/store/records.ts';
import type { Store } from '../../core/store/store.ts';
import { knowsKey, requireSeal, type Seal, type ValidIdentifier } from './seal.ts';
import { findHashes } from './stored.ts';
import { createSeals, type Seals, type SealState } from './seals.ts';

/**
 * Returns the option `conceal` of an engine that stores sealed elements: it computes the element of each identifier,
 * and stored hashes follow from elements. The store keeps the fingerprint of the sealing key and refuses another key,
 * or none, from then on. An identifier that was stored before gets its element when a client next sends its hash.
 * Throws TypeError for anything but a {@link Seal}.
 */
export function sealIdentifiers(seal: Seal): CreateConcealment {
  requireSeal(seal);
  return (tools) => new SealedConcealment(seal, tools);
}

/**
 * Returns the concealment of an engine with a sealing key. Without one, rejects with SealError if the store is sealed,
 * and otherwise with RangeError.
 */
export async function requireConcealment({ peppers }: EngineContext): Promise<SealedConcealment> {
  const { concealment } = peppers;
  if (concealment instanceof SealedConcealment) return concealment;
  await peppers.status();
  throw new RangeError('"conceal" expected a sealing key: the engine was created without one');
}

/** Stores the names of sealed elements in place of the hashes of clients. */
export class SealedConcealment implements Concealment<SealState> {
  readonly seals: Seals;
  readonly #tools: ConcealmentTools<SealState>;
  /** Names of the element of the empty string, by the fingerprint of the sealing key. */
  readonly #emptyNames = new Map<string, string>();

  constructor(seal: Seal, tools: ConcealmentTools<SealState>) {
    this.#tools = tools;
    this.seals = createSeals(tools.store, seal, tools);
  }

  read(): Promise<SealState> {
    return this.seals.read();
  }

  /**
   * Returns the state of the sealed elements, and the peppers over them. If the engine does not know the key
   * `fingerprint` yet, reads the operator's keys again.
   */
  async current(fingerprint?: string): Promise<{ readonly state: SealState; readonly peppering: PepperSteps }> {
    const current = await this.#tools.current();
    if (fingerprint === undefined || knowsKey(current.state.seal, fingerprint)) return current;
    await this.seals.follow();
    this.forget();
    return this.#tools.current();
  }

  /** Reads the state of the store again at the next request. */
  forget(): void {
    this.#tools.forget();
  }

  /** Validates hashes and elements. Also removes the element of the empty string. */
  async toIdentifiers(identifiers: unknown, maxIdentifiers: number, emptyHash: string): Promise<Outcome<Identifier[]>> {
    const valid = toIdentifiersBy(toValid, identifiers, maxIdentifiers, emptyHash);
    if (!valid.ok) return valid;
    const kept: ValidIdentifier[] = [];
    for (const one of valid.value)
      if (one.element === undefined || one.hash !== (await this.#emptyNameOf(emptyHash, one.seal))) kept.push(one);
    return kept.length === 0 ? refuse({ reason: 'no-identifier' }) : accept(kept);
  }

  async #emptyNameOf(emptyHash: string, fingerprint: string | undefined): Promise<string> {
    const { state } = await this.current(fingerprint);
    const of = fingerprint ?? state.fingerprint;
    const known = this.#emptyNames.get(of);
    if (known !== undefined) return known;
    const element = await state.seal.elementOf(emptyHash);
    const name = elementName(await this.seals.under(of, element, state));
    this.#emptyNames.set(of, name);
    return name;
  }

  /**
   * Returns identifiers with their elements, and with the stored hashes that follow from the elements. Identifiers with
   * the same kind and element become one. Moves rows that are stored under an earlier hash first: that of the client,
   * of the previous sealing key or of earlier peppers.
   */
  async conceal(
    identifiers: readonly ValidIdentifier[],
    state: SealState,
    { generation, oldest, raise }: PepperSteps,
  ): Promise<StoredHashes> {
    const { store } = this.#tools;
    const names = await Promise.all(identifiers.map((one) => this.seals.namesOf(one, state)));
    const stored = new Map<string, NewIdentifier>();
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
    if (needed.length > 0) await store.rehash(needed, generation, state.generation);
    return { identifiers: [...stored.values()], generation, sent, seal: state.generation };
  }
}

const ELEMENT_IN_ANY_CASE = /^[0-9a-fA-F]{64}$/;

/** Validates one identifier, which is a hash or an element. */
function toValid(given: UnvalidatedIdentifier): Outcome<ValidIdentifier> {
  const { kind: field, hash, element, seal } = given as Partial<Record<'kind' | 'hash' | 'element' | 'seal', string>>;
  if (element === undefined || hash !== undefined) return toIdentifier(field!, hash!);
  const kind = toKind(field);
  if (kind === undefined) return refuse({ reason: 'invalid-field-name' });
  if (typeof element !== 'string' || !ELEMENT_IN_ANY_CASE.test(element))
    return refuse({ reason: 'invalid-identifier', field: field! });
  if (seal !== undefined && !isCode(seal)) throw new TypeError('"seal" expected 16 lowercase hex characters');
  const lower = element.toLowerCase();
  return accept({ kind, hash: elementName(lower), element: lower, ...(seal !== undefined && { seal }) });
}

/**
 * Returns the moves of rows that are stored. A write takes locks and a flush, and almost always there is nothing to
 * move. Do not look first during a rotation of peppers: it may move a row after the look. `rehash` locks all hashes.
 */
async function present(store: Store, moves: readonly HashMove[]): Promise<readonly HashMove[]> {
  if (moves.length === 0) return moves;
  const found = new Set(
    await findHashes(
      store,
      moves.map(({ from }) => from),
    ),
  );
  return moves.filter(({ from }) => found.has(from));
}
