import { createRandom } from '../../../core/crypto/crypto.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { toBase64Url } from '../../../sealed/encoding.ts';
import { SealedKeyError } from '../../../sealed/errors.ts';
import {
  createEvaluatorKeys,
  createKeys,
  destroyEpoch,
  nextEpoch,
  replaceSealingKey,
  scheduleOf,
  withOpenEpoch,
  type EpochKey,
  type EvaluatorAccess,
  type SealedKeys,
} from '../../../sealed/keys.ts';
import { operatorPublicKey } from '../../../sealed/manifest.ts';
import { createPublicationReader, removePublications } from '../../../sealed/service/publication-files.ts';
import { hasStore, readAddress } from '../address.ts';
import { DataFolderError, printNotice, withDataFolderErrors } from '../errors.ts';
import { connectToHolder, openStore } from '../open-store.ts';
import type { Place } from '../upkeep-calls.ts';
import { changeKeysInUse, completeReplacement, type KeysInUse } from './change-keys.ts';
import { createSealedKeys, readSealedKeys, sealedKeysPath } from './keys-file.ts';
import { publicationsOf } from './look-up.ts';
import { askFor, loadGroup, requireUnseen, sealFingerprint } from './seal.ts';

interface Publications {
  /** The folder that `serve --sealed-folder` names. */
  readonly publications?: string | undefined;
}

interface By {
  /** The operator's name. */
  readonly by?: string | undefined;
}

/**
 * Creates the sealed keys of a data folder: with a sealing key, or with a separate evaluator that has it. Returns the
 * path of their file. Throws DataFolderError if the folder has some, and for an evaluator that does not answer or a
 * store that {@link requireUnseen} refuses.
 */
export async function initSealed(folder: string, evaluator?: EvaluatorAccess): Promise<string> {
  const path = await sealedKeysPath(folder);
  const group = await loadGroup(printNotice);
  const random = createRandom();
  if (evaluator === undefined) {
    await createSealedKeys(folder, path, createKeys(group, Date.now(), random));
  } else {
    await requireUnseenFolder(folder);
    // A wrong address, token or key shows now, and not at the first report.
    await withDataFolderErrors(askFor(group, evaluator, random(20)));
    await createSealedKeys(folder, path, createEvaluatorKeys(group, evaluator, Date.now(), random));
  }
  return path;
}

async function requireUnseenFolder(folder: string): Promise<void> {
  const address = readAddress(folder, undefined);
  const socket = await connectToHolder(folder, address);
  socket?.destroy();
  if (socket)
    throw new DataFolderError(
      'a separate evaluator needs a store without reports and protected identifiers; if this store has none, stop redflag serve first',
    );
  if (!hasStore(folder, address)) return;
  const store = await openStore(folder, address);
  try {
    await requireUnseen(store);
  } finally {
    await store.close();
  }
}

/** Returns the calls about the sealed look-up. */
export function createSealedCalls(place: Place) {
  const { engine, folder } = place;
  return {
    async sealedStatus({ publications }: Publications) {
      const keys = await requireKeys(folder);
      await requireSealing(engine);
      const newest = await createPublicationReader(publicationsOf(folder, publications), Date.now).newest();
      const { unsealed, replacing } = await engine.sealStatus();
      const now = Date.now();
      return {
        fingerprint: sealFingerprint(keys),
        operatorKey: toBase64Url(operatorPublicKey(keys.operatorKey)),
        evaluator: 'evaluator' in keys ? { url: keys.evaluator.url, publicKey: toBase64Url(keys.evaluator.key) } : null,
        epochs: keys.epochs.map((epoch) => ({
          number: epoch.number,
          startsAt: epoch.startsAt,
          endsAt: epoch.endsAt,
          state: stateOf(keys, epoch, now),
        })),
        published: newest ? { epoch: newest.epoch, sequence: newest.sequence } : null,
        unsealed,
        replacing: replacing || keys.previousKey !== undefined,
      };
    },

    async rotateSealed({ by }: By) {
      const group = await loadGroup(printNotice);
      const inUse = await requireInUse(place, by);
      const keys = await changeKeysInUse(inUse, (present) => {
        const now = Date.now();
        const { current, next } = scheduleOf(present.epochs, now);
        // Either the clock is behind now, or it was ahead before.
        if (current === undefined && next !== undefined)
          throw new DataFolderError(
            `epoch ${next.number} has not begun; check the clock, and if it is right run redflag sealed destroy ${next.number}`,
          );
        return nextEpoch(group, present, now, createRandom());
      });
      const { number, startsAt, endsAt } = keys.epochs.at(-1)!;
      return { number, startsAt, endsAt };
    },

    async destroySealed({ epoch, publications, by }: By & Publications & { readonly epoch: number }) {
      const inUse = await requireInUse(place, by);
      const group = await loadGroup(printNotice);
      let before: SealedKeys | undefined;
      const now = Date.now();
      const destroy = (keys: SealedKeys): SealedKeys => {
        before = keys;
        return withOpenEpoch(group, destroyEpoch(keys, epoch), now, createRandom());
      };
      const after = await changeKeysInUse(inUse, destroy).catch((error: unknown) => {
        throw error instanceof SealedKeyError ? new DataFolderError(error.message) : error;
      });
      await removePublications(publicationsOf(folder, publications), [epoch]);
      const had = scheduleOf(before?.epochs ?? [], now);
      const has = scheduleOf(after.epochs, now);
      const wasDestroyed = new Set([epoch, ...had.destroyed.map(({ number }) => number)]);
      const { current } = has;
      return {
        did: 'destroy' as const,
        /** Numbers of later epochs that were destroyed because they would have begun too late. */
        alsoDestroyed: has.destroyed.map(({ number }) => number).filter((number) => !wasDestroyed.has(number)),
        /** The current epoch, if it is another one than before. */
        current:
          current && current.number !== had.current?.number ? { number: current.number, endsAt: current.endsAt } : null,
      };
    },

    async replaceSealedKey({ by }: By) {
      const inUse = await requireInUse(place, by);
      await requireSealing(engine);
      const group = await loadGroup(printNotice);
      // Write the file first: elements under a lost key cannot be matched again.
      let continued = false;
      const keys = await changeKeysInUse(inUse, (present) => {
        if ('evaluator' in present)
          throw new DataFolderError('the evaluator has the sealing key, and it cannot be replaced');
        continued = present.previousKey !== undefined;
        return replaceSealingKey(group, present, createRandom());
      });
      const moved = await completeReplacement(inUse);
      return { moved, continued, fingerprint: sealFingerprint(keys) };
    },
  };
}

type State = 'current' | 'open' | 'future' | 'ended' | 'destroyed';

function stateOf(keys: SealedKeys, epoch: EpochKey, now: number): State {
  const { current, open, ended, destroyed } = scheduleOf(keys.epochs, now);
  if (destroyed.includes(epoch)) return 'destroyed';
  if (ended.includes(epoch)) return 'ended';
  if (epoch === current) return 'current';
  return open.includes(epoch) ? 'open' : 'future';
}

/** Returns the sealed keys of a data folder. Throws DataFolderError if it has none. */
export async function requireKeys(folder: string): Promise<SealedKeys> {
  const path = await sealedKeysPath(folder);
  const keys = await readSealedKeys(path);
  if (keys !== undefined) return keys;
  throw new DataFolderError(`${path} is missing: the data folder has no sealed look-up; run redflag sealed init`);
}

/** Throws DataFolderError if the engine has no sealing key: the service runs since before they were created. */
async function requireSealing(engine: ProgramEngine): Promise<void> {
  await engine.readSealedRows({ limit: 1 }).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    throw new DataFolderError('the running service does not use the sealed keys yet; restart it first');
  });
}

async function requireInUse({ engine, folder, store }: Place, by: string | undefined): Promise<KeysInUse> {
  await requireKeys(folder);
  return { path: await sealedKeysPath(folder), store, engine, by };
}
