import type { Dispute } from '../domain/dispute.ts';

/** Splits disputes that are sorted newest first: open ones oldest first, decided ones newest decision first. */
export function splitDisputes(disputes: readonly Dispute[]): {
  readonly open: readonly Dispute[];
  readonly decided: readonly Dispute[];
} {
  return {
    open: disputes.filter(({ decidedAt }) => decidedAt === null).reverse(),
    decided: disputes
      .filter(({ decidedAt }) => decidedAt !== null)
      .sort((a, b) => (b.decidedAt ?? 0) - (a.decidedAt ?? 0)),
  };
}

/** What was decided, as a tag. */
export function Decision({ upheld }: { readonly upheld: boolean }) {
  return upheld ? <span class="tag">upheld</span> : <span class="tag plain">rejected</span>;
}
