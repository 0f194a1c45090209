import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { createRandom } from '../../crypto/random.ts';
import type { Engine, Lease } from '../../index.ts';
import { wordRefusal } from '../../protocol/wording.ts';
import { toPresent, type SealedKeys } from '../../sealed/keys.ts';
import type { SealedGroup } from '../../sealed/group/group.ts';
import { createAskEvaluator } from '../../sealed/service/ask-evaluator.ts';
import { createSealedEndpoints, type EndpointsParts } from '../../sealed/service/endpoints.ts';
import { createPace } from '../../sealed/service/pace.ts';
import { createPublicationReader, openPublicationFiles, readSequence } from '../../sealed/service/publication-files.ts';
import { createPublisher, type Publisher } from '../../sealed/service/publisher.ts';
import type { PublishedRules, SealedSource } from '../../sealed/service/source.ts';
import { sequenceAt } from '../../sealed/service/versions.ts';
import type { PrintNotice } from '../errors.ts';
import type { OpenStore } from '../open-store.ts';
import { aloneWithKeys, changeKeysInUse, completeReplacement, type KeysInUse } from './change-keys.ts';
import { readSealedKeys, removeLeftKeys, sealedKeysPath, watchSealedKeys } from './keys-file.ts';
import { loadGroup, sealFingerprint } from './seal.ts';

/** Time between two publications. */
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Time after a publication that failed. */
const RETRY_MS = MINUTE_MS;
/** Time in which a change of the keys by a command is noticed, and between two attempts to become the publisher. */
const LOOK_MS = 5_000;
/** Reports in one read. */
const PAGE = 50;

/** The sealed look-up of a data folder. */
export interface LookUp {
  readonly group: SealedGroup;
  readonly keysPath: string;
  /** Where publications are. */
  readonly publications: string;
  readonly keys: () => SealedKeys;
}

/** Returns the folder of publications: `given`, or `sealed` in the data folder. */
export function publicationsOf(folder: string, given?: string): string {
  return given ?? join(folder, 'sealed');
}

/**
 * Opens the look-up of a data folder for a service that takes no commands yet. Overwrites keys that a killed process
 * left beside their file. Undefined if the folder has no sealed keys. Throws DataFolderError for a wrong file.
 */
export async function openLookUp(
  folder: string,
  given: string | undefined,
  store: OpenStore,
  onNotice: PrintNotice,
): Promise<LookUp | undefined> {
  const keysPath = await sealedKeysPath(folder);
  if ((await readSealedKeys(keysPath)) === undefined) return undefined;
  // No command changes the keys now: a service that starts takes none yet, and on a shared store each needs the lease.
  await aloneWithKeys(store, () => removeLeftKeys(keysPath));
  const publications = publicationsOf(folder, given);
  return { group: await loadGroup(onNotice), keysPath, publications, keys: watchSealedKeys(keysPath) };
}

/** Returns the look-up over HTTP, for the option `beside` of the listener. */
export function answerLookUp(
  { group, keys, publications }: LookUp,
  engine: Engine,
  { retryHeaders, onError }: Pick<EndpointsParts, 'retryHeaders' | 'onError'>,
): ReturnType<typeof createSealedEndpoints> {
  return createSealedEndpoints({
    group,
    keys,
    sealOf: sealFingerprint,
    files: createPublicationReader(publications, Date.now),
    service: engine,
    wordRefusal,
    retryHeaders,
    clock: Date.now,
    random: createRandom(),
    giveTurn,
    askEvaluator: createAskEvaluator({ group, send: fetch, random: createRandom() }),
    onError,
  });
}

/**
 * Publishes each hour, and now. Adds the next epoch before the current one ends, destroys the keys of ended epochs, and
 * completes an interrupted replacement of the sealing key. On a shared store, one process does so. `stop` waits for the
 * running publication.
 */
export function startPublishing(
  { group, keys, keysPath, publications }: LookUp,
  engine: Engine,
  store: OpenStore,
  rules: PublishedRules,
  onNotice: PrintNotice,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (milliseconds: number) => wait(milliseconds, undefined, { signal, ref: false });
  const inUse: KeysInUse = { path: keysPath, store, engine };
  let publisher: Publisher | undefined;

  const publish = async (): Promise<number> => {
    const now = Date.now();
    await changeIfNeeded(group, inUse, keys(), now);
    publisher ??= createPublisher({
      group,
      keys,
      source: sourceOf(engine),
      store: await openPublicationFiles(publications),
      rules,
      clock: Date.now,
      pace: createPace(giveTurn, () => performance.now()),
    });
    await publisher.publish();
    const ends = keys().epochs.flatMap(({ key, endsAt }) => (key !== null && endsAt > now ? [endsAt - now] : []));
    return Math.min(HOUR_MS, ...ends);
  };

  /**
   * Waits until the present minute is not used as a sequence. So sequences do not run ahead of the clock, and a folder
   * that was restored without its publications never uses a sequence, or a pad, again.
   */
  const pauseForSequence = async (): Promise<void> => {
    const now = Date.now();
    const used = await readSequence(publications).catch(() => undefined);
    // On a shared store, another process may have published elsewhere: its folder should be this one, but is not.
    const isUnknown = used === undefined && store.shared !== undefined;
    if (isUnknown || (used ?? -1) >= sequenceAt(now)) await pause(MINUTE_MS - (now % MINUTE_MS));
  };

  /** A destroyed key leaves no publication: make the next one soon. */
  const pauseUntilChange = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    const published = keysOrNone(keys);
    for (let left = milliseconds; left > 0 && keysOrNone(keys) === published; left = until - performance.now())
      await pause(Math.min(left, LOOK_MS));
  };

  /** The command may be at it, too. */
  const complete = async (): Promise<void> => {
    try {
      await completeReplacement(inUse);
    } catch (error) {
      onNotice({ event: 'background-work-failed', error });
    }
  };

  const run = async (): Promise<void> => {
    const lease = store.shared && (await becomePublisher(store.shared, pause));
    try {
      while (!signal.aborted) {
        await pauseForSequence();
        const next = await publish().catch((error: unknown) => {
          onNotice({ event: 'sealed-publication-failed', error });
          return RETRY_MS;
        });
        if (keysOrNone(keys)?.previousKey !== undefined) await complete();
        await pauseUntilChange(next);
      }
    } finally {
      await lease?.release();
    }
  };
  const running = run().catch((error: unknown) => {
    if (!signal.aborted) onNotice({ event: 'background-work-failed', error });
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns the keys; undefined while their file cannot be read. The next publication says so. */
function keysOrNone(keys: () => SealedKeys): SealedKeys | undefined {
  try {
    return keys();
  } catch {
    return undefined;
  }
}

async function becomePublisher(
  shared: NonNullable<OpenStore['shared']>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<Lease> {
  for (;;) {
    const lease = await shared.lease('sealed-publication');
    if (lease) return lease;
    await pause(LOOK_MS);
  }
}

/** Changes the keys if they are not as {@link toPresent} says. */
async function changeIfNeeded(group: SealedGroup, inUse: KeysInUse, keys: SealedKeys, now: number): Promise<void> {
  const changed = toPresent(group, keys, now, createRandom());
  if (changed !== keys) await changeKeysInUse(inUse, (present) => toPresent(group, present, now, createRandom()));
}

export function sourceOf(engine: Engine): SealedSource {
  return {
    async *readRows(keys) {
      const seal = sealFingerprint(keys);
      for (let after: Awaited<ReturnType<Engine['readSealedRows']>>['next']; ;) {
        const { rows, next } = await engine.readSealedRows({ after, limit: PAGE, seal });
        yield rows;
        if (next === undefined) return;
        after = next;
      }
    },
    countUnsealed: async () => (await engine.sealStatus()).unsealed,
    readReporters: async () =>
      new Map((await engine.listStandings()).map((standing) => [standing.reporterId, standing])),
  };
}

/** Resolves after other work of the process has run. */
export function giveTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
