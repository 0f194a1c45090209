import type { EngineContext } from '../engine/context.ts';
import type { ReporterTrust, TrustTable } from '../scoring/trust-table.ts';

/** A reporter's standing, and why it is so. */
export interface ReporterStanding extends ReporterTrust {
  readonly name: string;
  readonly suspended: boolean;
  /** In sentences. */
  readonly why: readonly string[];
}

/** What reporters' words are worth, as their reports show it. */
export interface Standings {
  /** By name. Empty for a scoring model that learns nothing. */
  listStandings(): Promise<readonly ReporterStanding[]>;
  /** Learns all standings anew from what is stored, now; otherwise that happens once a day. */
  recomputeTrust(): Promise<readonly ReporterStanding[]>;
}

export function createStandings({ store, trust }: EngineContext): Standings {
  const show = async (table: TrustTable): Promise<ReporterStanding[]> => {
    const reporters = await store.listReporters();
    const known = await trust!.standings(reporters.map(({ reporterId }) => reporterId));
    const shown = reporters.map(({ reporterId, name, suspended }) => {
      const standing = known.get(reporterId)!;
      return { ...standing, name, suspended, why: explainStanding(standing, table) };
    });
    return shown.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    listStandings: async () => (trust ? show(await trust.table()) : []),
    recomputeTrust: async () => (trust ? show(await trust.recompute()) : []),
  };
}

function explainStanding(standing: ReporterTrust, { means }: TrustTable): string[] {
  const {
    claims,
    verified,
    preceded,
    corroborated,
    led,
    lost,
    originality,
    corroboration,
    disputes,
    established,
    precision,
  } = standing;
  return [
    `${established ? 'Established' : 'Not established'}: a report of it is taken to be right with a chance of ${precision.toFixed(2)}.`,
    verified ? 'The operator knows who it is.' : 'Nobody has verified who it is.',
    `It has made ${claims} ${claims === 1 ? 'claim' : 'claims'}; ${preceded} of them others had made before (${percent(means.preceded)} are, on the whole): originality ${originality.toFixed(2)}.`,
    `Others confirm ${corroborated.toFixed(1)} of them (${percent(means.corroborated)} are, on the whole): factor ${corroboration.toFixed(2)}.`,
    `Established reporters came later, by themselves, to ${led.toFixed(1)} of those that it had made first and that are weeks old${verified ? '' : ': only such claims establish whom nobody has verified'}.`,
    ...(lost === 0 ? [] : [`${lost} ${lost === 1 ? 'was' : 'were'} lost to a dispute: factor ${disputes.toFixed(2)}.`]),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
