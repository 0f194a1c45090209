import { JournalFailedError } from './errors.ts';
import { encodeRecordsFrame, encodeSnapshotFile, MAX_BATCH_BYTES } from './format.ts';
import type { JournalMedium } from './medium.ts';
import type { JournalContents } from './read.ts';

/** Maximum records per frame. */
const MAX_BATCH_RECORDS = 4096;
/** Bytes of a probe: zeros. If a crash leaves them behind, reading treats them as an interrupted frame. */
const PROBE_BYTES = 64 * 1024;

/** A promise with its two handles. */
interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Creates a promise that other code settles. If no code observes a rejection, it is not reported as unhandled. */
function createDeferred(): Deferred {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** Records of one frame, and the promise that their writers wait for. */
interface Batch {
  readonly records: Uint8Array[];
  bytes: number;
  readonly done: Deferred;
}

/**
 * Makes the changes of a database in memory durable. Created by `openJournal`.
 *
 * The caller changes its memory and calls {@link append} in one synchronous turn, without an `await` between the two.
 * Then records have the order of the changes. A snapshot contains exactly the records that were appended before it.
 *
 * Records wait in memory while an earlier batch is written. The caller must bound their number: it awaits each append,
 * or it limits the number of writers.
 */
export class Journal {
  readonly #medium: JournalMedium;
  #chain: number;
  #durableBytes: number;
  #snapshotBytes: number;
  #bytesSinceSnapshot: number;
  /** Batches whose writing has not begun, oldest first. Only the last one grows. */
  #waiting: Batch[] = [];
  /** Promise of the last appended record. Batches are written in order, so this promise is the last to resolve. */
  #last: Promise<void> = Promise.resolve();
  #compaction: { readonly takeSnapshot: () => Uint8Array | readonly Uint8Array[]; readonly done: Deferred } | undefined;
  #probe: Deferred | undefined;
  #flushing: Promise<void> | undefined;
  #failure: JournalFailedError | undefined;
  #closed: Promise<void> | undefined;
  /** Error of every later call, once the journal is closed or has failed. */
  #refusal: Error | undefined;
  /** True if bytes after `durableBytes` could not be cut off yet. A record written after them could not be read. */
  #hasRest: boolean;

  /** Only for `openJournal`. `contents` describes all bytes of the medium, except a rest that could not be cut off. */
  constructor(medium: JournalMedium, contents: JournalContents, hasRest = false) {
    this.#medium = medium;
    this.#hasRest = hasRest;
    this.#chain = contents.chain;
    this.#durableBytes = contents.end;
    this.#snapshotBytes = contents.snapshotBytes;
    this.#bytesSinceSnapshot = contents.recordsBytes;
  }

  /** Bytes of the snapshot at the beginning of the journal; 0 without one. */
  get snapshotBytes(): number {
    return this.#snapshotBytes;
  }

  /** Bytes after the snapshot, which the next start must replay. */
  get bytesSinceSnapshot(): number {
    return this.#bytesSinceSnapshot;
  }

  /**
   * Size of the medium up to the last acknowledged byte. After a failure, pass it to `openJournal` with the same
   * medium. The new journal reads exactly what was acknowledged, and cuts off the rest of a failed write. Do not {@link
   * close} the failed journal: that would close the medium.
   */
  get durableBytes(): number {
    return this.#durableBytes;
  }

  /** The failure after which all calls reject; undefined while the journal works. */
  get failure(): JournalFailedError | undefined {
    return this.#failure;
  }

  /**
   * Adds a record; resolves when it is durable. Records that arrive while a batch is written share the next batch.
   * The bytes must not change until the promise settles. Rejects with {@link JournalFailedError} if this record or an
   * earlier one could not be written, and with Error after {@link close}.
   */
  append(record: Uint8Array): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    let batch = this.#waiting.at(-1);
    if (
      batch === undefined ||
      batch.records.length >= MAX_BATCH_RECORDS ||
      batch.bytes + record.byteLength > MAX_BATCH_BYTES
    ) {
      batch = { records: [], bytes: 0, done: createDeferred() };
      this.#waiting.push(batch);
    }
    batch.records.push(record);
    batch.bytes += record.byteLength;
    this.#last = batch.done.promise;
    this.#flushing ??= this.#flushAll();
    return this.#last;
  }

  /**
   * Resolves when every record appended before this call is durable; at once if nothing is being written. Await it
   * before you answer with data that other writes changed. Rejects with {@link JournalFailedError} if the journal has
   * failed.
   */
  settled(): Promise<void> {
    return this.#failure === undefined ? this.#last : Promise.reject(this.#failure);
  }

  /**
   * Replaces the journal's content with one snapshot, between two batches. Appends wait until the compaction ends.
   *
   * `takeSnapshot` is called once, later, synchronously. It returns the caller's whole memory at that moment, in one or
   * more chunks. The chunks must not change until the promise settles. The snapshot includes the records that wait at
   * that moment, and acknowledges them.
   *
   * Rejects with the error of `takeSnapshot`, with RangeError for a snapshot of 4 GiB or more, or with the medium's
   * error. The old content then remains, the waiting records are written after it, and the journal continues. A full
   * disk therefore does not stop the journal. Rejects with {@link JournalFailedError} if the journal fails earlier, and
   * with Error after {@link close}. If a compaction is already waiting, returns its promise.
   */
  compact(takeSnapshot: () => Uint8Array | readonly Uint8Array[]): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    this.#compaction ??= { takeSnapshot, done: createDeferred() };
    const { promise } = this.#compaction.done;
    this.#flushing ??= this.#flushAll();
    return promise;
  }

  /**
   * Resolves if the medium accepts a write. The probe leaves no bytes behind. Use it on a journal that was reopened
   * after a failure, to find out whether writes work again. Rejects with the medium's error; the journal continues. If
   * a probe is already waiting, returns its promise.
   */
  probe(): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    this.#probe ??= createDeferred();
    const { promise } = this.#probe;
    this.#flushing ??= this.#flushAll();
    return promise;
  }

  /**
   * Waits for appended records, then closes the medium. Rejects with the medium's error. A second call returns the same
   * promise.
   */
  close(): Promise<void> {
    this.#refusal = new Error('the journal is closed');
    this.#closed ??= (async () => {
      await this.#flushing;
      await this.#medium.close();
    })();
    return this.#closed;
  }

  /** The only loop that uses the medium. Never rejects. */
  async #flushAll(): Promise<void> {
    // Wait, so that records appended in the same turn share the first batch.
    await undefined;
    while (this.#failure === undefined) {
      if (this.#compaction !== undefined) {
        const compaction = this.#compaction;
        this.#compaction = undefined;
        await this.#writeSnapshot(compaction.takeSnapshot).then(compaction.done.resolve, compaction.done.reject);
        continue;
      }
      if (this.#probe !== undefined) {
        const probe = this.#probe;
        this.#probe = undefined;
        await this.#writeProbe().then(probe.resolve, probe.reject);
        continue;
      }
      const batch = this.#waiting.shift();
      if (batch === undefined) break;
      await this.#writeBatch(batch);
    }
    // Clear this in the same turn as the check for waiting work. Otherwise, a later append would start no new loop.
    this.#flushing = undefined;
  }

  async #writeBatch(batch: Batch): Promise<void> {
    try {
      if (this.#hasRest) await this.#cutRest();
      const frame = encodeRecordsFrame(batch.records, this.#chain);
      await this.#medium.append(frame.bytes);
      this.#chain = frame.chain;
      this.#durableBytes += frame.bytes.byteLength;
      this.#bytesSinceSnapshot += frame.bytes.byteLength;
      batch.done.resolve();
    } catch (cause) {
      await this.#fail(batch, cause);
    }
  }

  async #writeProbe(): Promise<void> {
    if (this.#hasRest) await this.#cutRest();
    try {
      await this.#medium.append(new Uint8Array(PROBE_BYTES));
    } finally {
      this.#hasRest = true;
      await this.#cutRest();
    }
  }

  async #cutRest(): Promise<void> {
    await this.#medium.truncate(this.#durableBytes);
    this.#hasRest = false;
  }

  async #fail(batch: Batch, cause: unknown): Promise<void> {
    // After a restart, a frame that was written but not flushed would count as acknowledged. Cut it off before its
    // writers are rejected. If that fails, opening with `durableBytes` cuts it off later.
    await this.#medium.truncate(this.#durableBytes).catch(() => undefined);
    const failure = new JournalFailedError(cause);
    this.#failure = failure;
    this.#refusal ??= failure;
    batch.done.reject(failure);
    for (const { done } of this.#waiting) done.reject(failure);
    this.#waiting = [];
    this.#compaction?.done.reject(failure);
    this.#compaction = undefined;
    this.#probe?.reject(failure);
    this.#probe = undefined;
  }

  async #writeSnapshot(takeSnapshot: () => Uint8Array | readonly Uint8Array[]): Promise<void> {
    const taken = takeSnapshot();
    const file = encodeSnapshotFile(taken instanceof Uint8Array ? [taken] : taken);
    // Do not await after takeSnapshot: the snapshot must contain exactly the queued writes.
    const covered = this.#waiting;
    this.#waiting = [];
    try {
      await this.#medium.replace(file.chunks);
    } catch (error) {
      this.#waiting = [...covered, ...this.#waiting];
      throw error;
    }
    this.#chain = file.chain;
    this.#snapshotBytes = file.payloadBytes;
    this.#bytesSinceSnapshot = 0;
    this.#hasRest = false;
    this.#durableBytes = file.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    for (const { done } of covered) done.resolve();
  }
}
