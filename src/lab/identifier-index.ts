import type { IdentifierPosition, StoredIdentifier } from '../core/store/records.ts';
import { namedBy } from '../core/store/sql/repeats.ts';
import type { Store } from '../core/store/store.ts';

/** Identifiers per page when the index is filled. */
const PAGE = 10_000;

const ORDER_IN_HASH = ['kind', 'reporterId', 'createdAt', 'reportId', 'position'] as const;

/** A store with an index of its identifiers in memory. */
export interface IndexedStore extends Store {
  /** Includes all reports until now in {@link Store.readIdentifiers}. Without this call, new reports are left out. */
  includeReports(): void;
}

/**
 * Returns the same store with an index of its identifiers in memory. Reading all identifiers, which standings need in
 * every epoch, does not ask the database. Neither does a query without a known hash.
 *
 * Memory grows with the stored identifiers only. Reports must be added, deleted and disputed with the returned object,
 * one call at a time. Do not erase, import or rehash.
 */
export async function indexIdentifiers(store: Store): Promise<IndexedStore> {
  const index = createIdentifierIndex();
  for (let after: IdentifierPosition | undefined; ;) {
    const page = await store.readIdentifiers(after, PAGE);
    for (const identifier of page) index.add({ ...identifier });
    if (page.length < PAGE) break;
    after = page.at(-1);
  }
  index.include();

  return {
    ...store,
    includeReports: index.include,
    readIdentifiers: async (after, limit, withoutKinds = []) => index.page(after, limit, withoutKinds),

    // Without a hash, the store answers without a statement.
    findFacts: (request) => store.findFacts({ ...request, hashes: request.hashes.filter(index.has) }),

    async addReport(report, sameSince) {
      const added = await store.addReport(report, sameSince);
      const { reportId, reporterId, createdAt } = report;
      if (added.outcome === 'added')
        for (const [position, { kind, hash }] of (added.identifiers ?? report.identifiers).entries())
          index.add({ hash, kind, reporterId, createdAt, reportId, position, disputed: added.repeats === true });
      return added;
    },

    async removeReport(removal) {
      const removed = await store.removeReport(removal);
      if (removed.outcome === 'removed') index.remove(removal.reportId);
      return removed;
    },

    async openDispute(dispute) {
      const opened = await store.openDispute(dispute);
      if (opened === 'opened')
        for (const { hash } of await store.findIdentifiers([dispute.reportId])) index.dispute(hash, dispute.reportId);
      return opened;
    },

    async decideDispute(decision) {
      const decided = await store.decideDispute(decision);
      if (decided === 'decided' && decision.upheld) {
        // Repetitions of the claim are disputed too.
        const identifiers = await store.read(() => namedBy([decision.reportId]));
        for (const match of await store.findMatches(identifiers.map(({ hash }) => hash)))
          if (match.disputed)
            for (const { hash } of await store.findIdentifiers([match.reportId])) index.dispute(hash, match.reportId);
      }
      return decided;
    },
  };
}

/** An identifier in the index. Only `disputed` changes. */
type Entry = StoredIdentifier & { disputed: boolean };

/** Creates an index of identifiers in the order of {@link Store.readIdentifiers}. */
function createIdentifierIndex() {
  // One array needs less memory than a map of hashes. Copying it for a new epoch takes less time than computing the
  // standings.
  let entries: readonly Entry[] = [];
  /** Entries that are not included yet, by hash. */
  let added = new Map<string, Entry[]>();
  /** Deleted reports whose entries are still in the array. */
  const removed = new Set<string>();

  /** Returns the place of the first included entry for which `isEntryBefore` is false. */
  const placeOf = (isEntryBefore: (entry: Entry) => boolean): number => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isEntryBefore(entries[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const isLive = ({ reportId }: Entry): boolean => !removed.has(reportId);
  const placeOfHash = (hash: string): number => placeOf((entry) => entry.hash < hash);

  return {
    /** Returns false only if no live report has the hash. */
    has: (hash: string): boolean => added.has(hash) || entries[placeOfHash(hash)]?.hash === hash,

    add(entry: Entry): void {
      const others = added.get(entry.hash);
      if (others === undefined) added.set(entry.hash, [entry]);
      else others.push(entry);
    },

    /** Includes all added entries in the pages. */
    include(): void {
      if (removed.size > 0) entries = entries.filter(isLive);
      entries = merge(entries, [...added.values()].flat().filter(isLive).sort(compare));
      added = new Map();
      removed.clear();
    },

    remove: (reportId: string): void => void removed.add(reportId),

    /** Marks a report's entries of a hash as disputed. */
    dispute(hash: string, reportId: string): void {
      const mark = (entry: Entry): void => {
        if (entry.reportId === reportId) entry.disputed = true;
      };
      for (let at = placeOfHash(hash); entries[at]?.hash === hash; at++) mark(entries[at]!);
      added.get(hash)?.forEach(mark);
    },

    page(after: IdentifierPosition | undefined, limit: number, withoutKinds: readonly string[]): StoredIdentifier[] {
      const page: StoredIdentifier[] = [];
      let at = after === undefined ? 0 : placeOf((entry) => compare(entry, after) <= 0);
      for (; at < entries.length && page.length < limit; at++) {
        const entry = entries[at]!;
        if (!withoutKinds.includes(entry.kind) && isLive(entry)) page.push(entry);
      }
      return page;
    },
  };
}

/** Merges two lists in order. */
function merge(some: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
  if (others.length === 0) return some;
  const merged: Entry[] = [];
  let at = 0;
  for (const other of others) {
    while (at < some.length && compare(some[at]!, other) < 0) merged.push(some[at++]!);
    merged.push(other);
  }
  while (at < some.length) merged.push(some[at++]!);
  return merged;
}

/** Compares like the store. Kinds are ASCII text, so their bytes have the same order. */
function compare(a: IdentifierPosition, b: IdentifierPosition): number {
  // Most pairs differ in their hash.
  if (a.hash !== b.hash) return a.hash < b.hash ? -1 : 1;
  for (const name of ORDER_IN_HASH) if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1;
  return 0;
}
