import { toWho } from '../core/domain/audit.ts';
import { isHash } from '../core/domain/identifier.ts';
import { MAX_END_MS, refuseUnknown, requireWhole } from '../core/domain/options.ts';
import type { Protection } from '../core/domain/protection.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import type { WithContext } from '../core/engine/context.ts';
import type { StoredHashes } from '../core/engine/peppers.ts';
import { toStatement } from './statement.ts';

/** Identifiers that never match a report, e.g. a payment provider's domain or a shop's own address. */
export interface AllowList {
  /**
   * Adds a hash (40 lowercase hex) to the list. The optional `endsAt` (ms, UTC, in the future) ends the protection. A
   * protected hash matches no report, is ignored for standings and shows no report in the viewer. Refuses with
   * `invalid-hash`, `already-protected`, `invalid-name` or `invalid-note`. Rejects with TypeError or RangeError if
   * `endsAt` is invalid.
   */
  protect(request: {
    readonly hash: string;
    readonly reason: string;
    readonly by: string;
    readonly endsAt?: number;
  }): Promise<Outcome<void>>;
  /**
   * Removes a hash from the list. Accepts the hash that clients send, and the stored hash that `listProtected` returns.
   * Refuses with `invalid-hash`, `not-protected` or `invalid-name`.
   */
  unprotect(request: { readonly hash: string; readonly by: string }): Promise<Outcome<void>>;
  /**
   * Returns all current and past entries, or those of these hashes (as for `unprotect`, at most 32). If the engine has
   * peppers or `conceal`, the entries hold the stored hashes, not those of clients.
   */
  listProtected(filter?: { readonly hashes?: readonly string[] | undefined }): Promise<readonly Protection[]>;
}

const MAX_HASHES = 32;

/** Returns the allow-list of an engine. */
export function createAllowList({ context }: WithContext): AllowList {
  const { store, peppers, effects } = context;
  const { clock } = effects;
  return context.secretCheck.guard<AllowList>({
    async protect(request) {
      refuseUnknown(request, ['hash', 'reason', 'by', 'endsAt']);
      const { hash, reason, by, endsAt } = request;
      const now = clock();
      if (endsAt !== undefined) requireWhole('endsAt', endsAt, now + 1, MAX_END_MS);
      const statement = toStatement(by, reason);
      if (!statement.ok) return statement;
      if (!isHash(hash)) return refuse({ reason: 'invalid-hash' });
      const asked: StoredHashes['identifiers'][number] = { kind: '', hash };
      return peppers.withStoredHashes([asked], async ({ identifiers: [stored = asked], generation, seal }) => {
        // Give the entry a later time than removed ones, even if another clock set their end.
        let addedAt = now;
        for (const earlier of await store.findProtections([stored.hash]))
          if (earlier.endedBy !== null) addedAt = Math.max(addedAt, earlier.addedAt + 1, earlier.endsAt ?? 0);
        const added = await store.addProtection(
          {
            hash: stored.hash,
            element: stored.element,
            generation,
            seal,
            reason: statement.value.reason,
            addedBy: statement.value.by,
            addedAt,
            endsAt: endsAt ?? null,
          },
          { actor: statement.value.by, atMs: now },
        );
        return added === 'added' ? accept(undefined) : refuse({ reason: 'already-protected' });
      });
    },

    async unprotect({ hash, by }) {
      const who = toWho(by);
      if (!who.ok) return who;
      if (!isHash(hash)) return refuse({ reason: 'invalid-hash' });
      const asked = { kind: '', hash };
      return peppers.withStoredHashes([asked], async ({ identifiers: [stored = asked] }) => {
        const end = { endsAt: clock(), endedBy: who.value };
        const note = { actor: end.endedBy, atMs: end.endsAt };
        if (
          (await store.endProtection({ hash: stored.hash, ...end }, note)) === 'ended' ||
          (await store.endProtection({ hash, ...end }, note)) === 'ended'
        )
          return accept(undefined);
        return refuse({ reason: 'not-protected' });
      });
    },

    async listProtected(filter = {}) {
      refuseUnknown(filter, ['hashes']);
      if (filter.hashes === undefined) return store.listProtections();
      requireWhole('hashes.length', filter.hashes.length, 0, MAX_HASHES);
      const hashes = filter.hashes.filter(isHash);
      if (hashes.length === 0) return [];
      const asked = hashes.map((hash) => ({ kind: '', hash }));
      return peppers.withStoredHashes(asked, ({ identifiers }) =>
        store.findProtections([...new Set([...identifiers.map(({ hash }) => hash), ...hashes])]),
      );
    },
  });
}
