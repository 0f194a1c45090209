/** The syntax of the schema's parts in one database engine. */
export interface SqlDialect {
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

export const SQLITE: SqlDialect = {
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
