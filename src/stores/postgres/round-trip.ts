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
      client.query(createPipeline(client, statements, (error, answers) => (error ? reject(error) : resolve(answers))));
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

/** What this file uses of a client of `pg`. Its `query` accepts a {@link Submittable}, as pg-cursor also does. */
interface PipelineClient extends PostgresClient {
  readonly connection: Connection;
  /** True if the client sends queries before earlier ones are answered. It then refuses a {@link Submittable}. */
  readonly pipeline?: boolean;
  getTypeParser(type: number): Parse;
  query: PostgresClient['query'] & ((submittable: Submittable) => unknown);
}

/** The messages of the extended query protocol. */
interface Connection {
  readonly stream: { cork?(): void; uncork?(): void };
  /** The texts of the statements that this connection has prepared, by name. The client uses it too. */
  readonly parsedStatements: Record<string, string>;
  on(event: 'parseComplete', listener: () => void): unknown;
  removeListener(event: 'parseComplete', listener: () => void): unknown;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | Buffer | null)[] }): void;
  describe(message: { readonly type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
}

/** What a client of `pg` calls on a query. */
interface Submittable {
  /** Called once, with an error or with all answers. A client with its own time limit replaces this callback. */
  callback: Callback;
  submit(): void;
  handleRowDescription(message: { readonly fields: readonly { readonly dataTypeID: number }[] }): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

type Callback = (error: Error | null, answers: Rows[]) => void;

/** True if {@link queryAll} sends all statements of this client together. */
export function canPipeline(client: PostgresClient): client is PipelineClient {
  const { connection, getTypeParser, pipeline } = client as Partial<PipelineClient>;
  return typeof connection?.parsedStatements === 'object' && typeof getTypeParser === 'function' && pipeline !== true;
}

/**
 * The parsers of the columns of each prepared statement, by name. They never change, so the server describes each
 * statement once.
 */
const described = new WeakMap<Connection, Map<string, readonly Parse[]>>();

/** Sends every statement, then one Sync: the server answers all of them in order, or stops at the first error. */
function createPipeline(
  client: PipelineClient,
  statements: readonly BoundStatement[],
  callback: Callback,
): Submittable {
  const { connection } = client;
  const columnsOf = described.get(connection) ?? new Map<string, readonly Parse[]>();
  described.set(connection, columnsOf);
  /** Statements that the server has not confirmed yet. */
  const parsing: PreparedStatement[] = [];
  const answers: Rows[] = [];
  let rows: Rows = [];
  let columns: readonly Parse[] = [];
  let failure: Error | null = null;

  const nameNow = (): string => statements[answers.length]?.name ?? '';
  const next = (): void => {
    rows = [];
    columns = columnsOf.get(nameNow()) ?? [];
  };
  const parsed = (): void => {
    const statement = parsing.shift();
    if (statement) connection.parsedStatements[statement.name] = statement.text;
  };
  const end = (submittable: Submittable, error: Error | null): void => {
    connection.removeListener('parseComplete', parsed);
    submittable.callback(error, answers);
  };
  next();

  return {
    callback,
    submit() {
      const sent = new Set<string>();
      connection.on('parseComplete', parsed);
      connection.stream.cork?.();
      for (const statement of statements) {
        const { name, text, values } = statement;
        const isFirst = !sent.has(name);
        sent.add(name);
        if (isFirst && connection.parsedStatements[name] === undefined) {
          parsing.push(statement);
          connection.parse({ name, text });
        }
        connection.bind({ statement: name, values: values.map(toParameter) });
        if (isFirst && !columnsOf.has(name)) connection.describe({ type: 'P' });
        connection.execute({});
      }
      connection.sync();
      connection.stream.uncork?.();
    },
    handleRowDescription({ fields }) {
      columns = fields.map(({ dataTypeID }) => (dataTypeID === INT8 ? Number : client.getTypeParser(dataTypeID)));
    },
    handleDataRow({ fields }) {
      try {
        rows.push(fields.map((text, at) => (text === null ? null : (columns[at]?.(text) ?? text))));
      } catch (error) {
        // The pool's owner may have set a parser that throws.
        failure ??= error as Error;
      }
    },
    handleCommandComplete() {
      columnsOf.set(nameNow(), columns);
      answers.push(rows);
      next();
    },
    handleReadyForQuery() {
      end(this, failure);
    },
    handleError(error) {
      end(this, error);
    },
  };
}

function toParameter(value: SqlValue): string | Buffer | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
