import type { ChainParameters } from './chain.ts';
import { assertHasherName, type HasherName } from './hasher.ts';
import type { ChunkRun, ChunkRunner } from './runner.ts';
import type { WorkerAnswer, WorkerRequest } from './worker.ts';

/**
 * Why a pool did not hash. `closed`: the pool was closed. `worker-ended`: a worker crashed or did not start.
 * `worker-failed`: a worker reported an error or gave an invalid answer.
 */
export type HashPoolProblem = 'closed' | 'worker-ended' | 'worker-failed';

/** Positions in the caller's list or stream, from 0. Both ends are inclusive. */
export interface IndexRange {
  /** Position of the first identifier, from 0. */
  readonly first: number;
  /** Position of the last identifier, itself in the range. */
  readonly last: number;
}

/** Thrown if a pool cannot hash, but the values are valid. The message never holds a value. */
export class HashPoolError extends Error {
  /**
   * Always `HashPoolError`. If the package is loaded twice, `instanceof` misses errors of the other copy; compare the
   * name.
   */
  override readonly name = 'HashPoolError';
  /** Whether the pool was closed, or how a worker failed. */
  readonly reason: HashPoolProblem;
  /** Positions of the identifiers that were not hashed; undefined if the error concerns the whole pool. */
  readonly indexes: IndexRange | undefined;

  constructor(reason: HashPoolProblem, message: string, indexes?: IndexRange) {
    super(message);
    this.reason = reason;
    this.indexes = indexes;
  }
}

/** A worker, as a pool uses it. Implementations: `node-workers.ts`, `web-workers.ts`. */
export interface WorkerPort {
  post(request: WorkerRequest): void;
  /** Ends the worker at once. Resolves after its end, if the platform reports the end. */
  terminate(): Promise<unknown> | void;
  /** Sets whether the worker keeps the process alive. Initially it does not. */
  keepAlive(busy: boolean): void;
}

/** Callbacks for the messages and the end of a worker. */
export interface WorkerEvents {
  onAnswer(answer: WorkerAnswer): void;
  /** The worker crashed, or could not be loaded. May be called more than once. */
  onEnd(reason: unknown): void;
}

/** Starts a worker. Throws if the platform forbids workers. */
export type Spawn = (events: WorkerEvents) => WorkerPort;

export interface WorkerPool {
  readonly size: number;
  /** Returns a runner for one call. Throws HashPoolError if the pool is closed, and TypeError for an unknown hasher. */
  runner(parameters: ChainParameters, hasher?: HasherName): ChunkRunner;
  /** Ends all workers and resolves after their end. Running calls reject with HashPoolError. */
  close(): Promise<void>;
}

interface Job extends IndexRange {
  readonly request: Exclude<WorkerRequest, { stop: number }>;
  resolve(hashes: string[]): void;
  /** Has no effect after the job was resolved or rejected. */
  reject(reason: unknown): void;
  slot: Slot | undefined;
  cancelled: boolean;
}

interface Slot {
  readonly port: WorkerPort;
  /** In the order of the worker's answers. The first job is running. */
  readonly jobs: Job[];
  /** False until the first answer. If the worker ends without an answer, the script was probably not loaded. */
  hasAnswered: boolean;
}

/**
 * Jobs per worker: one runs and one waits. A worker without a waiting job becomes idle, and waking it can take
 * milliseconds.
 */
const JOBS_A_WORKER = 2;

const HINT =
  '; if a bundler or a server has moved the files of redflag, pass the script redflag/hash-worker as workerUrl';

/**
 * Returns a pool of up to `size` workers, started when needed. Each worker has at most two jobs; other jobs wait in
 * order. If a worker crashes, its running job rejects, and its second job moves to another worker. The queue is
 * bounded, because each caller starts at most `ahead` chunks.
 */
export function createPool({ size, spawn }: { readonly size: number; readonly spawn: Spawn }): WorkerPool {
  return new Pool(size, spawn);
}

class Pool implements WorkerPool {
  readonly size: number;
  readonly #spawn: Spawn;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Job[] = [];
  #nextId = 0;
  #closed = false;

  constructor(size: number, spawn: Spawn) {
    this.size = size;
    this.#spawn = spawn;
  }

  runner(parameters: ChainParameters, hasher?: HasherName): ChunkRunner {
    if (hasher !== undefined) assertHasherName(hasher);
    if (this.#closed) throw closedError();
    return {
      size: this.size,
      ahead: JOBS_A_WORKER * this.size,
      start: (values, first) => this.#start({ id: this.#nextId++, values, hasher, ...parameters }, first),
      close: () => {},
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const ending = [...this.#slots];
    const abandoned = [...this.#waiting.splice(0), ...ending.flatMap(({ jobs }) => jobs.splice(0))];
    this.#slots.clear();
    for (const job of abandoned) job.reject(closedError());
    await Promise.all(ending.map(({ port }) => port.terminate()));
  }

  #open(): Slot {
    // Both callbacks run in a later turn, when `slot` is defined.
    const port = this.#spawn({
      onAnswer: (answer) => this.#onAnswer(slot, answer),
      onEnd: (reason) => this.#onEnd(slot, reason),
    });
    const slot: Slot = { port, jobs: [], hasAnswered: false };
    this.#slots.add(slot);
    return slot;
  }

  /**
   * Returns the worker for the next job: first an idle one, then a new one, then one with one job. Undefined if all are
   * full.
   */
  #leastBusy(): Slot | undefined {
    let found: Slot | undefined;
    for (const slot of this.#slots) {
      if (slot.jobs.length === 0) return slot;
      if (slot.jobs.length < JOBS_A_WORKER) found ??= slot;
    }
    return this.#slots.size < this.size ? this.#open() : found;
  }

  /** Gives waiting jobs to workers until all are full. */
  #dispatch(): void {
    for (let job = this.#waiting[0]; job !== undefined; job = this.#waiting[0]) {
      try {
        const slot = this.#leastBusy();
        if (slot === undefined) return;
        slot.port.post(job.request);
        slot.port.keepAlive(true);
        slot.jobs.push(job);
        job.slot = slot;
      } catch (error) {
        fail(job, 'worker-ended', `a hash worker could not be started: ${textOf(error)}${HINT}`);
      }
      this.#waiting.shift();
    }
  }

  #onAnswer(slot: Slot, answer: WorkerAnswer): void {
    if (!this.#slots.has(slot)) return;
    const job = slot.jobs.shift();
    if (job === undefined) return;
    slot.hasAnswered = true;
    this.#keepAlive(slot);
    // A cancelled job has already rejected.
    if (!job.cancelled) this.#settle(job, answer);
    if (slot.jobs.length === 0 && this.#waiting.length === 0) this.#takeOver();
    this.#dispatch();
  }

  #settle(job: Job, answer: WorkerAnswer): void {
    // The script may be of another version. Validate its answer.
    const sent: { id?: number; hashes?: string[]; failed?: string } = answer;
    const { id, hashes, failed = 'its answer is of another version of redflag' } = sent;
    if (id === job.request.id && hashes?.length === job.request.values.length) job.resolve(hashes);
    else fail(job, 'worker-failed', `a hash worker could not hash ${indexesOf(job)}: ${failed}`);
  }

  /** Moves a waiting job to an idle worker, because the job that runs before it may take long. */
  #takeOver(): void {
    for (const slot of this.#slots) {
      const [, job] = slot.jobs;
      if (job === undefined || job.cancelled) continue;
      // The first worker still answers this job. The cancelled copy receives that answer.
      slot.jobs[1] = { ...job, cancelled: true };
      slot.port.post({ stop: job.request.id });
      this.#keepAlive(slot);
      job.slot = undefined;
      this.#waiting.push(job);
      return;
    }
  }

  #onEnd(slot: Slot, reason: unknown): void {
    if (!this.#slots.delete(slot)) return;
    // A Web Worker keeps running after an error.
    void slot.port.terminate();
    const [job, ...untouched] = slot.jobs.splice(0);
    const why = `${textOf(reason)}${slot.hasAnswered ? '' : HINT}`;
    if (job) fail(job, 'worker-ended', `a hash worker ended before it had hashed ${indexesOf(job)}: ${why}`);
    this.#waiting.unshift(...untouched.filter(({ cancelled }) => !cancelled));
    this.#dispatch();
  }

  /** Keeps the process alive while a caller waits for this worker. */
  #keepAlive({ port, jobs }: Slot): void {
    port.keepAlive(jobs.some(({ cancelled }) => !cancelled));
  }

  #start(request: Job['request'], first: number): ChunkRun {
    let job!: Job;
    const hashes = new Promise<string[]>((resolve, reject) => {
      job = {
        request,
        first,
        last: first + request.values.length - 1,
        resolve,
        reject,
        slot: undefined,
        cancelled: false,
      };
    });
    if (this.#closed) job.reject(closedError());
    else {
      this.#waiting.push(job);
      this.#dispatch();
    }
    return { hashes, cancel: (reason) => this.#cancel(job, reason) };
  }

  #cancel(job: Job, reason: unknown): void {
    job.reject(reason);
    job.cancelled = true;
    if (this.#waiting.includes(job)) this.#waiting.splice(this.#waiting.indexOf(job), 1);
    if (!job.slot?.jobs.includes(job)) return;
    // The job stays in the worker's list until the worker answers.
    job.slot.port.post({ stop: job.request.id });
    this.#keepAlive(job.slot);
  }
}

function closedError(): HashPoolError {
  return new HashPoolError('closed', 'the hash pool is closed');
}

function fail({ reject, first, last }: Job, reason: HashPoolProblem, message: string): void {
  reject(new HashPoolError(reason, message, { first, last }));
}

function indexesOf({ first, last }: IndexRange): string {
  return first === last ? `the identifier at index ${first}` : `the identifiers at index ${first} to ${last}`;
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
