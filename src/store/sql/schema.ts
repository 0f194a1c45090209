/**
 * The schema, one step a version, forward only. Ids, digests and hashes are bytes, times are integer milliseconds UTC.
 *
 * `identifier` carries what scoring needs of its report, so that a query is one range read per hash and no join.
 * A removed report keeps its row with everything erased but id, reporter and when: the fact that its code was used.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE reporter (
    reporter_id BLOB NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    verified    INTEGER NOT NULL,
    suspended   INTEGER NOT NULL,
    created_at  INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE api_key (
    digest      BLOB NOT NULL PRIMARY KEY,
    key_id      BLOB NOT NULL UNIQUE,
    reporter_id BLOB NOT NULL REFERENCES reporter (reporter_id),
    created_at  INTEGER NOT NULL,
    ends_at     INTEGER
  ) WITHOUT ROWID;

  CREATE TABLE report (
    report_id   BLOB NOT NULL UNIQUE,
    reporter_id BLOB NOT NULL REFERENCES reporter (reporter_id),
    nonce       BLOB,
    fingerprint BLOB,
    type        TEXT,
    severity    INTEGER,
    text        TEXT,
    created_at  INTEGER,
    removed_at  INTEGER
  );
  CREATE INDEX report_fingerprint ON report (fingerprint) WHERE fingerprint IS NOT NULL;

  CREATE TABLE identifier (
    hash        BLOB NOT NULL,
    report_id   BLOB NOT NULL,
    position    INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    reporter_id BLOB NOT NULL,
    type        TEXT NOT NULL,
    severity    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (hash, report_id, position)
  ) WITHOUT ROWID;
  CREATE INDEX identifier_report ON identifier (report_id);

  CREATE TABLE link_identifier (
    link_hash   BLOB NOT NULL,
    hash        BLOB NOT NULL,
    kind        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (link_hash, hash, kind)
  ) WITHOUT ROWID;
  CREATE INDEX link_identifier_hash ON link_identifier (hash, created_at);
  `,
  // Disputes, the allow-list, and what is learnt of reporters. `disputed` says that there is something to look up, which there hardly ever is.
  `
  ALTER TABLE identifier ADD COLUMN disputed INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE dispute (
    report_id   BLOB NOT NULL,
    reporter_id BLOB NOT NULL,
    opened_at   INTEGER NOT NULL,
    opened_by   TEXT NOT NULL,
    reason      TEXT NOT NULL,
    decided_at  INTEGER,
    decided_by  TEXT,
    upheld      INTEGER,
    PRIMARY KEY (report_id, opened_at)
  ) WITHOUT ROWID;

  CREATE TABLE protection (
    hash     BLOB NOT NULL,
    added_at INTEGER NOT NULL,
    added_by TEXT NOT NULL,
    reason   TEXT NOT NULL,
    ends_at  INTEGER,
    ended_by TEXT,
    PRIMARY KEY (hash, added_at)
  ) WITHOUT ROWID;

  CREATE TABLE trust_epoch (
    rules                    TEXT NOT NULL PRIMARY KEY,
    epoch_at                 INTEGER NOT NULL,
    claims                   INTEGER NOT NULL,
    preceded                 INTEGER NOT NULL,
    established_claims       INTEGER NOT NULL,
    established_corroborated REAL NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE trust_record (
    reporter_id     BLOB NOT NULL PRIMARY KEY,
    verified        INTEGER NOT NULL,
    claims          INTEGER NOT NULL,
    preceded        INTEGER NOT NULL,
    lost            INTEGER NOT NULL,
    corroborated    REAL NOT NULL,
    confirmable     INTEGER NOT NULL,
    led             REAL NOT NULL,
    echoed          INTEGER NOT NULL,
    mature_claims   INTEGER NOT NULL,
    mature_preceded INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE INDEX report_removed ON report (removed_at) WHERE removed_at IS NOT NULL;
  `,
  // The reports of one reporter on one hash follow each other in the order of time: who shares a hash is told by one step a reporter, however often it was reported.
  `
  CREATE TABLE identifier_by_reporter (
    hash        BLOB NOT NULL,
    kind        TEXT NOT NULL,
    reporter_id BLOB NOT NULL,
    created_at  INTEGER NOT NULL,
    report_id   BLOB NOT NULL,
    position    INTEGER NOT NULL,
    type        TEXT NOT NULL,
    severity    INTEGER NOT NULL,
    disputed    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (hash, kind, reporter_id, created_at, report_id, position)
  ) WITHOUT ROWID;
  INSERT INTO identifier_by_reporter (hash, kind, reporter_id, created_at, report_id, position, type, severity, disputed)
    SELECT hash, kind, reporter_id, created_at, report_id, position, type, severity, disputed FROM identifier ORDER BY hash, kind, reporter_id, created_at, report_id, position;
  DROP TABLE identifier;
  ALTER TABLE identifier_by_reporter RENAME TO identifier;
  CREATE INDEX identifier_report ON identifier (report_id);
  `,
  // Hashes under the operator's peppers: the first `generation` ones of them, one after the other. What a process needs to follow what others write.
  `
  ALTER TABLE identifier ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE protection ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE pepper (
    generation  INTEGER NOT NULL PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    added_at    INTEGER NOT NULL,
    finished_at INTEGER
  );

  ALTER TABLE trust_epoch ADD COLUMN learnt_at INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX report_created ON report (created_at) WHERE created_at IS NOT NULL;
  `,
];
