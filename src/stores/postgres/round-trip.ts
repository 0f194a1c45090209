import type { SqlValue } from '../../core/store/sql/statement.ts';
import type { PostgresClient } from './pool.ts';
import type { PreparedStatement } from './statements.ts';

/** A prepared statement with its values. */
export interface BoundStatement extends PreparedStatement {
  readonly values: readonly SqlValue[];
}

/** Rows of a statement, each in column order. Whole numbers are numbers. */
export type Rows = SqlValue[][];

/**
 * Runs statements in their order and returns the rows of each. A client of `pg` sends all of them in one round trip.
 * Any other client sends one after the other. If a statement fails, the later ones do not run. Outside a transaction,
 * the statements of one round trip are then rolled back together.
 */
export async function queryAll(client: PostgresClient, statements: readonly BoundStatement[]): Promise<Rows[]> {
  if (canPipeline(client)) {
    return new Promise((resolve, reject) => {
      client.query(new Pipeline(client, statements, (error, answers) => (error ? reject(error) : resolve(answers))));
    });
  }
  const answers: Rows[] = [];
  for (const statement of statements) answers.push(await queryOne(client, statement));
  return answers;
}

async function queryOne(client: PostgresClient, { name, text, values }: BoundStatement): Promise<Rows> {
  const { rows, fields } = await client.query({ name, text, values: [...values], rowMode: 'array' });
  const found = rows as Rows;
  if (found.length === 0) return found;
  for (const [column, { dataTypeID }] of fields.entries()) {
    if (dataTypeID !== INT8) continue;
    for (const row of found) if (row[column] !== null) row[column] = Number(row[column]);
  }
  return found;
}

/** The OID of `bigint`, which drivers return as text. */
const INT8 = 20;

type Parse = (text: string) => SqlValue;

/** What this file uses of a client of `pg`. Like those of pg-cursor, a query may send its own messages. */
interface PipelineClient extends PostgresClient {
  readonly connection: Connection;
  /** True if the client sends queries before earlier ones are answered. It then refuses a {@link Pipeline}. */
  readonly pipeline?: boolean;
  getTypeParser(type: number): Parse;
  query: PostgresClient['query'] & ((pipeline: Pipeline) => unknown);
}

/** The messages of the extended query protocol. */
interface Connection {
  readonly stream: { cork?(): void; uncork?(): void };
  close(message: { readonly type: 'S'; readonly name: string }): void;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | Buffer | null)[] }): void;
  describe(message: { readonly type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
}

const MESSAGES = ['close', 'parse', 'bind', 'describe', 'execute', 'sync'] as const;

/**
 * True if {@link queryAll} sends all statements of this client together: if it has everything that this needs of `pg`.
 * A test asserts this for the newest `pg`.
 */
export function canPipeline(client: PostgresClient): client is PipelineClient {
  const { connection, getTypeParser, pipeline } = client as Partial<PipelineClient>;
  return (
    MESSAGES.every((name) => typeof connection?.[name] === 'function') &&
    typeof connection?.stream === 'object' &&
    typeof getTypeParser === 'function' &&
    pipeline !== true
  );
}

/**
 * The parsers of the columns of each statement that a connection has prepared here, by name. They never change, so the
 * server describes each statement once.
 */
const prepared = new WeakMap<Connection, Map<string, readonly Parse[]>>();

/** Sends every statement, then one Sync: the server answers all of them in order, or stops at the first error. */
class Pipeline {
  readonly #client: PipelineClient;
  readonly #statements: readonly BoundStatement[];
  readonly #columnsOf: Map<string, readonly Parse[]>;
  readonly #answers: Rows[] = [];
  /** Rows and columns of the statement that is answered now. */
  #rows: Rows = [];
  #columns: readonly Parse[] | undefined;
  #failure: Error | null = null;
  /** Called once, with an error or with all answers. A client with its own time limit replaces this callback. */
  callback: (error: Error | null, answers: Rows[]) => void;

  constructor(client: PipelineClient, statements: readonly BoundStatement[], callback: Pipeline['callback']) {
    this.#client = client;
    this.#statements = statements;
    this.callback = callback;
    this.#columnsOf = prepared.get(client.connection) ?? new Map<string, readonly Parse[]>();
    prepared.set(client.connection, this.#columnsOf);
  }

  submit(connection: Connection): void {
    const sent = new Set<string>();
    connection.stream.cork?.();
    for (const statement of this.#statements) {
      const name = nameOf(statement);
      const isNew = !this.#columnsOf.has(name) && !sent.has(name);
      if (isNew) {
        sent.add(name);
        // If the statement failed before, the server may have it. Closing an unknown one is no error.
        connection.close({ type: 'S', name });
        connection.parse({ name, text: statement.text });
      }
      connection.bind({ statement: name, values: statement.values.map(toParameter) });
      if (isNew) connection.describe({ type: 'P' });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork?.();
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ dataTypeID }) =>
      dataTypeID === INT8 ? Number : this.#client.getTypeParser(dataTypeID),
    );
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = (this.#columns ??= this.#columnsOf.get(this.#name()));
    try {
      this.#rows.push(fields.map((text, at) => (text === null ? null : (columns?.[at]?.(text) ?? text))));
    } catch (error) {
      // The pool's owner may have set a parser that throws.
      this.#failure ??= error as Error;
    }
  }

  handleCommandComplete(): void {
    const name = this.#name();
    if (!this.#columnsOf.has(name)) this.#columnsOf.set(name, this.#columns ?? []);
    this.#answers.push(this.#rows);
    this.#rows = [];
    this.#columns = undefined;
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure, this.#answers);
  }

  handleError(error: Error): void {
    this.callback(error, this.#answers);
  }

  #name(): string {
    const statement = this.#statements[this.#answers.length];
    return statement ? nameOf(statement) : '';
  }
}

/** `pg` keeps a record of the statements that its own queries prepare. Those of pipelines have other names. */
function nameOf({ name }: PreparedStatement): string {
  return `${name}_p`;
}

function toParameter(value: SqlValue): string | Buffer | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
