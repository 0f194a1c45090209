import type { Identifier } from '../../domain/identifier.ts';
import type { Protection } from '../../domain/protection.ts';
import type { KeyRequest, KeyWithReporter } from '../records.ts';
import { PROTECTION } from './catalogue.ts';
import { findProtections } from './moderation.ts';
import { findLinkIdentifiers } from './queries.ts';
import { REPORTER_WORK } from './reporters.ts';
import { read } from './rows.ts';
import type { SingleRead, SqlWork } from './statement.ts';
import { pick } from './table.ts';

/** Reads that requests repeat. The database answers them, or the {@link Cache} of a store with one owner. */
export interface Lookups {
  findKey(request: KeyRequest): SqlWork<KeyWithReporter | undefined>;
  /** Returns the identifiers of a link; none without a link. */
  findLink(linkHash: string): SqlWork<readonly Identifier[]>;
  findProtections(hashes: readonly string[]): SqlWork<Protection[]>;
  /** Like `findProtections`. Undefined if one statement does not suffice. */
  findProtectionsAtOnce(hashes: readonly string[]): SingleRead<Protection[]> | undefined;
}

/** Every lookup reads the database. */
export const UNCACHED: Lookups = {
  findKey: REPORTER_WORK.findKey,
  findLink: findLinkIdentifiers,
  findProtections,
  findProtectionsAtOnce: findProtections,
};

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
 * change. Each write forgets what it may change, in the same turn (`store.ts`). Nothing expires.
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
      const rows = yield* read(PROTECTED_HASH, 'LIMIT ?', MAX_PROTECTIONS + 1);
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
