/**
 * `redflag/hash-worker`: script of a Web Worker, built as one file without imports. The pool of `redflag/browser`
 * starts it. In Node the same name resolves to the script of a worker thread (`core/hash/node-worker.ts`).
 */
import { choose } from './core/hash/choose.ts';
import { createWorker, type WorkerRequest } from './core/hash/worker.ts';

const receive = createWorker(choose, (answer) => globalThis.postMessage(answer));
globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => receive(data));
