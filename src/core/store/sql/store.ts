import { AUDIT_WORK } from './audit.ts';
import { BUDGET_WORK, createBudgets } from './budgets.ts';
import { CLAIM_RULES, PROTECTION } from './catalogue.ts';
import { CHECK_WORK } from './check.ts';
import { DISPUTE_REQUEST_WORK } from './dispute-requests.ts';
import { ERASE_WORK } from './erase.ts';
import { findProtections, MODERATION_WORK } from './moderation.ts';
import { NEWEST_WORK } from './newest.ts';
import { PEPPER_WORK } from './pepper.ts';
import { PERSON_CASE_WORK } from './person-cases.ts';
import { findLinkIdentifiers, QUERY_WORK, readFacts, UNCACHED, type Lookups } from './queries.ts';
import { namedBy } from './repeats.ts';
import { REPORTER_WORK } from './reporters.ts';
import { addReport, REPORT_WORK } from './reports.ts';
import { read as readRows } from './rows.ts';
import { SIGN_IN_WORK } from './sign-ins.ts';
import type { SingleRead, SqlWork } from './statement.ts';
import { pick } from './table.ts';
import { TRANSFER_WORK } from './transfer.ts';
import { TRUST_WORK } from './trust.ts';
import { USAGE_WORK } from './usage.ts';
import { WEBHOOK_WORK } from './webhooks.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { Protection } from '../../domain/protection.ts';
import type { KeyRequest, KeyWithReporter } from '../records.ts';
import type { Store } from '../store.ts';

/** How an adapter runs work on its database. `start` begins the work; call it again to run the work again. */
export interface Executor {
  /**
   * Runs work that only reads. `publishes` is true for a value with rows that must be durable before anyone sees it.
   * Undefined if no value has any.
   */
  read<T>(start: () => SqlWork<T>, publishes?: (value: T) => boolean): Promise<T>;
  /** Runs work that writes, as one transaction. `args` are those to record in a journal. */
  write<A extends readonly unknown[], T>(start: () => SqlWork<T>, write: Write<A, T>, args: A): Promise<T>;
}

/** What the same work does on every database. An adapter adds the rest. */
export type SqlStore = Omit<Store, 'shared' | 'snapshot' | 'erased' | 'close'>;

/**
 * Creates the part of a store that all adapters share. Its statements use only SQL that SQLite and PostgreSQL share,
 * except for the syntax of placeholders. With a cache, the store must have no other process that writes.
 *
 * A method that writes based on what it read takes a lock, and reads under this lock. So no other work can interfere,
 * on a server either. Reading methods take no lock: each statement is consistent by itself.
 *
 * `clock` reads the clock by which processes that share the store count budgets; default: that of the process.
 *
 * `rows.ts` writes and reads all rows. It computes and verifies their checksums.
 */
export function createSqlStore(run: Executor, cache?: Cache, clock?: () => SqlWork<number>): SqlStore {
  const lookups: Lookups = cache ?? UNCACHED;

  const read =
    <A extends readonly unknown[], T>(work: (...args: A) => SqlWork<T>) =>
    (...args: A): Promise<T> =>
      run.read(() => work(...args));

  const runWrite = <A extends readonly unknown[], T>(write: Write<A, T>, args: A, start: () => SqlWork<T>) =>
    run.write(cache ? () => forgetThen(cache, write, args, start) : start, write, args);

  const write =
    <A extends readonly unknown[], T>(write: Write<A, T>) =>
    (...args: A): Promise<T> =>
      runWrite(write, args, () => write.work(...args));

  const budgets = createBudgets((request, storeMs) => {
    if (!clock) return runWrite(WRITES.takeBudget, [request], () => BUDGET_WORK.takeBudget(request));
    return runWrite(WRITES.takeBudget, [request], function* () {
      return yield* BUDGET_WORK.takeBudget({ ...request, nowMs: storeMs ?? (yield* clock()) });
    });
  });

  return {
    ...budgets,
    addReporter: write(WRITES.addReporter),
    listReporters: read(REPORTER_WORK.listReporters),
    findReporters: read(REPORTER_WORK.findReporters),
    findReporterNamed: read(REPORTER_WORK.findReporterNamed),
    updateReporter: write(WRITES.updateReporter),
    addKey: write(WRITES.addKey),
    endKey: write(WRITES.endKey),
    listKeys: read(REPORTER_WORK.listKeys),
    findKey: (request) => run.read(() => lookups.findKey(request)),
    addUsage: write(WRITES.addUsage),

    // The hashes do not change what is written, so a journal does not record them.
    addReport: (report, sameSince, hashes = []) =>
      runWrite(WRITES.addReport, [report, sameSince, CLAIM_RULES], () =>
        addReport(report, sameSince, hashes, lookups, CLAIM_RULES),
      ),
    removeReport: (removal) =>
      write(WRITES.removeReport)(removal.keepsClaim ? { ...removal, claimRules: CLAIM_RULES } : removal),
    findMatches: read(QUERY_WORK.findMatches),
    // The answer to a query names its link.
    findFacts: (request) =>
      run.read(
        () => readFacts(request, lookups),
        ({ linkIdentifiers }) => linkIdentifiers.length > 0,
      ),
    findNewest: read(NEWEST_WORK.findNewest),
    ...(cache && { stampOf: (hashes: readonly string[]) => cache.stampOf(hashes) }),
    findReports: read(REPORT_WORK.findReports),
    putLink: write(WRITES.putLink),
    findLink: read(QUERY_WORK.findLink),
    findLinkHash: read(QUERY_WORK.findLinkHash),

    openDispute: write(WRITES.openDispute),
    answerDispute: write(WRITES.answerDispute),
    decideDispute: write(WRITES.decideDispute),
    reopenDispute: write(WRITES.reopenDispute),
    findDisputes: read(MODERATION_WORK.findDisputes),
    listDisputes: read(MODERATION_WORK.listDisputes),
    addDisputeRequest: write(WRITES.addDisputeRequest),
    findDisputeRequests: read(DISPUTE_REQUEST_WORK.findDisputeRequests),
    removeDisputeRequests: write(WRITES.removeDisputeRequests),
    addCaseMessage: write(WRITES.addCaseMessage),

    addProtection: write(WRITES.addProtection),
    endProtection: write(WRITES.endProtection),
    findProtections: (hashes) => run.read(() => lookups.findProtections(hashes)),
    listProtections: read(MODERATION_WORK.listProtections),

    readIdentifiers: read(TRUST_WORK.readIdentifiers),
    findIdentifiers: read(TRUST_WORK.findIdentifiers),
    findNamed: read(namedBy),
    findSharings: read(TRUST_WORK.findSharings),
    putTrust: write(WRITES.putTrust),
    findTrust: read(TRUST_WORK.findTrust),
    findTrustEpoch: read(TRUST_WORK.findTrustEpoch),
    readReports: read(TRUST_WORK.readReports),
    findRemovedAfter: read(TRUST_WORK.findRemovedAfter),
    countRemovedAfter: read(TRUST_WORK.countRemovedAfter),

    findPeppers: read(PEPPER_WORK.findPeppers),
    addPepper: write(WRITES.addPepper),
    finishPepper: write(WRITES.finishPepper),
    readOldHashes: read(PEPPER_WORK.readOldHashes),
    rehash: write(WRITES.rehash),
    findElementKeys: read(PEPPER_WORK.findElementKeys),
    addElementKey: write(WRITES.addElementKey),
    findSecretFingerprint: read(PEPPER_WORK.findSecretFingerprint),
    adoptSecretFingerprint: write(WRITES.adoptSecretFingerprint),

    addAuditEntry: write(WRITES.addAuditEntry),
    listAudit: read(AUDIT_WORK.listAudit),
    verifyAudit: read(AUDIT_WORK.verifyAudit),

    addWebhook: write(WRITES.addWebhook),
    removeWebhook: write(WRITES.removeWebhook),
    moveWebhook: write(WRITES.moveWebhook),
    listWebhooks: read(WEBHOOK_WORK.listWebhooks),

    addSignIn: write(WRITES.addSignIn),
    startSession: write(WRITES.startSession),
    renewSession: write(WRITES.renewSession),
    findSignIn: read(SIGN_IN_WORK.findSignIn),
    endSignIns: write(WRITES.endSignIns),
    hasOperatorSignedIn: read(SIGN_IN_WORK.hasOperatorSignedIn),

    putRows: write(WRITES.putRows),
    erase: write(WRITES.erase),
    check: read(CHECK_WORK.check),
    count: read(REPORT_WORK.count),
    read: (work) => run.read(work),
  };
}

/** Forgets when the write runs, in the same turn, so that no read in between remembers the old state. */
function* forgetThen<A extends readonly unknown[], T>(
  cache: Cache,
  write: Write<A, T>,
  args: A,
  start: () => SqlWork<T>,
): SqlWork<T> {
  write.forget(cache, ...args);
  return yield* start();
}

/** A write. Its arguments are plain data, so a journal can record them. */
export interface Write<A extends readonly unknown[], T> {
  /** The name in records of journals. It never changes. A write whose meaning changes gets a new name. */
  readonly name: string;
  readonly work: (...args: A) => SqlWork<T>;
  /** Makes a store's cache forget what the write may change. */
  readonly forget: (cache: Cache, ...args: A) => void;
  /** True if the write deletes data: soon after, the store's files must not contain the data either. */
  readonly isRemoval: boolean;
}

function write<A extends readonly unknown[], T>(
  name: string,
  work: (...args: A) => SqlWork<T>,
  forget: (cache: Cache, ...args: A) => void,
  { isRemoval = false } = {},
): Write<A, T> {
  return { name, work, forget, isRemoval };
}

const nothing = (): void => undefined;
const REMOVAL = { isRemoval: true };

/** All writes. Each forgets what it may change in the cache. */
export const WRITES = {
  addReporter: write('addReporter', REPORTER_WORK.addReporter, nothing),
  // Views show the reports of verified and of suspended reporters in another order.
  updateReporter: write('updateReporter', REPORTER_WORK.updateReporter, (cache) => cache.forget('keys', 'reports')),
  // It may end the key that it replaces.
  addKey: write('addKey', REPORTER_WORK.addKey, (cache) => cache.forget('keys')),
  endKey: write('endKey', REPORTER_WORK.endKey, (cache) => cache.forget('keys')),
  // Only the days on which keys were last used are remembered. Most calls add to counts alone.
  addUsage: write('addUsage', USAGE_WORK.addUsage, (cache, { keys }) => {
    if (keys.length > 0) cache.forget('keys');
  }),
  takeBudget: write('takeBudget', BUDGET_WORK.takeBudget, nothing),
  addReport: write('addReport', REPORT_WORK.addReport, (cache, { identifiers }) => cache.addReport(identifiers)),
  removeReport: write('removeReport', REPORT_WORK.removeReport, (cache) => cache.forget('links', 'reports'), REMOVAL),
  // A new link may evict an older one.
  putLink: write('putLink', QUERY_WORK.putLink, (cache) => cache.forget('links')),
  // It deletes the requests about the report.
  openDispute: write('openDispute', MODERATION_WORK.openDispute, (cache) => cache.forget('reports'), REMOVAL),
  answerDispute: write('answerDispute', MODERATION_WORK.answerDispute, nothing),
  // A rejected one deletes the identifiers of a deleted report.
  decideDispute: write('decideDispute', MODERATION_WORK.decideDispute, (cache) => cache.forget('reports'), REMOVAL),
  reopenDispute: write('reopenDispute', MODERATION_WORK.reopenDispute, (cache) => cache.forget('reports')),
  // No query and no view depends on a request. Not a removal, although it may replace a request: strangers file them,
  // and each removal makes a journal be rewritten.
  addDisputeRequest: write('addDisputeRequest', DISPUTE_REQUEST_WORK.addDisputeRequest, nothing),
  removeDisputeRequests: write('removeDisputeRequests', DISPUTE_REQUEST_WORK.removeDisputeRequests, nothing, REMOVAL),
  addCaseMessage: write('addCaseMessage', PERSON_CASE_WORK.addCaseMessage, nothing),
  addProtection: write('addProtection', MODERATION_WORK.addProtection, (cache) => cache.forget('protections')),
  // The hashes of past entries are remembered too.
  endProtection: write('endProtection', MODERATION_WORK.endProtection, nothing),
  putTrust: write('putTrust', TRUST_WORK.putTrust, nothing),
  addPepper: write('addPepper', PEPPER_WORK.addPepper, nothing),
  finishPepper: write('finishPepper', PEPPER_WORK.finishPepper, nothing),
  // A removal: an operator changes a pepper, or adds elements, to get rid of the old hashes.
  rehash: write('rehash', PEPPER_WORK.rehash, (cache) => cache.forget('protections', 'links', 'reports'), REMOVAL),
  addElementKey: write('addSeal', PEPPER_WORK.addElementKey, nothing),
  adoptSecretFingerprint: write('adoptSecretFingerprint', PEPPER_WORK.adoptSecretFingerprint, nothing),
  addAuditEntry: write('addAuditEntry', AUDIT_WORK.addAuditEntry, nothing),
  addWebhook: write('addWebhook', WEBHOOK_WORK.addWebhook, nothing),
  removeWebhook: write('removeWebhook', WEBHOOK_WORK.removeWebhook, nothing),
  moveWebhook: write('moveWebhook', WEBHOOK_WORK.moveWebhook, nothing),
  addSignIn: write('addSignIn', SIGN_IN_WORK.addSignIn, nothing),
  startSession: write('startSession', SIGN_IN_WORK.startSession, nothing),
  renewSession: write('renewSession', SIGN_IN_WORK.renewSession, nothing),
  endSignIns: write('endSignIns', SIGN_IN_WORK.endSignIns, nothing),
  putRows: write('putRows', TRANSFER_WORK.putRows, (cache) => cache.forgetAll()),
  // An erased hash may stay remembered as protected. Its lookup then finds nothing.
  erase: write('erase', ERASE_WORK.erase, (cache) => cache.forget('links', 'reports'), REMOVAL),
};

/** A write whose arguments come from a journal. */
export type RecordedWrite = Write<readonly never[], unknown>;

/** The writes by the names in records of journals. */
export const RECORDED_WRITES: ReadonlyMap<string, RecordedWrite> = new Map(
  Object.values(WRITES).map((write) => [write.name, write]),
);

/** Maximum number of remembered keys, and of links: a few megabytes. A full part is emptied. */
const MAX_ENTRIES = 10_000;
/** Maximum length of an allow-list whose hashes are remembered. */
const MAX_PROTECTIONS = 10_000;

/** Number of counters of new reports. Hashes that share a counter get another stamp together. */
const COUNTERS = 4_096;

const PROTECTED_HASH = pick(PROTECTION, 'hash');

/** A part of the cache. `reports` has no rows: it is the stamps. */
export type CachePart = 'keys' | 'protections' | 'links' | 'reports';

/**
 * What a process remembers of a store that no other process writes to: rows that requests read often and that rarely
 * change. Each write forgets what it may change, in the same turn (`WRITES`). Nothing expires.
 */
export class Cache implements Lookups {
  readonly #keys = new Map<string, KeyWithReporter>();
  readonly #links = new Map<string, readonly Identifier[]>();
  /** At least the hashes of all entries of the allow-list. Undefined if not read yet; `many` if there are too many. */
  #protectedHashes: ReadonlySet<string> | 'many' | undefined;
  /** Number of writes that may change any report. */
  #changes = 0;
  /** Number of new reports, by their hashes. */
  readonly #added = new Float64Array(COUNTERS);

  *findKey({ digest }: KeyRequest): SqlWork<KeyWithReporter | undefined> {
    const known = this.#keys.get(digest);
    if (known !== undefined) return known;
    const found = yield* REPORTER_WORK.findKey({ digest });
    if (found !== undefined) remember(this.#keys, digest, found);
    return found;
  }

  *findLink(linkHash: string): SqlWork<readonly Identifier[]> {
    const known = this.#links.get(linkHash);
    if (known !== undefined) return known;
    const linked = yield* findLinkIdentifiers(linkHash);
    if (linked.length > 0) remember(this.#links, linkHash, linked);
    return linked;
  }

  *findProtections(hashes: readonly string[]): SqlWork<Protection[]> {
    if (this.#protectedHashes === undefined) {
      const rows = yield* readRows(PROTECTED_HASH, 'LIMIT ?', MAX_PROTECTIONS + 1);
      this.#protectedHashes = rows.length > MAX_PROTECTIONS ? 'many' : new Set(rows.map(({ hash }) => hash));
    }
    return yield* this.#findProtected(hashes, this.#protectedHashes);
  }

  /** Undefined before the allow-list is read: a damaged entry must not refuse every report. */
  findProtectionsAtOnce(hashes: readonly string[]): SingleRead<Protection[]> | undefined {
    return this.#protectedHashes && this.#findProtected(hashes, this.#protectedHashes);
  }

  *#findProtected(hashes: readonly string[], known: ReadonlySet<string> | 'many'): SingleRead<Protection[]> {
    const asked = known === 'many' ? hashes : hashes.filter((hash) => known.has(hash));
    return asked.length === 0 ? [] : yield* findProtections(asked);
  }

  /** Returns the number of `Store.stampOf`. */
  stampOf(hashes: readonly string[]): number {
    let stamp = this.#changes;
    for (const hash of hashes) stamp += this.#added[counterOf(hash)] ?? 0;
    return stamp;
  }

  /** Changes the stamps of the hashes of a new report. */
  addReport(identifiers: readonly Identifier[]): void {
    for (const { hash } of identifiers) this.#added[counterOf(hash)]! += 1;
  }

  forget(...parts: readonly CachePart[]): void {
    if (parts.includes('keys')) this.#keys.clear();
    if (parts.includes('protections')) this.#protectedHashes = undefined;
    if (parts.includes('links')) this.#links.clear();
    if (parts.includes('reports')) this.#changes++;
  }

  forgetAll(): void {
    this.forget('keys', 'protections', 'links', 'reports');
  }
}

/** Stored hashes are spread evenly, so their first digits are. */
const counterOf = (hash: string): number => Number.parseInt(hash.slice(0, 3), 16);

function remember<T>(entries: Map<string, T>, name: string, value: T): void {
  if (entries.size >= MAX_ENTRIES) entries.clear();
  entries.set(name, value);
}
