import { StoreUnavailableError } from '../store.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';
import { toStoreError } from './unavailable.ts';

/** Thrown by a task whose connection is sound all the same: it is given back and the cause is thrown. */
export class SoundConnectionError extends Error {
  override readonly name = 'SoundConnectionError';
  /** True when the task was undone for another's sake, and may be done again. */
  readonly crossed: boolean;

  constructor(cause: unknown, crossed: boolean) {
    super('the task was undone', { cause });
    this.crossed = crossed;
  }
}

/**
 * Lends a connection to a task. A connection is given back only when the task has ended well (or says so by {@link SoundConnectionError}); after any other
 * end nobody knows what it is in the middle of, and it is closed.
 *
 * After `timeoutMs` of waiting for the connection and the task together the caller is told StoreUnavailableError and the connection is closed, so that neither
 * a lock that nobody lets go of nor a network that swallows everything holds anybody for ever.
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
    // A connection that breaks on loan rejects what was asked of it; the event besides would end the process if nobody heard it.
    client.on?.('error', ignore);
    const state: { error: Error | undefined } = { error: new Error('the task did not end well') };
    const working = prepare(client).then(() => task(client));
    try {
      const result = await Promise.race([working, late]);
      state.error = undefined;
      return result;
    } catch (error) {
      // When it was late, the task ends later by the closing of its connection.
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

/** Connections that were made ready; whoever lent them first has waited for it. */
const prepared = new WeakSet<object>();

/**
 * Every statement of the store is over in a millisecond, and PostgreSQL's guess of what a recursive one costs is so high that it would compile it anew at each run,
 * which takes seconds.
 */
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
 * Hears the errors of a pool's connections, which would end the process if nobody did; the pool closes such a connection by itself. Once a pool, and for as long as it
 * lives, for it may outlive the store.
 */
export function hearErrors(pool: PostgresPool): void {
  if (!pool.listeners?.('error').includes(ignore)) pool.on?.('error', ignore);
  // A server that stops may end a connection in the very packet that completes it, before it is lent.
  if (!pool.listeners?.('connect').includes(hearClient)) pool.on?.('connect', hearClient);
}

const hearClient = (client: PostgresClient): void => void client.on?.('error', ignore);

async function connect(pool: PostgresPool, late: Promise<never>): Promise<PostgresClient> {
  const connecting = Promise.resolve().then(() => pool.connect());
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    // It may still come when nobody waits for it any more.
    connecting.then((client) => client.release(), ignore);
    throw error instanceof StoreUnavailableError ? error : unreachable(error);
  }
}

/** No connection is never the fault of the work: a wrong password, too, is for an operator to mend. */
function unreachable(error: unknown): unknown {
  const told = toStoreError(error);
  return told instanceof StoreUnavailableError
    ? told
    : new StoreUnavailableError('the database gives no connection', { cause: error });
}

const ignore = (): void => undefined;
