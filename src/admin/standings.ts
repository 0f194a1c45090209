import type { EngineContext } from '../engine/context.ts';
import { findStandings } from '../engine/standings/state.ts';
import type { ReporterTrust, TrustTable } from '../scoring/standings/table.ts';

/** A reporter's standing with its reasons. */
export interface ReporterStanding extends ReporterTrust {
  readonly name: string;
  readonly suspended: boolean;
  /** Its own budget of identifiers in queries a day; null if it has the budget of the engine's options. */
  readonly identifiersPerDay: number | null;
  readonly why: readonly string[];
}

/** Standings of the reporters, computed from their reports. */
export interface Standings {
  /** Returns all standings, sorted by name. Empty if the scoring model has no standings. */
  listStandings(): Promise<readonly ReporterStanding[]>;
  /** Recomputes all standings from the stored reports and returns them. */
  recomputeTrust(): Promise<readonly ReporterStanding[]>;
}

export function createStandings({ store, standings }: EngineContext): Standings {
  if (standings === undefined) return { listStandings: async () => [], recomputeTrust: async () => [] };
  const show = async (table: TrustTable): Promise<ReporterStanding[]> => {
    const reporters = await store.listReporters();
    const known = await findStandings(
      store,
      await standings.current(),
      reporters.map(({ reporterId }) => reporterId),
    );
    const shown = reporters.flatMap(({ reporterId, name, suspended, identifiersPerDay }) => {
      const standing = known.get(reporterId);
      return standing
        ? [{ ...standing, name, suspended, identifiersPerDay, why: explainStanding(standing, table) }]
        : [];
    });
    return shown.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    listStandings: async () => show(await standings.table()),
    recomputeTrust: async () => show(await standings.recompute()),
  };
}

function explainStanding(standing: ReporterTrust, { means }: TrustTable): string[] {
  const { claims, verified, preceded, corroborated, led, lost, established } = standing;
  const [precision, originality, agreement, disputes] = [
    standing.precision,
    standing.originality,
    standing.corroboration,
    standing.disputes,
  ].map((factor) => factor.toFixed(2));
  const only = verified ? '' : ': only such claims establish an unverified reporter';
  return [
    `${established ? 'Established' : 'Not established'}: its reports are right with a probability of ${precision}.`,
    verified ? 'Verified by the operator.' : 'Not verified by the operator.',
    `Claims: ${claims}. Other reporters made ${preceded} of these claims first ` +
      `(average of all reporters: ${percent(means.preceded)}): originality ${originality}.`,
    `Other reporters confirm ${corroborated.toFixed(1)} of these claims ` +
      `(average of established reporters: ${percent(means.corroborated)}): factor ${agreement}.`,
    `Established reporters later confirmed ${led.toFixed(1)} mature claims that this reporter made first${only}.`,
    ...(lost === 0
      ? []
      : [`${lost} ${lost === 1 ? 'claim was' : 'claims were'} lost to a dispute: factor ${disputes}.`]),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
