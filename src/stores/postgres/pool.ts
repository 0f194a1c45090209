/** A pool of connections, described by its shape: `Pool` of `pg`, or `createPglitePool`. */
export interface PostgresPool {
  /** Lends a connection; `release` returns it. */
  connect(): Promise<PostgresClient>;
  /** Reports broken idle connections (`error`) and new connections (`connect`). */
  readonly on?: {
    (event: 'error', listener: (error: Error) => void): unknown;
    (event: 'connect', listener: (client: PostgresClient) => void): unknown;
  };
  /** True for a database with one connection, in this process. No other process shares it. */
  readonly single?: boolean;
  /** Returns the listeners of an event. Without it, the store adds its own each time. */
  listeners?(event: 'error' | 'connect'): unknown[];
}

/** A connection on loan. */
export interface PostgresClient {
  /** Runs a statement. */
  query(query: PostgresQuery): Promise<PostgresResult>;
  /** Returns the connection to the pool. With an error, closes it instead. */
  release(error?: Error): void;
  /** Reports a connection that breaks while it is on loan. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Removes a listener that `on` added. */
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

/** One prepared statement with its values. Without `values`, a script of several statements; its rows are ignored. */
export interface PostgresQuery {
  /** The SQL, with parameters `$1`, `$2`, … */
  readonly text: string;
  /** Name of the prepared statement; each connection receives its text once. */
  readonly name?: string;
  /** One per parameter, in their order. */
  readonly values?: unknown[];
  /** `array`: rows are arrays in column order. Otherwise, rows are objects by column name. */
  readonly rowMode?: 'array';
}

/** Runs a query and returns its rows as objects by column name. */
export async function queryRows<Row>(client: PostgresClient, query: PostgresQuery): Promise<Row[]> {
  const { rows } = await client.query({ ...query, values: query.values ?? [] });
  return rows as Row[];
}

/** What a statement returned: rows, and the type of each column by its object id. */
export interface PostgresResult {
  /** Arrays or objects, as `rowMode` asks. Empty for a statement without rows. */
  readonly rows: unknown[];
  /** The columns in order. `dataTypeID` is the object id of the type. */
  readonly fields: readonly { readonly dataTypeID: number }[];
}
