import { CHECKED_TABLES } from './catalogue.ts';

/** The syntax of the schema's parts in one database engine. */
interface SqlDialect {
  readonly bytes: string;
  /** Whole numbers up to 2^53. */
  readonly integer: string;
  /** Compared by its UTF-8 bytes, whatever the database's locale. */
  readonly text: string;
  readonly real: string;
  /** SQL after a table whose rows are stored in primary key order. */
  readonly clustered: string;
  /** Like `clustered`, for a table that may be partitioned by its column `hash`. */
  readonly spreadByHash: string;
  /** Creates the table's partitions, each named `name` and a number. Empty without partitions. */
  readonly partsOf: (table: string, name: string) => string;
  /** Creates the table in which several processes count requests. Empty if only one process can use the store. */
  readonly buckets: string;
  /** Creates the table that counts the writes of each reporter. Empty without replicas. */
  readonly writes: string;
}

const SQLITE: SqlDialect = {
  bytes: 'BLOB',
  integer: 'INTEGER',
  text: 'TEXT',
  real: 'REAL',
  clustered: ' WITHOUT ROWID',
  spreadByHash: ' WITHOUT ROWID',
  partsOf: () => '',
  buckets: '',
  writes: '',
};

/**
 * The schema, one step per version, without downgrades. Ids, digests and hashes are bytes. Times are in ms (UTC).
 *
 * `identifier` repeats what scoring needs of its report: a query is one range read per hash, without a join. A removed
 * report keeps its row with id, reporter and time of removal, to record that its code was used.
 */
export const migrationsFor = ({
  bytes,
  integer,
  text,
  real,
  clustered,
  spreadByHash,
  partsOf,
  buckets,
  writes,
}: SqlDialect): readonly string[] => [
  `
  CREATE TABLE reporter (
    reporter_id ${bytes} NOT NULL PRIMARY KEY,
    name        ${text} NOT NULL UNIQUE,
    verified    ${integer} NOT NULL,
    suspended   ${integer} NOT NULL,
    created_at  ${integer} NOT NULL
  )${clustered};

  CREATE TABLE api_key (
    digest      ${bytes} NOT NULL PRIMARY KEY,
    key_id      ${bytes} NOT NULL UNIQUE,
    reporter_id ${bytes} NOT NULL REFERENCES reporter (reporter_id),
    created_at  ${integer} NOT NULL,
    ends_at     ${integer}
  )${clustered};

  CREATE TABLE report (
    report_id   ${bytes} NOT NULL UNIQUE,
    reporter_id ${bytes} NOT NULL REFERENCES reporter (reporter_id),
    nonce       ${bytes},
    fingerprint ${bytes},
    type        ${text},
    severity    ${integer},
    text        ${text},
    created_at  ${integer},
    removed_at  ${integer}
  );
  CREATE INDEX report_fingerprint ON report (fingerprint) WHERE fingerprint IS NOT NULL;

  CREATE TABLE identifier (
    hash        ${bytes} NOT NULL,
    report_id   ${bytes} NOT NULL,
    position    ${integer} NOT NULL,
    kind        ${text} NOT NULL,
    reporter_id ${bytes} NOT NULL,
    type        ${text} NOT NULL,
    severity    ${integer} NOT NULL,
    created_at  ${integer} NOT NULL,
    PRIMARY KEY (hash, report_id, position)
  )${clustered};
  CREATE INDEX identifier_report ON identifier (report_id);

  CREATE TABLE link_identifier (
    link_hash   ${bytes} NOT NULL,
    hash        ${bytes} NOT NULL,
    kind        ${text} NOT NULL,
    created_at  ${integer} NOT NULL,
    PRIMARY KEY (link_hash, hash, kind)
  )${clustered};
  CREATE INDEX link_identifier_hash ON link_identifier (hash, created_at);
  `,
  // Disputes, the allow-list and learnt standings. `disputed` marks the few identifiers that have disputes to look up.
  `
  ALTER TABLE identifier ADD COLUMN disputed ${integer} NOT NULL DEFAULT 0;

  CREATE TABLE dispute (
    report_id   ${bytes} NOT NULL,
    reporter_id ${bytes} NOT NULL,
    opened_at   ${integer} NOT NULL,
    opened_by   ${text} NOT NULL,
    reason      ${text} NOT NULL,
    decided_at  ${integer},
    decided_by  ${text},
    upheld      ${integer},
    PRIMARY KEY (report_id, opened_at)
  )${clustered};

  CREATE TABLE protection (
    hash     ${bytes} NOT NULL,
    added_at ${integer} NOT NULL,
    added_by ${text} NOT NULL,
    reason   ${text} NOT NULL,
    ends_at  ${integer},
    ended_by ${text},
    PRIMARY KEY (hash, added_at)
  )${clustered};

  CREATE TABLE trust_epoch (
    rules                    ${text} NOT NULL PRIMARY KEY,
    epoch_at                 ${integer} NOT NULL,
    claims                   ${integer} NOT NULL,
    preceded                 ${integer} NOT NULL,
    established_claims       ${integer} NOT NULL,
    established_corroborated ${real} NOT NULL
  )${clustered};

  CREATE TABLE trust_record (
    reporter_id     ${bytes} NOT NULL PRIMARY KEY,
    verified        ${integer} NOT NULL,
    claims          ${integer} NOT NULL,
    preceded        ${integer} NOT NULL,
    lost            ${integer} NOT NULL,
    corroborated    ${real} NOT NULL,
    confirmable     ${integer} NOT NULL,
    led             ${real} NOT NULL,
    echoed          ${integer} NOT NULL,
    mature_claims   ${integer} NOT NULL,
    mature_preceded ${integer} NOT NULL
  )${clustered};

  CREATE INDEX report_removed ON report (removed_at) WHERE removed_at IS NOT NULL;
  `,
  // Reports of one reporter on one hash are adjacent, by time: one lookup per reporter then finds who shares a hash.
  `
  CREATE TABLE identifier_by_reporter (
    hash        ${bytes} NOT NULL,
    kind        ${text} NOT NULL,
    reporter_id ${bytes} NOT NULL,
    created_at  ${integer} NOT NULL,
    report_id   ${bytes} NOT NULL,
    position    ${integer} NOT NULL,
    type        ${text} NOT NULL,
    severity    ${integer} NOT NULL,
    disputed    ${integer} NOT NULL DEFAULT 0,
    PRIMARY KEY (hash, kind, reporter_id, created_at, report_id, position)
  )${spreadByHash};
  ${partsOf('identifier_by_reporter', 'identifier')}
  INSERT INTO identifier_by_reporter (hash, kind, reporter_id, created_at, report_id, position, type, severity, disputed)
    SELECT hash, kind, reporter_id, created_at, report_id, position, type, severity, disputed FROM identifier ORDER BY hash, kind, reporter_id, created_at, report_id, position;
  DROP TABLE identifier;
  ALTER TABLE identifier_by_reporter RENAME TO identifier;
  CREATE INDEX identifier_report ON identifier (report_id);
  `,
  // Peppers: a hash went through the first `generation` of them. And what a process needs to follow others.
  `
  ALTER TABLE identifier ADD COLUMN generation ${integer} NOT NULL DEFAULT 0;
  ALTER TABLE protection ADD COLUMN generation ${integer} NOT NULL DEFAULT 0;
  ALTER TABLE dispute ADD COLUMN merged ${integer} NOT NULL DEFAULT 0;

  CREATE TABLE pepper (
    generation  ${integer} NOT NULL PRIMARY KEY,
    fingerprint ${bytes} NOT NULL,
    added_at    ${integer} NOT NULL,
    finished_at ${integer}
  );

  ALTER TABLE trust_epoch ADD COLUMN learnt_at ${integer} NOT NULL DEFAULT 0;
  CREATE INDEX report_created ON report (created_at) WHERE created_at IS NOT NULL;
  ${buckets}
  `,
  // Counts that show what a replica must have received before it answers a reporter. Empty without replicas.
  `
  ${writes}
  `,
  // Checksums of rows (columns.ts). The transaction of this step writes them for all rows (migration.ts).
  `
  ${CHECKED_TABLES.filter(({ since }) => since < 6)
    .map(({ name }) => `ALTER TABLE ${name} ADD COLUMN checksum ${integer};`)
    .join('\n  ')}
  `,
  // The fingerprint of the operator's secret: one row. Empty until the store is first used with a secret.
  `
  CREATE TABLE store_secret (
    fingerprint ${bytes} NOT NULL PRIMARY KEY,
    adopted_at  ${integer} NOT NULL,
    checksum    ${integer} NOT NULL
  )${clustered};
  `,
  // Links by owner, so that a reporter's links evict only its own. Older links have no owner and are not evicted.
  `
  ALTER TABLE link_identifier ADD COLUMN owner ${bytes};
  DROP INDEX link_identifier_hash;
  CREATE INDEX link_identifier_hash ON link_identifier (hash, owner, created_at);
  `,
  // Scope, planned end and last use of keys. Budgets, and identifiers in queries by day. The audit log and webhooks.
  `
  ALTER TABLE api_key ADD COLUMN scope ${text};
  ALTER TABLE api_key ADD COLUMN issued_until ${integer};
  ALTER TABLE api_key ADD COLUMN last_used_at ${integer};
  ALTER TABLE reporter ADD COLUMN identifiers_per_day ${integer};

  CREATE TABLE reporter_usage (
    reporter_id ${bytes} NOT NULL,
    day_at      ${integer} NOT NULL,
    identifiers ${integer} NOT NULL,
    checksum    ${integer} NOT NULL,
    PRIMARY KEY (reporter_id, day_at)
  )${clustered};
  CREATE INDEX reporter_usage_day ON reporter_usage (day_at);

  CREATE TABLE audit (
    seq         ${integer} NOT NULL PRIMARY KEY,
    at_ms       ${integer} NOT NULL,
    actor       ${text} NOT NULL,
    action      ${text} NOT NULL,
    reporter_id ${bytes},
    subject     ${bytes},
    amount      ${integer},
    previous    ${bytes} NOT NULL,
    digest      ${bytes} NOT NULL,
    checksum    ${integer} NOT NULL
  )${clustered};
  CREATE INDEX audit_subject ON audit (subject) WHERE subject IS NOT NULL;

  CREATE TABLE webhook (
    webhook_id    ${bytes} NOT NULL PRIMARY KEY,
    url           ${text} NOT NULL,
    reporter_id   ${bytes},
    created_at    ${integer} NOT NULL,
    position      ${integer} NOT NULL,
    failures      ${integer} NOT NULL,
    failing_since ${integer},
    next_at       ${integer} NOT NULL,
    ended_at      ${integer},
    checksum      ${integer} NOT NULL
  )${clustered};
  `,
  // Contacts of reporters, answers to disputes, requests for disputes, sign-ins. The index lists reports of a reporter.
  `
  ALTER TABLE reporter ADD COLUMN contact ${text};
  ALTER TABLE dispute ADD COLUMN answer ${text};
  ALTER TABLE dispute ADD COLUMN answered_at ${integer};
  CREATE INDEX report_reporter ON report (reporter_id, created_at) WHERE created_at IS NOT NULL;

  CREATE TABLE dispute_request (
    report_id    ${bytes} NOT NULL,
    request_id   ${bytes} NOT NULL,
    reporter_id  ${bytes} NOT NULL,
    requested_at ${integer} NOT NULL,
    reason       ${text} NOT NULL,
    checksum     ${integer} NOT NULL,
    PRIMARY KEY (report_id, request_id)
  )${clustered};
  CREATE INDEX dispute_request_time ON dispute_request (requested_at);

  CREATE TABLE sign_in (
    digest      ${bytes} NOT NULL PRIMARY KEY,
    kind        ${text} NOT NULL,
    reporter_id ${bytes},
    name        ${text} NOT NULL,
    created_at  ${integer} NOT NULL,
    ends_at     ${integer} NOT NULL,
    checksum    ${integer} NOT NULL
  )${clustered};
  CREATE INDEX sign_in_end ON sign_in (ends_at);
  `,
  // Elements beside identifiers and entries of the allow-list, and the fingerprints of their keys.
  `
  ALTER TABLE identifier ADD COLUMN element ${bytes};
  ALTER TABLE identifier ADD COLUMN seal ${integer};
  ALTER TABLE protection ADD COLUMN element ${bytes};
  ALTER TABLE protection ADD COLUMN seal ${integer};

  CREATE TABLE seal (
    generation  ${integer} NOT NULL PRIMARY KEY,
    fingerprint ${bytes} NOT NULL,
    added_at    ${integer} NOT NULL,
    finished_at ${integer},
    complete_at ${integer},
    checksum    ${integer} NOT NULL
  )${clustered};
  `,
  // What reporters have used of their budgets; and each report asks which reports of its reporter people judged.
  `
  CREATE TABLE budget (
    reporter_id ${bytes} NOT NULL PRIMARY KEY,
    spans       ${text} NOT NULL,
    checksum    ${integer} NOT NULL
  )${clustered};

  CREATE INDEX dispute_judged ON dispute (reporter_id) WHERE decided_by <> 'engine';
  `,
  // A claim that was found wrong stays wrong: identifiers of deleted reports that a person disputed.
  `
  CREATE TABLE claim (
    hash        ${bytes} NOT NULL,
    report_id   ${bytes} NOT NULL,
    position    ${integer} NOT NULL,
    kind        ${text} NOT NULL,
    reporter_id ${bytes} NOT NULL,
    generation  ${integer} NOT NULL,
    element     ${bytes},
    seal        ${integer},
    checksum    ${integer} NOT NULL,
    PRIMARY KEY (hash, report_id, position)
  )${clustered};
  CREATE INDEX claim_report ON claim (report_id);
  `,
  // What a person with a case number may ask about, and what the person and the operator write to each other.
  `
  CREATE TABLE person_case (
    report_id   ${bytes} NOT NULL,
    case_id     ${bytes} NOT NULL,
    request_id  ${bytes},
    received_at ${integer} NOT NULL,
    checksum    ${integer} NOT NULL,
    PRIMARY KEY (report_id, case_id)
  )${clustered};
  CREATE INDEX person_case_id ON person_case (case_id);
  CREATE INDEX person_case_time ON person_case (received_at);

  CREATE TABLE case_message (
    case_id       ${bytes} NOT NULL,
    position      ${integer} NOT NULL,
    at_ms         ${integer} NOT NULL,
    from_operator ${integer} NOT NULL,
    text          ${text} NOT NULL,
    checksum      ${integer} NOT NULL,
    PRIMARY KEY (case_id, position)
  )${clustered};
  `,
  // Names of keys.
  `
  ALTER TABLE api_key ADD COLUMN key_name ${text};
  `,
  // Which report of a case a message is about.
  `
  ALTER TABLE case_message ADD COLUMN report_id ${bytes};
  `,
];

/** The schema for SQLite. */
export const MIGRATIONS = migrationsFor(SQLITE);

/** The first version with checksums of rows. */
export const CHECKSUMS_SINCE = MIGRATIONS.findIndex((step) => step.includes('ADD COLUMN checksum')) + 1;

/** The newest version that changed an exported table or the checksums. */
export const EXPORT_SCHEMA = 16;
