import type { ProgramEngine } from './program-engine.ts';
import type { StoreAddress } from './address.ts';
import { answerCalls, runCall } from './calls.ts';
import { withDataFolderErrors, type PrintNotice } from './errors.ts';
import { issueFirstKey, type FirstKey } from './first-key.ts';
import { createFolderCalls } from './folder-calls.ts';
import { eachDay } from './midnight.ts';
import { openStore, type OpenStore } from './open-store.ts';
import { openKeys, runAlone, type StoreKeys } from './store-keys.ts';
import { startSender, type SenderSettings } from './webhooks/sender.ts';

export interface ServedFolder extends StoreKeys {
  readonly folder: string;
  readonly store: OpenStore;
}

/** What the steps of a start share. If `signal` is aborted, a start rejects with its reason before the next step. */
export interface Start {
  readonly onNotice: PrintNotice;
  readonly signal: AbortSignal;
}

/**
 * Opens a data folder for a service. Creates missing parts: folder, store, secret and pepper. Throws DataFolderError if
 * the folder, the store or the keys cannot be used.
 */
export async function openServedFolder(
  folder: string,
  address: StoreAddress,
  replica: string | undefined,
  start: Start,
): Promise<ServedFolder> {
  const { onNotice } = start;
  const store = await openStore(folder, address, replica, onNotice);
  try {
    return { folder, store, ...(await runAlone(store, start, () => openKeys(folder, store, onNotice))) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Prepares the engine of a served folder for clients: verifies its keys, answers calls from commands, and creates the
 * first reporter. Returns that reporter's API key, or the file that has it unless `mayShow`; undefined if the store
 * already has a key. Throws DataFolderError for wrong keys.
 */
export async function beginService(
  engine: ProgramEngine,
  { folder, store, secret }: ServedFolder,
  mayShow: boolean,
  start: Start,
): Promise<FirstKey | undefined> {
  start.signal.throwIfAborted();
  // Detect wrong keys before any client is answered.
  await withDataFolderErrors(engine.ready());
  const calls = { ...engine, ...createFolderCalls({ engine, folder, store, secret, serves: true }) };
  if (store.lock) answerCalls(store.lock, (call, signal) => runCall(calls, call, signal));
  return runAlone(store, start, () => issueFirstKey(engine, folder, mayShow));
}

/**
 * Starts a service's background work: it recomputes standings each day, moves identifiers to new peppers and sends
 * webhooks. Without the daily work, the first request of a day would wait for the standings. `stop` waits for running
 * work, except the daily work; `engine.close` waits for that.
 */
export function startUpkeep(
  engine: ProgramEngine,
  { store, secret }: Pick<ServedFolder, 'store' | 'secret'>,
  onNotice: PrintNotice,
  webhooks: SenderSettings,
): { stop(): Promise<void> } {
  const failed = (error: unknown): void => onNotice({ event: 'background-work-failed', error });
  const learning = engine.listStandings().catch(failed);
  const peppering = moveUnderPeppers(engine, store, onNotice).catch(failed);
  const sender = startSender(store, secret, onNotice, webhooks);
  const daily = eachDay(() => engine.recomputeTrust(), failed);
  return {
    async stop() {
      daily.stop();
      await Promise.all([learning, peppering, sender.stop()]);
    },
  };
}

/**
 * Moves identifiers without pepper, or with an older one, to the newest pepper. Continues an interrupted move. On a
 * shared store, the operator starts the move when every process has the new pepper.
 */
async function moveUnderPeppers(engine: ProgramEngine, store: OpenStore, onNotice: PrintNotice): Promise<void> {
  const { moving, spare } = await engine.pepperStatus();
  if (!moving && (spare === 0 || store.shared)) return;
  onNotice({ event: 'identifiers-peppered', moved: await engine.rotatePepper() });
}
