import { migrationsFor } from '../../core/store/sql/schema.ts';

/** Partitions of the identifier table: enough for several servers, few enough to plan a query over all of them. */
const PARTS = 16;

/** The schema for PostgreSQL. */
export const POSTGRES_MIGRATIONS = migrationsFor({
  bytes: 'BYTEA',
  integer: 'BIGINT',
  text: 'TEXT COLLATE "C"',
  real: 'DOUBLE PRECISION',
  clustered: '',
  spreadByHash: ' PARTITION BY HASH (hash)',
  partsOf: (table, name) =>
    Array.from(
      { length: PARTS },
      (_, at) =>
        `CREATE TABLE ${name}_${at} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTS}, REMAINDER ${at});`,
    ).join('\n  '),
  // Unlogged, because counting must not wait for a disk. If a crash empties a bucket, it is soon full again.
  buckets:
    'CREATE UNLOGGED TABLE rate_bucket (bucket BYTEA NOT NULL PRIMARY KEY, tokens DOUBLE PRECISION NOT NULL, at BIGINT NOT NULL, allowed BOOLEAN NOT NULL);',
  // Logged: a standby receives a count together with the counted writes, and a crash loses no count.
  writes: 'CREATE TABLE reporter_writes (reporter_id BYTEA NOT NULL PRIMARY KEY, writes BIGINT NOT NULL);',
});
