import type { DatedReport, StoredIdentifier } from '../../core/store/records.ts';
import {
  isProtected,
  type StandingsSource,
  welcomeUnknown,
  type StandingsState,
} from '../../core/engine/standings/state.ts';
import { groupBy } from '../../core/domain/lists.ts';
import { createPast } from '../../core/engine/standings/past.ts';
import type { Today } from './today.ts';

/** Adds the stored reports of a day to a table that a process has just loaded. */
export interface Replay {
  /**
   * Adds a page of reports, in the order of time. `identifiers` are those of the reports. Reads the history of each
   * hash once, so cost is linear in the reports. After a failure, create a new replay.
   */
  add(page: readonly DatedReport[], identifiers: readonly StoredIdentifier[]): Promise<void>;
}

export async function createReplay(
  { store, rules }: StandingsSource,
  state: StandingsState,
  today: Today,
): Promise<Replay> {
  const protections = groupBy(await store.listProtections(), ({ hash }) => hash);
  const disputes = groupBy(await store.listDisputes(), ({ reportId }) => reportId);
  const disputed = new Set((await store.findIdentifiers([...disputes.keys()])).map(({ hash }) => hash));
  const past = createPast(state, (reportId) => disputes.get(reportId));
  const known = new Set<string>();

  const counts = ({ hash, createdAt }: StoredIdentifier): boolean =>
    !isProtected(protections.get(hash), createdAt, state.epochAt);

  /** Reads who reported these hashes before the day. */
  const readHistory = async (hashes: readonly string[]): Promise<void> => {
    const plain = hashes.filter((hash) => !disputed.has(hash));
    const sharings = await store.findSharings(plain, undefined, state.epochAt);
    const history = sharings.map(({ firstAt, ...sharing }) => {
      return { ...sharing, reportId: '', createdAt: firstAt, disputed: false };
    });
    const rest = hashes.filter((hash) => disputed.has(hash));
    if (rest.length > 0) history.push(...(await store.findMatches(rest)).map((match) => ({ ...match, rightAt: null })));
    const earlier = history.filter(({ kind, createdAt }) => rules.isStrong(kind) && createdAt < state.epochAt);
    await welcomeUnknown(
      store,
      state,
      earlier.map(({ reporterId }) => reporterId),
    );
    for (const report of earlier) past.add(report);
  };

  return {
    async add(page, identifiers) {
      const strong = identifiers.filter(({ kind }) => rules.isStrong(kind));
      const unknown = new Set<string>();
      for (const { hash } of strong) if (!known.has(hash)) unknown.add(hash);
      if (unknown.size > 0) await readHistory([...unknown]);
      for (const hash of unknown) known.add(hash);
      await welcomeUnknown(
        store,
        state,
        page.map(({ reporterId }) => reporterId),
      );
      for (const identifier of strong) past.add(identifier);
      const counting = groupBy(strong.filter(counts), ({ reportId }) => reportId);
      for (const { reportId, reporterId, createdAt } of page) {
        const named = (counting.get(reportId) ?? []).map(({ kind, hash }) => ({ kind, hash }));
        const report = { reportId, reporterId, createdAt, identifiers: named };
        if (!today.has(reportId)) await today.addKnown(report, past.effectOf(report));
      }
    },
  };
}
