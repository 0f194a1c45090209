import { isHash } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from '../engine/context.ts';
import { proveWho } from './note.ts';

/** What was erased of a person. */
export interface ErasedIdentifiers {
  /** Milliseconds UTC. */
  readonly erasedAt: number;
  readonly by: string;
  readonly reports: number;
  readonly links: number;
  /** Entries of the allow-list, past ones too. */
  readonly protections: number;
}

/** Erasure of all that is stored about a person, as the law gives everybody the right to. */
export interface Erasure {
  /**
   * Erases every report that names one of these hashes (40 lowercase hex, as clients send them), whoever made it, as if its reporter had deleted it; and links and entries of the allow-list with
   * them. Resolves when none of it is in a file of the store any more; earlier exports and backups have it still. `by` is who does it. Refused with `invalid-hash` or `invalid-name`.
   * Rejects with StoreUnavailableError when the file cannot be rewritten now: what it answers with is erased then, and asking again erases it from the file.
   */
  eraseIdentifiers(request: {
    readonly hashes: readonly string[];
    readonly by: string;
  }): Promise<Outcome<ErasedIdentifiers>>;
}

export function createErasure({ store, clock, peppers, trust }: EngineContext): Erasure {
  return {
    async eraseIdentifiers({ hashes, by }) {
      const who = proveWho(by);
      if (!who.ok) return who;
      if (!Array.isArray(hashes) || hashes.length === 0 || !hashes.every((hash) => isHash(hash)))
        return refuse({ reason: 'invalid-hash' });
      const asked = [...new Set(hashes as readonly string[])].map((hash) => ({ kind: '', hash }));
      const erasedAt = clock();
      const { reports, links, protections } = await peppers.conceal(asked, ({ identifiers }) =>
        store.erase({ hashes: identifiers.map(({ hash }) => hash), erasedAt }),
      );
      await store.erased();
      // Reports that share this hash went all at once. To let them go one by one would take a claim away as often as it was reported; so all is learnt anew, from what is there
      // now: a table that is in the making may have seen them.
      await trust?.idle();
      await trust?.recompute();
      return accept({ erasedAt, by: who.value, reports: reports.length, links, protections });
    },
  };
}
