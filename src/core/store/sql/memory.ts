import type { Identifier } from '../../domain/identifier.ts';
import type { Protection } from '../../domain/protection.ts';
import type { AskedKey, FoundKey } from '../records.ts';
import type { Store } from '../store.ts';
import { PROTECTION } from './catalogue.ts';
import { createFindFacts } from './facts.ts';
import type { Arguments, StoreWork, WriteName } from './methods.ts';
import { MODERATION_WORK } from './moderation.ts';
import { findLinked } from './queries.ts';
import { REPORTER_WORK } from './reporters.ts';
import { createAddReport } from './reports.ts';
import { read } from './rows.ts';
import { createFindSealed } from './seals.ts';
import type { SingleRead, SqlWork } from './statement.ts';
import { pick } from './table.ts';

/**
 * What a process remembers of a store that no other process writes to: rows that requests read often and that rarely
 * change. Each write forgets what it may change, in the same turn. Nothing expires.
 */
export interface Memory {
  /** Methods that ask the database only for what is not remembered. */
  readonly work: Pick<StoreWork, 'addReport' | 'findKey' | 'findFacts' | 'findProtections' | 'findSealed'>;
  /** Forgets what this write may change; without a name, everything. Call it when the write begins to run. */
  forget(name?: WriteName, args?: readonly unknown[]): void;
  readonly stampOf: NonNullable<Store['stampOf']>;
}

const EVERYTHING = ['keys', 'protections', 'links', 'reports'] as const;
type Part = (typeof EVERYTHING)[number];

/** What each write may change. */
const FORGOTTEN: Readonly<Record<WriteName, readonly Part[]>> = {
  addReporter: [],
  updateReporter: ['keys'],
  // It may end the key that it replaces.
  addKey: ['keys'],
  endKey: ['keys'],
  // The days on which keys were last used.
  addUsage: ['keys'],
  // Only its own hashes get another stamp.
  addReport: [],
  removeReport: ['links', 'reports'],
  // A new link may evict an older one.
  putLink: ['links'],
  openDispute: ['reports'],
  answerDispute: [],
  decideDispute: ['reports'],
  // No query and no view depends on a request.
  addDisputeRequest: [],
  removeDisputeRequests: [],
  addProtection: ['protections'],
  // The hashes of past entries are remembered too.
  endProtection: [],
  putTrust: [],
  addPepper: [],
  finishPepper: [],
  rehash: ['protections', 'links', 'reports'],
  addSeal: [],
  markSeal: [],
  adoptSecretFingerprint: [],
  addAuditEntry: [],
  addWebhook: [],
  removeWebhook: [],
  moveWebhook: [],
  addSignIn: [],
  startSession: [],
  endSignIns: [],
  putRows: EVERYTHING,
  // An erased hash may stay remembered as protected. Its lookup then finds nothing.
  erase: ['links', 'reports'],
};

/** Maximum number of remembered keys, and of links: a few megabytes. A full part is emptied. */
const ENTRIES_MOST = 10_000;
/** Maximum length of an allow-list whose hashes are remembered. */
const PROTECTIONS_MOST = 10_000;

/** Number of counters of new reports. Hashes that share a counter get another stamp together. */
const COUNTERS = 4_096;

const PROTECTED_HASH = pick(PROTECTION, 'hash');

export function createMemory(): Memory {
  const keys = new Map<string, FoundKey>();
  const links = new Map<string, readonly Identifier[]>();
  /** At least the hashes of all entries of the allow-list. Undefined if not read yet; `many` if there are too many. */
  let protectedHashes: ReadonlySet<string> | 'many' | undefined;

  /** Number of writes that may change any report. */
  let changes = 0;
  /** Number of new reports, by their hashes. */
  const added = new Float64Array(COUNTERS);

  const forgetPart: Readonly<Record<Part, () => void>> = {
    keys: () => keys.clear(),
    protections: () => (protectedHashes = undefined),
    links: () => links.clear(),
    reports: () => changes++,
  };

  function* loadProtected(): SqlWork<void> {
    if (protectedHashes !== undefined) return;
    const rows = yield* read(PROTECTED_HASH, 'LIMIT ?', PROTECTIONS_MOST + 1);
    protectedHashes = rows.length > PROTECTIONS_MOST ? 'many' : new Set(rows.map(({ hash }) => hash));
  }

  /** Call it after {@link loadProtected}. */
  function* readProtections(hashes: readonly string[]): SingleRead<Protection[]> {
    const known = protectedHashes;
    const asked = typeof known === 'object' ? hashes.filter((hash) => known.has(hash)) : hashes;
    return asked.length === 0 ? [] : yield* MODERATION_WORK.findProtections(asked);
  }

  function* findProtections(hashes: readonly string[]): SqlWork<Protection[]> {
    yield* loadProtected();
    return yield* readProtections(hashes);
  }

  const addReportNow = createAddReport(readProtections);
  /** Before the allow-list is loaded, says nothing about the hashes: a damaged entry must not refuse every report. */
  const addReport: StoreWork['addReport'] = (report, sameSince, hashes) =>
    addReportNow(report, sameSince, protectedHashes === undefined ? undefined : hashes);

  function* findLink(linkHash: string): SqlWork<readonly Identifier[]> {
    const known = links.get(linkHash);
    if (known !== undefined) return known;
    const linked = yield* findLinked(linkHash);
    if (linked.length > 0) remember(links, linkHash, linked);
    return linked;
  }

  function* findKey({ digest }: AskedKey): SqlWork<FoundKey | undefined> {
    const known = keys.get(digest);
    if (known !== undefined) return known;
    const found = yield* REPORTER_WORK.findKey({ digest });
    if (found !== undefined) remember(keys, digest, found);
    return found;
  }

  return {
    work: {
      addReport,
      findKey,
      findProtections,
      findFacts: createFindFacts({ findKey, findProtections, findLink }),
      findSealed: createFindSealed(findProtections),
    },
    stampOf(hashes) {
      let stamp = changes;
      for (const hash of hashes) stamp += added[counterOf(hash)] ?? 0;
      return stamp;
    },
    forget(name, args) {
      if (name === 'addReport') {
        const [{ identifiers }] = args as Arguments['addReport'];
        for (const { hash } of identifiers) added[counterOf(hash)]! += 1;
      }
      // Most of them only add to counts.
      if (name === 'addUsage') {
        const [{ keys: used }] = args as Arguments['addUsage'];
        if (used.length === 0) return;
      }
      for (const part of name === undefined ? EVERYTHING : FORGOTTEN[name]) forgetPart[part]();
    },
  };
}

/** Stored hashes are spread evenly, so their first digits are. */
const counterOf = (hash: string): number => Number.parseInt(hash.slice(0, 3), 16);

function remember<T>(entries: Map<string, T>, name: string, value: T): void {
  if (entries.size >= ENTRIES_MOST) entries.clear();
  entries.set(name, value);
}
