import { disputeStateAt, type Dispute } from '../../domain/dispute.ts';
import {
  compareFair,
  inFairOrder,
  placeOf,
  type FairPlace,
  type PlacedReport,
  type ReporterState,
} from '../../domain/fair-order.ts';
import { damageError } from '../errors.ts';
import type { NewestRequest, StoredIdentifier } from '../records.ts';
import { DISPUTE, REPORTER } from './catalogue.ts';
import { hex, TEXT, toBytes, WHOLE } from './columns.ts';
import { requireSorted } from './pages.ts';
import { ask, find, readEach } from './rows.ts';
import type { SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { lookupWith, pick, shape } from './table.ts';
import { IN_ORDER, SHARERS } from './trust.ts';

/** Maximum rows of one hash that are read in key order. Almost every hash has fewer. */
const FEW = 32;
const FIRST = lookupWith(IN_ORDER, 'hash', `LIMIT ${FEW + 1}`);
/** Maximum rows between two pauses: about three milliseconds. */
const PAGE = 250;
/** Minimum rows of one read of a run. */
const MIN_ROWS = 4;
/** Maximum runs that are read at once. */
const MAX_BATCH = Math.ceil(PAGE / MIN_ROWS);

const STATE = pick(REPORTER, 'reporterId', 'verified', 'suspended');
const HEAD = shape({ kind: TEXT, reporterId: hex(8), newestAt: WHOLE });
/** One index lookup per kind and per reporter, like the cost of {@link SHARERS}. */
const HEADS = `${SHARERS} SELECT kind, reporter_id, (
    SELECT i.created_at FROM identifier i
      WHERE i.hash = ? AND i.kind = sharer.kind AND i.reporter_id = sharer.reporter_id ORDER BY i.created_at DESC LIMIT 1
  ) AS newest_at FROM sharer WHERE reporter_id IS NOT NULL`;
const OLDER = `WHERE hash = ? AND kind = ? AND reporter_id = ? AND (created_at, report_id, position) < (?, ?, ?)
  ORDER BY created_at DESC, report_id DESC, position DESC LIMIT ?`;

/** The rows of one hash, kind and reporter, which the table's key sorts by time. */
interface Run {
  readonly hash: string;
  readonly kind: string;
  readonly reporterId: string;
  /** No unread row of the run is newer. */
  nextAt: number;
  /** The last row that was read, or a key behind all rows. */
  last: Place;
  /** Rows of the next read. It doubles, so that a run of any length takes few reads. */
  limit: number;
}

type Place = Pick<StoredIdentifier, 'createdAt' | 'reportId' | 'position'>;

/** Finds the newest reports of a set of identifiers. */
export const NEWEST_WORK = {
  /**
   * Merges the runs of the table's key from their newest ends, until no unread row can be among the reports that a fair
   * cut keeps. So the rows read grow with the number of reporters and with `limit`, not with the reports.
   */
  *findNewest(request: NewestRequest): SqlWork<readonly string[]> {
    const found = createFound(request);
    if (request.reportId !== undefined) {
      const own = yield* find(IN_ORDER, 'reportId', [request.reportId]);
      yield* take(
        found,
        own.filter(({ hash }) => request.identifiers.some((one) => one.hash === hash)),
      );
      return found.list();
    }
    const hashes = [...new Set(request.identifiers.map(({ hash }) => hash))];
    const first = yield* find(FIRST, 'hash', hashes);
    const common: string[] = [];
    const few: StoredIdentifier[] = [];
    for (const hash of hashes) {
      const some = first.filter((row) => row.hash === hash);
      if (some.length > FEW) common.push(hash);
      else few.push(...some);
    }
    yield* take(found, few);
    let runs: Run[] = [];
    for (const hash of common) {
      yield { pause: true };
      for (const head of yield* findHeads(hash)) if (found.counts({ hash, ...head })) runs.push(toRun(hash, head));
    }
    // One reporter needs no order among reporters.
    const reporterIds = [...new Set([...found.reporterIds(), ...runs.map(({ reporterId }) => reporterId)])];
    for (let from = 0; from < reporterIds.length && reporterIds.length > 1; from += PAGE) {
      if (common.length > 0) yield { pause: true };
      for (const state of yield* find(STATE, 'reporterId', reporterIds.slice(from, from + PAGE)))
        found.states.set(state.reporterId, state);
    }
    const share = Math.ceil(request.limit / Math.max(1, runs.length));
    for (const run of runs) run.limit = Math.max(MIN_ROWS, Math.min(PAGE, share));
    for (let wanted = found.wants(runs); wanted.length > 0; wanted = found.wants(runs)) {
      yield { pause: true };
      const batch = nextBatch(wanted);
      const pages = yield* readEach(IN_ORDER, OLDER, batch.map(toParameters));
      const ended = new Set<Run>();
      for (const [at, run] of batch.entries()) if (!advance(run, pages[at] ?? [])) ended.add(run);
      yield* take(found, pages.flat());
      runs = runs.filter((run) => !ended.has(run));
    }
    return found.list();
  },
} satisfies Partial<StoreWork>;

function findHeads(hash: string) {
  const key = toBytes(hash);
  return ask(HEAD, HEADS, key, key, key, key, key);
}

function toRun(
  hash: string,
  { kind, reporterId, newestAt }: { readonly kind: string; readonly reporterId: string; readonly newestAt: number },
): Run {
  return {
    hash,
    kind,
    reporterId,
    nextAt: newestAt,
    last: { createdAt: Number.MAX_SAFE_INTEGER, reportId: '', position: 0 },
    limit: 0,
  };
}

function toParameters({ hash, kind, reporterId, last, limit }: Run) {
  const { createdAt, reportId, position } = last;
  return [toBytes(hash), kind, toBytes(reporterId), createdAt, toBytes(reportId), position, limit];
}

/** Returns the first of these runs to read at once: at most a page of rows. */
function nextBatch(wanted: readonly Run[]): Run[] {
  const batch: Run[] = [];
  let rows = 0;
  for (const run of wanted) {
    if (batch.length > 0 && rows + run.limit > PAGE) break;
    batch.push(run);
    rows += run.limit;
  }
  return batch;
}

/** Moves a run behind a page of its rows. Returns false if the run has no more rows. */
function advance(run: Run, page: readonly StoredIdentifier[]): boolean {
  if (page.some((row) => row.hash !== run.hash || row.kind !== run.kind || row.reporterId !== run.reporterId))
    throw damageError('a lookup in the table identifier returned another hash: the table is damaged');
  const keys = [run.last, ...page].map(({ createdAt, reportId, position }) => [createdAt, reportId, position]);
  requireSorted('identifier', keys.reverse());
  const last = page.at(-1);
  if (last === undefined || page.length < run.limit) return false;
  run.last = last;
  run.nextAt = last.createdAt;
  run.limit = Math.min(PAGE, 2 * run.limit);
  return true;
}

/** The reports among the rows that were read. */
interface Found {
  /** By reporter. A reporter without one is neither verified nor suspended. */
  readonly states: Map<string, ReporterState>;
  /** True if identifiers of this kind and reporter match the request. */
  counts(row: Pick<StoredIdentifier, 'hash' | 'kind' | 'reporterId'>): boolean;
  add(rows: readonly StoredIdentifier[], disputes: readonly Dispute[]): void;
  reporterIds(): Iterable<string>;
  /** Returns runs whose unread rows may change the list: those with the most to change, at most a batch of them. */
  wants(runs: readonly Run[]): Run[];
  /** Returns the reports in fair order, at most `limit`. */
  list(): readonly string[];
}

/** Adds rows, and reads the disputes about their reports. */
function* take(found: Found, rows: readonly StoredIdentifier[]): SqlWork<void> {
  const matching = rows.filter((row) => found.counts(row));
  const disputed = new Set(matching.filter((row) => row.disputed).map(({ reportId }) => reportId));
  found.add(matching, yield* find(DISPUTE, 'reportId', [...disputed]));
}

function createFound({ identifiers, exactKinds, limit, reporterId: only }: NewestRequest): Found {
  const exact = exactKinds && new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`));
  const reports = new Map<string, PlacedReport>();
  const states = new Map<string, ReporterState>();
  const fair = () => inFairOrder([...reports.values()], (reporterId) => states.get(reporterId)).slice(0, limit);
  return {
    states,
    counts: ({ hash, kind, reporterId }) =>
      (!exact || exact.has(`${hash} ${kind}`)) && (only === undefined || only === reporterId),
    add(rows, disputes) {
      const disputesOf = new Map<string, Dispute[]>();
      for (const dispute of disputes) {
        disputesOf.set(dispute.reportId, [...(disputesOf.get(dispute.reportId) ?? []), dispute]);
      }
      for (const { reportId, reporterId, createdAt } of rows) {
        if (disputeStateAt(disputesOf.get(reportId) ?? [], Infinity) !== 'upheld')
          reports.set(reportId, { reportId, reporterId, createdAt });
      }
    },
    reporterIds: () => new Set([...reports.values()].map(({ reporterId }) => reporterId)),
    wants(runs) {
      const kept = fair();
      // A report that is not kept now is never kept later: further ones only push it back.
      reports.clear();
      for (const { report } of kept) reports.set(report.reportId, report);
      const nextAt = new Map<string, number>();
      for (const run of runs) nextAt.set(run.reporterId, Math.max(run.nextAt, nextAt.get(run.reporterId) ?? -Infinity));
      // Reports of a reporter that no unread row can precede.
      const certain = new Map<string, number>();
      for (const { reporterId, createdAt } of reports.values())
        if (createdAt >= (nextAt.get(reporterId) ?? Infinity))
          certain.set(reporterId, (certain.get(reporterId) ?? 0) + 1);
      const last = kept.length < limit ? undefined : kept.at(-1);
      const best: (FairPlace<PlacedReport> & { readonly run: Run })[] = [];
      for (const run of runs) {
        const { reporterId, nextAt } = run;
        const report = { reportId: '', reporterId, createdAt: nextAt };
        const place = { run, ...placeOf(report, (certain.get(reporterId) ?? 0) + 1, states.get(reporterId)) };
        const worst = best.length < MAX_BATCH ? last : best.at(-1);
        if (worst !== undefined && compareFair(place, worst) >= 0) continue;
        // One pass: sorting all runs before each batch would cost more than the reads.
        let at = best.length;
        while (at > 0 && compareFair(place, best[at - 1]!) < 0) at--;
        best.splice(at, 0, place);
        if (best.length > MAX_BATCH) best.pop();
      }
      return best.map(({ run }) => run);
    },
    list: () => fair().map(({ report }) => report.reportId),
  };
}
