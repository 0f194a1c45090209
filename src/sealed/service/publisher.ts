import { requireFunction } from '../../core/domain/options.ts';
import { createSeries } from '../../core/domain/series.ts';
import { toBase64Url } from '../encoding.ts';
import type { Random } from '../group/group.ts';
import { epochPublicKeyOf, scheduleOf, sequenceAt, type EpochKey, type Schedule, type SealedKeys } from '../keys.ts';
import { markOf, NO_HISTORY } from '../history.ts';
import { MANIFEST_HOURS } from '../manifest-format.ts';
import { signManifest } from '../manifest.ts';
import { ROW_BYTES, SALT_BYTES } from '../rows.ts';
import { SealedEvaluatorError, type AskSignature } from './ask-evaluator.ts';
import { hashInSlices, makeSnapshot, type PublishedRules, type SealedSource } from './make-snapshot.ts';
import type { Pace } from './pace.ts';
import {
  SealedPublicationError,
  type Countersign,
  type PublicationName,
  type PublicationStore,
} from './publications.ts';

const HOUR_MS = 3_600_000;

/** What a {@link Publisher} needs. */
export interface PublisherParts {
  /** Returns the present keys. They may change between calls. */
  readonly keys: () => SealedKeys;
  readonly source: SealedSource;
  readonly store: PublicationStore;
  readonly rules: PublishedRules;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  readonly random: Random;
  readonly pace: Pace;
  readonly askSignature: AskSignature;
  /** Called before a publication is signed. If it rejects, nothing is signed. Undefined: no other process publishes. */
  readonly requireRight?: (() => Promise<void>) | undefined;
}

/** Makes publications. Only one publisher may use a store of publications, and a set of keys, at a time. */
export interface Publisher {
  /**
   * Makes and keeps a publication of the current epoch. Calls run one after the other. Rejects
   * with {@link SealedPublicationError} if no epoch is open or the evaluator has signed another history, with
   * {@link SealedEvaluatorError} if the evaluator does not answer, with errors of the source and of the store, and with
   * `invalid-element` if the source has an element that is not of the group. After a rejection, the last publication
   * stays.
   */
  publish(): Promise<PublicationName & { readonly issuedAt: number; readonly rows: number }>;
}

export function createPublisher(parts: PublisherParts): Publisher {
  requireFunction('clock', parts.clock);
  const inSeries = createSeries();
  const publish = async () => {
    const { clock, store } = parts;
    const now = clock();
    const keys = parts.keys();
    const schedule = scheduleOf(keys.epochs, now);
    // Remove first: what clients may not read any more must not stay because a publication fails.
    await store.removeEpochs([...schedule.ended, ...schedule.destroyed].map(({ number }) => number));
    const { current } = schedule;
    if (current === undefined) throw noneOpen(schedule);
    return createPublication(parts, keys, schedule, current, now);
  };
  return { publish: () => inSeries(publish) };
}

/** Only the operator can say whether the clock is right. */
function noneOpen({ next }: Schedule): SealedPublicationError {
  const command = next === undefined ? 'redflag sealed rotate, or wait a day' : `redflag sealed destroy ${next.number}`;
  return new SealedPublicationError(
    `no epoch of the sealed look-up is open; check the clock, and if it is right run ${command}`,
  );
}

/** `now` is that of the schedule. */
async function createPublication(
  parts: PublisherParts,
  keys: SealedKeys,
  { next, destroyed }: Schedule,
  current: EpochKey,
  now: number,
) {
  const { store, random, pace, rules } = parts;
  const { number: epoch, endsAt } = current;
  const last = await store.readHead();
  const countersign = countersignOf(parts, keys);
  // If the last publication failed, its manifest may be unsigned, or signed and unpublished: the next one continues it
  // in both cases. Before the work: while the evaluator is away, an attempt costs nothing, and adds nothing to the
  // history.
  if (last !== undefined) await countersign(last);
  // By the clock: a service that was restored from an older copy publishes with a higher sequence than before.
  const sequence = Math.max((last?.sequence ?? -1) + 1, sequenceAt(now));
  const salt = random(SALT_BYTES);
  const snapshot = await makeSnapshot(parts, current.key!, salt);
  const { key, publicKey } = keys.evaluator;
  const toEpoch = ({ number }: EpochKey) => ({ number, publicKey: toBase64Url(epochPublicKeyOf(keys, number)) });
  const manifest = {
    evaluator: { key: toBase64Url(key), publicKey: toBase64Url(publicKey) },
    issuedAt: now,
    expiresAt: now + MANIFEST_HOURS * HOUR_MS,
    epoch: { ...toEpoch(current), endsAt },
    next: next === undefined ? null : { ...toEpoch(next), startsAt: next.startsAt },
    destroyed: destroyed.map(({ number }) => number),
    sequence,
    history: last?.history ?? NO_HISTORY,
    rows: snapshot.length / ROW_BYTES,
    salt: toBase64Url(salt),
    snapshot: await hashInSlices(snapshot, pace),
    ...rules,
  };
  await parts.requireRight?.();
  requireCurrent(parts, epoch);
  await store.add({ epoch, sequence, snapshot, signed: signManifest(manifest, keys.operatorKey) }, countersign);
  try {
    requireCurrent(parts, epoch);
  } catch (error) {
    // A command may have removed the publications of the epoch before this one was added.
    await store.removeEpochs([epoch]);
    throw error;
  }
  return { epoch, sequence, issuedAt: now, rows: manifest.rows };
}

/** Returns what asks the evaluator of these keys for its signature. */
function countersignOf({ askSignature }: PublisherParts, keys: SealedKeys): Countersign {
  return async (head) => {
    try {
      return await askSignature(keys.evaluator, head);
    } catch (error) {
      if (!(error instanceof SealedEvaluatorError && error.code === 'other-history')) throw error;
      throw new SealedPublicationError(
        `${error.message}; if a file was restored from an older copy, the evaluator can run redflag evaluator accept ${markOf(head).link}`,
        { cause: error },
      );
    }
  };
}

/** Throws {@link SealedPublicationError} if an epoch has ended, or its key was destroyed. */
function requireCurrent({ keys, clock }: PublisherParts, epoch: number): void {
  if (scheduleOf(keys().epochs, clock()).current?.number !== epoch)
    throw new SealedPublicationError('the epoch has ended, or its key was destroyed, while the publication was made');
}
