import { requireFunction } from '../../core/domain/options.ts';
import { toBase64Url } from '../encoding.ts';
import type { Random, SealedGroup } from '../group/group.ts';
import {
  publicKeyOf,
  scheduleOf,
  secretKeyOf,
  sequenceAt,
  type EpochKey,
  type EvaluatorAccess,
  type Schedule,
  type SealedKeys,
} from '../keys.ts';
import { markOf, NO_HISTORY } from '../history.ts';
import { MANIFEST_HOURS, type Manifest } from '../manifest-format.ts';
import { signManifest } from '../manifest.ts';
import { encodeReporters } from '../reporters.ts';
import { rowCount } from '../snapshot.ts';
import { SealedEvaluatorError, type AskSignature } from './ask-evaluator.ts';
import { createBlankRows } from './blank-rows.ts';
import { createEpochNames } from './epoch-names.ts';
import type { Pace } from './pace.ts';
import { noPoints, toPoints, type EpochPoints } from './points.ts';
import {
  SealedPublicationError,
  type Countersign,
  type NewestPublication,
  type Publication,
  type PublicationHead,
  type PublicationStore,
} from './publication.ts';
import { readSource, type PublishedRules, type SealedSource } from './read-source.ts';
import { diffSnapshots, hashInSlices } from './tables.ts';
import { writeRows } from './write-rows.ts';

const HOUR_MS = 3_600_000;

/** What a {@link Publisher} needs. */
export interface PublisherParts {
  readonly group: SealedGroup;
  /** Returns the present keys. They may change between calls. */
  readonly keys: () => SealedKeys;
  readonly source: SealedSource;
  readonly store: PublicationStore;
  readonly rules: PublishedRules;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  readonly random: Random;
  readonly pace: Pace;
  /** Not needed if the operator has the sealing key itself. */
  readonly askSignature?: AskSignature | undefined;
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
  publish(): Promise<PublicationHead & { readonly rows: number; readonly unsealed: number }>;
}

/** What is kept between publications. */
interface State {
  readonly points: EpochPoints;
  /** Points of the epoch that follows, during the overlap. Its first publication then needs few multiplications. */
  readonly upcoming: EpochPoints | undefined;
}

export function createPublisher(parts: PublisherParts): Publisher {
  requireFunction('clock', parts.clock);
  let state: State | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const publish = async () => {
    const { clock, store } = parts;
    const now = clock();
    const keys = parts.keys();
    const schedule = scheduleOf(keys.epochs, now);
    // Remove first: what clients may not read any more must not stay because a publication fails.
    await store.removeEpochs([...schedule.ended, ...schedule.destroyed].map(({ number }) => number));
    const { current } = schedule;
    if (current === undefined) throw noneOpen(schedule);
    // Read each time: a publication that failed may have been kept before it did.
    const newest = await store.readNewest();
    state ??= { points: noPoints(current.number), upcoming: undefined };
    const made = await createPublication(parts, { keys, schedule, current, now }, newest, state);
    state = made.state;
    const { epoch, sequence, issuedAt, rows, unsealed } = made;
    return { epoch, sequence, issuedAt, rows, unsealed };
  };
  return {
    publish() {
      const running = last.then(publish);
      last = running.catch(() => undefined);
      return running;
    },
  };
}

/** Only the operator can say whether the clock is right. */
function noneOpen({ next }: Schedule): SealedPublicationError {
  const command = next === undefined ? 'redflag sealed rotate, or wait a day' : `redflag sealed destroy ${next.number}`;
  return new SealedPublicationError(
    `no epoch of the sealed look-up is open; check the clock, and if it is right run ${command}`,
  );
}

interface Moment {
  readonly keys: SealedKeys;
  readonly schedule: Schedule;
  readonly current: EpochKey;
  readonly now: number;
}

async function createPublication(
  parts: PublisherParts,
  moment: Moment,
  kept: NewestPublication | undefined,
  state: State,
) {
  const { group, source, store, rules, random, pace } = parts;
  const { keys, current, now } = moment;
  const epoch = current.number;
  const newest = kept?.manifest.epoch.number === epoch ? kept : undefined;
  const last = await store.readHead();
  const countersign = countersignOf(parts, keys);
  // If the last publication failed, its manifest may be unsigned, or signed and unpublished: the next one continues it
  // in both cases. Before the work: while the evaluator is away, an attempt costs nothing, and adds nothing to the
  // history.
  if (last !== undefined) await countersign(last);
  // By the clock: a service that was restored from an older copy publishes with a higher sequence than before.
  const sequence = Math.max((last?.sequence ?? -1) + 1, sequenceAt(now));
  // Before the rows: an identifier that gets its element meanwhile may be missing from them, and must count.
  const unsealed = await source.countUnsealed();
  const secretKey = secretKeyOf(group, keys, epoch);
  const { records, reporters } = await readSource(source, keys, rules, createEpochNames(secretKey), pace);
  const known = [state.points, state.upcoming].find((points) => points?.epoch === epoch) ?? noPoints(epoch);
  const points = await toPoints(group, current.key!, records, known, pace);
  const blanks = createBlankRows(secretKey, random);
  const rows = { source: records, points, published: newest?.snapshot, blanks, random };
  const snapshot = await writeRows(rows, pace);
  const head = { epoch, sequence, issuedAt: now };
  const tables = {
    snapshot,
    reporters: encodeReporters(reporters),
    delta: newest && (await diffSnapshots(newest.snapshot, snapshot, pace)),
  };
  const chain = { ...head, unsealed, history: last?.history ?? NO_HISTORY };
  const manifest = await manifestOf(parts, moment, chain, tables, newest);
  await parts.requireRight?.();
  requireCurrent(parts, epoch);
  await store.add({ ...head, ...tables, signed: signManifest(manifest, keys.operatorKey) }, countersign);
  try {
    requireCurrent(parts, epoch);
  } catch (error) {
    // A command may have removed the publications of the epoch before this one was added.
    await store.removeEpochs([epoch]);
    throw error;
  }
  const upcoming = await prepareNext(parts, moment, records, state.upcoming);
  return { ...head, rows: manifest.rows, unsealed, state: { points, upcoming } };
}

/** Returns what asks the evaluator of these keys for its signature. */
function countersignOf({ askSignature }: PublisherParts, keys: SealedKeys): Countersign {
  return async (head) => {
    if (!('evaluator' in keys)) return new Uint8Array(0);
    try {
      return await askSignature!(keys.evaluator, head);
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

type Tables = Pick<Publication, 'snapshot' | 'reporters' | 'delta'>;

async function manifestOf(
  { group, rules, pace }: PublisherParts,
  { keys, schedule, current }: Moment,
  { epoch, sequence, issuedAt, unsealed, history }: PublicationHead & Pick<Manifest, 'unsealed' | 'history'>,
  { snapshot, reporters, delta }: Tables,
  newest: NewestPublication | undefined,
): Promise<Omit<Manifest, 'operatorKey'>> {
  return {
    evaluator: 'evaluator' in keys ? evaluatorOf(keys.evaluator) : null,
    sequence,
    history,
    issuedAt,
    expiresAt: issuedAt + MANIFEST_HOURS * HOUR_MS,
    epoch: { number: epoch, publicKey: toBase64Url(publicKeyOf(group, keys, epoch)), endsAt: current.endsAt },
    next: nextOf(group, keys, schedule.next),
    destroyed: schedule.destroyed.map(({ number }) => number),
    rows: rowCount(snapshot),
    unsealed,
    snapshot: await hashInSlices(snapshot, pace),
    reporters: await hashInSlices(reporters, pace),
    delta: newest && delta ? { from: newest.manifest.sequence, sha256: await hashInSlices(delta, pace) } : null,
    ...rules,
  };
}

function evaluatorOf({ key, publicKey }: EvaluatorAccess): Manifest['evaluator'] {
  return { key: toBase64Url(key), publicKey: toBase64Url(publicKey) };
}

/** During the overlap, returns the points of the epoch that follows. */
async function prepareNext(
  { group, pace }: PublisherParts,
  { schedule }: Moment,
  records: Uint8Array,
  known: EpochPoints | undefined,
): Promise<EpochPoints | undefined> {
  const next = schedule.open[1];
  if (next === undefined) return undefined;
  const from = known?.epoch === next.number ? known : noPoints(next.number);
  return toPoints(group, next.key!, records, from, pace);
}

function nextOf(group: SealedGroup, keys: SealedKeys, next: EpochKey | undefined): Manifest['next'] {
  if (next === undefined) return null;
  const { number, startsAt } = next;
  return { number, publicKey: toBase64Url(publicKeyOf(group, keys, number)), startsAt };
}
