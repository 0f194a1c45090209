import { disputeStateAt, type Dispute } from '../../domain/dispute.ts';
import { damageError } from '../errors.ts';
import type { NewestRequest, StoredIdentifier } from '../records.ts';
import { DISPUTE } from './catalogue.ts';
import { hex, TEXT, toBytes, WHOLE } from './columns.ts';
import { requireSorted } from './pages.ts';
import { ask, find, readEach } from './rows.ts';
import type { SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { lookupWith, shape } from './table.ts';
import { PLACED, SHARERS } from './trust.ts';

/** Maximum rows of one hash that are read in key order. Almost every hash has fewer. */
const FEW = 32;
const FIRST = lookupWith(PLACED, 'hash', `LIMIT ${FEW + 1}`);
/** Maximum rows between two pauses: about three milliseconds. */
const PAGE = 250;
/** Minimum rows of one read of a run. */
const MIN_ROWS = 4;

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
   * Merges the runs of the table's key from their newest ends, until no unread row can be among the newest reports. So
   * the rows read grow with the number of reporters and with `limit`, not with the reports.
   */
  *findNewest(request: NewestRequest): SqlWork<readonly string[]> {
    const newest = createNewest(request);
    const hashes = [...new Set(request.identifiers.map(({ hash }) => hash))];
    const first = yield* find(FIRST, 'hash', hashes);
    const common: string[] = [];
    const few: StoredIdentifier[] = [];
    for (const hash of hashes) {
      const some = first.filter((row) => row.hash === hash);
      if (some.length > FEW) common.push(hash);
      else few.push(...some);
    }
    yield* take(newest, few);
    let runs: Run[] = [];
    for (const hash of common) {
      yield { pause: true };
      for (const head of yield* findHeads(hash)) if (newest.counts(hash, head.kind)) runs.push(toRun(hash, head));
    }
    const share = Math.ceil(request.limit / Math.max(1, runs.length));
    for (const run of runs) run.limit = Math.max(MIN_ROWS, Math.min(PAGE, share));
    for (let batch = nextBatch(runs, newest.least()); batch.length > 0; batch = nextBatch(runs, newest.least())) {
      yield { pause: true };
      const pages = yield* readEach(PLACED, OLDER, batch.map(toParameters));
      const ended = new Set<Run>();
      for (const [at, run] of batch.entries()) if (!advance(run, pages[at] ?? [])) ended.add(run);
      yield* take(newest, pages.flat());
      runs = runs.filter((run) => !ended.has(run));
    }
    return newest.list().map(({ reportId }) => reportId);
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

/** Returns the runs to read next, newest rows first. Leaves out runs without an unread row newer than `least`. */
function nextBatch(runs: Run[], least: number): Run[] {
  const batch: Run[] = [];
  let rows = 0;
  for (const run of runs.sort((a, b) => b.nextAt - a.nextAt)) {
    if (run.nextAt <= least || (batch.length > 0 && rows + run.limit > PAGE)) break;
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

type Shown = Pick<StoredIdentifier, 'reportId' | 'createdAt'>;

/** The newest reports among the rows that were read. */
interface Newest {
  /** True if identifiers of this kind match the set. */
  counts(hash: string, kind: string): boolean;
  add(rows: readonly StoredIdentifier[], disputes: readonly Dispute[]): void;
  /** Returns the newest reports, at most `limit`. */
  list(): readonly Shown[];
  /** Returns the time of the oldest report of a full list; -Infinity while the list is not full. */
  least(): number;
}

/** Adds rows, and reads the disputes about their reports. */
function* take(newest: Newest, rows: readonly StoredIdentifier[]): SqlWork<void> {
  const matching = rows.filter(({ hash, kind }) => newest.counts(hash, kind));
  const disputed = new Set(matching.filter((row) => row.disputed).map(({ reportId }) => reportId));
  newest.add(matching, yield* find(DISPUTE, 'reportId', [...disputed]));
}

function createNewest({ identifiers, exactKinds, limit }: NewestRequest): Newest {
  const exact = exactKinds && new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`));
  let shown: Shown[] = [];
  return {
    counts: (hash, kind) => !exact || exact.has(`${hash} ${kind}`),
    add(rows, disputes) {
      const known = new Map(shown.map((one) => [one.reportId, one]));
      const disputesOf = new Map<string, Dispute[]>();
      for (const dispute of disputes) {
        disputesOf.set(dispute.reportId, [...(disputesOf.get(dispute.reportId) ?? []), dispute]);
      }
      for (const { reportId, createdAt } of rows) {
        if (disputeStateAt(disputesOf.get(reportId) ?? [], Infinity) !== 'upheld')
          known.set(reportId, { reportId, createdAt });
      }
      shown = [...known.values()]
        .sort((a, b) => b.createdAt - a.createdAt || (a.reportId < b.reportId ? -1 : 1))
        .slice(0, limit);
    },
    list: () => shown,
    least: () => (shown.length < limit ? -Infinity : (shown.at(-1)?.createdAt ?? -Infinity)),
  };
}
