import type { ChainParameters } from './chain.ts';
import { assertHasherName, type HasherName } from './hasher.ts';
import { HashPoolError, type IndexRange } from './pool-error.ts';
import type { ChunkRun, ChunkRunner } from './runner.ts';
import type { WorkerAnswer, WorkerRequest } from './worker.ts';

/** One worker, as a pool sees it: `node-workers.ts`, `web-workers.ts`. */
export interface WorkerPort {
  post(request: WorkerRequest): void;
  /** Ends the worker at once, whatever it does; resolves when it is gone, where the platform tells. */
  terminate(): Promise<unknown> | void;
  /** Whether the process is to wait for this worker. A new worker keeps no process alive. */
  keepAlive(busy: boolean): void;
}

/** Where a worker's words go. */
export interface WorkerEvents {
  onAnswer(answer: WorkerAnswer): void;
  /** The worker died, or could not be loaded. May be called more than once. */
  onEnd(reason: unknown): void;
}

/** Makes a worker; throws where the platform forbids it. */
export type Spawn = (events: WorkerEvents) => WorkerPort;

export interface WorkerPool {
  readonly size: number;
  /** The pool for one call. Throws HashPoolError when it is closed, TypeError for no name of a hasher. */
  runner(parameters: ChainParameters, hasher?: HasherName): ChunkRunner;
  /** Ends all workers; whatever is on its way rejects with HashPoolError. Resolves when they are gone. */
  close(): Promise<void>;
}

interface Job extends IndexRange {
  readonly request: Exclude<WorkerRequest, { stop: number }>;
  resolve(hashes: string[]): void;
  /** Nothing once it was resolved or rejected. */
  reject(reason: unknown): void;
  slot: Slot | undefined;
  cancelled: boolean;
}

interface Slot {
  readonly port: WorkerPort;
  /** In the order in which they will be answered: the first runs. */
  readonly jobs: Job[];
  /** Whether it ever answered: one that did not was probably never loaded. */
  proved: boolean;
}

/** Jobs that a worker has: one runs, the next lies there, so that between the two it waits neither for the caller nor to be woken, which takes a busy machine milliseconds. */
const JOBS_A_WORKER = 2;

const HINT =
  '; if a bundler or a server has moved the files of redflag, name the script redflag/hash-worker as workerUrl';

/**
 * Workers that are spawned when first needed, up to `size`, and used again. Each has two jobs at most; the others wait in
 * order. A worker that dies rejects the job it ran; what it had not begun, and the next job, go to a new one. Callers bound
 * the queue: each starts at most `ahead` chunks.
 */
export function createPool({ size, spawn }: { readonly size: number; readonly spawn: Spawn }): WorkerPool {
  const slots = new Set<Slot>();
  const waiting: Job[] = [];
  let nextId = 0;
  let closed = false;

  function open(): Slot {
    // Both are called on a later turn.
    const port = spawn({ onAnswer: (answer) => onAnswer(slot, answer), onEnd: (reason) => onEnd(slot, reason) });
    const slot: Slot = { port, jobs: [], proved: false };
    slots.add(slot);
    return slot;
  }

  /** The worker for the next job: one that has nothing to do, a new one, or one that has room; undefined when all are full. */
  function leastBusy(): Slot | undefined {
    let found: Slot | undefined;
    for (const slot of slots) {
      if (slot.jobs.length === 0) return slot;
      if (slot.jobs.length < JOBS_A_WORKER) found ??= slot;
    }
    return slots.size < size ? open() : found;
  }

  /** Gives waiting jobs to workers, as far as there is room. */
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
        job.reject(
          new HashPoolError(
            'worker-ended',
            `a hash worker could not be started: ${wordsOf(error)}${HINT}`,
            rangeOf(job),
          ),
        );
      }
      waiting.shift();
    }
  }

  function onAnswer(slot: Slot, answer: WorkerAnswer): void {
    if (!slots.has(slot)) return;
    const job = slot.jobs.shift();
    if (job === undefined) return;
    slot.proved = true;
    keepAlive(slot);
    // Nobody waits for what became of a cancelled one.
    if (!job.cancelled) settle(job, answer);
    if (slot.jobs.length === 0 && waiting.length === 0) takeOver();
    dispatch();
  }

  function settle(job: Job, answer: WorkerAnswer): void {
    // A script of another version may say anything, in any order.
    const {
      id,
      hashes,
      failed = 'its answer is of another version of redflag',
    } = answer as { id?: number; hashes?: string[]; failed?: string };
    if (id === job.request.id && hashes?.length === job.request.values.length) job.resolve(hashes);
    else
      job.reject(
        new HashPoolError('worker-failed', `a hash worker could not hash ${indexesOf(job)}: ${failed}`, rangeOf(job)),
      );
  }

  /** Takes a job that lies behind a running one, for a worker that has nothing to do: the running one may take long. */
  function takeOver(): void {
    for (const slot of slots) {
      const [, job] = slot.jobs;
      if (job === undefined || job.cancelled) continue;
      // What stands in its place is for the answer that is still to come.
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
    // A Web Worker lives on after an error.
    void slot.port.terminate();
    const [job, ...untouched] = slot.jobs.splice(0);
    job?.reject(
      new HashPoolError(
        'worker-ended',
        `a hash worker ended before it had hashed ${indexesOf(job)}: ${wordsOf(reason)}${slot.proved ? '' : HINT}`,
        rangeOf(job),
      ),
    );
    waiting.unshift(...untouched.filter(({ cancelled }) => !cancelled));
    dispatch();
  }

  /** The process waits for a worker as long as anybody waits for an answer of it. */
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
    // Its place is free again with its answer; nobody waits for that.
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

function rangeOf({ first, last }: IndexRange): IndexRange {
  return { first, last };
}

function indexesOf({ first, last }: IndexRange): string {
  return first === last ? `the identifier at index ${first}` : `the identifiers at index ${first} to ${last}`;
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
