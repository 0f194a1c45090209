// Rows for the benchmarks of stores. The same number always gives the same row.
import { createHash } from 'node:crypto';
import { createEngine, createSeededRandom, unwrap } from 'redflag';
import { createOperator, withRecords } from 'redflag/operator';
import { createSealing } from 'redflag/sealed';

export const NOW = Date.UTC(2026, 0, 1);
export const REPORTERS = 80;
/** The columns that a rival inserts. The last one gets {@link NO_CHECKSUM}. */
export const REPORT_COLUMNS = 'report_id, reporter_id, nonce, fingerprint, type, severity, text, created_at, checksum';
export const IDENTIFIER_COLUMNS = 'hash, report_id, position, kind, reporter_id, type, severity, created_at, checksum';
/**
 * A rival keeps no checksums. A constant replaces them, so that its rows are as large as the store's. SQLite stores
 * this constant in four bytes, like nearly every checksum. A 0 would take no byte.
 */
export const NO_CHECKSUM = 2_147_483_647;
/** Reports per transaction of a fill. Their identifiers follow in the next transaction. */
const REPORTS_A_PAGE = 256;
const TEXT = 'A short description of what happened, as people write them.';
const OLDEST = NOW - 400 * 86_400_000;
const APART_MS = 30_000;
const UNLIMITED = { requests: 1e9, windowSeconds: 1 };

/** Returns `bytes` bytes as hex, derived from a text. */
function digestOf(text, bytes) {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);
}

const hashOf = (n) => digestOf(`hash ${n}`, 20);

/** Returns three identifiers of one person. Four persons with consecutive numbers share an address. */
export function personOf(n) {
  return [
    { kind: 'email', hash: hashOf(3 * n) },
    { kind: 'ip', hash: hashOf(3 * (n - (n % 4)) + 1) },
    { kind: 'phone', hash: hashOf(3 * n + 2) },
  ];
}

/** Returns the identifier that all reports of a crowd share. */
export const crowdOf = (reports) => ({ kind: 'email', hash: digestOf(`crowd ${reports}`, 20) });

/** Returns the report with this number, in the form that a store accepts. */
export function reportOf(n, identifiers = personOf(n)) {
  return {
    reportId: digestOf(`report ${n}`, 8),
    nonce: digestOf(`nonce ${n}`, 8),
    fingerprint: digestOf(`fingerprint ${n}`, 16),
    reporterId: digestOf(`reporter ${n % REPORTERS}`, 8),
    type: 'fraud',
    severity: 1 + (n % 10),
    text: TEXT,
    createdAt: OLDEST + n * APART_MS,
    identifiers,
  };
}

/** Yields the reports of a filling: first one for each person, then the crowds. */
export function* reportsOf({ size, crowds }) {
  for (let n = 0; n < size; n++) yield reportOf(n);
  let n = size;
  for (const crowd of crowds) {
    const identifiers = [crowdOf(crowd)];
    for (let one = 0; one < crowd; one++) yield reportOf(n++, identifiers);
  }
}

/** Returns a report's rows, with the columns of the tables, as `putRows` accepts them. */
function rowsOf({ reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt, identifiers }) {
  const shared = { report_id: reportId, reporter_id: reporterId, type, severity, created_at: createdAt };
  return {
    report: { ...shared, nonce, fingerprint, text, removed_at: null },
    identifiers: identifiers.map(({ kind, hash, element }, position) => ({
      ...shared,
      hash,
      kind,
      position,
      disputed: 0,
      generation: 0,
      ...(element && { element, seal: 1 }),
    })),
  };
}

/** Writes the reports of a filling into a store. */
export async function fillStore(store, filling, pagesAtOnce) {
  await putReports(store, reportsOf(filling), pagesAtOnce);
  await openEngine(store).recomputeTrust();
}

/**
 * Writes reports of {@link reportOf} into a store. Uses `putRows`, which adds checksums. A page's reports come before
 * its identifiers. Several pages are written at once.
 */
export async function putReports(store, reports, pagesAtOnce = 1) {
  const nextPage = () => {
    const page = [];
    for (let next; page.length < REPORTS_A_PAGE && !(next = reports.next()).done;) page.push(rowsOf(next.value));
    return page;
  };
  await Promise.all(
    Array.from({ length: pagesAtOnce }, async () => {
      for (let page; (page = nextPage()).length > 0;) {
        await store.putRows(
          'report',
          page.map(({ report }) => report),
        );
        await store.putRows(
          'identifier',
          page.flatMap(({ identifiers }) => identifiers),
        );
      }
    }),
  );
}

/** Opens an engine without limits that computes no standings in the background. `options` are more of its options. */
export function openEngine(store, random, options = {}) {
  const engine = createEngine({
    store,
    secret: 'a secret for the bench only',
    publicUrl: 'https://reports.example',
    clock: () => NOW,
    trustEpoch: 'on-demand',
    limits: { query: UNLIMITED, report: UNLIMITED, delete: UNLIMITED, viewer: UNLIMITED, 'unknown-key': UNLIMITED },
    budgets: { identifiers: { verified: 1e9, new: 1e9 } },
    ...(random ? { random } : {}),
    ...options,
  });
  return { ...withRecords(engine), ...createOperator(engine), ...createSealing(engine) };
}

/**
 * Writes the reporters into an empty store. Resolves with a key of the first reporter, the same each time.
 */
export async function addReporters(store) {
  for (let n = 0; n < REPORTERS; n++) {
    await store.addReporter({
      reporterId: digestOf(`reporter ${n}`, 8),
      name: `Shop ${n}`,
      verified: n % 2 === 0,
      suspended: false,
      createdAt: OLDEST,
    });
  }
  const engine = openEngine(store, createSeededRandom('bench store'));
  const { apiKey } = unwrap(await engine.issueKey({ reporterId: digestOf('reporter 0', 8) }));
  return apiKey;
}
