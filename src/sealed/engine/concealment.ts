import { elementName } from '../../core/crypto/crypto.ts';
import {
  isCode,
  toIdentifier,
  toIdentifiersBy,
  toKind,
  type UnvalidatedIdentifier,
  type Identifier,
  type IdentifierKind,
} from '../../core/domain/identifier.ts';
import { requireFunction } from '../../core/domain/options.ts';
import { accept, refuse, type Outcome } from '../../core/domain/refusal.ts';
import type {
  StoredHashes,
  Concealment,
  ConcealmentTools,
  PepperSteps,
  CreateConcealment,
} from '../../core/engine/peppers.ts';
import type { EngineContext } from '../../core/engine/context.ts';
import { SealError } from '../../core/store/errors.ts';
import type { NewIdentifier, HashMove } from '../../core/store/records.ts';
import { requireUnseen } from './stored.ts';

/** An identifier whose hash was sealed, so that the operator does not learn it. Only a service with a seal takes it. */
export interface SealedIdentifier {
  /** As in {@link Identifier}. */
  readonly kind: IdentifierKind;
  /** The sealed element: 64 lowercase hex characters. */
  readonly element: string;
}

/** A validated identifier. */
interface ValidIdentifier extends Identifier {
  /** The sealed element, if the identifier arrived as one: 64 lowercase hex characters. `hash` is then its name. */
  readonly element?: string | undefined;
}

/** Computes sealed elements. An element is 64 lowercase hex characters. */
export interface Seal {
  /** Identifies the sealing key without revealing it: 16 lowercase hex characters. */
  readonly fingerprint: string;
  /**
   * Returns the element of a hash, which is the 40 lowercase hex characters that a client sends. Equal hashes have
   * equal elements, and different ones have different.
   */
  elementOf(hash: string): string | Promise<string>;
}

/** Generation of the sealing key. A store has one key for ever. */
const GENERATION = 1;

/**
 * Returns the option `conceal` of an engine that stores sealed elements: it computes the element of each identifier,
 * and stored hashes follow from elements. The store must be empty at first. It keeps the fingerprint of the sealing key
 * and refuses another key, or none, from then on. Throws TypeError for anything but a {@link Seal}.
 */
export function sealIdentifiers(seal: Seal): CreateConcealment {
  requireFunction('seal.elementOf', seal?.elementOf);
  if (!isCode(seal.fingerprint)) throw new TypeError('"seal.fingerprint" expected 16 lowercase hex characters');
  return (tools) => new SealedConcealment(seal, tools);
}

/**
 * Resolves if the engine has a sealing key. Without one, rejects with SealError if the store is sealed, and otherwise
 * with RangeError.
 */
export async function requireConcealment({ peppers }: EngineContext): Promise<void> {
  await peppers.status();
  if (!(peppers.concealment instanceof SealedConcealment))
    throw new RangeError('"conceal" expected a sealing key: the engine was created without one');
}

/** Stores the names of sealed elements in place of the hashes of clients. */
class SealedConcealment implements Concealment {
  readonly #seal: Seal;
  readonly #tools: ConcealmentTools;
  /** Name of the element of the empty string. */
  #emptyName: string | undefined;

  constructor(seal: Seal, tools: ConcealmentTools) {
    this.#seal = seal;
    this.#tools = tools;
  }

  /** Adopts the key if the store has none. Rejects with {@link SealError} if it has another one. */
  async ready(): Promise<void> {
    const { store, clock } = this.#tools;
    const { fingerprint } = this.#seal;
    const [key] = await store.findElementKeys();
    if (key === undefined) {
      await requireUnseen(store);
      await store.addElementKey({ fingerprint, addedAt: store.shared ? await store.shared.nowMs() : clock() });
      // Another process may have been faster.
      return this.ready();
    }
    if (key.fingerprint !== fingerprint)
      throw new SealError(
        `the sealing key has the fingerprint ${fingerprint}, but the store expects ${key.fingerprint}; ` +
          'give the sealing key of the store',
      );
  }

  /** Validates hashes and elements. Also removes the element of the empty string. */
  async toIdentifiers(identifiers: unknown, maxIdentifiers: number, emptyHash: string): Promise<Outcome<Identifier[]>> {
    const valid = toIdentifiersBy(toValid, identifiers, maxIdentifiers, emptyHash);
    if (!valid.ok) return valid;
    const kept: ValidIdentifier[] = [];
    for (const one of valid.value)
      if (one.element === undefined || one.hash !== (await this.#emptyNameOf(emptyHash))) kept.push(one);
    return kept.length === 0 ? refuse({ reason: 'no-identifier' }) : accept(kept);
  }

  async #emptyNameOf(emptyHash: string): Promise<string> {
    return (this.#emptyName ??= elementName(await this.#elementOf(emptyHash)));
  }

  async #elementOf(hash: string): Promise<string> {
    const element = await this.#seal.elementOf(hash);
    if (typeof element === 'string' && /^[0-9a-f]{64}$/.test(element)) return element;
    throw new TypeError('"seal.elementOf" expected a function that returns 64 lowercase hex characters');
  }

  /**
   * Returns identifiers with their elements, and with the stored hashes that follow from the elements. Identifiers with
   * the same kind and element become one. During a rotation of peppers, moves their rows first.
   */
  async conceal(
    identifiers: readonly ValidIdentifier[],
    { generation, oldest, raise }: PepperSteps,
  ): Promise<StoredHashes> {
    const elements = await Promise.all(identifiers.map(({ hash, element }) => element ?? this.#elementOf(hash)));
    const stored = new Map<string, NewIdentifier>();
    const sent = new Map<string, string>();
    const moves: HashMove[] = [];
    for (const [at, { kind, hash }] of identifiers.entries()) {
      const element = elements[at]!;
      const name = elementName(element);
      const to = raise(name, 0, generation);
      // The same identifier may have been sent as a hash and as an element.
      if (!stored.has(`${to} ${kind}`)) stored.set(`${to} ${kind}`, { kind, hash: to, element });
      sent.set(to, hash);
      for (let from = oldest; from < generation; from++) moves.push({ from: raise(name, 0, from), to });
    }
    if (moves.length > 0) await this.#tools.store.rehash(moves, generation);
    return { identifiers: [...stored.values()], generation, sent, seal: GENERATION };
  }
}

const ELEMENT_IN_ANY_CASE = /^[0-9a-fA-F]{64}$/;

/** Validates one identifier, which is a hash or an element. */
function toValid(given: UnvalidatedIdentifier): Outcome<ValidIdentifier> {
  const { kind: field, hash, element } = given as Partial<Record<'kind' | 'hash' | 'element', string>>;
  if (element === undefined || hash !== undefined) return toIdentifier(field!, hash!);
  const kind = toKind(field);
  if (kind === undefined) return refuse({ reason: 'invalid-field-name' });
  if (typeof element !== 'string' || !ELEMENT_IN_ANY_CASE.test(element))
    return refuse({ reason: 'invalid-identifier', field: field! });
  const lower = element.toLowerCase();
  return accept({ kind, hash: elementName(lower), element: lower });
}
