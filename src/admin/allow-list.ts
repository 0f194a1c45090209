import { isHash } from '../domain/identifier.ts';
import type { Protection } from '../domain/protection.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from '../engine/context.ts';
import { proveNote, proveWho } from './note.ts';

/** Identifiers that no report can make risky: a payment provider's domain, a shop's own address. */
export interface AllowList {
  /**
   * Puts a hash (40 lowercase hex) on the list, until `endsAt` (ms UTC) when it is given. What is on it matches nothing, is in no link's view and teaches nothing of reporters.
   * Refused with `invalid-hash`, `already-protected`, `invalid-name` or `invalid-note`. Throws RangeError for an end that has been.
   */
  protect(request: {
    readonly hash: string;
    readonly reason: string;
    readonly by: string;
    readonly endsAt?: number;
  }): Promise<Outcome<void>>;
  /** Takes a hash off the list, from now on: one as it is sent, or as `listProtected` shows it. Refused with `invalid-hash`, `not-protected` or `invalid-name`. */
  unprotect(request: { readonly hash: string; readonly by: string }): Promise<Outcome<void>>;
  /** Everything that is or ever was on the list, with its hashes as they are stored: under the peppers. */
  listProtected(): Promise<readonly Protection[]>;
}

export function createAllowList({ store, clock, peppers }: EngineContext): AllowList {
  return {
    async protect({ hash, reason, by, endsAt }) {
      const now = clock();
      if (endsAt !== undefined && !(Number.isSafeInteger(endsAt) && endsAt > now))
        throw new RangeError(`"endsAt" expected milliseconds later than now, got ${String(endsAt)}`);
      const note = proveNote({ by, reason });
      if (!note.ok) return note;
      if (!isHash(hash)) return refuse({ reason: 'invalid-hash' });
      return peppers.conceal([{ kind: '', hash }], async ({ identifiers: [stored], generation }) => {
        const added = await store.addProtection({
          hash: stored!.hash,
          generation,
          reason: note.value.reason,
          addedBy: note.value.by,
          addedAt: now,
          endsAt: endsAt ?? null,
        });
        return added === 'added' ? accept(undefined) : refuse({ reason: 'already-protected' });
      });
    },

    async unprotect({ hash, by }) {
      const who = proveWho(by);
      if (!who.ok) return who;
      if (!isHash(hash)) return refuse({ reason: 'invalid-hash' });
      return peppers.conceal([{ kind: '', hash }], async ({ identifiers: [stored] }) => {
        const end = { endsAt: clock(), endedBy: who.value };
        if (
          (await store.endProtection({ hash: stored!.hash, ...end })) === 'ended' ||
          (await store.endProtection({ hash, ...end })) === 'ended'
        )
          return accept(undefined);
        return refuse({ reason: 'not-protected' });
      });
    },

    listProtected: () => store.listProtections(),
  };
}
