// Rows for the benches of stores: the same for the same number.
import { createHash } from 'node:crypto';
import { createEngine, createSeededRandom, unwrap } from 'redflag';

export const NOW = Date.UTC(2026, 0, 1);
export const REPORTERS = 80;
/** What a rival inserts; the last is {@link NO_CHECKSUM}. */
export const REPORT_COLUMNS = 'report_id, reporter_id, nonce, fingerprint, type, severity, text, created_at, checksum';
export const IDENTIFIER_COLUMNS = 'hash, report_id, position, kind, reporter_id, type, severity, created_at, checksum';
/** A rival keeps no checksums: a constant in their place, so that its rows are as large as the store's. (SQLite would give 0 no byte, this it gives four, as nearly every checksum.) */
export const NO_CHECKSUM = 2_147_483_647;
/** Of a fill: so many reports a transaction, and then their identifiers. */
const REPORTS_A_PAGE = 256;
const TEXT = 'A short description of what happened, as people write them.';
const OLDEST = NOW - 400 * 86_400_000;
const APART_MS = 30_000;
const UNLIMITED = { requests: 1e9, windowSeconds: 1 };

/** So many bytes as hex that follow from a text. */
function digestOf(text, bytes) {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);
}

const hashOf = (n) => digestOf(`hash ${n}`, 20);

/** Three identifiers of one person; four persons share an address, in the order of their numbers. */
export function personOf(n) {
  return [
    { kind: 'email', hash: hashOf(3 * n) },
    { kind: 'ip', hash: hashOf(3 * (n - (n % 4)) + 1) },
    { kind: 'phone', hash: hashOf(3 * n + 2) },
  ];
}

/** The one identifier of everybody in a crowd of so many reports. */
export const crowdOf = (reports) => ({ kind: 'email', hash: digestOf(`crowd ${reports}`, 20) });

/** The report with a number, as a store takes it. */
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

/** The reports that a store is filled with: of as many persons, and then the crowds. */
export function* reportsOf({ size, crowds }) {
  for (let n = 0; n < size; n++) yield reportOf(n);
  let n = size;
  for (const crowd of crowds) {
    const identifiers = [crowdOf(crowd)];
    for (let one = 0; one < crowd; one++) yield reportOf(n++, identifiers);
  }
}

/** A report's rows as `putRows` takes them, with the columns of the tables. */
function rowsOf({ reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt, identifiers }) {
  const shared = { report_id: reportId, reporter_id: reporterId, type, severity, created_at: createdAt };
  return {
    report: { ...shared, nonce, fingerprint, text, removed_at: null },
    identifiers: identifiers.map(({ kind, hash }, position) => ({
      ...shared,
      hash,
      kind,
      position,
      disputed: 0,
      generation: 0,
    })),
  };
}

/** Puts the reports of a filling into a store through the door for copies, which makes the checksums of rows: a page's reports before its identifiers, and some pages at once. */
export async function fillStore(store, filling, pagesAtOnce = 1) {
  const reports = reportsOf(filling);
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

/** An engine over a store for which nothing is too much, and nothing is learnt in the background. */
export function openEngine(store, random) {
  return createEngine({
    store,
    secret: 'a secret for the bench only',
    publicUrl: 'https://reports.example',
    clock: () => NOW,
    trustEpoch: 'on-demand',
    limits: { query: UNLIMITED, report: UNLIMITED },
    ...(random ? { random } : {}),
  });
}

/** Puts the reporters into an empty store, and standings learnt of nothing, so that none are learnt later. Resolves with a key of the first; the same each time. */
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
  await engine.recomputeTrust();
  return apiKey;
}
