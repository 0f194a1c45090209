import { createRandom } from '../../../core/crypto/crypto.ts';
import { DAY_MS } from '../../../core/domain/day.ts';
import type { ProgramEngine } from '../program-engine.ts';
import type { Lease } from '../../../store.ts';
import { parseManifest } from '../../../sealed/manifest-format.ts';
import { scheduleOf, sequenceAt, type SealedKeys } from '../../../sealed/keys.ts';
import { createEvaluatorRequests } from '../../../sealed/service/ask-evaluator.ts';
import { createPace } from '../../../sealed/service/pace.ts';
import {
  createPublicationReader,
  openPublicationFiles,
  removePublications,
  SealedPublicationError,
  withHead,
  type PublicationStore,
} from '../../../sealed/service/publications.ts';
import { createPublisher, type Publisher } from '../../../sealed/service/publisher.ts';
import type { PublishedRules, SealedSource } from '../../../sealed/service/make-snapshot.ts';
import type { PrintNotice } from '../errors.ts';
import type { OpenStore } from '../open-store.ts';
import { aloneWithKeys, changeKeysInUse, type KeysInUse } from './change-keys.ts';
import { followClock } from './follow-clock.ts';
import { changeSealedKeys } from './keys-file.ts';
import { giveTurn, type LookUp } from './look-up.ts';
import { SYSTEM_TIME, type Time } from './time.ts';

/** Time between two looks at the clock. */
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Time after a publication that failed. */
const RETRY_MS = MINUTE_MS;
/** Time in which a change of the keys by a command is noticed, and between two attempts to become the publisher. */
const LOOK_MS = 5_000;
/** Reports in one read: two or three milliseconds. */
const ROWS_AT_ONCE = 25;

/** What {@link startPublishing} needs. */
export interface PublishingParts {
  readonly lookUp: LookUp;
  readonly engine: ProgramEngine;
  readonly store: OpenStore;
  /** Undefined: the look-up is off. Nothing is published, but keys and publications end in time. */
  readonly rules: PublishedRules | undefined;
  readonly onNotice: PrintNotice;
  readonly time?: Time;
}

/**
 * Publishes now, once a day, and if the keys change. If the clock asks for it for a day, adds the next epoch before the
 * current one ends, and destroys the keys of ended epochs. On a shared store, one process does all this: the one with
 * the lease. If it loses the lease, it publishes nothing until it has it again. `stop` waits for the running
 * publication.
 */
export function startPublishing(parts: PublishingParts): { stop(): Promise<void> } {
  const publishing = new Publishing(parts);
  const running = publishing.run();
  return {
    async stop() {
      publishing.abort();
      await running;
    },
  };
}

class Publishing {
  readonly #parts: PublishingParts;
  readonly #time: Time;
  readonly #inUse: KeysInUse;
  readonly #stopping = new AbortController();
  #publisher: Publisher | undefined;
  /** The schedule of the keys at the last look. */
  #looked: string | undefined;
  /** The last publication of this process since it became the publisher. */
  #published: { readonly schedule: string | undefined; readonly epoch: number; readonly issuedAt: number } | undefined;

  constructor(parts: PublishingParts) {
    const { lookUp, store, engine, time = SYSTEM_TIME } = parts;
    this.#parts = parts;
    this.#time = time;
    this.#inUse = { path: lookUp.keysPath, store, engine };
  }

  abort(): void {
    this.#stopping.abort();
  }

  /** Resolves after {@link Publishing.abort}, or after a failure, which is a notice. */
  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const { rules, store } = this.#parts;
    try {
      while (!signal.aborted) {
        const lease = rules && store.shared && (await this.#becomePublisher(store.shared));
        // What this process remembers is old if another one has published meanwhile.
        this.#publisher = undefined;
        this.#published = undefined;
        try {
          await this.#publishWhileHeld(lease);
        } finally {
          await lease?.release();
        }
        await this.#pause(LOOK_MS);
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** Returns the lease of the publisher once no other process has it. */
  async #becomePublisher(shared: NonNullable<OpenStore['shared']>): Promise<Lease> {
    for (let isAway = false; ; await this.#pause(LOOK_MS)) {
      try {
        const lease = await shared.lease('sealed-publication');
        if (lease) return lease;
        isAway = false;
      } catch (error) {
        if (!isAway) this.#failed(error);
        isAway = true;
      }
    }
  }

  /** Publishes until the lease is lost. */
  async #publishWhileHeld(lease: Lease | undefined): Promise<void> {
    const { onNotice } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      await this.#pauseForMinute();
      if (lease && !(await lease.isHeld())) return;
      const next = await this.#publishIfDue(lease).catch((error: unknown) => {
        onNotice({ event: 'sealed-publication-failed', error });
        return RETRY_MS;
      });
      await this.#pauseUntilChange(next);
    }
  }

  /** Resolves with the time until the next look. */
  async #publishIfDue(lease: Lease | undefined): Promise<number> {
    const { lookUp, engine, store, rules } = this.#parts;
    const { keys, publications } = lookUp;
    const { clock, monotonic } = this.#time;
    const now = clock();
    // Before the work: a change while a publication is made asks for the next one.
    this.#looked = scheduleIn(keys);
    await changeIfDue(this.#inUse, keys(), now);
    if (rules === undefined) {
      await removeEnded(publications, store, keys(), now);
      return untilEnd(keys(), now);
    }
    const schedule = scheduleIn(keys);
    this.#looked = schedule;
    if (this.#isDue(schedule, now)) {
      const requireRight = lease && (() => requireHeld(lease));
      this.#publisher ??= createPublisher({
        keys,
        source: sourceOf(engine),
        store: await openPublications(publications, this.#inUse, keys, requireRight),
        rules,
        clock,
        random: createRandom(),
        pace: createPace(giveTurn, monotonic),
        askSignature: createEvaluatorRequests({ send: fetch, random: createRandom() }).sign,
        requireRight,
      });
      const { epoch, issuedAt } = await this.#publisher.publish();
      this.#published = { schedule, epoch, issuedAt };
    }
    return untilEnd(keys(), now);
  }

  #isDue(schedule: string | undefined, now: number): boolean {
    const last = this.#published;
    if (last === undefined || last.schedule !== schedule) return true;
    const { current } = scheduleOf(this.#parts.lookUp.keys().epochs, now);
    const age = now - last.issuedAt;
    // Below 0, the clock was ahead: clients refuse a publication from the future.
    return last.epoch !== current?.number || age < 0 || age >= DAY_MS;
  }

  /**
   * Waits for the next minute if this one has a publication. So sequences do not run ahead of the clock, and a service
   * that crashes again and again does not soon publish more manifests than a history lists.
   */
  async #pauseForMinute(): Promise<void> {
    const now = this.#time.clock();
    const { sequence = -1 } = keysOrNone(this.#parts.lookUp.keys)?.head ?? {};
    if (sequence >= sequenceAt(now)) await this.#pause(MINUTE_MS - (now % MINUTE_MS));
  }

  /** A destroyed key leaves no publication: make the next one soon. */
  async #pauseUntilChange(milliseconds: number): Promise<void> {
    const { monotonic } = this.#time;
    const { keys } = this.#parts.lookUp;
    const until = monotonic() + milliseconds;
    for (let left = milliseconds; left > 0 && scheduleIn(keys) === this.#looked; left = until - monotonic())
      await this.#pause(Math.min(left, LOOK_MS));
  }

  #pause(milliseconds: number): Promise<unknown> {
    return this.#time.pause(milliseconds, this.#stopping.signal);
  }

  #failed(error: unknown): void {
    this.#parts.onNotice({ event: 'background-work-failed', error });
  }
}

/** Returns the keys; undefined while their file cannot be read. The next publication says so. */
function keysOrNone(keys: () => SealedKeys): SealedKeys | undefined {
  try {
    return keys();
  } catch {
    return undefined;
  }
}

/** Opens the folder of publications. The file of the keys has the head, too. */
function openPublications(
  folder: string,
  { path, store }: KeysInUse,
  keys: () => SealedKeys,
  requireRight: (() => Promise<void>) | undefined,
): Promise<PublicationStore> {
  return openPublicationFiles(folder, {
    read: () => keys().head,
    keep: (head) =>
      aloneWithKeys(store, async () => {
        await requireRight?.();
        await changeSealedKeys(path, (present) => withHead(present, head));
      }),
  });
}

/** Returns the time until an epoch ends, an hour at most. */
function untilEnd({ epochs }: SealedKeys, now: number): number {
  return Math.min(HOUR_MS, ...epochs.flatMap(({ key, endsAt }) => (key && endsAt > now ? [endsAt - now] : [])));
}

/** Removes publications that no client may read any more, unless another process publishes. */
async function removeEnded(folder: string, { shared }: OpenStore, { epochs }: SealedKeys, now: number): Promise<void> {
  const lease = await shared?.lease('sealed-publication');
  if (shared && !lease) return;
  try {
    const { ended, destroyed } = scheduleOf(epochs, now);
    const newest = await createPublicationReader(folder, () => now).newest();
    const isExpired = newest !== undefined && !((parseManifest(newest.bytes)?.expiresAt ?? 0) > now);
    const removed = isExpired ? epochs : [...ended, ...destroyed];
    await removePublications(
      folder,
      removed.map(({ number }) => number),
    );
  } finally {
    await lease?.release();
  }
}

/** Returns what a publication depends on, in text without secrets. Undefined while the file cannot be read. */
function scheduleIn(keys: () => SealedKeys): string | undefined {
  const present = keysOrNone(keys);
  const epochs = present?.epochs.map(({ startsAt, endsAt, key }) => [startsAt, endsAt, key !== null]);
  return epochs && JSON.stringify(epochs);
}

/** Throws {@link SealedPublicationError} if the lease of the publisher was lost. */
async function requireHeld(lease: Lease): Promise<void> {
  if (!(await lease.isHeld()))
    throw new SealedPublicationError(
      'this process is not the publisher any more, because it lost its session with the database',
    );
}

/** Changes the keys if {@link followClock} does. */
async function changeIfDue(inUse: KeysInUse, keys: SealedKeys, now: number): Promise<void> {
  const changed = followClock(keys, now, createRandom());
  if (changed !== keys) await changeKeysInUse(inUse, (present) => followClock(present, now, createRandom()));
}

/** Returns what a publication is made of, from the engine of a data folder. */
export function sourceOf(engine: ProgramEngine): SealedSource {
  return {
    async *readRows() {
      for (let after: Awaited<ReturnType<ProgramEngine['readSealedRows']>>['next']; ;) {
        const { rows, next } = await engine.readSealedRows({ after, limit: ROWS_AT_ONCE });
        yield rows;
        if (next === undefined) return;
        after = next;
      }
    },
    readReporters: async () =>
      new Map((await engine.listStandings()).map((standing) => [standing.reporterId, standing])),
  };
}
