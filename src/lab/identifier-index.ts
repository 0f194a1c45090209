import type { Identifier } from '../domain/identifier.ts';
import type { IdentifierPosition, StoredFacts, StoredIdentifier } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Identifiers per page when the index is filled. */
const PAGE = 10_000;

const NO_FACTS: StoredFacts = { matches: [], protections: [], disputes: [], linked: [] };

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
    for (const identifier of page) index.add(identifier);
    if (page.length < PAGE) break;
    after = page.at(-1);
  }
  index.include();

  return {
    ...store,
    includeReports: index.include,
    readIdentifiers: async (after, limit, withoutKinds = []) => index.page(after, limit, withoutKinds),

    async findFacts(asked) {
      const hashes = asked.hashes.filter(index.has);
      return hashes.length === 0 ? NO_FACTS : store.findFacts({ ...asked, hashes });
    },

    async addReport(report, sameSince) {
      const added = await store.addReport(report, sameSince);
      const { reportId, reporterId, createdAt } = report;
      if (added.outcome === 'added')
        for (const [position, { kind, hash }] of report.identifiers.entries())
          index.add({ hash, kind, reporterId, createdAt, reportId, position, disputed: false });
      return added;
    },

    async removeReport(removal) {
      const removed = await store.removeReport(removal);
      if (removed.outcome === 'removed') index.remove(removal.reportId, removed.identifiers);
      return removed;
    },

    async openDispute(dispute) {
      const opened = await store.openDispute(dispute);
      if (opened !== 'opened') return opened;
      const disputed = await store.findIdentifiers([dispute.reportId]);
      index.remove(dispute.reportId, disputed);
      for (const identifier of disputed) index.add(identifier);
      index.include();
      return opened;
    },
  };
}

/** Identifiers of live reports, in the order of {@link Store.readIdentifiers}. */
interface IdentifierIndex {
  /** True if an identifier with this hash was ever added. */
  readonly has: (hash: string) => boolean;
  add(identifier: StoredIdentifier): void;
  /** Includes all added identifiers in the pages. */
  readonly include: () => void;
  /** Includes all added identifiers, then removes a report's identifiers. */
  remove(reportId: string, identifiers: readonly Identifier[]): void;
  page(after: IdentifierPosition | undefined, limit: number, withoutKinds: readonly string[]): StoredIdentifier[];
}

/** The identifiers of one hash, in order. Empty if none is included, or if all its reports were deleted. */
interface Bucket {
  readonly hash: string;
  identifiers: StoredIdentifier[];
}

function createIdentifierIndex(): IdentifierIndex {
  const buckets = new Map<string, Bucket>();
  /** The buckets by hash, except for those of `newHashes`. */
  let inOrder: readonly Bucket[] = [];
  let newHashes: Bucket[] = [];
  let added: StoredIdentifier[] = [];

  const include = (): void => {
    for (const identifier of added) {
      const { identifiers } = buckets.get(identifier.hash)!;
      identifiers.splice(
        placeOf(identifiers, (other) => isBefore(other, identifier)),
        0,
        identifier,
      );
    }
    added = [];
    if (newHashes.length > 0) inOrder = merge(inOrder, newHashes.sort(byHash));
    newHashes = [];
  };

  return {
    has: (hash) => buckets.has(hash),

    add(identifier) {
      added.push(identifier);
      const { hash } = identifier;
      if (buckets.has(hash)) return;
      const bucket = { hash, identifiers: [] };
      buckets.set(hash, bucket);
      newHashes.push(bucket);
    },

    include,

    remove(reportId, identifiers) {
      include();
      for (const { hash } of identifiers) {
        const bucket = buckets.get(hash);
        if (bucket) bucket.identifiers = bucket.identifiers.filter((identifier) => identifier.reportId !== reportId);
      }
    },

    page(after, limit, withoutKinds) {
      const page: StoredIdentifier[] = [];
      const first = after === undefined ? 0 : placeOf(inOrder, ({ hash }) => hash < after.hash);
      for (let at = first; at < inOrder.length; at++)
        for (const identifier of inOrder[at]!.identifiers) {
          if (withoutKinds.includes(identifier.kind)) continue;
          if (at === first && after !== undefined && !isBefore(after, identifier)) continue;
          page.push(identifier);
          if (page.length === limit) return page;
        }
      return page;
    },
  };
}

function byHash(a: Bucket, b: Bucket): number {
  return a.hash < b.hash ? -1 : 1;
}

/** Merges two lists of buckets by hash. */
function merge(some: readonly Bucket[], others: readonly Bucket[]): Bucket[] {
  const merged: Bucket[] = [];
  let at = 0;
  for (const other of others) {
    while (at < some.length && some[at]!.hash < other.hash) merged.push(some[at++]!);
    merged.push(other);
  }
  while (at < some.length) merged.push(some[at++]!);
  return merged;
}

/** Returns the index of the first item of an ordered list that is not before a position. */
function placeOf<T>(items: readonly T[], isItemBefore: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isItemBefore(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares like the store. Kinds are ASCII text, so their bytes have the same order. */
function isBefore(a: IdentifierPosition, b: IdentifierPosition): boolean {
  if (a.hash !== b.hash) return a.hash < b.hash;
  if (a.kind !== b.kind) return a.kind < b.kind;
  if (a.reporterId !== b.reporterId) return a.reporterId < b.reporterId;
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt;
  if (a.reportId !== b.reportId) return a.reportId < b.reportId;
  return a.position < b.position;
}
