import type { Deferred } from './deferred.ts';
import { createDeferred } from './deferred.ts';
import { encodeRecordsFrame, encodeSnapshotFile } from './format.ts';
import type { JournalMedium } from './medium.ts';
import type { JournalContents } from './read.ts';

/** One frame holds at most so many records … */
const MAX_BATCH_RECORDS = 4096;
/** … and so many bytes of them, unless a single one is longer: a bound on what one write and one read hold in memory. */
const MAX_BATCH_BYTES = 1024 * 1024;
/** What a proof writes. Zeros, which reading takes for what a crash left of a frame, should one come in between. */
const PROOF_BYTES = 64 * 1024;

/**
 * The journal could not make a record durable. The record is not in the journal, nor is any that was appended after it; those whose promise
 * had resolved are. `cause` is the medium's error. The journal stays failed: see {@link Journal.durableBytes}.
 */
export class JournalFailedError extends Error {
  override readonly name = 'JournalFailedError';

  constructor(cause: unknown) {
    super('the journal could not be written; what it had acknowledged is safe', { cause });
  }
}

/** Records on their way to the medium in one frame, and the promise that all their writers wait for. */
interface Batch {
  readonly records: Uint8Array[];
  bytes: number;
  readonly done: Deferred;
}

/**
 * Makes a memory's changes durable. Made by `openJournal`.
 *
 * The caller changes its memory and calls {@link append} in one synchronous turn, with nothing awaited between the two; then the order of
 * records is the order of changes, and a snapshot taken at any moment holds exactly the records appended before that moment.
 *
 * Records wait in memory while an earlier batch is being written. How many may wait is for the caller to bound: by waiting for each append,
 * or by letting in only so many writers.
 */
export class Journal {
  readonly #medium: JournalMedium;
  #chain: number;
  #durableBytes: number;
  #snapshotBytes: number;
  #bytesSinceSnapshot: number;
  /** Batches not yet begun, oldest first; only the last one still grows. */
  #waiting: Batch[] = [];
  /** The promise of the record appended last. Batches go out in order, so when it resolves everything before it is durable too. */
  #last: Promise<void> = Promise.resolve();
  #compaction: { readonly takeSnapshot: () => Uint8Array | readonly Uint8Array[]; readonly done: Deferred } | undefined;
  #proof: Deferred | undefined;
  #flushing: Promise<void> | undefined;
  #failure: JournalFailedError | undefined;
  #closed: Promise<void> | undefined;
  /** True while the medium holds something behind `durableBytes`, and would not let go of it. Nothing is written behind that: it would be read by nobody. */
  #hasRest: boolean;

  /** For `openJournal`: `contents` is what the medium holds, to its last byte, or up to a rest that could not be cut off. */
  constructor(medium: JournalMedium, contents: JournalContents, hasRest = false) {
    this.#medium = medium;
    this.#hasRest = hasRest;
    this.#chain = contents.chain;
    this.#durableBytes = contents.end;
    this.#snapshotBytes = contents.snapshotBytes;
    this.#bytesSinceSnapshot = contents.recordsBytes;
  }

  /** Bytes of the snapshot that the journal begins with; 0 without one. */
  get snapshotBytes(): number {
    return this.#snapshotBytes;
  }

  /** Bytes written after the snapshot: what the next start has to replay. */
  get bytesSinceSnapshot(): number {
    return this.#bytesSinceSnapshot;
  }

  /**
   * Size of the medium up to the last acknowledged byte. After a failure, hand it to `openJournal` together with the same medium: the new journal
   * reads exactly what was acknowledged and cuts off what a failed write left behind. Until then the failed journal is only to be dropped
   * ({@link close} would close the medium).
   */
  get durableBytes(): number {
    return this.#durableBytes;
  }

  /** Why the journal takes nothing any more; undefined while it works. */
  get failure(): JournalFailedError | undefined {
    return this.#failure;
  }

  /**
   * Adds a record; resolves when it is durable. While one batch is written, further records gather and go out together in the next one.
   * The bytes are the journal's from now on: they must not change until the promise settles.
   * Rejects with {@link JournalFailedError} when this record or one before it could not be written, and with Error after {@link close}.
   */
  append(record: Uint8Array): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(new Error('the journal is closed'));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
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
    this.#flush();
    return this.#last;
  }

  /**
   * Resolves when everything appended before the call is durable; at once when nothing is on its way. For a write that changed nothing and
   * still answers from what others changed. Rejects like {@link append}.
   */
  settled(): Promise<void> {
    return this.#failure === undefined ? this.#last : Promise.reject(this.#failure);
  }

  /**
   * Replaces the journal's content by one snapshot, between two batches; appends wait meanwhile. `takeSnapshot` is called once, some time later
   * and synchronously, and gives the caller's whole memory as it is then, in one or more chunks that do not change until the promise settles.
   * Records that waited at that moment are in the snapshot and are acknowledged with it.
   *
   * Rejects with what `takeSnapshot` threw, with RangeError for a snapshot of 4 GiB or more, or with the medium's error; then the old content
   * is still there, the waiting records are written after it, and the journal works on (a full disk, for one, need not stop it).
   * Rejects with {@link JournalFailedError} when the journal fails before. A call while another waits to begin joins that one.
   */
  compact(takeSnapshot: () => Uint8Array | readonly Uint8Array[]): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(new Error('the journal is closed'));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#compaction ??= { takeSnapshot, done: createDeferred() };
    const { promise } = this.#compaction.done;
    this.#flush();
    return promise;
  }

  /**
   * Resolves when the medium takes a write of some size, of which nothing stays. For whoever was told of a failure and has the choice to change nothing until it is over.
   * Rejects with the medium's error, and the journal works on. A call while another waits to begin joins that one.
   */
  prove(): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(new Error('the journal is closed'));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#proof ??= createDeferred();
    const { promise } = this.#proof;
    this.#flush();
    return promise;
  }

  /** Waits for what was appended, then closes the medium. Rejects with the medium's error from closing. A second call gives the first one's promise. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#flushing;
      await this.#medium.close();
    })();
    return this.#closed;
  }

  #flush(): void {
    this.#flushing ??= this.#flushAll();
  }

  /** The one loop that touches the medium. Never rejects. */
  async #flushAll(): Promise<void> {
    // Whoever appends in the same turn goes into the same first batch.
    await undefined;
    while (this.#failure === undefined) {
      if (this.#compaction !== undefined) {
        const compaction = this.#compaction;
        this.#compaction = undefined;
        await this.#writeSnapshot(compaction.takeSnapshot).then(compaction.done.resolve, compaction.done.reject);
        continue;
      }
      if (this.#proof !== undefined) {
        const proof = this.#proof;
        this.#proof = undefined;
        await this.#tryOut().then(proof.resolve, proof.reject);
        continue;
      }
      const batch = this.#waiting.shift();
      if (batch === undefined) break;
      await this.#writeBatch(batch);
    }
    // In the same turn as the last look at what waits: whoever appends after it must start a new loop.
    this.#flushing = undefined;
  }

  async #writeBatch(batch: Batch): Promise<void> {
    try {
      await this.#cutRest();
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

  async #tryOut(): Promise<void> {
    await this.#cutRest();
    const state: { refused?: { readonly cause: unknown } } = {};
    await this.#medium.append(new Uint8Array(PROOF_BYTES)).catch((cause: unknown) => (state.refused = { cause }));
    this.#hasRest = true;
    await this.#cutRest();
    if (state.refused) throw state.refused.cause;
  }

  async #cutRest(): Promise<void> {
    if (!this.#hasRest) return;
    await this.#medium.truncate(this.#durableBytes);
    this.#hasRest = false;
  }

  async #fail(batch: Batch, cause: unknown): Promise<void> {
    // A frame that was written but not flushed would be read as acknowledged after a restart. Cutting it off before anybody is told keeps
    // "rejected" true; when the medium cannot even do that, opening with `durableBytes` does it later.
    await this.#medium.truncate(this.#durableBytes).catch(() => undefined);
    const failure = new JournalFailedError(cause);
    this.#failure = failure;
    batch.done.reject(failure);
    for (const { done } of this.#waiting) done.reject(failure);
    this.#waiting = [];
    this.#compaction?.done.reject(failure);
    this.#compaction = undefined;
    this.#proof?.reject(failure);
    this.#proof = undefined;
  }

  async #writeSnapshot(takeSnapshot: () => Uint8Array | readonly Uint8Array[]): Promise<void> {
    const taken = takeSnapshot();
    const file = encodeSnapshotFile(taken instanceof Uint8Array ? [taken] : taken);
    // No await since takeSnapshot: what waits now is what the snapshot holds. A batch that comes later starts the new file's records.
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
