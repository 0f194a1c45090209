import type { Dispute } from '../core/domain/dispute.ts';
import { inFairOrder } from '../core/domain/fair-order.ts';
import { groupBy } from '../core/domain/lists.ts';
import { isCode, type Identifier } from '../core/domain/identifier.ts';
import { protectsNow } from '../core/domain/protection.ts';
import type { PublicReport } from '../core/domain/report.ts';
import type { EngineContext, WithContext } from '../core/engine/context.ts';
import { scoreEvidence, selectFacts, standingsOf, toEvidence } from '../core/engine/query.ts';
import { CLAIM_RULES, DISPUTE, DISPUTE_REQUEST, IDENTIFIER } from '../core/store/sql/catalogue.ts';
import { findWeak } from '../core/store/sql/repeats.ts';
import { find, read } from '../core/store/sql/rows.ts';
import type { SqlWork } from '../core/store/sql/statement.ts';
import { pick } from '../core/store/sql/table.ts';

/** Open disputes in one list. Further ones follow when these are decided. */
const MAX_OPEN = 500;
/** Reports of one case. */
const MAX_REPORTS = 50;
/** Matching identifiers that are scored three times. */
const MAX_MATCHES = 5_000;
/** Other reports about the person that are shown. */
const MAX_RECORD = 20;

/** Open disputes about the reports on one person. */
export interface DisputeCase {
  /** The report of its oldest dispute, 16 lowercase hex characters. */
  readonly caseId: string;
  /** Oldest first. */
  readonly disputes: readonly Dispute[];
  /** Kinds of identifiers of its reports, such as `email`. Empty if all were deleted. */
  readonly kinds: readonly string[];
}

/** What a decision about some reports changes, for the person whom they are about. */
export interface CaseRecord {
  /**
   * Points of the person now, and after each decision. Standings are those of now. Undefined if more than 5,000
   * identifiers match.
   */
  readonly points: { readonly now: number; readonly ifUpheld: number; readonly ifRejected: number } | undefined;
  /** Other live reports about the person that count: each organisation's newest first, at most 20. */
  readonly others: readonly PublicReport[];
  /** Number of the other reports, with those that are not returned. */
  readonly otherReports: number;
  /** Number of organisations that made the reports, also those in question. */
  readonly organisations: number;
  /** Number of requests of persons that wait at the reports in question. */
  readonly requests: number;
}

/** Disputes by the person whom their reports are about. */
export interface DisputeCases {
  /**
   * Returns the 500 oldest open disputes as cases, oldest first. Reports that share an identifier belong to one case.
   * IP addresses and domains that several reporters name, and what is on the allow-list, join no reports.
   */
  listDisputeCases(): Promise<readonly DisputeCase[]>;
  /** Returns what a decision about these reports (at most 50) changes. Unknown and deleted reports change nothing. */
  examineReports(request: { readonly reportIds: readonly string[] }): Promise<CaseRecord>;
}

/** Returns the cases of an engine. */
export function createDisputeCases({ context }: WithContext): DisputeCases {
  const { store, model, effects } = context;
  return context.secretCheck.guard<DisputeCases>({
    async listDisputeCases() {
      const open = await store.read(() => read(DISPUTE, OLDEST_OPEN, MAX_OPEN));
      const [identifiers, protections] = await Promise.all([
        findIdentifiers(context, [...new Set(open.map(({ reportId }) => reportId))]),
        store.listProtections(),
      ]);
      const now = effects.clock();
      const shared = new Set(protections.filter((one) => protectsNow(one, now)).map(({ hash }) => hash));
      const unlisted = identifiers.filter(({ hash }) => !shared.has(hash));
      const caseOf = joinBy(await store.read(() => findTelling(unlisted, model.trust?.weakKinds ?? [])));
      const kindsOf = groupBy(identifiers, ({ reportId }) => caseOf(reportId));
      return [...groupBy(open, ({ reportId }) => caseOf(reportId))].map(([root, disputes]) => ({
        caseId: disputes[0]!.reportId,
        disputes,
        kinds: [...new Set(kindsOf.get(root)?.map(({ kind }) => kind))].sort(),
      }));
    },

    async examineReports({ reportIds }) {
      if (reportIds.length > MAX_REPORTS) throw new RangeError(`"reportIds" expected at most ${MAX_REPORTS} ids`);
      const asked = new Set(reportIds.filter(isCode));
      return examine(context, asked, await findIdentifiers(context, [...asked]));
    },
  });
}

async function examine(
  context: EngineContext,
  asked: ReadonlySet<string>,
  identifiers: readonly Identifier[],
): Promise<CaseRecord> {
  const { store } = context;
  const facts = await selectFacts(context, identifiers, undefined);
  const placed = new Map(facts.matches.map((match) => [match.reportId, match]));
  const others = [...placed.values()].filter(({ reportId }) => !asked.has(reportId));
  const reporters = new Map(
    (await store.findReporters([...facts.reporterIds])).map((reporter) => [reporter.reporterId, reporter]),
  );
  const shown = inFairOrder(others, (reporterId) => reporters.get(reporterId)).slice(0, MAX_RECORD);
  const found = await store.findReports(shown.map(({ report }) => report.reportId));
  const reports = new Map(found.map((report) => [report.reportId, report]));
  return {
    points: facts.matches.length > MAX_MATCHES ? undefined : await measure(context, asked, identifiers, facts),
    others: shown.flatMap(({ report }) => reports.get(report.reportId) ?? []),
    otherReports: others.length,
    organisations: facts.reporterIds.size,
    requests: (await store.read(() => find(REQUESTS, 'reportId', [...asked]))).length,
  };
}

/** Scores the identifiers with the reports as they are, without them, and with them undisputed. */
async function measure(
  context: EngineContext,
  asked: ReadonlySet<string>,
  identifiers: readonly Identifier[],
  facts: Awaited<ReturnType<typeof selectFacts>>,
): Promise<CaseRecord['points']> {
  const standings = await standingsOf(context, facts, undefined);
  const evidence = await toEvidence(context, { identifiers, sent: new Map() }, facts, standings);
  const { reports } = evidence;
  const [now, upheld, rejected] = [
    reports,
    reports.filter(({ reportId }) => !asked.has(reportId)),
    reports.map((report) => (asked.has(report.reportId) ? { ...report, disputed: false } : report)),
  ];
  const pointsOf = async (some: typeof reports) => (await scoreEvidence(context, { reports: some, standings })).points;
  return { now: await pointsOf(now), ifUpheld: await pointsOf(upheld), ifRejected: await pointsOf(rejected) };
}

const OLDEST_OPEN = 'WHERE decided_at IS NULL ORDER BY opened_at, report_id DESC LIMIT ?';
const REQUESTS = pick(DISPUTE_REQUEST, 'reportId', 'requestId');
const STORED = pick(IDENTIFIER, 'reportId', 'reporterId', 'kind', 'hash');
type StoredRow = Identifier & Pick<Dispute, 'reportId' | 'reporterId'>;

/** Returns the identifiers of reports, with their stored hashes. */
function findIdentifiers({ store }: EngineContext, reportIds: readonly string[]) {
  return store.read(() => find(STORED, 'reportId', reportIds));
}

/** Returns the identifiers that join reports. */
function* findTelling(identifiers: readonly StoredRow[], weakKinds: readonly string[]): SqlWork<StoredRow[]> {
  const telling: StoredRow[] = [];
  // A hash of one report joins none, so the store is not asked about it.
  const several = [...groupBy(identifiers, ({ hash }) => hash).values()].filter(
    (rows) => new Set(rows.map(({ reportId }) => reportId)).size > 1,
  );
  for (const [reporterId, rows] of groupBy(several.flat(), (row) => row.reporterId)) {
    const isWeak = yield* findWeak(rows, reporterId, { weakKinds, claimRules: CLAIM_RULES });
    telling.push(...rows.filter((row) => !isWeak(row)));
  }
  return telling;
}

/** Returns the function from a report to its case: reports that share a hash, also by way of others, have one. */
function joinBy(identifiers: readonly { readonly reportId: string; readonly hash: string }[]) {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  for (const { reportId, hash } of identifiers) {
    const [report, person] = [rootOf(reportId), rootOf(`#${hash}`)];
    if (report !== person) parents.set(person, report);
  }
  return rootOf;
}
