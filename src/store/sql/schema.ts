/** How an engine spells what the schema is made of. */
export interface SqlDialect {
  readonly bytes: string;
  /** Whole numbers up to 2^53. */
  readonly integer: string;
  /** Compared by the bytes of its UTF-8, whatever the database's language. */
  readonly text: string;
  readonly real: string;
  /** After a table whose rows lie in the order of its primary key. */
  readonly clustered: string;
  /** The same, for a table that may be spread over several by its column `hash`. */
  readonly spreadByHash: string;
  /** The statements that make the parts of such a table, each called `name` and a number; empty where there are none. */
  readonly partsOf: (table: string, name: string) => string;
  /** The statement that makes the table in which several processes count requests; empty where one process has the store to itself. */
  readonly buckets: string;
  /** The statement that makes the table which says how often each reporter has written; empty where no copy of the database answers queries. */
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

/** Those of the catalogue. What is learnt from them is learnt anew each day. */
const CHECKED_TABLES = [
  'pepper',
  'reporter',
  'api_key',
  'report',
  'identifier',
  'link_identifier',
  'dispute',
  'protection',
];

/**
 * The schema, one step a version, forward only. Ids, digests and hashes are bytes, times are integer milliseconds UTC.
 *
 * `identifier` carries what scoring needs of its report, so that a query is one range read per hash and no join.
 * A removed report keeps its row with everything erased but id, reporter and when: the fact that its code was used.
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
  // Disputes, the allow-list, and what is learnt of reporters. `disputed` says that there is something to look up, which there hardly ever is.
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
  // The reports of one reporter on one hash follow each other in the order of time: who shares a hash is told by one step a reporter, however often it was reported.
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
  // Hashes under the operator's peppers: the first `generation` ones of them, one after the other. What a process needs to follow what others write.
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
  // What a copy of the database must have got before it answers a reporter. An engine without copies has the version and nothing in it.
  `
  ${writes}
  `,
  // The checksums of rows (checksum.ts). Whoever goes this step writes those of all rows in its transaction (migration.ts).
  `
  ${CHECKED_TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN checksum ${integer};`).join('\n  ')}
  `,
];

/** The schema for SQLite. */
export const MIGRATIONS = migrationsFor(SQLITE);

/** The version from which on rows have checksums. */
export const CHECKSUMS_SINCE = MIGRATIONS.findIndex((step) => step.includes('ADD COLUMN checksum')) + 1;
