import { createRandom } from '../../../core/crypto/crypto.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { toBase64Url } from '../../../sealed/encoding.ts';
import { SealedError } from '../../../sealed/errors.ts';
import {
  createKeys,
  destroyEpoch,
  nextEpoch,
  scheduleOf,
  withOpenEpoch,
  type EpochKey,
  type EvaluatorAccess,
  type SealedKeys,
} from '../../../sealed/keys.ts';
import { requireUnseen } from '../../../sealed/engine/stored.ts';
import { loadSodium } from '../../../sealed/group/sodium.ts';
import { operatorPublicKey } from '../../../sealed/manifest.ts';
import { createPublicationReader, removePublications } from '../../../sealed/service/publications.ts';
import { hasStore, readAddress } from '../address.ts';
import { DataFolderError, withDataFolderErrors } from '../errors.ts';
import { connectToHolder, openStore } from '../open-store.ts';
import type { Place } from '../upkeep-calls.ts';
import { changeKeysInUse, type KeysInUse } from './change-keys.ts';
import { createSealedKeys, readSealedKeys, requireNoSealedKeys, sealedKeysPath } from './keys-file.ts';
import { publicationsOf } from './look-up.ts';
import { askFor, sealFingerprint } from './seal.ts';

interface Publications {
  /** The folder that `serve --sealed-folder` names. */
  readonly publications?: string | undefined;
}

interface By {
  /** The operator's name. */
  readonly by?: string | undefined;
}

/**
 * Creates the sealed keys of a data folder with the access to an evaluator. Returns the path of their file. Throws
 * DataFolderError if the folder has some, for an evaluator that does not answer, and for a store that
 * {@link requireUnseen} refuses.
 *
 * Without an access, `createEvaluator` makes an evaluator after these checks. It does not run yet, and is not asked.
 */
export async function initSealed(
  folder: string,
  given: EvaluatorAccess | undefined,
  createEvaluator: () => Promise<EvaluatorAccess>,
): Promise<string> {
  const path = await sealedKeysPath(folder);
  await requireNoSealedKeys(path);
  await requireUnseenFolder(folder);
  await loadSodium();
  const random = createRandom();
  // A wrong address, token or key shows now, and not at the first report.
  if (given) await withDataFolderErrors(askFor(given, random(20)));
  const evaluator = given ?? (await createEvaluator());
  await createSealedKeys(folder, path, createKeys(evaluator, Date.now(), random));
  return path;
}

async function requireUnseenFolder(folder: string): Promise<void> {
  const address = readAddress(folder, undefined);
  const socket = await connectToHolder(folder, address);
  socket?.destroy();
  if (socket)
    throw new DataFolderError(
      'the sealed look-up needs a store without reports and protected identifiers; if this store has none, stop redflag serve first',
    );
  if (!hasStore(folder, address)) return;
  const store = await openStore(folder, address);
  try {
    await withDataFolderErrors(requireUnseen(store));
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
      await loadSodium();
      const newest = await createPublicationReader(publicationsOf(folder, publications), Date.now).newest();
      const now = Date.now();
      return {
        fingerprint: sealFingerprint(keys),
        operatorKey: toBase64Url(operatorPublicKey(keys.operatorKey)),
        evaluator: { url: keys.evaluator.url, publicKey: toBase64Url(keys.evaluator.key) },
        epochs: keys.epochs.map((epoch) => ({
          number: epoch.number,
          startsAt: epoch.startsAt,
          endsAt: epoch.endsAt,
          state: stateOf(keys, epoch, now),
        })),
        published: newest ? { epoch: newest.epoch, sequence: newest.sequence } : null,
      };
    },

    async rotateSealed({ by }: By) {
      await loadSodium();
      const inUse = await requireInUse(place, by);
      const keys = await changeKeysInUse(inUse, (present) => {
        const now = Date.now();
        const { current, next } = scheduleOf(present.epochs, now);
        // Either the clock is behind now, or it was ahead before.
        if (current === undefined && next !== undefined)
          throw new DataFolderError(
            `epoch ${next.number} has not begun; check the clock, and if it is right run redflag sealed destroy ${next.number}`,
          );
        return nextEpoch(present, now, createRandom());
      });
      const { number, startsAt, endsAt } = keys.epochs.at(-1)!;
      return { number, startsAt, endsAt };
    },

    async destroySealed({ epoch, publications, by }: By & Publications & { readonly epoch: number }) {
      const inUse = await requireInUse(place, by);
      await loadSodium();
      let before: SealedKeys | undefined;
      const now = Date.now();
      const destroy = (keys: SealedKeys): SealedKeys => {
        before = keys;
        return withOpenEpoch(destroyEpoch(keys, epoch), now, createRandom());
      };
      const after = await changeKeysInUse(inUse, destroy).catch((error: unknown) => {
        throw error instanceof SealedError ? new DataFolderError(error.message) : error;
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
