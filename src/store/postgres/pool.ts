/** A pool of connections, named by its shape: `Pool` of `pg`, or `createPglitePool`. */
export interface PostgresPool {
  /** Lends a connection; it is given back by `release`. */
  connect(): Promise<PostgresClient>;
  /** An idle connection that breaks says so here, and a new one that it is there. */
  readonly on?: {
    (event: 'error', listener: (error: Error) => void): unknown;
    (event: 'connect', listener: (client: PostgresClient) => void): unknown;
  };
  /** True for a database of this process alone, on one connection: nothing is shared with others. */
  readonly single?: boolean;
  listeners?(event: 'error' | 'connect'): unknown[];
}

/** A connection on loan. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresResult>;
  /** With an error the connection is closed and never lent again. */
  release(error?: Error): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

/** One prepared statement with its values, or, without `values`, a script of several statements, whose rows nobody asks for. */
export interface PostgresQuery {
  readonly text: string;
  /** Of the prepared statement; its text is sent once a connection. */
  readonly name?: string;
  readonly values?: unknown[];
  readonly rowMode?: 'array';
}

export interface PostgresResult {
  readonly rows: unknown[];
  readonly fields: readonly { readonly dataTypeID: number }[];
}
