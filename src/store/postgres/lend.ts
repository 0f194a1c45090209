import { StoreError, StoreUnavailableError } from '../errors.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';
import { toStoreError } from './unavailable.ts';

/**
 * Thrown by a task that failed but left its connection usable. The connection is returned, and the cause is rethrown.
 */
export class SoundConnectionError extends Error {
  override readonly name = 'SoundConnectionError';
  /** True if the task was rolled back because of a conflict with other work, and may run again. */
  readonly crossed: boolean;

  constructor(cause: unknown, crossed: boolean) {
    super('the task was rolled back', { cause });
    this.crossed = crossed;
  }
}

/**
 * Lends a connection to a task. The connection is reused only if the task succeeds or throws {@link
 * SoundConnectionError}. Otherwise its state is unknown, and it is closed.
 *
 * Rejects with StoreUnavailableError, and closes the connection, if connecting and the task take longer than
 * `timeoutMs` together. So neither a lock nor a dead network blocks the caller forever.
 */
export async function lend<T>(
  pool: PostgresPool,
  timeoutMs: number,
  task: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const timer: { id?: ReturnType<typeof setTimeout> } = {};
  const late = new Promise<never>((_, reject) => {
    if (timeoutMs === Infinity) return;
    timer.id = setTimeout(
      () => reject(new StoreUnavailableError(`the database did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    const client = await connect(pool, late);
    // A broken connection rejects its queries, but it also emits 'error'. Without a listener, that would end the
    // process.
    client.on?.('error', ignore);
    const state: { error: Error | undefined } = { error: new Error('the task failed') };
    const working = prepare(client).then(() => task(client));
    try {
      const result = await Promise.race([working, late]);
      state.error = undefined;
      return result;
    } catch (error) {
      // After a timeout, the task rejects later, when its connection is closed.
      working.catch(ignore);
      if (error instanceof SoundConnectionError) {
        state.error = undefined;
        throw error.cause;
      }
      if (error instanceof Error) state.error = error;
      throw error;
    } finally {
      client.removeListener?.('error', ignore);
      client.release(state.error);
    }
  } finally {
    clearTimeout(timer.id);
  }
}

/** Connections that `prepare` has already set up. */
const prepared = new WeakSet<object>();

/** Turns off JIT compilation. PostgreSQL overestimates recursive statements, and compiling them takes seconds. */
async function prepare(client: PostgresClient): Promise<void> {
  if (prepared.has(client)) return;
  try {
    await client.query({ text: 'SET jit = off' });
  } catch (error) {
    throw toStoreError(error);
  }
  prepared.add(client);
}

/**
 * Listens to errors of a pool's connections, which would otherwise end the process. The pool closes such a connection
 * by itself. Runs once per pool and is never undone, because the pool may outlive the store.
 */
export function hearErrors(pool: PostgresPool): void {
  if (!pool.listeners?.('error').includes(ignore)) pool.on?.('error', ignore);
  // If the server stops, a new connection may break before it is lent: listen from the start.
  if (!pool.listeners?.('connect').includes(hearClient)) pool.on?.('connect', hearClient);
}

const hearClient = (client: PostgresClient): void => void client.on?.('error', ignore);

async function connect(pool: PostgresPool, late: Promise<never>): Promise<PostgresClient> {
  const connecting = Promise.resolve().then(() => pool.connect());
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    // The connection may still arrive after the timeout. Return it to the pool then.
    connecting.then((client) => client.release(), ignore);
    throw error instanceof StoreError ? error : unreachable(error);
  }
}

/** Every error while connecting counts as unavailable, also a wrong password: an operator must repair it. */
function unreachable(error: unknown): unknown {
  const known = toStoreError(error);
  return known instanceof StoreError
    ? known
    : new StoreUnavailableError('the database accepts no connection', { cause: error });
}

const ignore = (): void => undefined;
