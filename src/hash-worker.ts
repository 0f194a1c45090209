/**
 * `redflag/hash-worker`: the script of a Web Worker, one file without imports; nobody imports it. The pool of `redflag/browser`
 * starts it. In Node the same name is the script of a worker thread (`hash/node-worker.ts`).
 */
import { choose } from './hash/choose.ts';
import { createWorker, type WorkerRequest } from './hash/worker.ts';

const receive = createWorker(choose, (answer) => globalThis.postMessage(answer));
globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => receive(data));
