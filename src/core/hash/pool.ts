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
  const slots = new Set<Slot>();
  const waiting: Job[] = [];
  let nextId = 0;
  let closed = false;

  function open(): Slot {
    // Both callbacks run in a later turn, when `slot` is defined.
    const port = spawn({ onAnswer: (answer) => onAnswer(slot, answer), onEnd: (reason) => onEnd(slot, reason) });
    const slot: Slot = { port, jobs: [], hasAnswered: false };
    slots.add(slot);
    return slot;
  }

  /**
   * Returns the worker for the next job: first an idle one, then a new one, then one with one job. Undefined if all are
   * full.
   */
  function leastBusy(): Slot | undefined {
    let found: Slot | undefined;
    for (const slot of slots) {
      if (slot.jobs.length === 0) return slot;
      if (slot.jobs.length < JOBS_A_WORKER) found ??= slot;
    }
    return slots.size < size ? open() : found;
  }

  /** Gives waiting jobs to workers until all are full. */
  function dispatch(): void {
    for (let job = waiting[0]; job !== undefined; job = waiting[0]) {
      try {
        const slot = leastBusy();
        if (slot === undefined) return;
        slot.port.post(job.request);
        slot.port.keepAlive(true);
        slot.jobs.push(job);
        job.slot = slot;
      } catch (error) {
        fail(job, 'worker-ended', `a hash worker could not be started: ${textOf(error)}${HINT}`);
      }
      waiting.shift();
    }
  }

  function onAnswer(slot: Slot, answer: WorkerAnswer): void {
    if (!slots.has(slot)) return;
    const job = slot.jobs.shift();
    if (job === undefined) return;
    slot.hasAnswered = true;
    keepAlive(slot);
    // A cancelled job has already rejected.
    if (!job.cancelled) settle(job, answer);
    if (slot.jobs.length === 0 && waiting.length === 0) takeOver();
    dispatch();
  }

  function settle(job: Job, answer: WorkerAnswer): void {
    // The script may be of another version. Validate its answer.
    const sent: { id?: number; hashes?: string[]; failed?: string } = answer;
    const { id, hashes, failed = 'its answer is of another version of redflag' } = sent;
    if (id === job.request.id && hashes?.length === job.request.values.length) job.resolve(hashes);
    else fail(job, 'worker-failed', `a hash worker could not hash ${indexesOf(job)}: ${failed}`);
  }

  /** Moves a waiting job to an idle worker, because the job that runs before it may take long. */
  function takeOver(): void {
    for (const slot of slots) {
      const [, job] = slot.jobs;
      if (job === undefined || job.cancelled) continue;
      // The first worker still answers this job. The cancelled copy receives that answer.
      slot.jobs[1] = { ...job, cancelled: true };
      slot.port.post({ stop: job.request.id });
      keepAlive(slot);
      job.slot = undefined;
      waiting.push(job);
      return;
    }
  }

  function onEnd(slot: Slot, reason: unknown): void {
    if (!slots.delete(slot)) return;
    // A Web Worker keeps running after an error.
    void slot.port.terminate();
    const [job, ...untouched] = slot.jobs.splice(0);
    const why = `${textOf(reason)}${slot.hasAnswered ? '' : HINT}`;
    if (job) fail(job, 'worker-ended', `a hash worker ended before it had hashed ${indexesOf(job)}: ${why}`);
    waiting.unshift(...untouched.filter(({ cancelled }) => !cancelled));
    dispatch();
  }

  /** Keeps the process alive while a caller waits for this worker. */
  function keepAlive({ port, jobs }: Slot): void {
    port.keepAlive(jobs.some(({ cancelled }) => !cancelled));
  }

  function start(request: Job['request'], first: number): ChunkRun {
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
    if (closed) job.reject(closedError());
    else {
      waiting.push(job);
      dispatch();
    }
    return { hashes, cancel: (reason) => cancel(job, reason) };
  }

  function cancel(job: Job, reason: unknown): void {
    job.reject(reason);
    job.cancelled = true;
    if (waiting.includes(job)) waiting.splice(waiting.indexOf(job), 1);
    if (!job.slot?.jobs.includes(job)) return;
    // The job stays in the worker's list until the worker answers.
    job.slot.port.post({ stop: job.request.id });
    keepAlive(job.slot);
  }

  return {
    size,
    runner(parameters, hasher) {
      if (hasher !== undefined) assertHasherName(hasher);
      if (closed) throw closedError();
      return {
        size,
        ahead: JOBS_A_WORKER * size,
        start: (values, first) => start({ id: nextId++, values, hasher, ...parameters }, first),
        close: () => {},
      };
    },
    async close() {
      closed = true;
      const ending = [...slots];
      const abandoned = [...waiting.splice(0), ...ending.flatMap(({ jobs }) => jobs.splice(0))];
      slots.clear();
      for (const job of abandoned) job.reject(closedError());
      await Promise.all(ending.map(({ port }) => port.terminate()));
    },
  };
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
