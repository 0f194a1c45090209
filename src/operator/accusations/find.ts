import { DAY_MS } from '../../core/domain/day.ts';
import type { ReporterTrust } from '../../core/scoring/standings/table.ts';
import { MAX_COMPARED_VOICES, createBonds } from './bonds.ts';
import type { ReportHistory, SearchedDays, Voice } from './gather.ts';
import { poissonTail } from './poisson.ts';
import { ACCUSATION_RULES } from './rules.ts';

/**
 * What is noticeable about accusations: a closed list. `silent-together`: unverified reporters who were silent, or are
 * new, accuse one person within a week. `always-together`: reporters who almost always report the same persons, not
 * both verified, accuse one more. `accusation-burst`: many unverified reporters accuse one person on one day.
 * `unusual-accusations`: a reporter makes far more reports on one day than its past lets expect, each about somebody
 * whom no other established reporter has reported.
 */
export type AccusationKind = (typeof ACCUSATION_KINDS)[number];
export const ACCUSATION_KINDS = [
  'silent-together',
  'always-together',
  'accusation-burst',
  'unusual-accusations',
] as const;

/** A suspicion, not a proof: true cases look like this too. Changes no score. Holds no hash and names no person. */
export interface AccusationFinding {
  readonly kind: AccusationKind;
  /** Start of the day of the accusation that completed the pattern (ms, UTC). */
  readonly dayAt: number;
  /** The accusers, 16 lowercase hex characters each, sorted. */
  readonly reporterIds: readonly string[];
  /** Number of their accusations that belong to the finding. */
  readonly reports: number;
  /** The first of these reports on the day, 16 lowercase hex characters. */
  readonly reportId: string;
}

/** What the rules need to know about reporters, by id. An unknown reporter is not verified and has no claims. */
export type KnownAccusers = ReadonlyMap<string, Pick<ReporterTrust, 'verified' | 'claims' | 'established'>>;

/** Voices that together are a notice. */
interface Group {
  readonly kind: AccusationKind;
  readonly voices: readonly Voice[];
}

/** Voices, and pairs of them that may be compared, between two yields: a few milliseconds. */
const SLICE = 20_000;

/**
 * Returns the notices about the accusations of some days, by day, kind, number of reports (most first) and report id.
 * Depends only on the set of sightings, not on their order. Yields between slices of work.
 */
export function* findAccusations(
  history: ReportHistory,
  known: KnownAccusers,
  { fromAt, untilAt }: SearchedDays,
): Generator<void, AccusationFinding[]> {
  const { reporters, recent } = history;
  const isVerified = reporters.map((reporterId) => known.get(reporterId)?.verified ?? false);
  const isEstablished = reporters.map((reporterId) => known.get(reporterId)?.established ?? false);
  const bonds = createBonds(history, isVerified, (reporter) => known.get(reporters[reporter]!)?.claims ?? 0);
  const findings: AccusationFinding[] = [];
  for (let dayAt = fromAt; dayAt < untilAt; dayAt += DAY_MS) {
    const groups: Group[] = [];
    const soles = createSoles(history, isEstablished, dayAt);
    let work = 0;
    for (const all of recent) {
      work += all.length + Math.min(all.length, MAX_COMPARED_VOICES) ** 2;
      if (work > SLICE) {
        yield;
        work = 0;
      }
      const voices = all.filter(({ at }) => at < dayAt + DAY_MS);
      if (!voices.some(({ at }) => at >= dayAt)) continue;
      soles.add(voices);
      const unverified = voices.filter(({ reporter }) => !isVerified[reporter]);
      const ofDay = unverified.filter(({ at }) => at >= dayAt);
      if (ofDay.length >= ACCUSATION_RULES.burstReporters) groups.push({ kind: 'accusation-burst', voices: ofDay });
      if (unverified.length === 0 || voices.length < 2) continue;
      // Otherwise, a verified reporter has confirmed the case.
      if (unverified.length === voices.length) groups.push(...findSilent(history, unverified, dayAt));
      const together = yield* bonds.among(voices, dayAt);
      // One with a bond confirms nothing.
      if (together.length > 0 && voices.every((voice) => !isVerified[voice.reporter] || together.includes(voice)))
        groups.push({ kind: 'always-together', voices: together });
    }
    groups.push(...soles.unusual());
    yield;
    findings.push(...merge(groups).map((group) => toFinding(reporters, group, dayAt)));
  }
  const place = ({ kind }: AccusationFinding): number => ACCUSATION_KINDS.indexOf(kind);
  return findings.sort(
    (a, b) => a.dayAt - b.dayAt || place(a) - place(b) || b.reports - a.reports || (a.reportId < b.reportId ? -1 : 1),
  );
}

/** Silent reporters who accused one hash within the window, if the day completes their number. */
function findSilent(history: ReportHistory, unverified: readonly Voice[], dayAt: number): Group[] {
  const { windowDays, silentDays, silentReporters } = ACCUSATION_RULES;
  const windowAt = dayAt - (windowDays - 1) * DAY_MS;
  const silentFrom = windowAt - silentDays * DAY_MS;
  const voices = unverified.filter(
    ({ reporter, at }) => at >= windowAt && history.countReports(reporter, silentFrom, windowAt) === 0,
  );
  const before = voices.filter(({ at }) => at < dayAt).length;
  const isComplete = voices.length >= silentReporters && before < silentReporters;
  return isComplete ? [{ kind: 'silent-together', voices }] : [];
}

/**
 * Collects the reports of a day that name somebody whom no other established reporter names. Otherwise, a throwaway key
 * or an identifier of a known case could silence the notice.
 */
function createSoles(history: ReportHistory, isEstablished: readonly boolean[], dayAt: number) {
  const { soleAccusations, usualDays, usualLeast, unusualChance, busiestTimes } = ACCUSATION_RULES;
  const reports = new Map<string, Voice>();
  return {
    /** Adds the voices of a hash, until the end of the day. */
    add(voices: readonly Voice[]): void {
      // Each reporter has one voice.
      const established = voices.filter(({ reporter }) => isEstablished[reporter]).length;
      for (const voice of voices)
        if (voice.at >= dayAt && established === Number(isEstablished[voice.reporter]))
          reports.set(voice.reportId, voice);
    },

    unusual(): Group[] {
      const ofReporter = new Map<number, Voice[]>();
      for (const voice of reports.values()) {
        const list = ofReporter.get(voice.reporter);
        if (list === undefined) ofReporter.set(voice.reporter, [voice]);
        else list.push(voice);
      }
      const pastAt = dayAt - usualDays * DAY_MS;
      return [...ofReporter].flatMap(([reporter, voices]): Group[] => {
        if (voices.length < soleAccusations) return [];
        // A young reporter has a short past. Less than a week would say too little.
        const age = Math.min(usualDays, Math.max(7, (dayAt - history.firstAt[reporter]!) / DAY_MS));
        const usual = Math.max(usualLeast, history.countReports(reporter, pastAt, dayAt) / age);
        if (voices.length <= busiestTimes * history.busiestDay(reporter, pastAt, dayAt)) return [];
        return poissonTail(voices.length, usual) < unusualChance ? [{ kind: 'unusual-accusations', voices }] : [];
      });
    },
  };
}

/** Merges the groups of one kind that have a report in common: they are about several identifiers of one person. */
function merge(groups: readonly Group[]): Group[] {
  const ofReport = new Map<string, Map<string, Voice>>();
  const kinds = new Map<Map<string, Voice>, AccusationKind>();
  for (const { kind, voices } of groups) {
    const place = ({ reportId }: Voice): string => `${kind} ${reportId}`;
    const parts = new Set(voices.flatMap((voice) => ofReport.get(place(voice)) ?? []));
    // The smaller ones into the largest, so that a long chain of groups costs little.
    const [largest = new Map<string, Voice>(), ...others] = [...parts].sort((a, b) => b.size - a.size);
    for (const other of others) kinds.delete(other);
    kinds.set(largest, kind);
    for (const voice of [...others.flatMap((other) => [...other.values()]), ...voices]) {
      largest.set(voice.reportId, voice);
      ofReport.set(place(voice), largest);
    }
  }
  return [...kinds].map(([voices, kind]) => ({ kind, voices: [...voices.values()] }));
}

function toFinding(reporters: readonly string[], { kind, voices }: Group, dayAt: number): AccusationFinding {
  const reporterIds = [...new Set(voices.map(({ reporter }) => reporters[reporter]!))].sort();
  const ofDay = voices.filter(({ at }) => at >= dayAt);
  const first = ofDay.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.reportId < a.reportId) ? b : a));
  return { kind, dayAt, reporterIds, reports: voices.length, reportId: first.reportId };
}
