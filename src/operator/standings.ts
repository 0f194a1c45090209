import { isCode } from '../core/domain/identifier.ts';
import { refuseUnknown } from '../core/domain/options.ts';
import type { WithContext } from '../core/engine/context.ts';
import { findStandings } from '../core/engine/standings/state.ts';
import type { ReporterTrust } from '../core/scoring/standings/table.ts';

/** A reporter's standing with its reasons. */
export interface ReporterStanding extends ReporterTrust {
  /** Public name of the reporter. */
  readonly name: string;
  /** True while the operator refuses all keys of the reporter. A suspended reporter keeps its standing. */
  readonly suspended: boolean;
  /** Its own budget of identifiers in queries and reports a day; null: the budget of the engine's options. */
  readonly identifiersPerDay: number | null;
  /** Its public contact; null for none. */
  readonly contact: string | null;
  /** The reasons in English, a sentence each. */
  readonly why: readonly string[];
}

/** Standings of the reporters, computed from their reports. */
export interface Standings {
  /**
   * Returns all standings, or those of these reporters, each once, sorted by name. Empty if the scoring model has
   * no standings. `why` speaks of the reporter, or with `reader: 'reporter'` to it.
   */
  listStandings(options?: {
    readonly reporterIds?: readonly string[] | undefined;
    readonly reader?: 'operator' | 'reporter' | undefined;
  }): Promise<readonly ReporterStanding[]>;
  /** Recomputes all standings from the stored reports and returns them. */
  recomputeTrust(): Promise<readonly ReporterStanding[]>;
}

/** Returns the standings of the reporters of an engine. */
export function createStandings({ context }: WithContext): Standings {
  const { store, standings } = context;
  if (standings === undefined) return { listStandings: async () => [], recomputeTrust: async () => [] };
  const show = async ({ reporterIds, reader }: Parameters<Standings['listStandings']>[0] = {}): Promise<
    ReporterStanding[]
  > => {
    const reporters = await (reporterIds
      ? store.findReporters([...new Set(reporterIds.filter(isCode))])
      : store.listReporters());
    const known = await findStandings(
      store,
      await standings.current(),
      reporters.map(({ reporterId }) => reporterId),
    );
    const shown = reporters.flatMap(({ reporterId, name, suspended, identifiersPerDay, contact }) => {
      const standing = known.get(reporterId);
      return standing
        ? [
            {
              ...standing,
              name,
              suspended,
              identifiersPerDay,
              contact,
              why: explainStanding(standing, reader === 'reporter'),
            },
          ]
        : [];
    });
    return shown.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return context.secretCheck.guard<Standings>({
    async listStandings(options = {}) {
      refuseUnknown(options, ['reporterIds', 'reader']);
      await standings.settled();
      return show(options);
    },
    async recomputeTrust() {
      await standings.recompute();
      return show();
    },
  });
}

function explainStanding(standing: ReporterTrust, isOwn: boolean): string[] {
  const { claims, verified, corroborated, led, lost, established } = standing;
  const precision = standing.precision.toFixed(2);
  const only = verified ? '' : ': only such claims establish an unverified reporter';
  const begins = [
    `${established ? 'Established' : 'Not established'}: ${isOwn ? 'your' : 'its'} reports are right with a probability of ${precision}.`,
    verified
      ? 'Verified by the operator.'
      : 'Not verified by the operator: the reports of all such reporters together are bounded.',
  ];
  if (claims === 0 && lost === 0)
    return [
      ...begins,
      isOwn
        ? 'You have no reports yet, so your standing is that of a new reporter.'
        : 'It has no reports yet, so its standing is that of a new reporter.',
    ];
  return [
    ...begins,
    `${isOwn ? 'Your claims' : 'Claims'}: ${claims}. Other reporters confirm ${describeShare(corroborated)} of them.`,
    `Established reporters later confirmed ${describeShare(led)} of the mature claims that ${isOwn ? 'you' : 'this reporter'} made first${only}.`,
    ...(lost === 0 ? [] : [`${lost} ${lost === 1 ? 'claim was' : 'claims were'} lost to a dispute.`]),
  ];
}

/** Returns a sum of shares of claims in words: one that others confirm in part counts in part. */
function describeShare(claims: number): string {
  const shown = claims.toFixed(1);
  return shown === '0.0' ? 'none' : shown;
}
