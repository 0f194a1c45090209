import type { KeyScope, SignInKind } from '../../domain/reporter.ts';
import type { StoredTable } from '../upkeep.ts';
import { addedIn, FLAG, hex, orNull, REAL, sqlName, TEXT, WHOLE, type Column } from './columns.ts';
import { table, type Table } from './table.ts';

// Declares each table of the store once. Row types, codecs, checksums and lists of tables are derived from here. The
// SQL of the schema (schema.ts) is written by hand, because a released step never changes. A test compares the two.

export const PEPPER = table(
  'pepper',
  { since: 4, holds: 'facts', key: ['generation'] },
  { generation: WHOLE, fingerprint: hex(8), addedAt: WHOLE, finishedAt: orNull(WHOLE) },
);

/** Empty until the store is first used with a key of elements. */
export const ELEMENT_KEY = table(
  'seal',
  { since: 11, holds: 'facts', key: ['generation'] },
  { generation: WHOLE, fingerprint: hex(8), addedAt: WHOLE, finishedAt: orNull(WHOLE), completeAt: orNull(WHOLE) },
);

export const REPORTER = table(
  'reporter',
  { since: 1, holds: 'facts', key: ['reporterId'] },
  {
    reporterId: hex(8),
    name: TEXT,
    verified: FLAG,
    suspended: FLAG,
    createdAt: WHOLE,
    identifiersPerDay: addedIn(9, WHOLE),
    contact: addedIn(10, TEXT),
  },
);

export const API_KEY = table(
  'api_key',
  { since: 1, holds: 'facts', key: ['digest'] },
  {
    digest: hex(32),
    keyId: hex(8),
    reporterId: hex(8),
    createdAt: WHOLE,
    endsAt: orNull(WHOLE),
    scope: addedIn(9, TEXT as Column<KeyScope>),
    issuedUntil: addedIn(9, WHOLE),
    lastUsedAt: addedIn(9, WHOLE),
    keyName: addedIn(15, TEXT),
  },
);

/** A deleted report keeps its ids and `removedAt`; its other columns are null. */
export const REPORT = table(
  'report',
  { since: 1, holds: 'facts', key: ['reportId'] },
  {
    reportId: hex(8),
    reporterId: hex(8),
    nonce: orNull(hex(8)),
    fingerprint: orNull(hex(16)),
    type: orNull(TEXT),
    severity: orNull(WHOLE),
    text: orNull(TEXT),
    createdAt: orNull(WHOLE),
    removedAt: orNull(WHOLE),
  },
);

const { reportId: _id, reporterId: _reporter, removedAt: _removed, ...CONTENT } = REPORT.columns;
/** The columns of a report that its deletion empties. */
export const EMPTIED = Object.keys(CONTENT) as (keyof typeof CONTENT)[];

/** An element and the generation of its key. Null in a row without one. */
export const ELEMENT = { element: addedIn(11, hex(32)), seal: addedIn(11, WHOLE) };

/** The columns that sort the identifiers of one hash. */
export const MATCH_ORDER = ['kind', 'reporterId', 'createdAt', 'reportId', 'position'] as const;

/** Repeats the columns of its report that scoring needs: a query then reads one range per hash, without a join. */
export const IDENTIFIER = table(
  'identifier',
  { since: 1, holds: 'facts', key: ['hash', ...MATCH_ORDER] },
  {
    hash: hex(20),
    kind: TEXT,
    reporterId: hex(8),
    createdAt: WHOLE,
    reportId: hex(8),
    position: WHOLE,
    type: TEXT,
    severity: WHOLE,
    disputed: FLAG,
    generation: WHOLE,
    ...ELEMENT,
  },
);

/** `owner` hides the reporter whose query made the link. It differs for each identifier, and is null in older links. */
export const LINK_IDENTIFIER = table(
  'link_identifier',
  { since: 1, holds: 'facts', key: ['linkHash', 'hash', 'kind'] },
  { linkHash: hex(20), hash: hex(20), kind: TEXT, createdAt: WHOLE, owner: addedIn(8, hex(8)) },
);

export const DISPUTE = table(
  'dispute',
  { since: 2, holds: 'facts', key: ['reportId', 'openedAt'] },
  {
    reportId: hex(8),
    reporterId: hex(8),
    openedAt: WHOLE,
    openedBy: TEXT,
    reason: TEXT,
    decidedAt: orNull(WHOLE),
    decidedBy: orNull(TEXT),
    upheld: orNull(FLAG),
    merged: FLAG,
    answer: addedIn(10, TEXT),
    answeredAt: addedIn(10, WHOLE),
  },
);

/**
 * Identifiers of a deleted report that a person found wrong, or whose dispute is open. They show which later reports
 * repeat its claim (repeats.ts), and what its claim costs. After an erasure of some of them, the others have positions
 * from 1, so a claim without the position 0 is not complete.
 */
export const CLAIM = table(
  'claim',
  { since: 13, holds: 'facts', key: ['hash', 'reportId', 'position'] },
  { hash: hex(20), reportId: hex(8), position: WHOLE, kind: TEXT, reporterId: hex(8), generation: WHOLE, ...ELEMENT },
);

/**
 * The rules for claims that writes follow. A write with a lower number, or without one, is of an older journal and is
 * replayed by the older rules:
 *
 * - without: a request keeps no claim, and only reports since the opening of a dispute are included;
 * - below 3: an identifier of a weak kind is weak even if no other reporter names it, and an erasure keeps no part of a
 *   wrong report;
 * - below 4: a case keeps no claim. Instead, the deletion of a report deletes what its cases say;
 * - below 5: the newest decision about any report that shares an identifier with a new one decides whether that repeats
 *   a wrong claim, and an erasure of an identifier ends all cases about its reports;
 * - below 6: the engine decides what `alike` finds wrong, and an erasure of a reporter's reports has no audit entry if
 *   the reporter had deleted them.
 */
export const CLAIM_RULES = 6;

/** A person's request for disputes about reports: one row a report. Deleted when a dispute is opened or refused. */
export const DISPUTE_REQUEST = table(
  'dispute_request',
  { since: 10, holds: 'facts', key: ['reportId', 'requestId'] },
  { reportId: hex(8), requestId: hex(8), reporterId: hex(8), requestedAt: WHOLE, reason: TEXT },
);

/**
 * A report that took the request of a person with a case number. `caseId` is a keyed digest of the number. `requestId`
 * is null after the request was answered: then the disputes of the report since say what became of it.
 */
export const PERSON_CASE = table(
  'person_case',
  { since: 14, holds: 'facts', key: ['reportId', 'caseId'] },
  { reportId: hex(8), caseId: hex(8), requestId: orNull(hex(8)), receivedAt: WHOLE },
);

/** What the person of a case and the operator write to each other. Without `reportId`, about the case as a whole. */
export const CASE_MESSAGE = table(
  'case_message',
  { since: 14, holds: 'facts', key: ['caseId', 'position'] },
  { caseId: hex(8), position: WHOLE, atMs: WHOLE, fromOperator: FLAG, text: TEXT, reportId: addedIn(16, hex(8)) },
);

export const PROTECTION = table(
  'protection',
  { since: 2, holds: 'facts', key: ['hash', 'addedAt'] },
  {
    hash: hex(20),
    addedAt: WHOLE,
    addedBy: TEXT,
    reason: TEXT,
    endsAt: orNull(WHOLE),
    endedBy: orNull(TEXT),
    generation: WHOLE,
    ...ELEMENT,
  },
);

/** Identifiers in queries of one reporter on one UTC day, which begins at `dayAt`. Never which identifiers. */
export const REPORTER_USAGE = table(
  'reporter_usage',
  { since: 9, holds: 'own', key: ['reporterId', 'dayAt'] },
  { reporterId: hex(8), dayAt: WHOLE, identifiers: WHOLE },
);

/** Identifiers that a reporter has sent within the last 24 hours: spans of time, never which ones (budgets.ts). */
export const BUDGET = table(
  'budget',
  { since: 12, holds: 'own', key: ['reporterId'] },
  { reporterId: hex(8), spans: TEXT },
);

/** Only appended to. `amount` is a number that belongs to the action. */
export const AUDIT = table(
  'audit',
  { since: 9, holds: 'facts', key: ['seq'] },
  {
    seq: WHOLE,
    atMs: WHOLE,
    actor: TEXT,
    action: TEXT,
    reporterId: orNull(hex(8)),
    subject: orNull(hex(8)),
    amount: orNull(WHOLE),
    previous: hex(32),
    digest: hex(32),
  },
);

/** Not exported: an import or migration must not send to the receivers of the original. A backup has all tables. */
export const WEBHOOK = table(
  'webhook',
  { since: 9, holds: 'own', key: ['webhookId'] },
  {
    webhookId: hex(8),
    url: TEXT,
    reporterId: orNull(hex(8)),
    createdAt: WHOLE,
    position: WHOLE,
    failures: WHOLE,
    failingSince: orNull(WHOLE),
    nextAt: WHOLE,
    endedAt: orNull(WHOLE),
  },
);

/**
 * Who may sign in to the panel (`link`), and who did (`session`). `form`: a form that was sent. `reporterId` is null
 * for the operator. Not exported: it belongs to the secret of this store.
 */
export const SIGN_IN = table(
  'sign_in',
  { since: 10, holds: 'own', key: ['digest'] },
  {
    digest: hex(32),
    kind: TEXT as Column<SignInKind>,
    reporterId: orNull(hex(8)),
    name: TEXT,
    createdAt: WHOLE,
    endsAt: WHOLE,
  },
);

/** One row. Empty until the store is first used with a secret. */
export const STORE_SECRET = table(
  'store_secret',
  { since: 7, holds: 'own', key: ['fingerprint'] },
  { fingerprint: hex(8), adoptedAt: WHOLE },
);

export const TRUST_EPOCH = table(
  'trust_epoch',
  { since: 2, holds: 'learnt', key: ['rules'] },
  {
    rules: TEXT,
    epochAt: WHOLE,
    claims: WHOLE,
    preceded: WHOLE,
    establishedClaims: WHOLE,
    establishedCorroborated: REAL,
    learntAt: WHOLE,
  },
);

export const TRUST_RECORD = table(
  'trust_record',
  { since: 2, holds: 'learnt', key: ['reporterId'] },
  {
    reporterId: hex(8),
    verified: FLAG,
    claims: WHOLE,
    preceded: WHOLE,
    lost: WHOLE,
    corroborated: REAL,
    confirmable: WHOLE,
    led: REAL,
    echoed: WHOLE,
    matureClaims: WHOLE,
    maturePreceded: WHOLE,
  },
);

/**
 * All tables in dependency order. Keys come first: without them, an incomplete copy would look like a store that has
 * none, and no hash in it would be found.
 */
export const TABLES: readonly Table[] = [
  PEPPER,
  ELEMENT_KEY,
  REPORTER,
  API_KEY,
  REPORT,
  IDENTIFIER,
  LINK_IDENTIFIER,
  DISPUTE,
  CLAIM,
  DISPUTE_REQUEST,
  PERSON_CASE,
  CASE_MESSAGE,
  PROTECTION,
  REPORTER_USAGE,
  BUDGET,
  AUDIT,
  WEBHOOK,
  SIGN_IN,
  STORE_SECRET,
  TRUST_EPOCH,
  TRUST_RECORD,
];

/** Tables whose hashes are under peppers. A hash may have an element. */
export const HASHED_TABLES = [IDENTIFIER, PROTECTION, CLAIM] as const;

/** Tables whose rows have checksums. */
export const CHECKED_TABLES = TABLES.filter(({ holds }) => holds !== 'learnt');

/** Tables that snapshots and exports contain. */
export const EXPORTED_TABLES = TABLES.filter(({ holds }) => holds === 'facts');

/** The exported tables as a snapshot describes them. */
export const STORED_TABLES: readonly StoredTable[] = EXPORTED_TABLES.map(({ name, columns, key, since: version }) => ({
  ...(name === AUDIT.name ? { grows: true } : {}),
  name,
  since: version,
  columns: Object.entries(columns).map(([column, { type, nullable, bytes, since }]) => ({
    name: sqlName(column),
    type: type === 'bytes' || type === 'text' ? type : 'whole',
    nullable,
    ...(bytes === undefined ? {} : { bytes }),
    ...(since === undefined ? {} : { since }),
  })),
  key: key.map(sqlName),
}));

/** Returns the exported table of this name. Throws RangeError if there is none. */
export function exportedTable(name: string): Table {
  const found = EXPORTED_TABLES.find((known) => known.name === name);
  if (!found) throw new RangeError('"table" expected an exported table of the store');
  return found;
}
