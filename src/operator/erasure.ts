import { toWho } from '../core/domain/audit.ts';
import { isHash } from '../core/domain/identifier.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import type { WithContext } from '../core/engine/context.ts';

/** Result of {@link Erasure.eraseIdentifiers}. Numbers count what was erased. */
export interface ErasedIdentifiers {
  /** Milliseconds UTC. */
  readonly erasedAt: number;
  /** Name of the person who erased for the operator. */
  readonly by: string;
  /** Number of erased reports, of all reporters. */
  readonly reports: number;
  /** Number of erased links. */
  readonly links: number;
  /** Number of erased allow-list entries, including past ones. */
  readonly protections: number;
}

/** Erasure of all stored data about a person. */
export interface Erasure {
  /**
   * Erases all reports, links and allow-list entries with one of these hashes (40 lowercase hex, as clients send them).
   * Resolves after the store's files are rewritten. Earlier exports and backups still hold the data. `by` is the person
   * who erases. Refuses with `invalid-hash` or `invalid-name`.
   *
   * Rejects with StoreUnavailableError if a file cannot be rewritten now. The database then no longer holds the data,
   * but the file may. Repeat the call to rewrite the file.
   */
  eraseIdentifiers(request: {
    readonly hashes: readonly string[];
    readonly by: string;
  }): Promise<Outcome<ErasedIdentifiers>>;
}

/** Returns the erasure of an engine. */
export function createErasure({ context }: WithContext): Erasure {
  const { store, peppers, standings, views, effects } = context;
  const { clock } = effects;
  return context.secretCheck.guard<Erasure>({
    async eraseIdentifiers({ hashes, by }) {
      const who = toWho(by);
      if (!who.ok) return who;
      if (!Array.isArray(hashes) || hashes.length === 0 || !hashes.every((hash) => isHash(hash)))
        return refuse({ reason: 'invalid-hash' });
      const asked = [...new Set(hashes)].map((hash) => ({ kind: '', hash }));
      const erasedAt = clock();
      const { reports, links, protections } = await peppers.withStoredHashes(asked, ({ identifiers }) =>
        store.erase({ hashes: identifiers.map(({ hash }) => hash), erasedAt }, { actor: who.value, atMs: erasedAt }),
      );
      views.forget();
      await store.erased();
      await standings?.erased();
      return accept({ erasedAt, by: who.value, reports: reports.length, links, protections });
    },
  });
}
