import { toWho } from '../core/domain/audit.ts';
import { isCode, isHash } from '../core/domain/identifier.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import type { WithContext } from '../core/engine/context.ts';
import { freshCode } from '../core/engine/secrets.ts';
import { CLAIM_RULES } from '../core/store/sql/catalogue.ts';

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

/** Reports that one write erases at most: some hundredths of a second. */
const REPORTS_AT_ONCE = 100;

/** Erasure of all stored data about a person, or of all reports of a reporter. */
export interface Erasure {
  /**
   * Erases all reports, links and allow-list entries with one of these hashes (40 lowercase hex, as clients send
   * them), and these hashes of what was kept of deleted reports. The other hashes of a report stay if its newest
   * dispute is open or upheld, so that its reporter cannot repeat the claim. To erase those too, pass all hashes of the
   * person.
   *
   * If very many reports have a hash, each write erases at most 100 of them and has an entry `erased` in the audit
   * log. If the call fails or the process ends before the last one, repeat it.
   *
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
  /**
   * Erases all reports that a reporter has made up to now, and what was kept of those that it deleted. Returns the
   * number of reports that it had not deleted. Suspend the reporter first. Each write erases 100 of them and has an
   * entry `erased` in the audit log. If the call fails or the process ends, repeat it. Otherwise as `eraseIdentifiers`.
   * Refuses with `unknown-reporter` or `invalid-name`.
   */
  eraseReports(request: {
    readonly reporterId: string;
    readonly by: string;
  }): Promise<Outcome<{ readonly reports: number }>>;
}

/** Returns the erasure of an engine. */
export function createErasure({ context }: WithContext): Erasure {
  const { store, peppers, standings, views, effects } = context;
  const { clock } = effects;
  const finish = async (): Promise<void> => {
    views.forget();
    await store.erased();
    await standings?.erased();
  };
  return context.secretCheck.guard<Erasure>({
    async eraseIdentifiers({ hashes, by }) {
      const who = toWho(by);
      if (!who.ok) return who;
      if (!Array.isArray(hashes) || hashes.length === 0 || !hashes.every((hash) => isHash(hash)))
        return refuse({ reason: 'invalid-hash' });
      const asked = [...new Set(hashes)].map((hash) => ({ kind: '', hash }));
      const erasedAt = clock();
      const nonce = freshCode(effects.random);
      const erased = { erasedAt, by: who.value, reports: 0, links: 0, protections: 0 };
      let begun = false;
      try {
        await peppers.withStoredHashes(asked, async ({ identifiers }) => {
          const erasure = {
            hashes: identifiers.map(({ hash }) => hash),
            erasedAt,
            claimRules: CLAIM_RULES,
            nonce,
            reportsAtOnce: REPORTS_AT_ONCE / 2,
          };
          for (;;) {
            const { more, ...part } = await store.erase(erasure, { actor: who.value, atMs: clock() });
            begun = true;
            erased.reports += part.reports.length;
            erased.links += part.links;
            erased.protections += part.protections;
            if (!more) break;
            await effects.giveTurn();
          }
        });
      } finally {
        if (begun) await finish();
      }
      return accept(erased);
    },

    async eraseReports({ reporterId, by }) {
      const who = toWho(by);
      if (!who.ok) return who;
      if (!isCode(reporterId) || (await store.findReporters([reporterId])).length === 0)
        return refuse({ reason: 'unknown-reporter' });
      const erasedAt = clock();
      const ofReporter = { reporterId, reports: REPORTS_AT_ONCE };
      let count = 0;
      try {
        for (;;) {
          const note = { actor: who.value, atMs: clock() };
          const { reports } = await store.erase({ hashes: [], erasedAt, ofReporter, claimRules: CLAIM_RULES }, note);
          if (reports.length === 0) break;
          count += reports.length;
          await effects.giveTurn();
        }
      } finally {
        await finish();
      }
      return accept({ reports: count });
    },
  });
}
