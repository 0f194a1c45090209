import type { Reporter } from '../../src/core/domain/reporter.ts';
import type { StoredKey, StoredReport, StoredTrust } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { StoredRow } from '../../src/core/store/upkeep.ts';

// What the store's contract stores: things that differ by a number.
export const DAY = 86_400_000;
export const id = (n: number): string => n.toString(16).padStart(16, '0');
export const hash = (n: number): string => n.toString(16).padStart(40, '0');

export const reporter = (n: number, over: Partial<Reporter> = {}): Reporter => ({
  reporterId: id(n),
  name: `Shop ${n}`,
  verified: true,
  suspended: false,
  createdAt: n,
  identifiersPerDay: null,
  contact: null,
  ...over,
});
export const key = (n: number, over: Partial<StoredKey> = {}): StoredKey => ({
  keyId: id(n),
  reporterId: id(1),
  createdAt: n,
  endsAt: null,
  scope: null,
  issuedUntil: null,
  lastUsedAt: null,
  keyName: null,
  digest: n.toString(16).padStart(64, '0'),
  ...over,
});
export const report = (n: number, over: Partial<StoredReport> = {}): StoredReport => ({
  reportId: id(n),
  nonce: id(n + 1000),
  fingerprint: n.toString(16).padStart(32, '0'),
  reporterId: id(1),
  type: 'fraud',
  severity: 6,
  text: `text ${n}`,
  createdAt: n * DAY,
  identifiers: [{ kind: 'email', hash: hash(n) }],
  ...over,
});
/** The row of a report, as `putRows` takes it. */
export const reportRow = (n: number, over: StoredRow = {}): StoredRow => ({
  report_id: id(n),
  reporter_id: id(1),
  nonce: id(n),
  fingerprint: n.toString(16).padStart(32, '0'),
  type: 'fraud',
  severity: 6,
  text: `text ${n}`,
  created_at: n,
  removed_at: null,
  ...over,
});
/** The row of a request for a dispute about a report, as `putRows` takes it. */
export const disputeRequestRow = (n: number, over: StoredRow = {}): StoredRow => ({
  report_id: id(n),
  request_id: id(700 + n),
  reporter_id: id(1),
  requested_at: n * DAY,
  reason: `not me ${n}`,
  ...over,
});
/** The row of a case about a report, whose request waits, as `putRows` takes it. */
export const personCaseRow = (n: number, over: StoredRow = {}): StoredRow => ({
  report_id: id(n),
  case_id: id(800 + n),
  request_id: id(700 + n),
  received_at: n * DAY,
  ...over,
});
/** The row of a message of a case, as `putRows` takes it. */
export const caseMessageRow = (n: number, over: StoredRow = {}): StoredRow => ({
  case_id: id(800 + n),
  position: 0,
  at_ms: n * DAY,
  from_operator: 0,
  text: `more ${n}`,
  report_id: null,
  ...over,
});
export const trust: StoredTrust = {
  rules: 'link-claim/9 0badcafe',
  epochAt: 3 * DAY,
  learntAt: 3 * DAY + 1,
  sums: { establishedClaims: 5, establishedCorroborated: 1.2345678901234567 },
  records: [
    {
      reporterId: id(1),
      verified: true,
      claims: 5,
      preceded: 0,
      lost: 1,
      corroborated: 0.1 + 0.2,
      confirmable: 3,
      led: 0.25,
      echoed: 0,
      matureClaims: 4,
      maturePreceded: 1,
    },
    {
      reporterId: id(2),
      verified: false,
      claims: 0,
      preceded: 0,
      lost: 0,
      corroborated: 0,
      confirmable: 3,
      led: 0.25,
      echoed: 0,
      matureClaims: 0,
      maturePreceded: 0,
    },
  ],
};

/** Adds two identifiers whose report is missing, as damage would leave them. The store must have an identifier. */
export async function addOrphans(store: Store): Promise<void> {
  const snapshot = await store.snapshot();
  const [row] = await snapshot.readRows('identifier', undefined, 1);
  await snapshot.close();
  await store.putRows(
    'identifier',
    [1, 2].map((position) => ({ ...row!, position, report_id: id(9) })),
  );
}
