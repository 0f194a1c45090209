import { StoreError, StoreUnavailableError } from '../../core/store/errors.ts';
import { queryRows, type PostgresClient, type PostgresPool } from './pool.ts';
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
 * `timeoutMs` together. So neither a lock nor a dead network blocks the caller forever. A task may end this limit with
 * `unlimited`.
 *
 * Rejects with StoreUnavailableError, and closes the connection, if it leads to a standby: after a failover, an address
 * may still lead there. `mayFollow` allows a standby.
 */
export async function lend<T>(
  pool: PostgresPool,
  timeoutMs: number,
  task: (client: PostgresClient, unlimited: () => void) => Promise<T>,
  { mayFollow = false }: { readonly mayFollow?: boolean } = {},
): Promise<T> {
  const { late, end } = limitTo(timeoutMs);
  try {
    const client = await connect(pool, late);
    // A broken connection rejects its queries, but it also emits 'error'. Without a listener, that would end the
    // process.
    client.on?.('error', ignore);
    const state: { error: Error | undefined } = { error: new Error('the task failed') };
    const working = prepare(client, mayFollow).then(() => task(client, end));
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
    end();
  }
}

/** Rejects with StoreUnavailableError if the answer takes longer than `timeoutMs`. */
export async function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  const limit = limitTo(timeoutMs);
  try {
    return await Promise.race([answer, limit.late]);
  } finally {
    limit.end();
  }
}

/** `late` rejects after `timeoutMs`, unless `end` is called before. */
function limitTo(timeoutMs: number): { readonly late: Promise<never>; end(): void } {
  const timer: { id?: ReturnType<typeof setTimeout> } = {};
  const late = new Promise<never>((_, reject) => {
    if (timeoutMs === Infinity) return;
    timer.id = setTimeout(
      () => reject(new StoreUnavailableError(`the database did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  return { late, end: () => clearTimeout(timer.id) };
}

/** Connections that `prepare` has already set up. */
const prepared = new WeakSet<object>();

/**
 * Turns off JIT compilation: PostgreSQL overestimates recursive statements, and compiling them takes seconds. Rejects a
 * standby. One look is enough, because a primary becomes a standby only by a restart, which ends its connections.
 */
async function prepare(client: PostgresClient, mayFollow: boolean): Promise<void> {
  if (prepared.has(client)) return;
  try {
    const [server] = await queryRows<{ readonly follows: boolean }>(client, { text: PREPARE });
    if (server?.follows && !mayFollow)
      throw new StoreUnavailableError('the address leads to a standby, which accepts no writes');
  } catch (error) {
    throw toStoreError(error);
  }
  prepared.add(client);
}

const PREPARE = "SELECT set_config('jit', 'off', false), pg_is_in_recovery() AS follows";

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
