import { disputeStateAt, type Dispute, type DisputeState } from '../domain/dispute.ts';
import type { Identifier } from '../domain/identifier.ts';
import { protectsAt, type Protection } from '../domain/protection.ts';
import type { Evidence, EvidenceReport, SharedIdentifier, Standing } from '../scoring/evidence.ts';
import type { Match } from '../store/store.ts';
import type { EngineContext } from './context.ts';
import type { Concealed } from './peppers.ts';

const DAY_MS = 86_400_000;

/** What the store says of a set of identifiers at a moment, once what does not count is out. */
export interface Facts {
  readonly atMs: number;
  /** The identifiers that match a report that counts. */
  readonly matches: readonly Match[];
  /** Reports whose dispute is open. */
  readonly disputed: ReadonlySet<string>;
  /** How many reports were left out because a dispute about them was upheld. */
  readonly upheld: number;
  /** What protects an identifier that would have matched. */
  readonly protections: readonly (Protection & { readonly kinds: readonly string[] })[];
}

/**
 * The stored identifiers that a set matches: by hash, and by kind too when the operator says so (silent: 2.3). Without what is protected, and without upheld disputes.
 * For a reporter that asks, what others wrote a moment ago may be missing where the store has a copy to read from.
 */
export async function findFacts(
  context: EngineContext,
  identifiers: readonly Identifier[],
  atMs: number,
  asked?: { readonly reader: string },
): Promise<Facts> {
  const hashes = [...new Set(identifiers.map(({ hash }) => hash))];
  const found = (
    await (asked === undefined ? context.store.findMatches(hashes) : context.store.findMatches(hashes, asked))
  ).filter(({ createdAt }) => createdAt <= atMs);
  const matching = context.matchKinds === 'any' ? found : sameKinds(found, identifiers);
  if (matching.length === 0) return { atMs, matches: [], disputed: new Set(), upheld: 0, protections: [] };

  const protections = (await context.store.findProtections([...new Set(matching.map(({ hash }) => hash))])).filter(
    (protection) => protectsAt(protection, atMs),
  );
  const isProtected = new Set(protections.map(({ hash }) => hash));
  const states = await disputeStates(context, matching, atMs);
  // Hardly ever is anything protected or disputed, and the matches may be thousands.
  const open =
    isProtected.size === 0 && states.size === 0
      ? matching
      : matching.filter(({ hash, reportId }) => !isProtected.has(hash) && states.get(reportId) !== 'upheld');
  const withState = (state: DisputeState): Set<string> =>
    new Set([...states].filter(([, of]) => of === state).map(([reportId]) => reportId));
  return {
    atMs,
    matches: open,
    disputed: withState('open'),
    upheld: withState('upheld').size,
    protections: protections.map((protection) => ({
      ...protection,
      kinds: identifiers.filter(({ hash }) => hash === protection.hash).map(({ kind }) => kind),
    })),
  };
}

function sameKinds(matches: readonly Match[], identifiers: readonly Identifier[]): Match[] {
  const asked = new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`));
  return matches.filter(({ kind, hash }) => asked.has(`${hash} ${kind}`));
}

/** Of the reports that ever were disputed, which hardly any is. */
async function disputeStates(
  context: EngineContext,
  matches: readonly Match[],
  atMs: number,
): Promise<ReadonlyMap<string, DisputeState>> {
  const reportIds = [...new Set(matches.filter(({ disputed }) => disputed).map(({ reportId }) => reportId))];
  if (reportIds.length === 0) return new Map();
  const disputes: readonly Dispute[] = await context.store.findDisputes(reportIds);
  return new Map(
    reportIds.map((id) => [
      id,
      disputeStateAt(
        disputes.filter(({ reportId }) => reportId === id),
        atMs,
      ),
    ]),
  );
}

/**
 * Turns facts into what a model looks at. `standings` are those of the same moment. Identifiers go by the hash that was `sent`, so that an explanation, which numbers
 * them in the order of their hashes, is the same under any pepper.
 */
export function toEvidence(
  context: EngineContext,
  { identifiers, sent }: Pick<Concealed, 'identifiers' | 'sent'>,
  facts: Facts,
  standings: ReadonlyMap<string, Standing>,
): Evidence {
  const askedKinds = new Map<string, string[]>();
  for (const { kind, hash } of identifiers) {
    const kinds = askedKinds.get(hash);
    if (kinds === undefined) askedKinds.set(hash, [kind]);
    else kinds.push(kind);
  }

  const reports: EvidenceReport[] = [];
  const sharedOf = new Map<string, SharedIdentifier[]>();
  for (const match of facts.matches) {
    let shared = sharedOf.get(match.reportId);
    if (shared === undefined) {
      sharedOf.set(match.reportId, (shared = []));
      reports.push({
        reportId: match.reportId,
        reporterId: match.reporterId,
        type: match.type,
        severity: match.severity,
        // Whole days: an answer does not change from one second to the next.
        ageDays: Math.floor(Math.max(0, facts.atMs - match.createdAt) / DAY_MS),
        shared,
        disputed: facts.disputed.has(match.reportId),
      });
    }
    const hash = sent.get(match.hash) ?? match.hash;
    for (const asked of askedKinds.get(match.hash)!) {
      const kind = weakerKind(context, asked, match.kind);
      const at = shared.findIndex((other) => other.hash === hash);
      if (at === -1) shared.push({ hash, kind });
      // One value may be sent under two kinds; of the pairs that match, the strongest counts.
      else if (context.model.weightOfKind(kind) > context.model.weightOfKind(shared[at]!.kind))
        shared[at] = { hash, kind };
    }
  }
  return { reports, standings };
}

function weakerKind(context: EngineContext, asked: string, stored: string): string {
  return asked === stored || context.model.weightOfKind(asked) < context.model.weightOfKind(stored) ? asked : stored;
}
